"""The emulated board's USB serial port, and the host at the other end of it, in emulated time."""

from collections.abc import Callable

from rp2040py.clock.clock import IClock
from rp2040py.usb.cdc import USBCDC

_CONTROL_ENDPOINT = 0
_LATENCY_NS = 10_000
"""From a byte that is ready to the packet that carries it; what is written meanwhile goes in the same packet."""


class UsbSerial:
    """A client's transport (`write`, `read`) and its buffers, which have no limit.

    The emulator's own host answers a read that the firmware has armed at once, with an empty packet when there is
    nothing to send, and the firmware arms the next: some 36 interrupts in each emulated millisecond, which take most of
    the processor's time. A real host that has nothing to send leaves the read armed, and so does this one.
    """

    def __init__(self, wait: Callable[[int], None]):
        self._wait = wait
        self.unread = bytearray()
        self._outbox = bytearray()
        self._armed: list[tuple[int, int]] = []

    def attach(self, cdc: USBCDC, clock: IClock) -> None:
        """Take over the host's side of a chip's USB; once for each chip, before it starts."""
        self.unread.clear()
        self._outbox.clear()
        self._armed.clear()
        self._usb = cdc.usb
        self._plain_read = cdc.usb.on_endpoint_read
        self._plain_reset = cdc.usb.on_reset
        self._alarm = clock.create_alarm(self._serve)
        cdc.usb.on_endpoint_read = self._firmware_reads
        cdc.usb.on_reset = self._reset
        cdc.on_serial_data = self.unread.extend

    def write(self, data: bytes) -> None:
        """Send to the board; the bytes arrive as the firmware takes them, in emulated time."""
        self._outbox += data
        self._serve_soon()

    def read(self, timeout_ms: int = 0) -> bytes:
        """What the board has sent; if nothing yet, let it run until it sends something, `timeout_ms` at most."""
        if not self.unread and timeout_ms > 0:
            self._wait(timeout_ms)
        data = bytes(self.unread)
        self.unread.clear()
        return data

    def _firmware_reads(self, endpoint: int, size: int) -> None:
        if endpoint == _CONTROL_ENDPOINT:
            self._plain_read(endpoint, size)
            return
        self._armed.append((endpoint, size))
        self._serve_soon()

    def _serve_soon(self) -> None:
        if self._armed and self._outbox:
            self._alarm.schedule(_LATENCY_NS)

    def _serve(self) -> None:
        while self._armed and self._outbox:
            endpoint, size = self._armed.pop(0)
            packet = self._outbox[:size]
            del self._outbox[:size]
            self._usb.endpoint_read_done(endpoint, packet)

    def _reset(self) -> None:
        """The chip was reset and is gone from the bus; what was not sent yet goes to it when it is back."""
        self._armed.clear()
        self._alarm.cancel()
        self._plain_reset()
