"""What the display asks a board for: its records. It knows no verb that changes anything."""

from collections.abc import Iterator

from taisai.client import Board
from taisai.display.history import Game, History, of_a_game
from taisai.journal.entries import Entry
from taisai.journal.reading import read

ANSWER_S = 1.5
"""Longer than a healthy board is ever silent, its slowest flash included."""
_BLOCK = 60  # records that are read at a time on the way back


class Reader:
    """The journal of one board; `taisai.journal.reading.read` takes it for the board itself. LinkError as usual."""

    def __init__(self, board: Board):
        self.board = board.identity.board
        self._link = board.link

    def journal(self, first: int) -> tuple[str, int]:
        """A page of records from `first` on, and the number that the next record will have."""
        reply = self._link.request("journal", {"first": first}, ANSWER_S)
        return reply["records"], reply["next"]

    def newest(self, games: int) -> list[Entry]:
        """The newest records, back to the last so many games; what has become of a game says its last record."""
        state = self._link.request("journal-state", timeout_s=ANSWER_S)
        first, found = state["next"], []
        while first > state["oldest"] and len({entry["game"] for entry in found if of_a_game(entry)}) < games:
            end, first = first, max(state["oldest"], first - _BLOCK)
            found[:0] = self._between(first, end)
        return found

    def changed(self, seconds: float) -> None:
        """Wait until the table has changed, for `seconds` at most.

        A board forgets who listens when it restarts, and when it could not get rid of what it had to tell.
        """
        self._link.request("subscribe", timeout_s=ANSWER_S)
        self._link.next_event(seconds)
        self._link.events.clear()

    def _between(self, first: int, end: int) -> Iterator[Entry]:
        for entry in read(self, first):
            if entry["sequence"] < end:
                yield entry
            if entry["sequence"] >= end - 1:
                return


class LastGames:
    """The last `size` games of the board that is read; each update reads only what is new, over another link too."""

    def __init__(self, size: int):
        self._size = size
        self._history = History(size)
        self._board = ""
        self._last: Entry | None = None

    @property
    def games(self) -> tuple[Game, ...]:
        """Newest first."""
        return self._history.games

    def update(self, reader: Reader) -> None:
        """Read on from the last record that is known. Where another one stands in its place, all is read anew: the
        controller was exchanged, or its journal was begun anew.
        """
        fresh = []
        if self._last is not None and reader.board == self._board:
            fresh = list(read(reader, self._last["sequence"]))
        if not fresh or fresh[0] != self._last:
            fresh = reader.newest(self._size)
            self._history = History(self._size)
        self._history.take(fresh)
        self._board = reader.board
        self._last = fresh[-1] if fresh else None
