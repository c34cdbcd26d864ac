"""The bytes of the journal: records of 32 bytes, and the header that every segment of them begins with.

A record stands for itself: its CRC-32 and its own sequence number make it readable wherever it is found. A header
carries what all records before it add up to, so that no restart has to read further back, and the SHA-256 of the whole
segment before it, so that none can be changed or left out unnoticed. Numbers are little-endian.
"""

import struct
from binascii import crc32

RECORD_BYTES = 32
HEADER_BYTES = 128
# As much as fits in four flash blocks of 4,096 bytes beside littlefs's own pointers (it keeps one or two words of them
# in every block but the first). One record more would cost a fifth block.
SEGMENT_BYTES = HEADER_BYTES + 507 * RECORD_BYTES

RESULT, AMEND, VOID, END, TEST, BOOT, FAULT, CLEAR, OVERRIDE, CONFIG, ACCESS = range(1, 12)
KINDS = (
    None, "result", "amend", "void", "end", "test", "boot", "fault", "clear", "override", "config", "access",
)  # fmt: skip

# A throw is 0 to 215, of the dice in the order in which they were keyed. The symbols of the money wheel, in the same
# places, begin here.
SYMBOL_A = 220
NO_THROW = 255
DETAIL_BYTES = 8

TIME_UNKNOWN, TIME_RTC, TIME_HOST = range(3)  # where a time comes from
TIME_SOURCES = (None, "rtc", "host")

_RECORD = "<IBBBBIII8sI"
_CRC = "<I"
_CRC_AT = RECORD_BYTES - 4
# Fields of `unpack`, in order.
SEQUENCE, KIND, THROW, PREVIOUS, SOURCE, GAME, TIME, UPTIME, DETAIL = range(9)

_HEADER = "<4sBBBxIII32s64s8xI"
_MAGIC = b"TSJ1"
_FORMAT = 1
_HEADER_CRC_AT = HEADER_BYTES - 4
CODE_BYTES = 3
_LATCHED_BYTES = 64
_LATCH_BYTES = CODE_BYTES + 1
MOST_LATCHED = _LATCHED_BYTES // _LATCH_BYTES


def throw_index(d1, d2, d3):
    """Three dice in the order in which they were keyed as one number, 0 to 215."""
    return (d1 - 1) * 36 + (d2 - 1) * 6 + d3 - 1


def dice(index):
    """The three dice of a throw index."""
    return index // 36 + 1, index // 6 % 6 + 1, index % 6 + 1


def pack_into(buffer, sequence, kind, throw, previous, source, game, time, uptime, detail):
    """One record into the first 32 bytes of `buffer`. `time` in Unix seconds, 0 when unknown; `uptime` in seconds;
    `detail` 8 bytes at most."""
    struct.pack_into(_RECORD, buffer, 0, sequence, kind, throw, previous, source, game, time, uptime, detail, 0)
    struct.pack_into(_CRC, buffer, _CRC_AT, crc32(memoryview(buffer)[:_CRC_AT]) & 0xFFFFFFFF)


def unpack(view, at=0):
    """The fields of the record at `at` in a memoryview; None where there is no good one.

    The CRC-32 of 28 zeros is not zero, so that neither zeros nor an erased flash pass for a record.
    """
    if len(view) < at + RECORD_BYTES:
        return None
    fields = struct.unpack_from(_RECORD, view, at)
    if crc32(view[at : at + _CRC_AT]) & 0xFFFFFFFF != fields[9] or not 1 <= fields[KIND] < len(KINDS):
        return None
    return fields


def pack_header(number, first, game, throw, latched, previous_digest):
    """The header of segment `number`, whose first record will have the sequence number `first`.

    `game`, `throw`, `latched`: the last game's number, the throw that is lit or NO_THROW, and the latched fault codes
    with whether each is overridden, as the records before it have left them. `previous_digest`: SHA-256 of the segment
    before, zeros if there is none.
    """
    listed = b"".join([code.encode() + (b"o" if latched[code] else b" ") for code in list(latched)[:MOST_LATCHED]])
    count = len(listed) // _LATCH_BYTES
    header = bytearray(HEADER_BYTES)
    struct.pack_into(
        _HEADER, header, 0, _MAGIC, _FORMAT, throw, count, number, first, game, previous_digest, listed, 0
    )
    struct.pack_into(_CRC, header, _HEADER_CRC_AT, crc32(memoryview(header)[:_HEADER_CRC_AT]) & 0xFFFFFFFF)
    return header


def unpack_header(view):
    """(number, first, game, throw, latched, previous_digest) of the header at the start; None if it is not a good one.
    """
    if len(view) < HEADER_BYTES:
        return None
    magic, form, throw, count, number, first, game, digest, listed, crc = struct.unpack_from(_HEADER, view, 0)
    if magic != _MAGIC or form != _FORMAT or crc32(view[:_HEADER_CRC_AT]) & 0xFFFFFFFF != crc:
        return None
    latched = {}
    for at in range(0, count * _LATCH_BYTES, _LATCH_BYTES):
        latched[listed[at : at + CODE_BYTES].decode()] = listed[at + CODE_BYTES : at + _LATCH_BYTES] == b"o"
    return number, first, game, throw, latched, digest
