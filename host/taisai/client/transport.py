"""An open port as a pipe of bytes with a clock: serial, RFC 2217, or a simulated board in its own time.

Lines are set before the port is opened, nothing waits for ever, and every failure is one of client.errors.
"""

import errno
import os
import sys
import time

import serial

from taisai.client.errors import LinkLost, NotReading, NotSerial, PortBusy, PortDenied, PortMissing
from taisai.client.holders import holders
from taisai.client.ports import port_named

SIM = "sim:"
BAUD = 115_200  # of a UART; USB has none
WRITE_TIMEOUT_S = 2.0
_POLL_S = 0.05
_READ_BYTES = 4096
_GONE = (OSError, serial.SerialException)


class Transport:
    """Bytes to and from a port. `name` is the port as the user knows it, `port` the object in pyserial's form."""

    def __init__(self, port, name: str, clock=time.monotonic):
        self.port = port
        self.name = name
        self.now = clock

    def write(self, data: bytes) -> None:
        """Send all of it. NotReading when the other end takes nothing for a while, LinkLost when the port has gone."""
        try:
            self.port.write(data)
        except serial.SerialTimeoutException as error:
            raise NotReading(self.name, "the other end takes no bytes: restart the board, check the cable") from error
        except _GONE as error:
            raise LinkLost(self.name, f"the port has gone ({_reason(error)}): check the cable") from error

    def read(self, timeout_s: float) -> bytes:
        """What has come; waits up to `timeout_s` for the first byte. LinkLost when the port has gone."""
        end = self.now() + timeout_s
        try:
            while True:
                data = self.port.read(1)
                if data:
                    return data + self.port.read(min(self.port.in_waiting, _READ_BYTES))
                if self.now() >= end:
                    return b""
        except _GONE as error:
            raise LinkLost(self.name, f"the port has gone ({_reason(error)}): check the cable") from error

    def close(self) -> None:
        """Let go of the port, whatever state it is in."""
        try:
            self.port.close()
        except _GONE:
            pass  # it has gone already; the reason was told when it was noticed

    def __enter__(self) -> "Transport":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_port(spec: str) -> Transport:
    """Open PORT (device, COM name, rfc2217:// address) or sim:TABLE, for this program alone.

    PortBusy, PortDenied or PortMissing when that is not possible; TaisaiError when there is no such table.
    """
    if spec.startswith(SIM):
        from taisai.client.simport import SimPort

        port = SimPort(spec.removeprefix(SIM))
        return Transport(port, spec, port.now)
    remote = "://" in spec
    named = port_named(spec)
    # Not every program locks the port that it opens. A pseudo-terminal is held by the program behind it, too.
    if named.usb is not None and (found := holders(spec)):
        raise PortBusy(spec, found)
    try:
        port = serial.serial_for_url(spec, do_not_open=True, baudrate=BAUD, timeout=_POLL_S)
        if not remote:
            port.write_timeout = WRITE_TIMEOUT_S
            port.exclusive = True
        # On many ESP32 boards these two lines are reset and boot mode.
        port.dtr = named.needs_dtr
        port.rts = False
        port.open()
    except (OSError, ValueError, serial.SerialException) as error:
        raise _cannot_open(spec, error) from error
    return Transport(port, spec)


def _cannot_open(spec: str, error: Exception) -> Exception:
    number = getattr(error, "errno", None)
    text = str(error)
    # Windows gives no number: a port in use is one that it does not let us open.
    windows_busy = sys.platform == "win32" and "PermissionError" in text
    if not spec:
        return NotSerial("--port", "the name of the port is empty: taisai devices lists those there are")
    if number in (errno.EAGAIN, errno.EBUSY) or windows_busy:
        return PortBusy(spec, holders(spec))
    if number in (errno.EACCES, errno.EPERM, errno.EROFS):
        return PortDenied(spec, "this user may not open the port: taisai doctor says how to change that")
    if number == errno.ENOENT or "FileNotFoundError" in text:
        return PortMissing(spec, "there is no such port: taisai devices lists those there are")
    if isinstance(error, ValueError):  # of pyserial's URLs
        return NotSerial(spec, f"this is no address of a serial port ({text}): rfc2217://HOST:PORT would be one")
    if any(os.strerror(code) in text for code in (errno.ENOTTY, errno.EISDIR)):  # no number in pyserial's error
        return NotSerial(spec, "this is no serial port: taisai devices lists those there are")
    return PortMissing(spec, f"cannot be opened as a serial port: {_reason(error)}")


def _reason(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
