"""Flashing, cut off anywhere: the cable at every message and at random bytes, the power at every flash operation.

Afterwards the board has the old version or the new one, never a mix, and the same command run again completes.
"""

import random

import pytest
from board_port import BoardPort
from deploy_tools import (
    blank,
    fast_flash,
    first,
    flash,
    is_exactly,
    restart,
    started_version,
    volume,
    with_new_loader,
)

from taisai.errors import TaisaiError
from taisai.sim.board import OFF

pytestmark = pytest.mark.soak

OWN = {"/data/identity.json": b'{"serial_number": "7"}', "/data/journal-0001": bytes(range(256))}
RANDOM_CUTS = 200
DURATION_US = {"erase": 20, "program": 5}  # as `fast_flash` makes them


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    fast_flash(monkeypatch)


def from_blank(seed=0):
    return blank(files={**OWN}, seed=seed)


def from_old_release(seed=0):
    return blank(files={**first().volume(), **OWN}, seed=seed)


SITUATIONS = {"blank": (from_blank, first), "update": (from_old_release, with_new_loader)}


class Uncut:
    """A flash run from start to end, and what there is to be cut in it."""

    def __init__(self, situation):
        make, bundle = SITUATIONS[situation]
        with make() as board:
            port = BoardPort(board)
            before = board.port.flash_operations
            flash(board, bundle(), port=port)
            self.bytes = port.passed
            self.messages = port.messages
            self.operations = board.port.flash_operations - before


@pytest.fixture(scope="module")
def uncut():
    with pytest.MonkeyPatch.context() as patch:
        fast_flash(patch)
        return {situation: Uncut(situation) for situation in SITUATIONS}


def sample(campaign, number, seed):
    """Of the places 0 to number - 1, all of them or, of the hundreds that there are, a fortieth; the ends always."""
    count = campaign(number)
    chosen = random.Random(seed).sample(range(number), count if count == number else count // 4)
    return sorted({0, number - 1, *chosen})


def check_and_complete(board, bundle, *, power_cycle):
    """What the cut has left is whole; the command run again ends with the new release and the unit's own files."""
    started_version(board, first(), bundle)
    if power_cycle:
        restart(board)
    flash(board, bundle)
    assert is_exactly(board, bundle)
    assert {path: volume(board)[path] for path in OWN} == OWN


@pytest.mark.parametrize("situation", SITUATIONS)
def test_cable_out_at_every_message(situation, uncut, campaign):
    make, bundle = SITUATIONS[situation]
    for place in sample(campaign, uncut[situation].messages, 1):
        with make() as board:
            port = BoardPort(board, cut_before=place)
            try:
                flash(board, bundle(), port=port)
            except TaisaiError:
                pass
            else:
                assert port.messages <= place, "it ended well without having needed that message"
            check_and_complete(board, bundle(), power_cycle=place % 2 == 0)


@pytest.mark.parametrize("situation", SITUATIONS)
def test_cable_out_after_any_number_of_bytes(situation, uncut, campaign):
    make, bundle = SITUATIONS[situation]
    places = random.Random(2)
    for number in range(campaign(RANDOM_CUTS // len(SITUATIONS))):
        with make() as board:
            cut = places.randrange(uncut[situation].bytes - 2)
            with pytest.raises(TaisaiError):
                flash(board, bundle(), port=BoardPort(board, cut_after=cut))
            check_and_complete(board, bundle(), power_cycle=number % 2 == 0)


def cut_power(board, place):
    """Take the power in the middle of flash operation number `place` from now on."""
    index = board.port.flash_operations + place
    part = random.Random(place).random()

    def before(number, kind, _):
        if number == index:
            board.bench.schedule(board.bench.now_us + round(DURATION_US[kind] * part), board.power_off)

    board.port.on_flash = before


@pytest.mark.parametrize("situation", SITUATIONS)
def test_power_cut_in_every_flash_operation(situation, uncut, campaign):
    make, bundle = SITUATIONS[situation]
    for place in sample(campaign, uncut[situation].operations, 3):
        with make(seed=place) as board:
            cut_power(board, place)
            with pytest.raises(TaisaiError):
                flash(board, bundle())
            assert board.mode == OFF
            board.port.on_flash = None
            restart(board)
            check_and_complete(board, bundle(), power_cycle=False)
