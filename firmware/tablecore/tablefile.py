"""The lamp table: one file, 216 frames, one for every throw of three dice.

The PC packs the file from the evaluated layout, the board reads it, and both use this module, so that the format has
one definition. The board does no rule arithmetic: index, slice, shift out.

Format, little-endian, 76 bytes of header, then the frames, then the lamps:

    magic "TSTB" | format u8 = 2 | zero u8 | zone count u16 | frame bytes N u16 | layout version u16 |
    layout id, 32 bytes of ASCII padded with zeros | SHA-256, 32 bytes

The digest covers the header with the digest field zeroed and all that follows it. Frames lie in the order of
index(d1, d2, d3) = (d1 - 1) * 36 + (d2 - 1) * 6 + (d3 - 1), each in the order its bytes are sent to the chain. The
lamps are 8 * N bytes, one for each output of the chain in its numbering: the zone that it lights, counted from 1 in
the canonical order of zones, or 0 for an output without a lamp. Tests of single zones need them; a throw does not.
"""

import hashlib
import struct

MAGIC = b"TSTB"
FORMAT = 2
THROWS = 216
ID_BYTES = 32
DIGEST_BYTES = 32
HEADER = "<4sBBHHH32s32s"
HEADER_BYTES = struct.calcsize(HEADER)
_DIGEST_AT = HEADER_BYTES - DIGEST_BYTES
_NO_DIGEST = bytes(DIGEST_BYTES)
_WORD_MAX = 0xFFFF
_ZONES_MAX = 255  # a lamp names its zone in one byte


def index(d1, d2, d3):
    """Place of a throw among the 216 frames. Each die is 1 to 6; anything else raises ValueError."""
    if not (1 <= d1 <= 6 and 1 <= d2 <= 6 and 1 <= d3 <= 6):
        raise ValueError("dice are 1 to 6")
    return (d1 - 1) * 36 + (d2 - 1) * 6 + (d3 - 1)


def _encode_id(layout_id):
    """The layout id as stored: printable ASCII without blanks, zero padded. ValueError when it cannot be stored."""
    if not 1 <= len(layout_id) <= ID_BYTES:
        raise ValueError(f"layout id must have 1 to {ID_BYTES} characters")
    for character in layout_id:
        if not 0x21 <= ord(character) <= 0x7E:
            raise ValueError("layout id must be printable ASCII without blanks")
    raw = layout_id.encode()
    return raw + bytes(ID_BYTES - len(raw))


def _decode_id(raw):
    """The layout id from its field; ValueError when it is not what `_encode_id` writes."""
    end = raw.find(b"\x00")
    text = raw if end < 0 else raw[:end]
    for code in text:
        if not 0x21 <= code <= 0x7E:
            raise ValueError("layout id in the table file is not plain ASCII")
    if not text or any(raw[len(text) :]):
        raise ValueError("layout id in the table file is empty or not zero padded")
    return text.decode()


def _digest(header, body):
    """SHA-256 over the header with its digest field zeroed, and then frames and lamps."""
    whole = hashlib.sha256(header[:_DIGEST_AT])
    whole.update(_NO_DIGEST)
    whole.update(body)
    return whole.digest()


def _check_lamps(lamps, zone_count):
    """ValueError unless every zone has a lamp and no lamp names a zone that there is not."""
    found = set(lamps)
    found.discard(0)
    if len(found) != zone_count or max(found) != zone_count:
        raise ValueError("the lamps of a table must name every one of its zones, and no other")


def pack(layout_id, layout_version, zone_count, frames, lamps):
    """Build the file. `frames` holds 216 byte strings of N bytes in index order, `lamps` the 8 * N zone numbers.

    Raises ValueError when a number does not fit its field, the frames are not 216 of one length, or a zone has no lamp.
    """
    frames = [bytes(frame) for frame in frames]
    if len(frames) != THROWS:
        raise ValueError(f"a table needs {THROWS} frames, got {len(frames)}")
    frame_bytes = len(frames[0])
    for frame in frames:
        if len(frame) != frame_bytes:
            raise ValueError("all frames of a table must have the same length")
    if not 1 <= frame_bytes <= _WORD_MAX:
        raise ValueError(f"a frame must have 1 to {_WORD_MAX} bytes")
    if not 1 <= zone_count <= _ZONES_MAX:
        raise ValueError(f"zone count must be 1 to {_ZONES_MAX}")
    if not 0 <= layout_version <= _WORD_MAX:
        raise ValueError(f"layout version must be 0 to {_WORD_MAX}")
    if len(lamps) != 8 * frame_bytes:
        raise ValueError(f"a table of {frame_bytes} registers has {8 * frame_bytes} outputs, got {len(lamps)} lamps")
    _check_lamps(lamps, zone_count)
    body = b"".join(frames) + bytes(lamps)
    fields = (MAGIC, FORMAT, 0, zone_count, frame_bytes, layout_version, _encode_id(layout_id))
    digest = _digest(struct.pack(HEADER, *fields, _NO_DIGEST), body)
    return struct.pack(HEADER, *fields, digest) + body


class TableFile:
    """A verified lamp table.

    `data` is the whole file and is kept, not copied. Every field, the length and the digest are checked here, so that
    an object of this class is always a good table; ValueError names the first thing that is wrong.
    """

    def __init__(self, data):
        if len(data) < HEADER_BYTES:
            raise ValueError(f"table file is too short: {len(data)} bytes, the header alone has {HEADER_BYTES}")
        header = bytes(data[:HEADER_BYTES])
        magic, version, zero, zones, frame_bytes, layout_version, raw_id, digest = struct.unpack(HEADER, header)
        if magic != MAGIC:
            raise ValueError("not a table file: it does not begin with TSTB")
        if version != FORMAT:
            raise ValueError(f"table file has format {version}, this firmware reads format {FORMAT}")
        if zero != 0:
            raise ValueError("reserved byte of the table file is not zero")
        if zones < 1:
            raise ValueError("table file has no zones")
        if frame_bytes < 1:
            raise ValueError("table file has empty frames")
        wanted = HEADER_BYTES + (THROWS + 8) * frame_bytes
        if len(data) != wanted:
            raise ValueError(f"table file has {len(data)} bytes, its header asks for {wanted}")
        body = memoryview(data)[HEADER_BYTES:]
        if _digest(header, body) != digest:
            raise ValueError("table file is damaged: its digest does not match its content")
        lamps = body[THROWS * frame_bytes :]
        _check_lamps(lamps, zones)
        self.layout_id = _decode_id(raw_id)
        self.layout_version = layout_version
        self.zone_count = zones
        self.frame_bytes = frame_bytes
        self.digest = digest
        self.lamps = lamps  # zone number of each output, 0 = none
        self._frames = body[: THROWS * frame_bytes]

    def frame(self, d1, d2, d3):
        """The frame of a throw, N bytes in sending order: a view into the file, nothing is copied."""
        start = index(d1, d2, d3) * self.frame_bytes
        return self._frames[start : start + self.frame_bytes]
