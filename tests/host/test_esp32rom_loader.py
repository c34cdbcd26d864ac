"""The loader's answers byte by byte, against the protocol documentation and frames recorded from real chips."""

import hashlib
import struct
import zlib
from functools import reduce
from operator import xor

import pytest

from taisai.sim.esp32rom import Esp32Rom, slip

OK = b"\0\0\0\0"
SIZE = 1 << 20


class Wire:
    """The host's end: packets in, packets out, at a rate."""

    def __init__(self, rom: Esp32Rom) -> None:
        self.rom = rom
        self.baud = 115200
        rom.press_reset(boot_held=True)
        rom.device.take_output()

    def raw(self, data: bytes) -> bytes:
        self.rom.device.receive(data, self.baud)
        return self.rom.device.take_output()

    def ask(self, opcode: int, *words: int, data: bytes = b"", checksum: int = 0) -> tuple[bytes, bytes]:
        """Send one request and return the value field and the data of the one answer to it."""
        body = struct.pack(f"<{len(words)}I", *words) + data
        reply = self.raw(slip.encode(struct.pack("<BBHI", 0, opcode, len(body), checksum) + body))
        (packet,) = slip.Decoder().feed(reply)
        direction, answered, size = struct.unpack("<BBH", packet[:4])
        assert (direction, answered, size) == (1, opcode, len(packet) - 8)
        return packet[4:8], packet[8:]

    def status(self, *arguments, **options) -> bytes:
        """The status and error byte of a request's answer that carries no data."""
        _, data = self.ask(*arguments, **options)
        assert len(data) == 4
        return data[:2]

    def block(self, opcode: int, sequence: int, data: bytes, spoil: int = 0) -> bytes:
        checksum = reduce(xor, data, 0xEF) ^ spoil
        return self.status(opcode, len(data), sequence, 0, 0, data=data, checksum=checksum)

    def attach(self) -> None:
        assert self.status(0x0D, 0, 0) == b"\0\0"
        assert self.status(0x0B, 0, SIZE, 65536, 4096, 256, 0xFFFF) == b"\0\0"


@pytest.fixture
def make(tmp_path):
    roms = []

    def build(chip="esp32", **options):
        roms.append(Esp32Rom(chip, tmp_path / f"flash{len(roms)}.bin", flash_size=SIZE, **options))
        return Wire(roms[-1])

    yield build
    for rom in roms:
        rom.close()


@pytest.fixture
def wire(make):
    return make()


def test_sync_as_recorded(wire):
    sync = bytes.fromhex("c00008240000000000 07071220".replace(" ", "")) + b"\x55" * 32 + b"\xc0"
    assert wire.raw(sync) == bytes.fromhex("c0010804000707122000000000c0") * 8


def test_chip_word_as_recorded(wire):
    request = bytes.fromhex("c0000a04000000000000100040c0")
    assert wire.raw(request) == bytes.fromhex("c0010a0400831df00000000000c0")


def test_value_of_the_last_read_stays_as_recorded(wire):
    """A real ESP32 answered CHANGE_BAUDRATE and SPI_ATTACH with the word that READ_REG had fetched before."""
    value, _ = wire.ask(0x0A, 0x40001000)
    assert wire.ask(0x0F, 446148, 0) == (value, OK)
    wire.baud = 446148
    assert wire.ask(0x0D, 0, 0) == (value, OK)


def test_security_info_has_the_recorded_form(make):
    """Recorded from a chip of the same generation: 20 bytes and status, the seventh key purpose 12."""
    _, data = make("esp32s3").ask(0x14)
    assert data == bytes.fromhex("00000000 00 000000000000 0c 09000000 00000000") + OK


def test_unknown_command_gets_eight_answers_that_name_another(wire):
    packets = slip.Decoder().feed(wire.raw(slip.encode(bytes.fromhex("0014000000000000"))))
    assert len(packets) == 8
    assert all(p[1] != 0x14 and p[8:] == b"\1\5\0\0" and len(p) == 12 for p in packets)


