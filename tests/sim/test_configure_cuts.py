"""`taisai configure set` and `import`, cut off anywhere: the cable at every message and at random bytes, the power at
every flash operation.

Settings are one file on the board and identity is another: each has its old values or its new ones, settings change
first, and the same command run again completes.
"""

import json
import random

import pytest
from board_port import BoardPort
from deploy_tools import TABLE, restart, with_release

from taisai.boards.table import load_table
from taisai.build.bundle import build_bundle
from taisai.cli import main
from taisai.client import Board
from taisai.client.transport import Transport
from taisai.sim.board import OFF

OLD = {"brightness_percent": 100, "day_begins_hour_utc": 18, "serial_number": None, "model": None}
NEW = {"brightness_percent": 60, "day_begins_hour_utc": 5, "serial_number": "TS-7", "model": "TS-3"}
PARTS = (("brightness_percent", "day_begins_hour_utc"), ("serial_number", "model"))
RANDOM_CUTS = 200
LOST = (2, 3)
DURATION_US = {"erase": 45_000, "program": 400}


def in_bench_time(board, **cut):
    return Transport(BoardPort(board, **cut), "the port", lambda: board.bench.now_us / 1_000_000)


class Desk:
    """A table, and the command line at a port of it; `cut` says where its cable comes out."""

    def __init__(self, monkeypatch, tmp_path):
        self.board = None
        self.cut = {}
        self.port = None
        self._file = tmp_path / "unit.json"
        parts = [{key: NEW[key] for key in keys} for keys in PARTS]
        self._file.write_text(json.dumps({"format": 1, "settings": parts[0], "identity": parts[1]}))
        monkeypatch.setattr("taisai.client.open_board", self._open)

    def _open(self, _):
        transport = in_bench_time(self.board, **self.cut)
        self.port = transport.port
        return Board.identify(transport)

    def run(self, action):
        what = [str(self._file)] if action == "import" else [f"{key}={value}" for key, value in NEW.items()]
        return main(["configure", action, *what])

    def values(self):
        """As the board tells them, over a cable that holds."""
        board = Board.identify(in_bench_time(self.board))
        told = {**board.settings(), **board.unit_identity()}
        assert board.state()["faults"] == []
        return {key: told[key] for key in OLD}

    def set_back(self):
        board = Board.identify(in_bench_time(self.board))
        for change, keys in zip((board.set_settings, board.set_unit_identity), PARTS, strict=True):
            change({key: OLD[key] for key in keys})
        assert self.values() == OLD

    def judge_and_complete(self, action):
        """What was cut off is whole, part by part, and in order; then the same again goes through."""
        now = self.values()
        parts = [tuple(now[key] for key in keys) for keys in PARTS]
        old, new = ([tuple(values[key] for key in keys) for keys in PARTS] for values in (OLD, NEW))
        assert parts in (old, [new[0], old[1]], new)
        self.cut = {}
        assert self.run(action) == 0
        assert self.values() == NEW


@pytest.fixture(scope="module")
def release():
    return build_bundle(load_table(TABLE))


@pytest.fixture
def desk(monkeypatch, tmp_path):
    desk = Desk(monkeypatch, tmp_path)
    yield desk
    desk.board.power_off()


@pytest.fixture
def uncut(desk, release):
    """One run from start to end: what there is to be cut in it."""
    desk.board = with_release(release)
    before = desk.board.port.flash_operations
    assert desk.run("set") == 0
    assert desk.values() == NEW
    operations = desk.board.port.flash_operations - before
    assert desk.port.messages >= 6 and operations >= 4  # two changes among what is asked before and after
    return desk.port.messages, desk.port.passed, operations


@pytest.mark.parametrize("action", ["set", "import"])
def test_cable_out_at_every_message(desk, uncut, action):
    for place in range(uncut[0]):
        desk.set_back()
        desk.cut = {"cut_before": place}
        assert desk.run(action) in LOST
        desk.judge_and_complete(action)


@pytest.mark.soak
def test_cable_out_after_any_number_of_bytes(desk, uncut, campaign):
    places = random.Random(11)
    for number in range(campaign(RANDOM_CUTS)):
        action = ("set", "import")[number % 2]
        desk.set_back()
        desk.cut = {"cut_after": places.randrange(1, uncut[1] - 60)}
        assert desk.run(action) in LOST
        if number % 4 == 0:
            restart(desk.board)
        desk.judge_and_complete(action)


@pytest.mark.soak
def test_power_cut_in_every_flash_operation(desk, uncut, release, campaign):
    places = random.Random(12).sample(range(uncut[2]), campaign(uncut[2]))
    for place in sorted({0, uncut[2] - 1, *places}):
        desk.board.power_off()
        desk.board = with_release(release, seed=place)
        index = desk.board.port.flash_operations + place

        def cut(number, kind, _, board=desk.board, index=index):
            if number == index:
                board.bench.schedule(board.bench.now_us + index * 97 % DURATION_US[kind], board.power_off)

        desk.board.port.on_flash = cut
        assert desk.run("import") in LOST and desk.board.mode == OFF
        desk.board.port.on_flash = None
        restart(desk.board)
        desk.judge_and_complete("import")
