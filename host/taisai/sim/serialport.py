"""The board's serial port: what the client has sent and the board not yet read, and the other way round.

The buffers are those of a USB board: an operating system keeps 4,096 bytes for a client that does not read, the board's
own FIFO 256 more; then the port is not writable. Input waits at the host while the board's buffers are full.
"""

from collections.abc import Callable

_CLIENT_BYTES = 4096
_FIFO_BYTES = 256
_INPUT_BYTES = 512
_UNLIMITED = 1 << 30

RAW_PROMPT = b"raw REPL; CTRL-B to exit\r\n>"
_FRIENDLY_PROMPT = b">>> "
_BANNER = b"MicroPython "
_ENTER_RAW = b"\x01"


class SerialPort:
    """A client's transport (`write`, `read`) and the board's side of it.

    `connected`: a client holds the port open; without one the board's output is dropped, as on a board. `raw`: the
    client has put the board into raw REPL.
    """

    def __init__(self, wait: Callable[[int], None]):
        self._wait = wait
        self.connected = True
        self.raw = False
        self.inbox = bytearray()
        self.unread = bytearray()
        self.delivered = 0
        self.received = 0
        self._recent = b""
        self._reentering: bytes | None = None

    def write(self, data: bytes) -> None:
        """Send to the board. The bytes arrive as the board takes them, in bench time; nothing blocks."""
        self.inbox += data

    def read(self, timeout_ms: int = 0) -> bytes:
        """What the board has sent; if nothing yet, let the board run until it sends something, `timeout_ms` at most.

        Bench time while the firmware runs, real time at the prompt. Returns b"" when the time is over.
        """
        if not self.unread and timeout_ms > 0:
            self._wait(timeout_ms)
        data = bytes(self.unread)
        self.unread.clear()
        return data

    @property
    def room(self) -> int | None:
        """Bytes that the board can send before the client reads; None: any number, since nobody is there."""
        return max(0, _CLIENT_BYTES + _FIFO_BYTES - len(self.unread)) if self.connected else None

    @property
    def full(self) -> bool:
        """The board cannot send more until the client reads."""
        return self.room == 0

    def restart(self, *, reenter_raw: bool) -> None:
        """A new interpreter starts. With `reenter_raw`, put it back into raw REPL before the client sees a prompt."""
        self.delivered = 0
        self.received = 0
        self._reentering = b"" if reenter_raw else None
        self.raw = reenter_raw

    def take_input(self, consumed: int | None, send: Callable[[bytes], int]) -> None:
        """Move input to the interpreter, as far as its buffers go. `consumed`: bytes it has read, None if unknown."""
        if self._reentering is not None or not self.inbox:
            return
        room = len(self.inbox) if consumed is None else _INPUT_BYTES - (self.delivered - consumed)
        if room > 0:
            waiting = bytes(self.inbox[:room])
            while waiting and (count := send(waiting)):
                self.delivered += count
                del self.inbox[:count]
                waiting = waiting[count:]

    def put_output(self, data: bytes, send: Callable[[bytes], int]) -> None:
        """Take what the interpreter has written; what finds no room is lost, as on a board that has waited 500 ms."""
        self.received += len(data)
        if self._reentering is not None:
            data = self._reenter(data, send)
        self._watch(data)
        if self.connected:
            self.unread += data[: self.room]

    def credit(self, written: int) -> int:
        """How far the interpreter's count of written bytes may go, which is `written` now."""
        return written + (_UNLIMITED if self.room is None else self.room)

    def _watch(self, data: bytes) -> None:
        """Note from the prompts which mode the client has chosen: a board keeps it through a soft reset."""
        text = self._recent + data
        raw = text.rfind(RAW_PROMPT)
        friendly = text.rfind(_FRIENDLY_PROMPT)
        if raw != friendly:
            self.raw = raw > friendly
        self._recent = text[-len(RAW_PROMPT) + 1 :]

    def _reenter(self, data: bytes, send: Callable[[bytes], int]) -> bytes:
        """Hide the friendly prompt from a client in raw REPL; pass what boot.py prints and then the raw prompt."""
        text = self._reentering + data
        at = text.find(RAW_PROMPT)
        if at >= 0:
            self._reentering = None
            return text[at:]
        banner = text.find(_BANNER)
        if banner < 0:
            keep = len(_BANNER) - 1
            self._reentering = text[-keep:]
            return text[:-keep]
        if _FRIENDLY_PROMPT in text:
            send(_ENTER_RAW)
            text = text.replace(_FRIENDLY_PROMPT, b"")
        self._reentering = text[banner:]
        return text[:banner]