def test_splitting_of_the_stream_does_not_matter(wire):
    request = bytes.fromhex("c0000a04000000000000100040c0")
    assert b"".join(wire.raw(request[i : i + 1]) for i in range(len(request))) == wire.raw(request)


@pytest.mark.parametrize(
    "junk",
    [
        b"noise",
        b"\xc0\xc0",
        b"\xc0short\xc0",
        b"\xc0\0\x0a\4\0\0\0\0\0\0\x10\xdb\x40\xc0",
        b"\xc0\1\x0a\4\0\0\0\0\0\0\x10\0\x40\xc0",
    ],
    ids=["outside", "empty", "short", "wrong escape", "an answer"],
)
def test_junk_gets_no_answer_and_does_no_harm(wire, junk):
    assert wire.raw(junk) == b""
    assert wire.ask(0x0A, 0x40001000)[1] == OK


def test_endless_frame_is_dropped(wire):
    assert wire.raw(b"\xc0" + bytes(200_000)) == b""
    assert wire.raw(b"\xc0") == b""
    assert wire.ask(0x0A, 0x40001000)[1] == OK


def test_wrong_size_field(wire):
    packet = struct.pack("<BBHI", 0, 0x0A, 5, 0) + struct.pack("<I", 0x40001000)
    (answer,) = slip.Decoder().feed(wire.raw(slip.encode(packet)))
    assert answer[8:10] == b"\1\5"


def test_flash_needs_its_pins(wire):
    assert wire.status(0x13, 0, 64, 0, 0) == b"\1\x09"
    assert wire.status(0x02, 1024, 1, 1024, 0) == b"\1\x06"
    assert wire.status(0x02, 0, 0, 1024, 0) == b"\0\0"


def test_two_megabytes_until_told_otherwise(tmp_path):
    with Esp32Rom("esp32", tmp_path / "f.bin", flash_size=4 << 20) as rom:
        wire = Wire(rom)
        wire.status(0x0D, 0, 0)
        assert wire.ask(0x13, (2 << 20) - 64, 64, 0, 0)[1][-4:] == OK
        assert wire.status(0x13, (2 << 20) - 64, 65, 0, 0) == b"\1\x09"
        wire.status(0x0B, 0, 4 << 20, 65536, 4096, 256, 0xFFFF)
        assert wire.ask(0x13, (2 << 20) - 64, 65, 0, 0)[1][-4:] == OK


def test_checksum_sequence_and_size_of_blocks(wire):
    wire.attach()
    assert wire.block(0x03, 0, bytes(1024)) == b"\1\x06"  # no begin
    assert wire.status(0x02, 2048, 2, 1024, 0x1000) == b"\0\0"
    assert wire.block(0x03, 0, b"a" * 1024, spoil=1) == b"\1\x07"
    assert wire.block(0x03, 1, b"a" * 1024) == b"\1\x06"
    assert wire.block(0x03, 0, b"a" * 1000) == b"\1\x05"
    assert wire.rom.flash.read(0, SIZE) == b"\xff" * SIZE
    assert wire.block(0x03, 0, b"a" * 1024) == b"\0\0"
    assert wire.block(0x11, 1, b"b" * 1024) == b"\1\x06"  # the begin was the other kind
    assert wire.block(0x03, 1, b"b" * 1024) == b"\0\0"
    assert wire.block(0x03, 2, b"c" * 1024) == b"\1\x06"  # more than announced
    assert wire.rom.flash.read(0x1000, 2048) == b"a" * 1024 + b"b" * 1024


