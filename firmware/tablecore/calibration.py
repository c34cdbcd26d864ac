"""The file of the lamps' calibration: the current of each zone alone, as this unit's own sense measured it.

Little-endian: magic "TSLC" | format u8 = 1 | zero u8 | zone count u16 | digest of the lamp table, 32 bytes | counts of
each zone u16 | SHA-256, 32 bytes, of all before it. Counts are those of the converter, 0 to 65535. It holds for one
lamp table: with another one the wiring may be another, and it is as if there were none.
"""

import hashlib
import struct

PATH = "/data/lamps.cal"
FULL_SCALE_VOLT = 3.3
_MAGIC = b"TSLC"
_FORMAT = 1
_HEADER = "<4sBBH32s"
_HEADER_BYTES = 40
_DIGEST_BYTES = 32
_MOST_BYTES = 1200  # 512 zones


def counts(milliamp, milliamp_per_volt):
    """What the converter reads for a current."""
    return int(65535 * milliamp / (FULL_SCALE_VOLT * milliamp_per_volt) + 0.5)


def pack(table, measured):
    """The file for a lamp table; `measured`: counts of its zones in their order."""
    data = struct.pack(_HEADER, _MAGIC, _FORMAT, 0, len(measured), table.digest)
    data += struct.pack("<%dH" % len(measured), *measured)
    return data + hashlib.sha256(data).digest()


def load(storage, table):
    """Two bytes for each zone of the table; None when it was never calibrated. ValueError when the file is damaged."""
    data = storage.read(PATH, _MOST_BYTES)
    if data is None:
        return None
    body = data[:-_DIGEST_BYTES]
    if len(body) < _HEADER_BYTES or hashlib.sha256(body).digest() != data[-_DIGEST_BYTES:]:
        raise ValueError("calibration file is damaged")
    magic, form, _, zones, digest = struct.unpack(_HEADER, body[:_HEADER_BYTES])
    if magic != _MAGIC or form != _FORMAT or len(body) != _HEADER_BYTES + 2 * zones:
        raise ValueError("not a calibration file of this version")
    return body[_HEADER_BYTES:] if digest == table.digest and zones == table.zone_count else None
