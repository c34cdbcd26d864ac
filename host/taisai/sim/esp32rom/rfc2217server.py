"""A module behind a serial-to-network adapter (RFC 2217) on a free port of the loopback, its reset and boot lines wired
to RTS and DTR: `with Rfc2217Server(rom) as port: port.url`.

The wiring is direct, as on a test fixture: RTS asserted pulls EN low, DTR asserted pulls GPIO0 low (esptool "Boot Mode
Selection", section Automatic Bootloader). A host that opens the port with both asserted, as pyserial does unless told
otherwise, therefore holds the chip in reset.
"""

import selectors
import socket

from serial.rfc2217 import PortManager

from taisai.sim.esp32rom.model import Esp32Rom
from taisai.sim.esp32rom.server import Server

SEND_SECONDS = 2.0


class Adapter:
    """The serial side of the adapter, with the attributes that pyserial's PortManager asks a port for."""

    cts = dsr = cd = True
    ri = False

    def __init__(self, server: "Rfc2217Server") -> None:
        self._server = server
        self._dtr = self._rts = False
        self.baudrate = 115_200
        self.bytesize = 8
        self.parity = "N"
        self.stopbits = 1
        self.xonxoff = self.rtscts = self.break_condition = False

    @property
    def dtr(self) -> bool:
        return self._dtr

    @dtr.setter
    def dtr(self, asserted: bool) -> None:
        self._dtr = asserted
        self._server.lines_changed()

    @property
    def rts(self) -> bool:
        return self._rts

    @rts.setter
    def rts(self, asserted: bool) -> None:
        self._rts = asserted
        self._server.lines_changed()

    def reset_input_buffer(self) -> None:
        """Nothing waits here: bytes are passed on as they come."""

    def reset_output_buffer(self) -> None:
        """Nothing waits here: bytes are passed on as they come."""


class Rfc2217Server(Server):
    """`url` is what pyserial and esptool take as a port. One host at a time; a second is turned away."""

    def __init__(self, rom: Esp32Rom) -> None:
        super().__init__(rom)
        self.url = ""
        self._client: socket.socket | None = None
        self._waiting = bytearray()

    def _open(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"rfc2217://127.0.0.1:{self._listener.getsockname()[1]}"
        self._selector.register(self._listener, selectors.EVENT_READ, self._accept)

    def _close(self) -> None:
        self._hang_up()
        self._listener.close()

    def write(self, data: bytes) -> None:
        """Send bytes to the host as they are; PortManager calls this. A host that is gone or stuck is let go."""
        if self._client is None:
            return
        try:
            self._client.sendall(data)
        except OSError:
            self._hang_up()

    def lines_changed(self) -> None:
        # Bytes that came before the change must reach the chip before it.
        self._pass_on()
        with self._rom.lock:
            self._rom.device.set_lines(enabled=not self._adapter.rts, gpio0=not self._adapter.dtr)

    def _accept(self) -> None:
        client, _ = self._listener.accept()
        if self._client is not None:
            client.close()
            return
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        client.settimeout(SEND_SECONDS)
        self._client = client
        self._selector.register(client, selectors.EVENT_READ, self._read)
        self._adapter = Adapter(self)
        self._manager = PortManager(self._adapter, self)

    def _read(self) -> None:
        try:
            data = self._client.recv(65536)
        except OSError:
            data = b""
        if not data:
            self._hang_up()
            return
        for byte in self._manager.filter(data):
            self._waiting += byte
        self._pass_on()

    def _pass_on(self) -> None:
        data = bytes(self._waiting)
        self._waiting.clear()
        if data:
            self._received(data, self._adapter.baudrate)

    def _hang_up(self) -> None:
        """The adapter lets both lines go when its host leaves, the boot line first."""
        if self._client is None:
            return
        self._selector.unregister(self._client)
        self._client.close()
        self._client = None
        self._adapter.dtr = False
        self._adapter.rts = False

    def _send(self, data: bytes) -> None:
        if self._client is not None:
            self.write(b"".join(self._manager.escape(data)))