def test_begin_erases_whole_sectors_of_its_range(wire):
    wire.attach()
    wire.rom.flash.program(0, bytes(0x8000))
    assert wire.status(0x02, 0x1001, 5, 1024, 0x2000) == b"\0\0"
    assert wire.rom.flash.read(0, 0x8000) == bytes(0x2000) + b"\xff" * 0x2000 + bytes(0x4000)


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ((1024, 1, 1024, 0x800), 0x05),  # not on a sector
        ((1024, 1, 1024, SIZE), 0x06),
        ((SIZE + 1, 1025, 1024, 0), 0x06),
        ((1024, 1, 1024, 0, 0), 0x05),  # the fifth word is for later chips
    ],
)
def test_begin_that_cannot_be(wire, words, error):
    wire.attach()
    assert wire.status(0x02, *words) == bytes((1, error))


def test_later_chip_wants_the_fifth_word_and_cannot_encrypt(make):
    wire = make("esp32s3")
    wire.attach()
    assert wire.status(0x02, 1024, 1, 1024, 0) == b"\1\x05"
    assert wire.status(0x02, 1024, 1, 1024, 0, 1) == b"\1\x05"
    assert wire.status(0x02, 1024, 1, 1024, 0, 0) == b"\0\0"


def test_written_over_without_erasing_is_found(wire):
    """Flash can only clear bits: the loader reads back and sees the difference."""
    wire.attach()
    assert wire.status(0x02, 0, 1, 1024, 0x1000) == b"\0\0"
    wire.rom.flash.program(0x1000, b"\x0f")
    assert wire.block(0x03, 0, b"\xf0" * 1024) == b"\1\x08"


def test_deflate_stream(wire):
    wire.attach()
    data = bytes(range(256)) * 40
    packed = zlib.compress(data, 0)
    blocks = [packed[i : i + 1024] for i in range(0, len(packed), 1024)]
    assert wire.status(0x10, len(data), len(blocks), 1024, 0x4000) == b"\0\0"
    assert [wire.block(0x11, n, block) for n, block in enumerate(blocks)] == [b"\0\0"] * len(blocks)
    assert wire.rom.flash.read(0x4000, len(data)) == data
    digest = hashlib.md5(data).hexdigest().encode()
    assert wire.ask(0x13, 0x4000, len(data), 0, 0)[1] == digest + OK


def test_damaged_deflate_streams(wire):
    wire.attach()
    data = b"table" * 100
    packed = zlib.compress(data)
    begin = (0x10, 4096, 1, 1024, 0)
    wire.status(*begin)
    assert wire.block(0x11, 0, b"\0" + packed[1:]) == b"\1\x0b"
    wire.status(*begin)
    assert wire.block(0x11, 0, packed[:-1] + bytes((packed[-1] ^ 1,))) == b"\1\x0c"
    wire.status(*begin)
    assert wire.block(0x11, 0, zlib.compress(bytes(5000))) == b"\1\x08"  # unpacks to more than was announced


def test_read_slow_has_64_bytes_at_most_and_always(wire):
    wire.attach()
    wire.rom.flash.program(0, b"abc")
    _, data = wire.ask(0x0E, 0, 3)
    assert len(data) == 68 and data[:3] == b"abc"
    assert wire.status(0x0E, 0, 65) == b"\1\x0a"
    assert wire.status(0x0E, SIZE - 63, 64) == b"\1\x09"


def test_only_the_agreed_rate_is_understood(wire):
    assert wire.ask(0x0F, 460800, 0)[1] == OK
    assert wire.raw(bytes.fromhex("c0000a04000000000000100040c0")) == b""
    wire.baud = 460800
    value, _ = wire.ask(0x0A, 0x3FF40014)
    assert int.from_bytes(value, "little") & 0xFFFFF == 40_000_000 // 460800
    # A SYNC is understood at any rate, and sets it.
    wire.baud = 115200
    assert len(slip.Decoder().feed(wire.raw(slip.encode(bytes.fromhex("000824000000000007071220") + b"U" * 32)))) == 8
    assert wire.ask(0x0A, 0x40001000)[1] == OK


