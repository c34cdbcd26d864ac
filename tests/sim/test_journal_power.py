"""The power fails in every flash operation of a start, a result, an amendment, a void, an end, a new segment and a
recovery, with the block half done: what the lamps showed is on record, once, the table is in the old state or in the
new, and plays on.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass

import pytest
import rule_evaluator
from aged_journal import PIECES, TAIL, with_full_ring, with_records
from journal_bench import HOLD_MS, TABLE, application, end_game, host_of, key, turn_switch

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
    key(board, *"136E")


def _amend(board):
    key(board, *"225E")


def _void(board):
    board.bench.keys.press("1", HOLD_MS)
    board.run_ms(HOLD_MS + 400)


def _idle(board):
    _start(board)


def _supervised(board):
    _start(board)
    turn_switch(board, True)


def _lit(board):
    _idle(board)
    _result(board)


def _lit_and_supervised(board):
    _lit(board)
    turn_switch(board, True)


def _damaged(files, *paths):
    for path in paths:
        content = bytearray(files[path])
        content[150] ^= 0x20
        files[path] = bytes(content)
    return files


def _recovery():
    # What is damaged in the tail is the end of the game before the last: the state does not depend on it.
    return _damaged(with_records(2 * SEGMENT + 24), "/data/journal/00000002.seg", "/data/tail/records")


@dataclass(frozen=True)
class Case:
    """`before` is done without a cut, then `act`, during which the table goes from the first of `throws` to the last:
    the throw that is lit, or none. `damaged`: how many records of the volume cannot be read.
    """

    volume: Callable
    before: Callable
    act: Callable
    throws: tuple[str, ...]
    damaged: int = 0


def _off(board):
    pass


# A start writes a record of its own, and a result is one too, so that what comes after a result is the third.
CASES = {
    "first start": Case(lambda: dict(application()), _off, _start, ("",)),
    "result": Case(lambda: with_records(20), _idle, _result, ("", "136")),
    "amendment": Case(lambda: with_records(20), _lit_and_supervised, _amend, ("136", "225")),
    "void": Case(lambda: with_records(20), _lit_and_supervised, _void, ("136", "")),
    "void of no game": Case(lambda: with_records(20), _supervised, _void, ("",)),
    "end": Case(lambda: with_records(20), _lit, end_game, ("136", "")),
    "start that appends to a segment": Case(lambda: with_records(TAIL * 3), _off, _start, ("",)),
    "result that appends to a segment": Case(lambda: with_records(TAIL * 3 - 1), _idle, _result, ("", "136")),
    "amendment that appends to a segment": Case(
        lambda: with_records(TAIL * 3 - 2), _lit_and_supervised, _amend, ("136", "225")
    ),
    "void that appends to a segment": Case(
        lambda: with_records(TAIL * 3 - 2), _lit_and_supervised, _void, ("136", "")
    ),
    "end that appends to a segment": Case(lambda: with_records(TAIL * 3 - 2), _lit, end_game, ("136", "")),
    "start that begins a segment in a full ring": Case(lambda: with_full_ring(TAIL), _off, _start, ("",)),
    "result that begins a segment in a full ring": Case(
        lambda: with_full_ring(TAIL - 1), _idle, _result, ("", "136")
    ),
    "amendment that begins a segment in a full ring": Case(
        lambda: with_full_ring(TAIL - 2), _lit_and_supervised, _amend, ("136", "225")
    ),
    "void that begins a segment in a full ring": Case(
        lambda: with_full_ring(TAIL - 2), _lit_and_supervised, _void, ("136", "")
    ),
    "end that begins a segment in a full ring": Case(
        lambda: with_full_ring(TAIL - 2), _lit, end_game, ("136", "")
    ),
    "recovery": Case(_recovery, _off, _start, ("",), damaged=2),
}


# The ordinary run leaves out those whose operations the others have too.
ORDINARY = (
    "first start", "result", "amendment", "void", "void of no game", "end", "end that appends to a segment",
    "amendment that begins a segment in a full ring", "recovery",
)  # fmt: skip


def _board(image, seed=0):
    board = VirtualBoard(load_table(TABLE), files={}, seed=seed)
    board.bench.flash.load_image(image)
    return board


def _operations(image, case):
    """How many flash operations the act takes."""
    with _board(image) as board:
        board.power_on()
        case.before(board)
        before = board.port.flash_operations
        case.act(board)
        return board.port.flash_operations - before


def _cut(image, case, at, part):
    """Do it, with the power going in operation `at`; returns the board without power, and what its lamps showed."""
    board = _board(image, at)
    board.power_on()
    case.before(board)
    before = board.port.flash_operations
    seen = []

    def cut(index, kind, address):
        if index == before + at:
            seen.append(set(board.bench.observe().lit))
            board.bench.schedule(board.bench.now_us + round(LENGTH_US[kind] * part), board.power_off)

    board.port.on_flash = cut
    case.act(board)
    board.port.on_flash = None
    assert seen and board.mode == "off", "the operation never came"
    return board, seen[0]


@pytest.mark.soak
@pytest.mark.parametrize("name", CASES if SOAK else ORDINARY)
def test_power_cut_in_every_operation(name):
    case = CASES[name]
    image = volume_image(case.volume(), BLOCKS)
    operations = _operations(image, case)
    assert operations >= 1
    for at in range(operations):
        for part in PARTS:
            board, lit = _cut(image, case, at, part)
            with board:
                _judge(board, lit, case, (name, at, part))


def _allowed(case, lit):
    """What may be lit after the cut, when this was lit before: that, or what the act was going to make of it."""
    areas = [_winners(throw) if throw else set() for throw in case.throws]
    assert lit in areas, "something else was lit before the cut"
    return areas[areas.index(lit) :]


def _judge(board, lit, case, where):
    damaged = case.damaged
    turn_switch(board, False)
    board.power_on()
    board.run_ms(START_MS)
    seen = board.bench.observe()
    assert set(seen.lit) in _allowed(case, lit), (where, "what was lit was on record")
    host = host_of(board)
    state = host.journal_state()
    # What the journal says of itself is shown: damage (E34), and that an export is due (E33).
    told = ["E33"] * bool(state["export_due"]) + ["E34"] * bool(damaged)
    assert host.state()["faults"] == told, where
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
