"""What the display asks a board for: its records. It knows no verb that changes anything."""

from collections.abc import Iterator
from itertools import takewhile

from taisai.client import Board
from taisai.display.history import of_a_game
from taisai.journal.entries import Entry
from taisai.journal.reading import read

ANSWER_S = 1.5
"""Longer than a healthy board is ever silent, its slowest flash included."""
_BLOCK = 200  # records that are read at a time on the way back


class Reader:
    """The journal of one board; `taisai.journal.reading.read` takes it for the board itself. LinkError as usual."""

    def __init__(self, board: Board):
        self._link = board.link

    def journal(self, first: int) -> tuple[str, int]:
        """A page of records from `first` on, and the number that the next record will have."""
        reply = self._link.request("journal", {"first": first}, ANSWER_S)
        return reply["records"], reply["next"]

    def newest(self, size: int) -> tuple[list[Entry], int]:
        """The records of the last `size` games, oldest first, and the number that the next record will have.

        Reads backwards until one game more was seen: then everything about the others is there.
        """
        state = self._link.request("journal-state", timeout_s=ANSWER_S)
        oldest, following = state["oldest"], state["next"]
        found: list[Entry] = []
        first = following
        while first > oldest and len({entry["game"] for entry in found}) <= size:
            start = max(oldest, first - _BLOCK)
            found[:0] = filter(of_a_game, self._between(start, first))
            first = start
        return found, following

    def changed(self, seconds: float) -> None:
        """Wait until the table has changed, for `seconds` at most.

        A board forgets who listens when it restarts, and when it could not get rid of what it had to tell.
        """
        self._link.request("subscribe", timeout_s=ANSWER_S)
        self._link.next_event(seconds)
        self._link.events.clear()

    def _between(self, first: int, end: int) -> Iterator[Entry]:
        return takewhile(lambda entry: entry["sequence"] < end, read(self, first))
