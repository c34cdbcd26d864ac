"""The lamp table: one file with a frame for every outcome: 216 throws of three dice, or 52 stops of the money wheel.

The PC packs the file from the evaluated layout (tablepack.py), the board reads it, and both use this module, so that
the format has one definition. What the board then does with it is in lamptable.py.

Format, little-endian, 76 bytes of header, then the frames, then the lamps:

    magic "TSTB" | format u8 = 2 | game u8 | zone count u16 | frame bytes N u16 | layout version u16 |
    layout id, 32 bytes of ASCII padded with zeros | SHA-256, 32 bytes

The digest covers the header with the digest field zeroed and all that follows it. The game is 0 for Tai-Sai, whose 216
frames lie in the order of (d1 - 1) * 36 + (d2 - 1) * 6 + (d3 - 1), and 52 for the money wheel, whose 52 frames lie in
the order of its stops; each frame is in the order its bytes are sent to the chain. The lamps are 8 * N bytes, one for
each output of the chain in its numbering: the zone that it lights, counted from 1 in the canonical order of zones, or
0 for an output without a lamp. Tests of single zones need them; a result does not.
"""

import hashlib
import struct

from tablecore.lamptable import LampTable

MAGIC = b"TSTB"
FORMAT = 2
# The byte that tells the game, and the number of its outcomes.
OUTCOMES = {0: 216, 52: 52}
ID_BYTES = 32
DIGEST_BYTES = 32
HEADER = "<4sBBHHH32s32s"
HEADER_BYTES = struct.calcsize(HEADER)
_DIGEST_AT = HEADER_BYTES - DIGEST_BYTES
NO_DIGEST = bytes(DIGEST_BYTES)


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


def digest_of(header, body):
    """SHA-256 over the header with its digest field zeroed, and then frames and lamps."""
    whole = hashlib.sha256(header[:_DIGEST_AT])
    whole.update(NO_DIGEST)
    whole.update(body)
    return whole.digest()


def check_lamps(lamps, zone_count):
    """ValueError unless every zone has a lamp and no lamp names a zone that there is not."""
    found = set(lamps)
    found.discard(0)
    if len(found) != zone_count or max(found) != zone_count:
        raise ValueError("the lamps of a table must name every one of its zones, and no other")


def load(data):
    """The LampTable of a whole file, which is kept and not copied.

    Every field, the length and the digest are checked here; ValueError names the first thing that is wrong.
    """
    if len(data) < HEADER_BYTES:
        raise ValueError(f"table file is too short: {len(data)} bytes, the header alone has {HEADER_BYTES}")
    header = bytes(data[:HEADER_BYTES])
    magic, version, game, zones, frame_bytes, layout_version, raw_id, digest = struct.unpack(HEADER, header)
    if magic != MAGIC:
        raise ValueError("not a table file: it does not begin with TSTB")
    if version != FORMAT:
        raise ValueError(f"table file has format {version}, this firmware reads format {FORMAT}")
    if game not in OUTCOMES:
        raise ValueError(f"table file is for game {game}, which is reserved: 0 is Tai-Sai, 52 the money wheel")
    if zones < 1:
        raise ValueError("table file has no zones")
    if frame_bytes < 1:
        raise ValueError("table file has empty frames")
    frames_bytes = OUTCOMES[game] * frame_bytes
    wanted = HEADER_BYTES + frames_bytes + 8 * frame_bytes
    if len(data) != wanted:
        raise ValueError(f"table file has {len(data)} bytes, its header asks for {wanted}")
    body = memoryview(data)[HEADER_BYTES:]
    if digest_of(header, body) != digest:
        raise ValueError("table file is damaged: its digest does not match its content")
    lamps = body[frames_bytes:]
    check_lamps(lamps, zones)
    return LampTable(_decode_id(raw_id), layout_version, zones, digest, body[:frames_bytes], lamps)
