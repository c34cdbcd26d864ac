"""Unmodified esptool and espefuse against the loader models on a pseudo terminal."""

import os
import random
import re
import subprocess
import sys
import time

import pytest
from esp32rom_tools import IMAGE_OFFSET, esptool, micropython_image, on_pty, posix, served_models

from taisai.sim.esp32rom import Esp32Rom

pytestmark = posix

CHIPS = ("esp32", "esp32s3")
MB = 1 << 20


@pytest.fixture
def served(tmp_path):
    """Make a served model: call it with what Esp32Rom takes besides the path; returns the model and the port's path."""
    with served_models(tmp_path / "flash.bin") as serve:

        def make(*arguments, **options):
            rom, server = serve(on_pty, *arguments, **options)
            return rom, server.path

        yield make


@pytest.fixture
def payload(tmp_path):
    """A file of 10,002 bytes (no whole number of blocks or words) with every byte value, and its content."""
    data = random.Random(3).randbytes(9746) + bytes(range(256))
    file = tmp_path / "payload.bin"
    file.write_bytes(data)
    return file, data


@pytest.mark.parametrize(
    ("chip", "words"),
    [
        ("esp32", ["ESP32-D0WD-V3 (revision v3.1)", "Dual Core", "24:0a:c4:5e:00:01"]),
        ("esp32s3", ["ESP32-S3 (QFN56) (revision v0.2)", "7c:df:a1:5e:00:01", "quad (4 data lines)"]),
    ],
)
def test_chip_and_flash_are_identified(served, chip, words):
    rom, port = served(chip)
    done = esptool(port, "--no-stub", "flash-id")
    assert done.returncode == 0, done.stdout
    for word in [*words, "Crystal frequency: 40MHz", "Detected flash size: 4MB", "set by a strapping pin: 3.3V"]:
        assert word in done.stdout
    assert rom.unknown_registers == set()
    assert rom.mode == "download"


def test_another_flash_size_and_mac(served):
    _, port = served(flash_size=16 * MB, mac="24:0a:c4:00:ff:c0")
    done = esptool(port, "--no-stub", "flash-id")
    assert "Detected flash size: 16MB" in done.stdout
    assert "24:0a:c4:00:ff:c0" in done.stdout


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("packing", ["--no-compress", "--compress"])
def test_write_verify_and_read_back(served, payload, tmp_path, chip, packing):
    file, data = payload
    rom, port = served(chip)
    done = esptool(port, "--no-stub", "write-flash", packing, "0x310000", file)
    assert done.returncode == 0 and "Hash of data verified" in done.stdout, done.stdout
    assert esptool(port, "--no-stub", "verify-flash", "0x310000", file).returncode == 0
    back = tmp_path / "back.bin"
    assert esptool(port, "--no-stub", "read-flash", "0x310000", len(data), back).returncode == 0
    assert back.read_bytes() == data
    # Exactly the range was touched; esptool pads to its blocks with erased bytes.
    on_disk = (tmp_path / "flash.bin").read_bytes()
    assert on_disk[0x310000 : 0x310000 + len(data)] == data
    assert on_disk.count(0xFF) == 4 * MB - len(data) + data.count(0xFF)
    assert rom.unknown_registers == set()


def test_verify_finds_a_changed_byte(served, payload):
    file, data = payload
    rom, port = served()
    assert esptool(port, "--no-stub", "write-flash", "0x10000", file).returncode == 0
    at = data.index(0xFF)
    rom.flash.program(0x10000 + at, b"\xfe")
    done = esptool(port, "--no-stub", "verify-flash", "--diff", "0x10000", file)
    assert done.returncode == 2
    assert f"1 differences, first at {0x10000 + at:#010x}" in done.stdout


