"""Keeps a picture as the journal of the table at a port is: connects, listens, and connects again, for ever.

Nothing that goes wrong here reaches the table: a board answers a reader when it has time, and forgets one that is gone.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass

from taisai.boards.layout import Layout
from taisai.boards.shipped import every_id
from taisai.boards.table import Table, load_table
from taisai.client import Board, Transport, open_board, open_port
from taisai.client.board import Identity
from taisai.client.errors import LinkLost, NotReading, PortMissing, Silent, StillBooting
from taisai.client.find import ID
from taisai.display.picture import nothing, picture
from taisai.display.reading import ANSWER_S, LastGames, Reader
from taisai.errors import TaisaiError

LOOK_S = 1.0
"""So often the board is asked, whether it has told anything or not. With ANSWER_S: a lost table shows within 2.5 s."""
RETRY_S = 1.0

# At the start a table may not be on yet; anything else is for a person to mend.
_WAITED_FOR = (PortMissing, Silent, StillBooting, NotReading, LinkLost)


@dataclass(frozen=True)
class Source:
    """What to show: the table at `port`, as open_board takes it; `last` results, and counts of `window` games.

    `table`: for a board whose table is not a shipped one, that table.
    """

    port: str | None
    table: Table | None
    last: int
    window: int


class Listener:
    """`tell(picture)` gets the picture at every look; `say(text)` which board it is, or why there is none.
    Both are called in the thread that runs.
    """

    def __init__(self, source: Source, tell: Callable[[dict], None], say: Callable[[str], None]):
        self._source = source
        self._port = source.port
        self._tell = tell
        self._say = say
        self._said = ""
        self._transport: Transport | None = None
        self._stopped = threading.Event()
        self._last_games = LastGames(max(source.last, source.window))
        self._picture = nothing(source.last)

    def start(self) -> None:
        """Look for the table once. TaisaiError when it cannot be shown, for a reason that waiting does not mend."""
        try:
            self._layout(self._connect().identity)
        except TaisaiError as error:
            if type(error) not in _WAITED_FOR:
                self._close()
                raise
            self._lost(error)

    def run(self) -> None:
        """Show the table, until stopped."""
        while not self._stopped.is_set():
            try:
                self._follow(self._connect())
            except TaisaiError as error:
                self._lost(error)
                self._stopped.wait(RETRY_S)
        self._close()

    def stop(self) -> None:
        """Have `run` end soon. From any thread."""
        self._stopped.set()

    def _close(self) -> None:
        if self._transport is not None:
            self._transport.close()
            self._transport = None

    def _connect(self) -> Board:
        """A port that is open stays open until it is gone: to open it anew would restart some boards."""
        if self._transport is None and (self._port is None or self._port.startswith(ID)):
            board = open_board(self._port)
            self._port, self._transport = board.port, board.link.transport
            return board
        if self._transport is None:
            self._transport = open_port(self._port)
        try:
            return Board.identify(self._transport, ANSWER_S)
        except LinkLost:
            self._close()
            raise

    def _follow(self, board: Board) -> None:
        layout = self._layout(board.identity)
        reader = Reader(board)
        while not self._stopped.is_set():
            self._last_games.update(reader)
            self._picture = picture(layout, self._last_games.games, self._source.last, self._source.window)
            self._tell({"connected": True, **self._picture})
            self._explain(f"{self._port}: {board.identity}")
            reader.changed(LOOK_S)

    def _layout(self, identity: Identity) -> Layout:
        own, name = self._source.table, identity.table
        told = f"{self._port}: board {identity.board} has the table {name}"
        if name is None:
            raise TaisaiError(f"{self._port}: board {identity.board} has no table: flash it")
        if own is not None and own.id != name:
            raise TaisaiError(f"{told}, and --table names {own.id}")
        if own is None and name not in every_id("tables"):
            raise TaisaiError(f"{told}, which is not a shipped one: name its file with --table")
        return (own or load_table(name)).layout

    def _lost(self, error: TaisaiError) -> None:
        self._tell({"connected": False, **self._picture})
        self._explain(f"no connection, still trying: {error}")

    def _explain(self, text: str) -> None:
        """Say what is new."""
        if text != self._said:
            self._said = text
            self._say(text)
