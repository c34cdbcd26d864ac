"""Volumes whose journal has a past, made by the firmware's own journal in this interpreter: its files are the same."""

import sys
from functools import cache
from pathlib import Path

from journal_bench import application

from tablecore import records
from tablecore.journal import RING_SEGMENTS, Journal

sys.path.insert(0, str(Path(__file__).parents[1] / "core"))

from journal_store import Store, Watch  # noqa: E402

TAIL = 15  # records of a tail on an RP2040
PIECES = 33  # tails that go into one segment


def journal_on(files: dict[str, bytes]) -> Journal:
    """The journal in these files, opened; what it writes goes into them."""
    journal = Journal(Store(files), Watch(), TAIL)
    assert journal.open()
    return journal


def play(journal: Journal, count: int) -> None:
    """So many records: games of a result and an end."""
    for number in range(count):
        assert journal.append(records.END if number % 2 else records.RESULT, number // 2 % 216)


@cache
def _full_ring() -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    play(journal_on(files), RING_SEGMENTS * PIECES * TAIL)
    return files


def with_records(count: int) -> dict[str, bytes]:
    """A volume with so many records; no game is open."""
    return _with(count, dict(application()))


def with_full_ring(more: int = 0) -> dict[str, bytes]:
    """A volume whose ring has as many segments as it may have, and `more` records on top; no game is open.

    With none on top, the last piece of the newest segment is still in the tail: the next record puts it there, and the
    fifteenth after that one begins a new segment.
    """
    return _with(more, {**application(), **_full_ring()})


def _with(count: int, files: dict[str, bytes]) -> dict[str, bytes]:
    journal = journal_on(files)
    play(journal, count - count % 2)
    if count % 2:
        journal.append(records.CONFIG)
    return files
