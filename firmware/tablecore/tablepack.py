"""Packing a lamp table, in the form that tablefile.py defines. The PC does that; this file is not deployed."""

import struct

from tablecore.tablefile import FORMAT, HEADER, ID_BYTES, MAGIC, NO_DIGEST, OUTCOMES, check_lamps, digest_of

_WORD_MAX = 0xFFFF
_ZONES_MAX = 255  # a lamp names its zone in one byte


def _encode_id(layout_id):
    """The layout id as stored: printable ASCII without blanks, zero padded. ValueError when it cannot be stored."""
    if not 1 <= len(layout_id) <= ID_BYTES:
        raise ValueError(f"layout id must have 1 to {ID_BYTES} characters")
    for character in layout_id:
        if not 0x21 <= ord(character) <= 0x7E:
            raise ValueError("layout id must be printable ASCII without blanks")
    raw = layout_id.encode()
    return raw + bytes(ID_BYTES - len(raw))


def pack(layout_id, layout_version, zone_count, frames, lamps):
    """Build the file. `frames` holds a byte string of N bytes for every outcome in index order, `lamps` the 8 * N zone
    numbers. The number of frames tells the game: 216 or 52.

    Raises ValueError when a number does not fit its field, the frames are not of one length, or a zone has no lamp.
    """
    frames = [bytes(frame) for frame in frames]
    games = {count: game for game, count in OUTCOMES.items()}
    if len(frames) not in games:
        raise ValueError(f"a table needs {' or '.join(map(str, games))} frames, got {len(frames)}")
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
    check_lamps(lamps, zone_count)
    body = b"".join(frames) + bytes(lamps)
    fields = (MAGIC, FORMAT, games[len(frames)], zone_count, frame_bytes, layout_version, _encode_id(layout_id))
    digest = digest_of(struct.pack(HEADER, *fields, NO_DIGEST), body)
    return struct.pack(HEADER, *fields, digest) + body
