"""The lamp table file: layout of its bytes, lookup of all 216 throws, and every way it can be damaged."""

import hashlib
import struct

from tablecore import tablefile, tablepack

# Written out from the format's description, so that a change of the module's own constants is noticed.
HEADER_BYTES = 4 + 1 + 1 + 2 + 2 + 2 + 32 + 32


def frames(size=7):
    """216 frames that all differ: the place of the frame, then filling."""
    return [bytes([number]) + bytes((number * 3 + n) & 0xFF for n in range(size - 1)) for number in range(216)]


def lamps(size=7, zones=None):
    """Every output has a zone of its own, but for the last six of 56."""
    zones = 8 * size - 6 if zones is None else zones
    return bytes([n + 1 if n < zones else 0 for n in range(8 * size)])


def sample(size=7):
    return tablepack.pack("nz-div9-appendix1", 3, 8 * size - 6, frames(size), lamps(size))


def reason(call, *arguments):
    """Text of the ValueError that the call raises; the test fails when it raises none."""
    try:
        call(*arguments)
    except ValueError as error:
        return str(error)
    raise AssertionError("no ValueError")


def resealed(raw, at, value):
    """The file with one header byte changed and the digest made right again."""
    changed = bytearray(raw)
    changed[at] = value
    changed[44:76] = bytes(32)
    changed[44:76] = hashlib.sha256(bytes(changed)).digest()
    return bytes(changed)


def test_bytes_on_disk():
    raw = sample()
    assert len(raw) == HEADER_BYTES + 216 * 7 + 56
    assert raw[:6] == b"TSTB\x02\x00"
    assert struct.unpack("<HHH", raw[6:12]) == (50, 7, 3)
    assert raw[12:44] == b"nz-div9-appendix1" + bytes(15)
    assert raw[44:76] == hashlib.sha256(raw[:44] + bytes(32) + raw[76:]).digest()
    assert raw[76:-56] == b"".join(frames())
    assert raw[-56:] == bytes(range(1, 51)) + bytes(6)


def test_same_input_same_bytes():
    assert sample() == sample()


def test_fields_come_back():
    table = tablefile.load(sample())
    assert (table.layout_id, table.layout_version) == ("nz-div9-appendix1", 3)
    assert (table.zone_count, table.frame_bytes) == (50, 7)
    assert table.digest == sample()[44:76]
    assert bytes(table.lamps) == lamps()


def test_every_throw_finds_its_own_frame():
    table = tablefile.load(sample(1))
    number = 0
    for d1 in range(1, 7):
        for d2 in range(1, 7):
            for d3 in range(1, 7):
                assert bytes(table.frame(d1, d2, d3)) == bytes([number])
                number += 1
    assert number == 216


def test_longest_id_and_its_limits():
    longest = "x" * 32
    assert tablefile.load(tablepack.pack(longest, 0, 1, frames(1), lamps(1, 1))).layout_id == longest
    for bad in ("", "x" * 33, "two words", "daisai-\u5927", "tab\t", "nul\x00"):
        assert "layout id" in reason(tablepack.pack, bad, 1, 1, frames(1), lamps(1, 1))


def test_pack_refuses_what_does_not_fit():
    good = frames(2)
    one = lamps(2, 1)
    assert "216" in reason(tablepack.pack, "a", 1, 1, good[:215], one)
    assert "216" in reason(tablepack.pack, "a", 1, 1, good + good[:1], one)
    assert "same length" in reason(tablepack.pack, "a", 1, 1, good[:215] + [b"\x00"], one)
    assert "frame" in reason(tablepack.pack, "a", 1, 1, [b""] * 216, one)
    for zones in (0, -1, 256):
        assert "zone count" in reason(tablepack.pack, "a", 1, zones, good, one)
    for version in (-1, 65536):
        assert "layout version" in reason(tablepack.pack, "a", version, 1, good, one)


def test_every_zone_has_a_lamp_and_every_lamp_a_zone():
    good = frames(1)
    for wrong in (bytes(8), lamps(1, 2), lamps(1, 4), b"\x01\x02\x04" + bytes(5)):
        assert "every one" in reason(tablepack.pack, "a", 1, 3, good, wrong), wrong
    for wrong in (lamps(1, 3)[:7], lamps(2, 3)):
        assert "8 outputs" in reason(tablepack.pack, "a", 1, 3, good, wrong), wrong
    assert "every one" in reason(tablefile.load, resealed(sample(1), 6, 3))
    two_lamps_each = b"\x01\x02\x03\x00\x01\x02\x03\x00"
    assert tablefile.load(tablepack.pack("a", 1, 3, good, two_lamps_each)).zone_count == 3


def test_every_wrong_length_is_refused():
    raw = sample(1)
    for length in range(len(raw)):
        reason(tablefile.load, raw[:length])
    assert "too short" in reason(tablefile.load, b"")
    assert "asks for" in reason(tablefile.load, raw[:-1])
    assert "asks for" in reason(tablefile.load, raw + b"\x00")


def test_every_flipped_bit_is_refused():
    raw = sample(1)
    for at in range(len(raw)):
        changed = bytearray(raw)
        changed[at] ^= 1 << (at % 8)
        reason(tablefile.load, bytes(changed))
    changed = bytearray(raw)
    changed[-1] ^= 1
    assert "damaged" in reason(tablefile.load, bytes(changed))


def test_wrong_fields_are_named_even_with_a_right_digest():
    raw = sample(1)
    assert "TSTB" in reason(tablefile.load, resealed(raw, 0, 0x55))
    assert "format 1" in reason(tablefile.load, resealed(raw, 4, 1))
    assert "reserved" in reason(tablefile.load, resealed(raw, 5, 1))
    assert "no zones" in reason(tablefile.load, resealed(raw, 6, 0))
    assert "empty frames" in reason(tablefile.load, resealed(raw, 8, 0)[:76])
    assert "plain ASCII" in reason(tablefile.load, resealed(raw, 12, 0x80))
    assert "zero padded" in reason(tablefile.load, resealed(raw, 12, 0))
    assert "zero padded" in reason(tablefile.load, resealed(raw, 43, 0x41))


def test_a_frame_is_a_view_into_the_file_that_was_given():
    raw = bytearray(sample(3))
    table = tablefile.load(raw)
    raw[76] ^= 0xFF
    assert table.frame(1, 1, 1)[0] == raw[76]