def test_real_micropython_image(served, tmp_path):
    """The whole way of a board: flash at a higher rate, verify, start, and the ROM loads what the image holds."""
    image = micropython_image()
    rom, port = served()
    done = esptool(port, "--no-stub", "--baud", "460800", "write-flash", "--compress", hex(IMAGE_OFFSET), image)
    assert done.returncode == 0 and "Hash of data verified" in done.stdout, done.stdout
    # The next run talks at 115200 again.
    assert esptool(port, "--no-stub", "verify-flash", hex(IMAGE_OFFSET), image).returncode == 0
    data = image.read_bytes()
    on_disk = (tmp_path / "flash.bin").read_bytes()
    assert on_disk[IMAGE_OFFSET : IMAGE_OFFSET + len(data)] == data

    with open(port, "rb", buffering=0) as terminal:
        rom.press_reset(boot_held=False)
        log = b""
        while b"entry" not in log:
            log += os.read(terminal.fileno(), 4096)
    assert rom.mode == "application"
    assert "boot:0x13 (SPI_FAST_FLASH_BOOT)" in log.decode()
    info = subprocess.run(
        [sys.executable, "-m", "esptool", "image-info", image], capture_output=True, text=True, check=True
    ).stdout
    segments = re.findall(r"^ +\d+ +0x([0-9a-f]+) +0x([0-9a-f]+)", info, re.MULTILINE)
    assert segments
    loaded = re.findall(r"load:0x([0-9a-f]+),len:(\d+)", log.decode())
    assert [(int(a, 16), int(n)) for a, n in loaded] == [(int(a, 16), int(n, 16)) for n, a in segments]


def test_erase_region_takes_its_sectors_only(served, tmp_path):
    rom, port = served()
    rom.flash.program(0, bytes(4 * MB))
    assert esptool(port, "--no-stub", "erase-region", "0x3fe000", "0x1000").returncode == 0
    on_disk = (tmp_path / "flash.bin").read_bytes()
    assert on_disk[0x3FE000:0x3FF000] == b"\xff" * 0x1000
    assert on_disk.count(0) == 4 * MB - 0x1000


@pytest.mark.parametrize(
    ("arguments", "outcome"),
    [
        (["--no-stub", "erase-flash"], "ESP32 ROM does not support function erase_flash"),
        (["--no-stub", "get-security-info"], "This command (0x14) is not supported"),
        (["--no-stub", "--chip", "esp32s3", "flash-id"], "This chip is ESP32, not ESP32-S3"),
        (["flash-id"], "This command (0x5) is not supported"),  # the stub cannot run in a model
    ],
)
def test_what_the_esp32_rom_cannot_do(served, arguments, outcome):
    _, port = served()
    done = esptool(port, *arguments)
    assert done.returncode == 2
    assert outcome in done.stdout


@pytest.mark.parametrize(
    ("faults", "words"),
    [
        ([], ["Flags: 0x00000000", "Secure Boot: Disabled", "Flash Encryption: Disabled"]),
        (["secure-boot"], ["Secure Boot: Enabled", "Flash Encryption: Disabled", "SECURE_BOOT_DIGEST0"]),
        (["flash-encryption"], ["Secure Boot: Disabled", "Flash Encryption: Enabled", "XTS_AES_128_KEY"]),
    ],
)
def test_security_info_of_the_newer_chip(served, faults, words):
    _, port = served("esp32s3", faults=faults)
    done = esptool(port, "--no-stub", "get-security-info")
    assert done.returncode == 0, done.stdout
    for word in [*words, "Chip ID: 9"]:
        assert word in done.stdout


@pytest.mark.parametrize(
    ("chip", "faults", "words"),
    [
        ("esp32", [], [r"FLASH_CRYPT_CNT .*? = 0 ", r"ABS_DONE_1 .*? = False", r"24:0a:c4:5e:00:01 \(CRC 0x31 OK\)"]),
        ("esp32", ["secure-boot"], [r"ABS_DONE_1 .*? = True", r"ABS_DONE_0 .*? = False", r"FLASH_CRYPT_CNT .*? = 0 "]),
        (
            "esp32",
            ["secure-boot-v1", "flash-encryption"],
            [
                r"ABS_DONE_0 .*? = True",
                r"ABS_DONE_1 .*? = False",
                r"FLASH_CRYPT_CNT .*? = 127 ",
                r"DISABLE_DL_ENCRYPT .*? = True",
            ],
        ),
        ("esp32s3", ["secure-boot"], [r"SECURE_BOOT_EN .*? = True", r"SPI_BOOT_CRYPT_CNT .*? = Disable"]),
        ("esp32s3", ["flash-encryption"], [r"SECURE_BOOT_EN .*? = False", r"SPI_BOOT_CRYPT_CNT .*? = Enable"]),
    ],
)
def test_efuses_as_espefuse_reads_them(served, chip, faults, words):
    rom, port = served(chip, faults=faults)
    done = esptool(port, "--chip", chip, "summary", program="espefuse")
    assert done.returncode == 0, done.stdout
    for word in words:
        assert re.search(word, done.stdout), word
    assert rom.unknown_registers == set()


