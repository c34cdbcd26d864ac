"""Flashing over a link that loses, doubles or alters bytes, to a board that answers late, and to a volume that is full.

What was written is right, or the command says that it is not; the version that the board had stays until then.
"""

import random

import pytest
from board_port import BoardPort
from deploy_tools import (
    Quiet,
    blank,
    fast_flash,
    first,
    flash,
    is_exactly,
    reached,
    second,
    started_version,
    with_new_loader,
    with_release,
)

from taisai.deploy.errors import DeployError, Unfit
from taisai.deploy.preflight import Policy
from taisai.deploy.verify import verify_board
from taisai.errors import TaisaiError
from taisai.sim.board import FIRMWARE


class Disturbed(BoardPort):
    """One byte of the traffic is spoiled: number `at` of what the host sends, or of what the board sends."""

    def __init__(self, board, how, at, of_board=False):
        super().__init__(board)
        self._how, self._left, self._of_board = how, at, of_board

    def write(self, data):
        return len(data) if super().write(data if self._of_board else self._spoil(data)) is not None else 0

    def read(self, size):
        data = super().read(size)
        return self._spoil(data) if self._of_board else data

    def _spoil(self, data):
        at, self._left = self._left, self._left - len(data)
        if not 0 <= at < len(data):
            return data
        if self._how == "lost":
            return data[:at] + data[at + 1 :]
        if self._how == "doubled":
            return data[: at + 1] + data[at:]
        spoiled = 3 if self._how == "interrupting" else data[at] ^ 0x40
        return data[:at] + bytes([spoiled]) + data[at + 1 :]


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    fast_flash(monkeypatch)
    monkeypatch.setattr("taisai.deploy.line.STALLED_S", 1.0)
    for limit in ("_MARK_S", "_LOOK_S", "_STEP_S"):
        monkeypatch.setattr(f"taisai.deploy.installer.{limit}", 1.0)


@pytest.mark.soak
@pytest.mark.parametrize("how", ["lost", "doubled", "flipped"])
@pytest.mark.parametrize("of_board", [False, True], ids=["to the board", "from the board"])
def test_one_byte_of_the_traffic_is_spoiled(how, of_board, campaign):
    places = random.Random(how)
    for _ in range(campaign(30)):
        at = places.randrange(10, 1200 if of_board else 8000)
        with with_release(first()) as board:
            try:
                flash(board, with_new_loader(), port=Disturbed(board, how, at, of_board))
            except TaisaiError:
                # Told in plain words; what is there starts, and the same again over a good link completes.
                assert started_version(board, first(), with_new_loader())
                flash(board, with_new_loader())
            assert is_exactly(board, with_new_loader()), (how, at)


@pytest.mark.parametrize("how", ["flipped", "interrupting"])
def test_a_damaged_frame_is_noticed_by_the_board_and_sent_again(how):
    with blank() as board:
        # The programs come first; the middle of everything lies in the packed files.
        port = Disturbed(board, how, 20_000)
        flash(board, first(), port=port)
        assert is_exactly(board, first())


class Late(BoardPort):
    """The first that the board sends after the port was opened comes two seconds late, as from one that starts."""

    def __init__(self, board):
        super().__init__(board)
        self._since = None
        self._first = b""

    def read(self, size):
        now = self._board.bench.now_us
        if self._since is None or now < self._since + 2_000_000:
            self._first += super().read(4096)
            if self._first and self._since is None:
                self._since = now
            return b""
        data, self._first = self._first + super().read(size), b""
        return data


def test_a_board_that_answers_two_seconds_late():
    with with_release(first()) as board:
        flash(board, second(), port=Late(board))
        assert is_exactly(board, second())
        report = verify_board(reached(board, Late(board)), second(), Policy(), Quiet())
        assert report.passed and board.mode == FIRMWARE


def test_a_full_volume_is_refused_before_anything_is_written():
    big = {"/data/big": random.Random(1).randbytes(1_050_000)}
    with blank(files={**first().volume(), **big}) as board:
        written = board.port.flash_operations
        with pytest.raises(Unfit, match="KiB free and the new version needs"):
            flash(board, second())
        assert board.port.flash_operations - written < 12
        board.hard_reset()
        board.run_ms(1500)
        assert board.mode == FIRMWARE and started_version(board, first()) is first()


def test_a_volume_that_fills_up_while_it_is_written(monkeypatch):
    """The estimate is made to pass, so that the board itself finds out."""
    monkeypatch.setattr("taisai.deploy.flash.check_space", lambda *_: None)
    big = {"/data/big": random.Random(1).randbytes(1_050_000)}
    with blank(files={**first().volume(), **big}) as board:
        with pytest.raises(DeployError, match="the board's volume is full"):
            flash(board, second())
        assert started_version(board, first()) is first()
