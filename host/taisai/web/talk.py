"""What the firmware itself says over its serial link, as any host hears it: its state, the result, the journal."""

import time
from collections import deque
from collections.abc import Callable

from tablecore import faulttexts
from taisai.client.board import Board
from taisai.client.transport import Transport
from taisai.errors import TaisaiError
from taisai.journal import reading
from taisai.sim.board import FIRMWARE, VirtualBoard
from taisai.web.view import View

Live = Callable[[float, Callable[[], bool]], None]
"""Let the board live for so many seconds at most, or until the condition holds."""

_ANSWER_S = 1.0
_AGAIN_S = 0.5  # between two questions for the state
_SOON_S = 0.001
_JOURNAL = 20  # newest records that are shown
_TRAFFIC = 200  # lines that are kept of what went over the link


class _Port:
    """The board's serial port in pyserial's form, as far as a transport uses it; the board lives while one reads."""

    def __init__(self, board: VirtualBoard, traffic: deque, live: Live):
        self.timeout: float | None = 0.02
        self._board = board
        self._traffic = traffic
        self._live = live
        self._kept = b""
        self._line = b""

    @property
    def in_waiting(self) -> int:
        """Bytes that can be read at once."""
        fresh = self._board.serial.read(0)
        self._kept += fresh
        *lines, self._line = (self._line + fresh).split(b"\n")
        self._traffic.extend(("board", line.decode("ascii", "replace").strip()) for line in lines)
        return len(self._kept)

    def read(self, size: int = 1) -> bytes:
        """Up to `size` bytes; lets the board live until they are there, for `timeout` at most."""
        if self.in_waiting < size:
            self._live(self.timeout or 0, lambda: bool(self._board.serial.unread))
            _ = self.in_waiting
        data, self._kept = self._kept[:size], self._kept[size:]
        return data

    def write(self, data: bytes) -> int:
        """Send; never waits."""
        self._traffic.append(("host", data.decode("ascii", "replace").strip()))
        self._board.serial.write(data)
        return len(data)

    def close(self) -> None:
        """The board is not this port's to switch off."""


class Talk:
    """`traffic`: the last lines, (who, line). Questions are asked only while firmware runs."""

    def __init__(self, board: VirtualBoard, view: View, live: Live):
        self.traffic: deque[tuple[str, str]] = deque(maxlen=_TRAFFIC)
        self._board = board
        self._view = view
        self._port = _Port(board, self.traffic, live)
        self._host: Board | None = None
        self._start = 0  # which start of the board `_host` has heard
        self._checked = False  # the firmware has hashed its files: before that it accepts no result
        self._again = 0.0
        self._last: dict | None = None

    def listen(self) -> dict | None:
        """What the table does now, when that is news: state, faults, and the result with call and reasons.

        Takes up the talk anew whenever the board has started.
        """
        if self._board.mode != FIRMWARE or self._start != len(self._board.starts):
            self._host = None
        if self._board.mode != FIRMWARE:
            return None
        try:
            state = self._ask() if self._time_to_ask() else self._event()
        except TaisaiError:
            self._host = None  # it restarts, or has lost power meanwhile: the next look finds out
            return None
        news = state and self._told(state)
        if news == self._last:
            return None
        self._last = news or self._last
        return news

    def journal(self) -> dict | None:
        """The newest records, oldest first; None while there is nobody to ask."""
        if self._host is None:
            return None
        try:
            return {"type": "journal", "records": reading.newest(self._host, _JOURNAL)}
        except TaisaiError:
            self._host = None
            return None

    def link(self) -> dict:
        """What went over the link."""
        return {"type": "link", "lines": [list(line) for line in self.traffic]}

    def _time_to_ask(self) -> bool:
        now = time.monotonic()
        if now < self._again:
            return False
        self._again = now + _AGAIN_S
        return True

    def _ask(self) -> dict:
        """The state. An event that finds no room is not sent, so that events alone would not do."""
        if self._host is None:
            start = len(self._board.starts)
            host = Board.identify(Transport(self._port, "the virtual board"), _ANSWER_S)
            host.subscribe()
            self._host, self._start, self._checked = host, start, False
        if not self._checked:
            self._checked = self._host.integrity()[0] != "checking"
        state = self._host.state()
        self._host.link.events.clear()  # what was sent before this is older
        return state

    def _event(self) -> dict | None:
        """The newest state that the board has sent by itself since."""
        state = None
        while self._host and (self._host.link.events or self._port.in_waiting):
            event = self._host.link.next_event(_SOON_S)
            if event is None:
                break  # the rest of its line is still to come
            state = event[1]
        return state

    def _told(self, state: dict) -> dict:
        faults = [[code, faulttexts.describe(code)[0]] for code in state["faults"]]
        wins = [
            {"zone": win.zone, "odds": win.odds, "clause": win.clause, "reason": win.reason}
            for win in self._view.wins(state)
        ]
        return {
            "type": "told",
            "state": state["state"],
            "faults": faults,
            "checked": self._checked,
            "call": self._view.call(state),
            "wins": wins,
        }
