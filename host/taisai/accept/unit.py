"""The unit under test, for the steps: its link, opened when it is needed and identified anew after every restart."""

import json
from collections.abc import Callable
from contextlib import contextmanager

from taisai.accept.bay import Bay
from taisai.accept.errors import StepFailed, Swapped
from taisai.accept.terminals import TERMINALS, Terminal
from taisai.boards.table import Table, load_table
from taisai.build.bundle import Bundle
from taisai.client import Board
from taisai.client.board import Identity
from taisai.client.servicekeys import ServiceKeys
from taisai.client.session import session
from taisai.deploy.backends import mpremote
from taisai.deploy.errors import NotStarted
from taisai.deploy.reach import Reach

STARTS_S = 25.0
_IDENTIFY_S = 5.0
# What a clock of 100 ppm and the whole seconds of the board's uptime can differ by, and a little.
_UPTIME_SLACK_S = 3


class Unit:
    """`serial_number`: as it was scanned. `bundle`: what the unit has to carry. `keys`: the file of service keys."""

    def __init__(self, bay: Bay, serial_number: str, bundle: Bundle | None, keys: ServiceKeys):
        self.bay = bay
        self.serial_number = serial_number
        self.bundle = bundle
        self.keys = keys
        self.identity: Identity | None = None
        """What it said when it was identified first; `take` changes it after it was flashed."""
        self._board: Board | None = None
        self._started: float | None = None  # when its uptime was 0, by our clock

    @property
    def table(self) -> Table:
        """The table that it is, as this installation has it."""
        return load_table(self.identity.table)

    @property
    def game(self) -> str | None:
        """The game that it is for; None while nobody has said what it is to carry."""
        return None if self.bundle is None else json.loads(self.bundle.files["hardware.json"])["game"]

    @property
    def terminal(self) -> Terminal:
        """What its keys and its display do."""
        return TERMINALS[self.table.layout.game]

    @property
    def board(self) -> Board:
        """The unit, identified; Swapped when it is another one than before."""
        if self._board is None:
            transport = self.bay.open()
            try:
                self.take(Board.identify(transport, _IDENTIFY_S))
            except BaseException:
                transport.close()
                raise
        return self._board

    def take(self, board: Board) -> None:
        """This is the unit from now on."""
        known = self.identity
        if known is not None and board.identity.board != known.board:
            raise Swapped(
                f"{self.bay.port}: board {board.identity.board} is there now, and the run began with {known.board}: "
                "one run tests one unit"
            )
        self.identity = board.identity
        self._board = board

    def release(self) -> None:
        """Let go of the port; the next use opens it again."""
        if self._board is not None:
            self._board.close()
            self._board = None

    @contextmanager
    def session(self):
        """A service session, where the unit wants one."""
        with session(self.board, self.keys):
            yield self.board

    def reach(self) -> Reach:
        """For what goes through MicroPython's prompt; the link is let go of."""
        self.release()
        return Reach(self.bay.open, mpremote.raw_repl, self.keys)

    def wait_started(self, limit_s: float = STARTS_S) -> float:
        """Wait for it to start; seconds until it answered. StepFailed when it does not."""
        start = self.bay.now()
        self.release()
        reach = Reach(self.bay.open, mpremote.raw_repl, self.keys)
        try:
            board = reach.wait_started(limit_s)
        except NotStarted as error:
            reach.close()
            raise StepFailed("controller", f"controller: it does not start: {error}") from error
        self.take(board)
        self.note_start()
        return self.bay.now() - start

    def note_start(self) -> None:
        """Remember since when it runs, so that a restart that nobody asked for is noticed."""
        self._started = self._start_by_uptime()

    def _start_by_uptime(self) -> float:
        """When its uptime was 0, by our clock."""
        return self.bay.now() - self.board.journal_state()["uptime"]

    def check_same(self) -> None:
        """StepFailed when the unit has restarted by itself since `note_start`; Swapped when it is another one.

        Nothing is looked at before the unit was identified.
        """
        if self.identity is None:
            return
        link = self.board.link
        # While it starts it tells nothing but that.
        starting = "board" not in link.request("identify")
        told = Board.identify(link.transport, STARTS_S).identity
        if told.board != self.identity.board:
            raise Swapped(f"{self.bay.port}: board {told.board} is there now: one run tests one unit")
        if self._started is None:
            return
        if starting or self._start_by_uptime() - self._started > _UPTIME_SLACK_S:
            part = "controller or its supply"
            raise StepFailed(part, f"{part}: the unit has restarted by itself; reset cause: {told.reset}")

    def wait(self, condition: Callable[[dict], bool], limit_s: float) -> dict | None:
        """The first state for which the condition holds, asked for again and again; None when the time is over."""
        end = self.bay.now() + limit_s
        while True:
            state = self.board.state()
            if condition(state):
                return state
            if self.bay.now() >= end:
                return None
            self.board.link.wait(0.02)