@pytest.mark.parametrize(
    ("chip", "fault", "code", "outcome"),
    [
        ("esp32", "wrong-boot-mode", 2, "Failed to connect to Espressif device: "),
        ("esp32", "silent", 2, "Failed to connect to Espressif device: No serial data received."),
        ("esp32", "garbage", 0, "Hash of data verified"),
        ("esp32s3", "garbage", 0, "Hash of data verified"),
        ("esp32", "wrong-md5", 2, "MD5 of file does not match data in flash!"),
        ("esp32", "small-flash", 2, "will not fit in 1048576 bytes of flash"),
        ("esp32", "secure-boot", 0, "Security features enabled, so not changing any flash settings"),
        ("esp32s3", "secure-boot", 0, "Security features enabled, so not changing any flash settings"),
        ("esp32", "flash-encryption", 2, "Detected flash encryption enabled and download manual encrypt disabled"),
        ("esp32s3", "flash-encryption", 2, "Detected flash encryption enabled and download manual encrypt disabled"),
    ],
)
def test_faults_as_esptool_reports_them(served, payload, tmp_path, chip, fault, code, outcome):
    _, port = served(chip, faults=[fault])
    # A chip that will answer gets the attempts a loaded machine may need; one that never will is given up at once.
    attempts = 1 if "Failed to connect" in outcome else 5
    done = esptool(port, "--no-stub", "--connect-attempts", attempts, "write-flash", "0x200000", payload[0])
    assert (done.returncode, outcome in done.stdout) == (code, True), done.stdout
    # Refused means untouched; a wrong digest is seen only after the write.
    touched = set((tmp_path / "flash.bin").read_bytes()) != {0xFF}
    assert touched == (code == 0 or fault == "wrong-md5")


def test_secure_boot_version_1_guards_the_bootloader(served, payload):
    _, port = served(faults=["secure-boot-v1"])
    assert "Secure Boot V1 detected" in esptool(port, "--no-stub", "write-flash", "0x1000", payload[0]).stdout


def test_soft_reset_starts_the_application(served):
    rom, port = served("esp32s3")
    assert esptool(port, "--no-stub", "--after", "soft-reset", "chip-id").returncode == 0
    assert rom.mode == "application"
    assert esptool(port, "--no-stub", "--connect-attempts", "1", "chip-id").returncode == 2
    rom.press_reset(boot_held=True)
    assert rom.mode == "download"


def test_blank_chip_complains_again_and_again(served):
    """Without an application the ROM's watchdog resets the chip; a host that does not read costs nothing."""
    rom, port = served()
    rom.press_reset(boot_held=False)
    with open(port, "rb", buffering=0) as terminal:
        log = b""
        deadline = time.monotonic() + 10
        while b"RTCWDT_RTC_RESET" not in log and time.monotonic() < deadline:
            log += os.read(terminal.fileno(), 4096)
    assert b"invalid header: 0xffffffff" in log
    assert b"rst:0x10 (RTCWDT_RTC_RESET),boot:0x13" in log


def test_link_is_made_and_removed(tmp_path):
    link = tmp_path / "port"
    link.symlink_to("/dev/pts/99999")  # left behind by a program that was killed
    with Esp32Rom("esp32", tmp_path / "flash.bin") as rom:
        with on_pty(rom, link) as port:
            assert port.path == str(link)
            assert esptool(port.path, "--no-stub", "chip-id").returncode == 0
            with pytest.raises(RuntimeError, match="already being served"):
                on_pty(rom).__enter__()
        assert not link.is_symlink()
        link.touch()
        with pytest.raises(FileExistsError):
            on_pty(rom, link).__enter__()
        link.unlink()
        with on_pty(rom, link):
            assert link.is_symlink()
