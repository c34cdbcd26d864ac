"""The loader models behind RFC 2217, where the reset and boot lines are wired."""

import struct
import subprocess
import sys
import time

import pytest
import serial
from esp32rom_tools import IMAGE_OFFSET, esptool, micropython_image, served_models

from taisai.sim.esp32rom import Esp32Rom, slip
from taisai.sim.esp32rom.rfc2217server import Rfc2217Server


@pytest.fixture
def served(tmp_path):
    """Make a model served over RFC 2217; returns the model and the port's URL."""
    with served_models(tmp_path / "flash.bin") as serve:

        def make(*arguments, **options):
            rom, server = serve(Rfc2217Server, *arguments, **options)
            return rom, server.url

        yield make


def host(url: str, *, dtr: bool = False, rts: bool = False) -> serial.SerialBase:
    """Open the port with both lines set beforehand."""
    port = serial.serial_for_url(url, do_not_open=True, baudrate=115200, timeout=3)
    port.dtr, port.rts = dtr, rts
    port.open()
    return port


def read_until(port: serial.SerialBase, word: bytes) -> bytes:
    data = b""
    while word not in data:
        chunk = port.read(1)
        assert chunk, data
        data += chunk
    return data


def wait_for(rom: Esp32Rom, mode: str) -> None:
    deadline = time.monotonic() + 5
    while rom.mode != mode and time.monotonic() < deadline:
        time.sleep(0.01)
    assert rom.mode == mode


def test_esptool_resets_into_the_loader_and_out_of_it(served):
    rom, url = served("esp32s3")
    assert rom.mode == "application"
    done = esptool(url, "--no-stub", "chip-id")
    assert done.returncode == 0, done.stdout
    assert "7c:df:a1:5e:00:01" in done.stdout
    assert rom.mode == "application"
    assert rom.unknown_registers == set()


def test_wrong_boot_mode_is_named_by_esptool(served):
    rom, url = served(faults=["wrong-boot-mode"])
    done = esptool(url, "--no-stub", "--connect-attempts", "1", "chip-id")
    assert done.returncode == 2
    assert "Wrong boot mode detected (0x13)" in done.stdout
    assert rom.mode == "application"


def test_esptool_as_a_library_writes(served, tmp_path):
    """Without the stub: nothing is uploaded until run_stub is called, and nobody calls it here."""
    image = tmp_path / "image.bin"
    image.write_bytes(micropython_image().read_bytes()[:100_000])
    rom, url = served()
    program = f"""
from esptool.cmds import attach_flash, detect_chip, reset_chip, write_flash
from esptool.loader import DEFAULT_TIMEOUT
with detect_chip({url!r}, connect_attempts=2) as esp:
    # Each change of the time-out would negotiate the whole port anew: 0.2 s per command.
    esp._port.timeout = DEFAULT_TIMEOUT
    attach_flash(esp)
    write_flash(esp, [({IMAGE_OFFSET}, {str(image)!r})], compress=True, no_progress=True)
    reset_chip(esp, "hard-reset")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and "Hash of data verified" in done.stdout, done.stdout + done.stderr
    data = image.read_bytes()
    assert (tmp_path / "flash.bin").read_bytes()[IMAGE_OFFSET : IMAGE_OFFSET + len(data)] == data
    assert rom.mode == "application"


def test_lines_low_before_open_leave_the_chip_alone(served):
    rom, url = served()
    with host(url):
        assert rom.mode == "application"
    wait_for(rom, "application")


def test_both_lines_asserted_hold_the_chip_in_reset(served):
    """What pyserial does by itself when it opens a port; on leaving, the boot line goes first."""
    rom, url = served()
    with host(url, dtr=True, rts=True) as port:
        assert rom.mode == "held in reset"
        port.rts = False
        assert rom.mode == "download"
        assert b"waiting for download" in read_until(port, b"download\r\n")
        port.rts = True
        assert rom.mode == "held in reset"
    wait_for(rom, "application")


def test_server_that_ends_lets_the_lines_go(tmp_path):
    with Esp32Rom("esp32", tmp_path / "flash.bin") as rom:
        with Rfc2217Server(rom) as server:
            port = host(server.url, rts=True)
            assert rom.mode == "held in reset"
        assert rom.mode == "application"
        port.close()


def test_boot_line_counts_only_when_reset_ends(served):
    rom, url = served()
    with host(url) as port:
        port.dtr = True
        assert rom.mode == "application"
        port.rts = True
        port.dtr = False
        port.rts = False
        assert rom.mode == "application"
        port.dtr = True
        port.rts = True
        port.rts = False
        port.dtr = False
        assert rom.mode == "download"


def test_every_byte_value_passes_both_ways(served):
    """0xFF is the telnet escape: it is doubled on the wire in both directions."""
    rom, url = served(flash_size=1 << 20)
    rom.flash.program(0x400, bytes(range(192, 256)))
    with host(url, dtr=True, rts=True) as port:
        port.rts = False
        read_until(port, b"download\r\n")

        def ask(opcode: int, *words: int) -> bytes:
            body = struct.pack(f"<{len(words)}I", *words)
            port.write(slip.encode(struct.pack("<BBHI", 0, opcode, len(body), 0) + body))
            read_until(port, b"\xc0")
            return read_until(port, b"\xc0")[:-1].replace(b"\xdb\xdc", b"\xc0").replace(b"\xdb\xdd", b"\xdb")

        ask(0x0D, 0, 0)
        # RTC_CNTL_SDIO_CONF is a plain word: what the host writes is what it reads.
        ask(0x09, 0x3FF48074, 0xFFFFFFFF, 0xFFFFFFFF, 0)
        assert ask(0x0A, 0x3FF48074)[4:8] == b"\xff" * 4
        assert ask(0x0E, 0x400, 64)[8:72] == bytes(range(192, 256))


def test_a_second_host_is_turned_away(served):
    rom, url = served()
    with host(url):
        with pytest.raises(OSError):
            host(f"{url}?timeout=1")
    wait_for(rom, "application")
    with host(url):
        assert rom.mode == "application"


def test_a_reset_by_hand_respects_the_lines(served):
    rom, url = served()
    with host(url):
        rom.press_reset(boot_held=True)
        assert rom.mode == "download"
        rom.press_reset(boot_held=False)
        assert rom.mode == "application"
    with host(url, rts=True):
        rom.press_reset(boot_held=True)
        assert rom.mode == "held in reset"
