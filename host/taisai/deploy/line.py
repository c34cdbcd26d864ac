"""An open serial port as the raw REPL needs it: every read has an end, and every failure is one of client.errors.

mpremote's and ampy's transports use it as their `serial`, and installer.py for the stream of files.
"""

from serial import SerialException, SerialTimeoutException

from taisai.client.errors import LinkLost, NotReading
from taisai.client.transport import Transport

STALLED_S = 10.0
"""Nothing has come for so long in the middle of an answer: the line is dead."""
_SLICE_S = 0.25
_WRITE_BYTES = 1024
_MOST_BYTES = 1 << 20  # more than any answer; who sends more is no board of ours


class Line:
    """Bytes to and from a board. `name` stands in the messages; `now` tells seconds, as the transport counts them."""

    def __init__(self, transport: Transport):
        self.name = transport.name
        self._port = transport.port
        self.now = transport.now
        self._kept = bytearray()

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
        """Exactly `size` bytes; LinkLost when they do not come in time."""
        end = self.now() + timeout_s
        while len(self._kept) < size:
            self._fill(end)
            if len(self._kept) < size and self.now() >= end:
                raise self.stopped()
        return self._take(size)

    def read_until(self, ending: bytes, timeout_s: float = STALLED_S) -> bytes:
        """Everything up to and with `ending`; all that has come by then, if that does not come within `timeout_s`."""
        searched = 0
        end = self.now() + timeout_s
        while (at := self._kept.find(ending, searched)) < 0:
            if self.now() >= end or len(self._kept) > _MOST_BYTES:
                return self._take(len(self._kept))
            searched = max(0, len(self._kept) - len(ending) + 1)
            self._fill(end)
        return self._take(at + len(ending))

    def drain(self, quiet_s: float, limit_s: float) -> bytes:
        """Read until nothing has come for `quiet_s`, for `limit_s` at most."""
        data = self._take(len(self._kept))
        end = self.now() + limit_s
        quiet = self.now() + quiet_s
        while self.now() < min(end, quiet):
            self._fill(min(end, quiet))
            if self._kept:
                data += self._take(len(self._kept))
                quiet = self.now() + quiet_s
        return data

    def write(self, data: bytes) -> int:
        """Send all of it; NotReading when the board does not take it, LinkLost when the port has gone."""
        for start in range(0, len(data), _WRITE_BYTES):
            piece = data[start : start + _WRITE_BYTES]
            try:
                self._port.write(piece)
            except SerialTimeoutException as error:
                raise NotReading(
                    self.name, "the board takes no bytes any more: restart it, then run this again"
                ) from error
            except (OSError, SerialException) as error:
                raise self._lost(error) from error
        return len(data)

    def stopped(self) -> LinkLost:
        """The error for a board that says nothing where it should."""
        return LinkLost(self.name, "the board has stopped answering: check the cable, then run this again")

    def _fill(self, end: float) -> None:
        """Wait for at least one byte, until `end` at most, and take all that is there."""
        try:
            self._port.timeout = min(_SLICE_S, max(0.0, end - self.now()))
            data = self._port.read(max(1, self._port.in_waiting))
        except (OSError, SerialException) as error:
            raise self._lost(error) from error
        self._kept += data

    def _take(self, count: int) -> bytes:
        data = bytes(self._kept[:count])
        del self._kept[:count]
        return data

    def _lost(self, error: Exception) -> LinkLost:
        reason = " ".join(str(error).split()) or type(error).__name__
        return LinkLost(self.name, f"the link is lost ({reason}): check the cable, then run this again")
