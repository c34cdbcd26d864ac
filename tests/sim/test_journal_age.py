"""A year of play, 300,000 games of two records: nothing grows, slows down, gets lost or wears out.

`make soak` writes a year's records with the journal alone, and keys a year's games at the table: some two hours, nearly
all of it at the table, where a game takes 21 ms of a processor. The ordinary run
writes those of 9,000 games, after which the ring has gone round once and every later day is like the last, and then
keys some games at a table that starts on that volume. The real interpreter writes through the real VfsLfs2 onto flash
with NOR rules, on a heap that stands for 96 KB.
"""

import os

import pytest
import rule_evaluator
from journal_bench import HEAP_BYTES, board_running, end_game, host_of, key, output

from taisai.journal.reading import read
from taisai.sim.board import VirtualBoard

LAYOUT = "nz-div9-appendix1"
YEAR_GAMES = 300_000
SOAK = bool(os.environ.get("TAISAI_SOAK"))
RECORD_GAMES = YEAR_GAMES if SOAK else 9_000
DAY_GAMES = 100
TABLE_DAYS = YEAR_GAMES // DAY_GAMES if SOAK else 3
START_MS = 1000
# Erases that a sector lasts: W25Q16JV datasheet, "more than 100,000 erase/program cycles".
ENDURANCE = 100_000
WINDOW = 500
HEAP_PLAY = 2048  # bytes by which the heap in use may differ from day to day

PLAY = b"""
import time
WINDOW = %d
journal.open()
for window in range(%d):
    start = time.ticks_us()
    slowest = 0
    for game in range(WINDOW):
        for kind in (records.RESULT, records.END):
            before = time.ticks_us()
            if not journal.append(kind, (window * WINDOW + game) %% 216):
                raise ValueError('not written')
            slowest = max(slowest, time.ticks_diff(time.ticks_us(), before))
    spent = time.ticks_diff(time.ticks_us(), start)
    gc.collect()
    print(spent // (2 * WINDOW), slowest, gc.mem_alloc(), gc.mem_free())
reader = JournalReader(journal)
check = JournalCheck(journal)
while check.step():
    pass
first = oldest = reader.oldest()
while True:
    page = memoryview(reader.read(first, 15))
    if not page:
        break
    for at in range(0, len(page), 32):
        if records.unpack(page, at)[0] != first:
            raise ValueError('a gap')
        first += 1
print('end', oldest, first, journal.standing.game, journal.damaged, journal.dropped)
"""


def _played(board: VirtualBoard, games: int, first: int) -> list[int]:
    """Games at the keys; each one's microseconds of flash operations. The throw is another one each time."""
    spent = []
    for number in range(first, first + games):
        before = board.bench.flash.busy_us
        dice = (number // 36 % 6 + 1, number // 6 % 6 + 1, number % 6 + 1)
        key(board, *map(str, dice), "E")
        assert set(board.bench.observe().lit) == set(rule_evaluator.winners(LAYOUT, dice)), dice
        end_game(board)
        assert not board.bench.observe().lit
        spent.append(board.bench.flash.busy_us - before)
    return spent


def _judge_wear(capsys, title, count, worn, mean_us, heap):
    """Print what was measured and what it means, and judge it.

    littlefs spreads the erases over the blocks that the application does not hold, but not evenly from month to month:
    only a whole year tells what the most worn block gets.
    """
    used = [erases for erases in worn if erases]
    a_year = sum(used) / len(used) * 2 * YEAR_GAMES / count
    with capsys.disabled():
        print(
            f"\n{title}: {count} records, {sum(worn) / count:.3f} erases each; flash time of one {mean_us[0]:.0f} us "
            f"at first, {mean_us[-1]:.0f} us at the end; heap in use {min(heap)} to {max(heap)} bytes; {len(used)} "
            f"blocks in use, on average erased {a_year:.0f} times in a year of play: {ENDURANCE / a_year:.0f} years; "
            f"the most worn one here {max(worn)} times"
        )
    assert sum(worn) / count <= 0.25, "more than the form of the journal was chosen for"
    assert count < 10_000 or ENDURANCE / a_year >= 100
    if count >= 2 * YEAR_GAMES:
        assert max(worn) * 50 <= ENDURANCE
    assert mean_us[-1] <= 2 * mean_us[0], "appending has become slower"
    assert max(heap) - min(heap) <= HEAP_PLAY, "memory grows"


@pytest.mark.soak
def test_a_year_of_play(capsys):
    with board_running(PLAY % (WINDOW, RECORD_GAMES // WINDOW), heap_bytes=HEAP_BYTES) as board:
        board.power_on()
        lines = output(board, RECORD_GAMES * 1000)
        assert lines[-1].startswith(b"end"), lines[-3:]
        oldest, following, game, damaged, dropped = (int(word) for word in lines[-1].split()[1:])
        assert following == 2 * RECORD_GAMES + 1 and game == RECORD_GAMES and damaged == dropped == 0
        assert following - oldest >= 15_000
        windows = [[int(word) for word in line.split()] for line in lines[:-1]]
        assert len(windows) == RECORD_GAMES // WINDOW
        worn = list(board.bench.flash.erase_counts)
        mean_us, used = [window[0] for window in windows], [window[2] for window in windows[1:]]
        _judge_wear(capsys, "the journal alone", following - 1, worn, mean_us, used)

        board.hard_reset()
        board.run_ms(START_MS)
        host = host_of(board)
        first = host.journal_state()["next"]
        assert first == following + 2, "new are only this start, and the fault that an export is due"
        heap, spent = [], []
        for day in range(TABLE_DAYS):
            spent += _played(board, DAY_GAMES, day * DAY_GAMES)
            heap.append(board.heap()[0])
            assert host.journal_state()["next"] == first + 2 * DAY_GAMES * (day + 1)
        state = host.journal_state()
        assert state["game"] == game + DAY_GAMES * TABLE_DAYS and not state["failed"] and not state["damaged"]
        assert host.state()["faults"] == ["E33"] and board.starts == ["power", "pin"]
        numbers = [entry["sequence"] for entry in read(host, state["next"] - 1000)]
        assert numbers == list(range(state["next"] - 1000, state["next"]))
        worn = [now - then for now, then in zip(board.bench.flash.erase_counts, worn, strict=True)]
        mean_us = [sum(part) / len(part) / 2 for part in (spent[: 2 * DAY_GAMES], spent[-2 * DAY_GAMES :])]
        _judge_wear(capsys, "at the table", 2 * len(spent), worn, mean_us, heap[1:])
