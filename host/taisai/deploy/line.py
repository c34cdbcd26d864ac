"""An open serial port as the raw REPL needs it: every read has an end, every failure is one error, bytes are counted.

mpremote's and ampy's transports use it as their `serial`, and installer.py for the stream of files.
"""

import time
from typing import Protocol

from serial import SerialException

from taisai.deploy.errors import LineLost

STALLED_S = 10.0
"""Nothing has come for so long in the middle of an answer: the line is dead."""
_SLICE_S = 0.25
_WRITE_BYTES = 1024
_MOST_BYTES = 1 << 20  # more than any answer; who sends more is no board of ours


class Port(Protocol):
    """The part of a pyserial port that is used. Its write gives up by itself after a while."""

    timeout: float | None

    @property
    def in_waiting(self) -> int: ...

    def read(self, size: int) -> bytes: ...

    def write(self, data: bytes) -> int | None: ...

    def close(self) -> None: ...


class Line:
    """Bytes to and from a board. `name` stands in the messages; `sent` and `received` count bytes."""

    def __init__(self, port: Port, name: str):
        self._port = port
        self._name = name
        self._kept = bytearray()
        self.sent = 0
        self.received = 0

    @property
    def in_waiting(self) -> int:
        """Bytes that can be read at once."""
        try:
            return len(self._kept) + self._port.in_waiting
        except (OSError, SerialException) as error:
            raise self._lost(error) from error

    def inWaiting(self) -> int:
        """The same by the name that mpremote and ampy use."""
        return self.in_waiting

    def read(self, size: int = 1, timeout_s: float = STALLED_S) -> bytes:
        """Exactly `size` bytes; LineLost when they do not come in time."""
        end = time.monotonic() + timeout_s
        while len(self._kept) < size:
            self._more(end)
        data = bytes(self._kept[:size])
        del self._kept[:size]
        return data

    def read_until(self, ending: bytes, timeout_s: float = STALLED_S) -> bytes:
        """Everything up to and with `ending`; all that has come by then, if that does not come within `timeout_s`."""
        searched = 0
        end = time.monotonic() + timeout_s
        while (at := self._kept.find(ending, searched)) < 0:
            if time.monotonic() >= end or len(self._kept) > _MOST_BYTES:
                return self._take(len(self._kept))
            searched = max(0, len(self._kept) - len(ending) + 1)
            self._fill(end)
        return self._take(at + len(ending))

    def drain(self, quiet_s: float, limit_s: float) -> bytes:
        """Read until nothing has come for `quiet_s`, for `limit_s` at most."""
        data = self._take(len(self._kept))
        end = time.monotonic() + limit_s
        quiet = time.monotonic() + quiet_s
        while (now := time.monotonic()) < min(end, quiet):
            self._fill(min(end, quiet))
            if self._kept:
                data += self._take(len(self._kept))
                quiet = now + quiet_s
        return data

    def write(self, data: bytes) -> int:
        """Send all of it; LineLost when the board does not take it."""
        view = memoryview(data)
        for start in range(0, len(view), _WRITE_BYTES):
            piece = bytes(view[start : start + _WRITE_BYTES])
            try:
                self._port.write(piece)
            except (OSError, SerialException) as error:
                raise self._lost(error) from error
            self.sent += len(piece)
        return len(data)

    def close(self) -> None:
        """Let the port go; never raises, so that it cannot hide what went wrong before."""
        try:
            self._port.close()
        except (OSError, SerialException):
            pass

    def _more(self, end: float) -> None:
        before = len(self._kept)
        self._fill(end)
        if len(self._kept) == before and time.monotonic() >= end:
            raise LineLost(f"{self._name}: the board has stopped answering: check the cable, then run this again")

    def _fill(self, end: float) -> None:
        """Wait for at least one byte, until `end` at most, and take all that is there."""
        try:
            self._port.timeout = min(_SLICE_S, max(0.0, end - time.monotonic()))
            data = self._port.read(max(1, self._port.in_waiting))
        except (OSError, SerialException) as error:
            raise self._lost(error) from error
        self.received += len(data)
        self._kept += data

    def _take(self, count: int) -> bytes:
        data = bytes(self._kept[:count])
        del self._kept[:count]
        return data

    def _lost(self, error: Exception) -> LineLost:
        return LineLost(f"{self._name}: the link is lost ({error}): check the cable, then run the command again")
