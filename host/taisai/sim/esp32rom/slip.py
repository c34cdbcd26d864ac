"""SLIP framing as the loaders use it (esptool "Serial Protocol", section Low Level Protocol; RFC 1055).

A frame begins and ends with 0xC0; inside it 0xC0 is sent as DB DC and 0xDB as DB DD.
"""

import re

END = b"\xc0"
WRONG_ESCAPE = re.compile(rb"\xdb(?![\xdc\xdd])")
# The size field of a command has 16 bits, 8 bytes of header come before the data, and each byte may be escaped.
LONGEST_FRAME = 2 * (8 + 0xFFFF)


def encode(packet: bytes) -> bytes:
    """Return the frame that carries the packet."""
    return END + packet.replace(b"\xdb", b"\xdb\xdd").replace(END, b"\xdb\xdc") + END


class Decoder:
    """Finds frames in a byte stream.

    Bytes outside a frame are skipped. A frame with a wrong escape, or one that is too long, is dropped as a whole: the
    sender gets no answer and has to repeat it.
    """

    def __init__(self) -> None:
        self._frame = bytearray()
        self._inside = False

    def feed(self, data: bytes) -> list[bytes]:
        """Take the next bytes of the stream and return the packets that are complete now."""
        packets = []
        *ended, rest = data.split(END)
        for piece in ended:
            self._collect(piece)
            if self._inside and self._frame:
                if not WRONG_ESCAPE.search(self._frame):
                    packets.append(bytes(self._frame.replace(b"\xdb\xdc", END).replace(b"\xdb\xdd", b"\xdb")))
                self._inside = False
            else:
                self._inside = True
            self._frame.clear()
        self._collect(rest)
        return packets

    def _collect(self, piece: bytes) -> None:
        if self._inside:
            self._frame += piece
            if len(self._frame) > LONGEST_FRAME:
                self._inside = False
