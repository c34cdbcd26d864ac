"""The bytes of a record and of a segment's header: laid out as the form says, and no damage passes for a good one."""

import struct
from binascii import crc32

from tablecore import records


def _record(**changes):
    fields = {
        "sequence": 0x01020304, "kind": records.AMEND, "throw": 215, "previous": 7, "source": records.TIME_HOST,
        "game": 0x05060708, "time": 0xF0000001, "uptime": 0x0A0B0C0D, "detail": b"abc",
    }  # fmt: skip
    fields.update(changes)
    buffer = bytearray(records.RECORD_BYTES)
    records.pack_into(buffer, *[fields[name] for name in (
        "sequence", "kind", "throw", "previous", "source", "game", "time", "uptime", "detail"
    )])  # fmt: skip
    return buffer


def test_a_record_is_32_bytes_little_endian_with_its_crc_at_the_end():
    data = _record()
    assert data[:28] == (
        b"\x04\x03\x02\x01\x02\xd7\x07\x02\x08\x07\x06\x05\x01\x00\x00\xf0\x0d\x0c\x0b\x0a" + b"abc\0\0\0\0\0"
    )
    assert struct.unpack("<I", data[28:])[0] == crc32(bytes(data[:28])) & 0xFFFFFFFF
    fields = records.unpack(memoryview(data))
    assert fields[records.SEQUENCE] == 0x01020304 and fields[records.TIME] == 0xF0000001
    assert (fields[records.KIND], fields[records.THROW], fields[records.PREVIOUS]) == (records.AMEND, 215, 7)
    assert fields[records.DETAIL] == b"abc\0\0\0\0\0"


def test_every_throw_has_its_own_number_and_comes_back():
    seen = {}
    for d1 in range(1, 7):
        for d2 in range(1, 7):
            for d3 in range(1, 7):
                index = records.throw_index(d1, d2, d3)
                assert records.dice(index) == (d1, d2, d3) and 0 <= index <= 215
                seen[index] = 1
    assert len(seen) == 216 and records.throw_index(1, 1, 2) == 1 and records.throw_index(2, 1, 1) == 36


def test_any_wrong_bit_any_short_end_and_what_a_flash_leaves_is_no_record():
    good = _record()
    for at in range(len(good)):
        for bit in range(8):
            data = bytearray(good)
            data[at] ^= 1 << bit
            assert records.unpack(memoryview(data)) is None
    for length in range(len(good)):
        assert records.unpack(memoryview(good)[:length]) is None
    for fill in (0, 0xFF):
        assert records.unpack(memoryview(bytes([fill] * 32))) is None
    assert records.unpack(memoryview(_record(kind=0))) is None
    assert records.unpack(memoryview(_record(kind=12))) is None


def test_a_record_is_found_at_its_place():
    data = memoryview(bytes(32) + bytes(_record(sequence=9)))
    assert records.unpack(data) is None and records.unpack(data, 32)[records.SEQUENCE] == 9
    assert records.unpack(data, 33) is None


def test_a_header_says_what_the_records_before_add_up_to():
    latched = {"E21": False, "C07": True}
    header = records.pack_header(12, 34567, 8000, 100, latched, bytes(range(32)))
    assert len(header) == records.HEADER_BYTES
    assert records.unpack_header(memoryview(header)) == (12, 34567, 8000, 100, latched, bytes(range(32)))
    many = {"C%02d" % n: n % 2 == 0 for n in range(20)}
    kept = records.unpack_header(memoryview(records.pack_header(1, 1, 0, 255, many, bytes(32))))[4]
    assert len(kept) == records.MOST_LATCHED and all(many[code] == kept[code] for code in kept)


def test_any_wrong_bit_spoils_a_header():
    good = records.pack_header(1, 1, 0, records.NO_THROW, {"E21": True}, bytes(32))
    for at in range(len(good)):
        for bit in range(8):
            data = bytearray(good)
            data[at] ^= 1 << bit
            assert records.unpack_header(memoryview(data)) is None, (at, bit)
    for length in range(len(good)):
        assert records.unpack_header(memoryview(good)[:length]) is None


def test_a_segment_fits_in_four_blocks_beside_the_pointers_of_the_file_system():
    # littlefs (SPEC.md, CTZ skip-lists): block n > 0 of a file begins with ctz(n) + 1 pointers of four bytes.
    room = 4096 + (4096 - 4) + (4096 - 8) + (4096 - 4)
    assert records.SEGMENT_BYTES <= room < records.SEGMENT_BYTES + records.RECORD_BYTES
