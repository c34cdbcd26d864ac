"""Records from a board, a page at a time, in ascending order of their numbers."""

import time
from binascii import Error, a2b_base64
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from taisai.errors import EXIT_UNIT_FAILED, TaisaiError
from taisai.journal.entries import Entry, entries

if TYPE_CHECKING:
    from taisai.client import Board

_FOLLOW_S = 0.5


class BadJournal(TaisaiError):
    """The board sends something else than its journal."""

    exit_code = EXIT_UNIT_FAILED


def read(board: "Board", first: int, progress: Callable[[int, int], None] | None = None) -> Iterator[Entry]:
    """Every record from sequence number `first` on that the board has; what it writes meanwhile comes too.

    `progress(done, of)` is called with each page, in sequence numbers.
    """
    start = first
    while True:
        page, following = board.journal(first)
        for entry in _entries(page, first):
            first = entry["sequence"] + 1
            yield entry
        if progress is not None:
            progress(first - start, following - start)
        if not page or first >= following:
            return


def follow(board: "Board", first: int, until: Callable[[], bool]) -> Iterator[Entry]:
    """Every record from `first` on as it is written, until `until` says so when there is nothing new."""
    while True:
        for entry in read(board, first):
            first = entry["sequence"] + 1
            yield entry
        if until():
            return
        board.link.next_event(_FOLLOW_S)


def newest(board: "Board", count: int) -> list[Entry]:
    """The last records, oldest of them first."""
    following = board.journal_state()["next"]
    return list(read(board, max(1, following - count)))


def _entries(page: str, first: int) -> list[Entry]:
    try:
        found = list(entries(a2b_base64(page)))
    except (ValueError, Error) as error:
        raise BadJournal(f"the board sent what is no record: {error}") from error
    for entry in found:
        if entry["sequence"] < first:
            raise BadJournal(f"the board sent record {entry['sequence']} where {first} or later was asked for")
        first = entry["sequence"] + 1
    return found


def now() -> float:
    """Unix seconds of this computer."""
    return time.time()