def test_chip_held_in_reset_does_nothing(wire):
    device = wire.rom.device
    wire.rom.press_reset(boot_held=False)
    assert device.due is not None  # blank: the watchdog will reset it
    device.set_lines(enabled=False, gpio0=False)
    device.take_output()
    assert device.due is None
    assert wire.raw(bytes.fromhex("c0000a04000000000000100040c0")) == b""
    device.set_lines(enabled=True, gpio0=False)
    assert device.take_output() == (
        b"ets Jul 29 2019 12:21:46\r\n\r\n"
        b"rst:0x1 (POWERON_RESET),boot:0x3 (DOWNLOAD_BOOT(UART0/UART1/SDIO_REI_REO_V2))\r\nwaiting for download\r\n"
    )


def test_noise_before_the_first_answers(make):
    wire = make(faults=["garbage"])
    sync = slip.encode(bytes.fromhex("000824000000000007071220") + b"U" * 32)
    answer = bytes.fromhex("c0010804000707122000000000c0") * 8
    replies = [wire.raw(sync) for _ in range(4)]
    assert [reply == answer for reply in replies] == [False, False, True, True]
    assert replies[0] and replies[1]


def test_registers_that_efuses_fix_cannot_be_written(wire):
    before, _ = wire.ask(0x0A, 0x3FF5A018)
    assert wire.status(0x09, 0x3FF5A018, 0x30, 0xFFFFFFFF, 0) == b"\0\0"
    assert wire.ask(0x0A, 0x3FF5A018)[0] == before


def test_masked_write_and_an_address_that_is_not_modelled(wire):
    assert wire.status(0x09, 0x3FF48074, 0xFFFF, 0x0FF0, 0) == b"\0\0"
    assert wire.ask(0x0A, 0x3FF48074)[0] == b"\xf0\x0f\0\0"
    assert wire.ask(0x0A, 0x12345678) == (b"\0\0\0\0", OK)
    assert wire.rom.unknown_registers == {0x12345678}


@pytest.mark.parametrize(
    ("arguments", "options", "text"),
    [
        (("esp8266",), {}, "no model of 'esp8266'; there are esp32, esp32s3"),
        (("esp32",), {"faults": ["rust"]}, "unknown fault 'rust'; known are wrong-boot-mode, silent"),
        (("esp32s3",), {"faults": ["secure-boot-v1"]}, "esp32s3 has no secure boot version 1"),
        (("esp32",), {"flash_size": 3 << 20}, "flash size 3145728 is not a power of two"),
        (("esp32",), {"flash_size": 32 << 20}, "flash size 33554432 is not a power of two"),
        (("esp32",), {"mac": "24:0a:c4"}, "does not have 6 bytes"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path, arguments, options, text):
    with pytest.raises(ValueError, match=text):
        Esp32Rom(*arguments, tmp_path / "flash.bin", **options)


def test_flash_file_of_another_length_is_refused(tmp_path):
    (tmp_path / "flash.bin").write_bytes(b"x")
    with pytest.raises(ValueError, match="has 1 bytes, not the 4194304 of the flash"):
        Esp32Rom("esp32", tmp_path / "flash.bin")


def test_flash_survives_on_disk(tmp_path):
    with Esp32Rom("esp32", tmp_path / "flash.bin") as rom:
        rom.flash.program(0x1234, b"kept")
    with Esp32Rom("esp32s3", tmp_path / "flash.bin") as rom:
        assert rom.flash.read(0x1234, 4) == b"kept"


def test_addresses_beyond_the_flash_wrap(tmp_path):
    with Esp32Rom("esp32", tmp_path / "flash.bin", flash_size=SIZE) as rom:
        rom.flash.program(SIZE - 2, b"wrap")
        assert rom.flash.read(0, 2) == b"ap"
        assert rom.flash.read(2 * SIZE - 2, 4) == b"wrap"
