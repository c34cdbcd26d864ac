"""The power fails in every flash operation of a start, a result, an end, a new segment and a recovery, with the block
half done: what the lamps showed is on record, once, the table is in the old state or in the new, and plays on.
"""

import os

import pytest
import rule_evaluator
from aged_journal import PIECES, TAIL, with_full_ring, with_records
from journal_bench import TABLE, application, end_game, host_of, key

from taisai.boards.table import load_table
from taisai.build import volume_image
from taisai.journal.reading import read
from taisai.sim.board import VirtualBoard

LAYOUT = "nz-div9-appendix1"
START_MS = 800
SOAK = bool(os.environ.get("TAISAI_SOAK"))
LENGTH_US = {"erase": 45_000, "program": 400}
# The moment within the operation; nothing of it is done when the power goes before it begins.
PARTS = (0.0, 0.3, 0.7) if SOAK else (0.5,)
BLOCKS = 352
SEGMENT = PIECES * TAIL


def _winners(throw):
    return set(rule_evaluator.winners(LAYOUT, tuple(int(die) for die in throw)))


def _start(board):
    board.run_ms(START_MS)


def _result(board):
    _start(board)
    key(board, *"136E")


def _end(board):
    _result(board)
    end_game(board)


def _damaged(files, *paths):
    for path in paths:
        content = bytearray(files[path])
        content[150] ^= 0x20
        files[path] = bytes(content)
    return files


def _recovery():
    # What is damaged in the tail is the end of the game before the last: the state does not depend on it.
    return _damaged(with_records(2 * SEGMENT + 24), "/data/journal/00000002.seg", "/data/tail/records")


# Name: the volume, what is done, how many records of it cannot be read. The start writes a record of its own.
CASES = {
    "first start": (lambda: dict(application()), _start, 0),
    "result": (lambda: with_records(20), _result, 0),
    "end": (lambda: with_records(20), _end, 0),
    "start that appends to a segment": (lambda: with_records(TAIL * 3), _start, 0),
    "result that appends to a segment": (lambda: with_records(TAIL * 3 - 1), _result, 0),
    "end that appends to a segment": (lambda: with_records(TAIL * 3 - 2), _end, 0),
    "start that begins a segment in a full ring": (lambda: with_full_ring(TAIL), _start, 0),
    "result that begins a segment in a full ring": (lambda: with_full_ring(TAIL - 1), _result, 0),
    "end that begins a segment in a full ring": (lambda: with_full_ring(TAIL - 2), _end, 0),
    "recovery": (_recovery, _start, 2),
}


# The ordinary run leaves out those whose operations the others have too.
ORDINARY = (
    "first start", "result", "end", "end that appends to a segment", "end that begins a segment in a full ring",
    "recovery",
)  # fmt: skip


def _board(image, seed=0):
    board = VirtualBoard(load_table(TABLE), files={}, seed=seed)
    board.bench.flash.load_image(image)
    return board


def _operations(image, act):
    """How many flash operations there are until the act is over."""
    with _board(image) as board:
        board.power_on()
        act(board)
        return board.port.flash_operations


def _cut(image, act, at, part):
    """Do it, with the power going in operation `at`; returns the board without power, and what its lamps showed."""
    board = _board(image, at)
    seen = []

    def cut(index, kind, address):
        if index == at:
            seen.append(set(board.bench.observe().lit))
            board.bench.schedule(board.bench.now_us + round(LENGTH_US[kind] * part), board.power_off)

    board.port.on_flash = cut
    board.power_on()
    act(board)
    board.port.on_flash = None
    assert seen and board.mode == "off", "the operation never came"
    return board, seen[0]


@pytest.mark.parametrize("name", CASES if SOAK else ORDINARY)
def test_power_cut_in_every_operation(name):
    make, act, damaged = CASES[name]
    image = volume_image(make(), BLOCKS)
    operations = _operations(image, act)
    assert operations >= 1
    for at in range(operations):
        for part in PARTS:
            board, lit = _cut(image, act, at, part)
            with board:
                _judge(board, lit, act, damaged, (name, at, part))


def _judge(board, lit, act, damaged, where):
    board.power_on()
    board.run_ms(START_MS)
    seen = board.bench.observe()
    assert set(seen.lit) in (set(), _winners("136")), where
    if lit and act is _result:
        assert set(seen.lit) == lit, (where, "it was lit, so it was on record")
    if act is _start:
        assert not seen.lit, where
    host = host_of(board)
    assert host.state()["faults"] == [], where
    state = host.journal_state()
    first = state["oldest"] if damaged else max(state["oldest"], state["next"] - 60)
    missing = state["next"] - first - len(list(read(host, first)))
    assert (missing == 0) if not damaged else (damaged <= missing <= damaged + 16), where
    if seen.lit:
        end_game(board)
    key(board, *"254E")
    assert set(board.bench.observe().lit) == _winners("254"), where
    end_game(board)
    last = list(read(host, max(1, host.journal_state()["next"] - 4)))
    first = last[0]["sequence"]
    assert [entry["sequence"] for entry in last] == list(range(first, first + len(last))), where
    assert [entry["kind"] for entry in last[-2:]] == ["result", "end"] and last[-2]["throw"] == "254", where
    games = [entry["game"] for entry in last if entry["kind"] == "result"]
    assert games == sorted(set(games)), where
