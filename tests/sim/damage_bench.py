"""A table that has been in use, whose flash a test then damages; and what became of it, in words."""

from functools import cache

import rule_evaluator
from journal_bench import TABLE, application, end_game, host_of, key

from taisai.boards.table import load_table
from taisai.build import volume_files
from taisai.journal.reading import read
from taisai.sim.board import FIRMWARE, PROMPT, VirtualBoard

LAYOUT = "nz-div9-appendix1"
START_MS = 1500
CHECK_MS = 6000
GAMES = 12
KEY = bytes(range(32))
SAME = "all there, nothing to tell"
UNTOLD = "newest records gone, and the board cannot know"


@cache
def unit() -> tuple[bytes, tuple]:
    """A table that has been in use, with a result that is lit: its flash and its records."""
    with VirtualBoard(load_table(TABLE), files=dict(application())) as board:
        board.power_on()
        board.run_ms(START_MS)
        host = host_of(board)
        host.set_settings({"brightness_percent": 60})
        host.set_unit_identity({"model": "TS-2"})
        host.mark_exported(1)
        host.set_key(KEY)
        for number in range(GAMES):
            key(board, "1", "2", str(number % 6 + 1), "E")
            end_game(board)
        key(board, *"136E")
        entries = tuple(read(host, 1))
        board.power_off()
        image = bytes(board.bench.flash.content)
    return image, entries


def board_with(image: bytes) -> VirtualBoard:
    board = VirtualBoard(load_table(TABLE), files={})
    board.bench.flash.load_image(image)
    return board


def outcome(board: VirtualBoard) -> str:
    """Start; what became of it, in words."""
    board.power_on()
    board.run_ms(START_MS)
    assert board.starts == ["power"], "it restarts by itself"
    if board.mode == PROMPT:
        assert not board.bench.observe().enabled and not board.bench.observe().lit
        said = board.serial.read(0)
        if _erased(board):
            return "at the prompt, dark: erased by the stock image"
        if b"no application to start" in said:
            return "at the prompt, dark: no application"
        assert b"wiring.run" in said or b'"main.py", line' in said, said
        return "at the prompt, dark: a part of the application cannot be loaded"
    assert board.mode == FIRMWARE
    return _judged(board, unit()[1])


def _judged(board: VirtualBoard, known: tuple) -> str:
    seen = set(board.bench.observe().lit)
    host = host_of(board)
    assert board.run_until(lambda: host.integrity()[0] != "checking", CHECK_MS)
    faults, state = host.state()["faults"], host.journal_state()
    found = list(read(host, 1))
    old = [entry for entry in found if entry in known]
    assert old == [entry for entry in known if entry in old], "records in another order, or twice"
    new = [entry for entry in found if entry not in known]
    assert all(entry["kind"] in ("boot", "fault") for entry in new), f"invented: {new}"
    assert seen == _proved(old), "the lamps show something else than the records prove"
    told = [f"fault {code}" for code in faults] + ["damage told"] * bool(state["damaged"])
    told += {60: [], 100: ["settings as delivered"]}[host.settings()["brightness_percent"]]
    if not faults:
        _play(board, seen)
    if len(old) == len(known):
        return ", ".join(told) or SAME
    return "records gone: " + ", ".join(told) if faults or state["damaged"] else UNTOLD


def _proved(entries: list) -> set[str]:
    """The areas that are lit after these records."""
    games = [entry for entry in entries if entry["kind"] in ("result", "end")]
    if not games or games[-1]["kind"] == "end":
        return set()
    return set(rule_evaluator.winners(LAYOUT, tuple(map(int, games[-1]["throw"]))))


def _play(board: VirtualBoard, seen: set[str]) -> None:
    """The game that is lit is ended, and the next one works."""
    if seen:
        end_game(board)
    key(board, *"254E")
    assert set(board.bench.observe().lit) == set(rule_evaluator.winners(LAYOUT, (2, 5, 4)))
    end_game(board)
    assert not board.bench.observe().lit


def _erased(board: VirtualBoard) -> bool:
    return not volume_files(bytes(board.bench.flash.content))
