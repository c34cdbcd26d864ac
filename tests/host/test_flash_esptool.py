"""The backend for ESP32 boards against models of the ROM loader: what is asked before a byte is written, and after."""

import time

import pytest
from esp32_edit import newer_image
from esp32rom_tools import on_pty, posix, served_models

from taisai.boards.controller import MCUS
from taisai.boards.table import load_table
from taisai.build.bundle import build_bundle
from taisai.build.esp32 import parse
from taisai.build.volume import volume_files
from taisai.client.errors import Silent
from taisai.client.probe import DOWNLOAD, PROMPT
from taisai.deploy.backends import esptool as backend
from taisai.deploy.backends.base import Job, Target, read_interpreter
from taisai.deploy.errors import DeployError, Unfit, WriteFailed
from taisai.deploy.preflight import Policy
from taisai.errors import EXIT_LINK_LOST, EXIT_UNIT_FAILED, EXIT_USAGE
from taisai.sim.esp32rom.rfc2217server import Rfc2217Server

pytestmark = posix

DEVKITC = MCUS["esp32-devkitc"]
DEADLINE_S = 45.0


class Quiet:
    def __init__(self):
        self.expected = self.seen = 0

    def stage(self, text):
        pass

    def total(self, count):
        self.expected = count

    def moved(self, count):
        self.seen += count


@pytest.fixture(scope="module")
def job(tmp_path_factory):
    file = tmp_path_factory.mktemp("image") / "micropython.bin"
    file.write_bytes(newer_image())
    bundle = build_bundle(load_table("nz1-esp32-tpic6b595"))
    return Job(bundle, Policy(), DEVKITC, read_interpreter(file, DEVKITC))


@pytest.fixture(scope="module")
def volume(job):
    return parse(job.interpreter.data, "x").volume


@pytest.fixture
def board(tmp_path):
    """Make a served model; call it with the faults."""
    with served_models(tmp_path / "flash.bin") as serve:

        def make(*faults, chip="esp32", rfc2217=False):
            rom, server = serve(Rfc2217Server if rfc2217 else on_pty, chip, faults=faults)
            return rom, server.url if rfc2217 else server.path

        yield make


def write(port, job, **options):
    watcher = Quiet()
    start = time.monotonic()
    try:
        backend.write(port, job, watcher, stub=False, **options)
    finally:
        assert time.monotonic() - start < DEADLINE_S
    return watcher


def content(rom, start, size):
    return bytes(rom.flash.read(start, size))


def test_micropython_is_written_and_the_volume_left_alone(board, job, volume):
    rom, port = board()
    rom.flash.program(volume.offset, b"records")
    watcher = write(port, job)
    data = job.interpreter.data
    assert content(rom, 0x1000, len(data)) == data
    assert content(rom, volume.offset, 16) == b"records".ljust(16, b"\xff")
    assert watcher.expected == len(data) and watcher.seen >= len(data)
    assert rom.unknown_registers == set()


def test_over_rfc2217_the_board_is_restarted(board, job, monkeypatch):
    """With the first sectors only: pyserial's RFC 2217 takes minutes for the whole."""
    monkeypatch.setattr(backend, "_parts", lambda *_: [(0x1000, job.interpreter.data[:8192])])
    rom, port = board(rfc2217=True)
    write(port, job)
    end = time.monotonic() + 5
    while rom.mode != "application" and time.monotonic() < end:
        time.sleep(0.05)
    assert rom.mode == "application"


def full(job, **policy):
    return Job(job.bundle, Policy(**policy), job.board, job.interpreter, full_image=True)


def test_a_full_image_onto_a_blank_volume(board, job, volume):
    rom, port = board()
    write(port, full(job))
    assert volume_files(content(rom, volume.offset, volume.size)) == job.bundle.volume()


def test_a_full_image_onto_a_volume_with_files_needs_a_word(board, job, volume):
    rom, port = board()
    rom.flash.program(volume.offset + 4096, b"\x00")
    with pytest.raises(Unfit, match="--discard-records"):
        write(port, full(job))
    assert content(rom, 0x1000, 4096) == b"\xff" * 4096
    write(port, full(job, discard_records=True))
    assert volume_files(content(rom, volume.offset, volume.size)) == job.bundle.volume()


@pytest.mark.parametrize(
    ("fault", "kind", "code", "words"),
    [
        ("secure-boot", Unfit, EXIT_USAGE, "secure boot is on"),
        ("secure-boot-v1", Unfit, EXIT_USAGE, "secure boot is on"),
        ("flash-encryption", Unfit, EXIT_USAGE, "flash encryption is on"),
        ("small-flash", Unfit, EXIT_USAGE, "needs more flash.*has 1MB"),
        ("wrong-md5", WriteFailed, EXIT_UNIT_FAILED, "does not read back"),
        ("silent", Silent, EXIT_LINK_LOST, "loader does not answer"),
    ],
)
def test_faults_of_a_board(board, job, fault, kind, code, words):
    rom, port = board(fault)
    with pytest.raises(kind, match=words) as caught:
        write(port, job)
    assert caught.value.exit_code == code and port in str(caught.value)
    if fault != "wrong-md5":
        assert content(rom, 0, 4096) == content(rom, 0x1000, 4096) == b"\xff" * 4096


def test_a_board_that_starts_its_program_instead_of_the_loader(board, job):
    rom, port = board("wrong-boot-mode", rfc2217=True)
    with pytest.raises(Unfit, match="hold BOOT, press RESET"):
        write(port, job)


def test_noise_before_the_loader_answers_is_ridden_out(board, job):
    rom, port = board("garbage")
    write(port, job)
    assert content(rom, 0x1000, 256) == job.interpreter.data[:256]


def test_another_chip(board, job):
    rom, port = board(chip="esp32s3")
    with pytest.raises(Unfit, match="the chip is ESP32-S3, and the image is for esp32"):
        write(port, job)
    assert content(rom, 0, 4096) == b"\xff" * 4096


@pytest.mark.parametrize("fault", ["secure-boot", "flash-encryption"])
def test_security_of_a_newer_chip(board, job, fault):
    """Its image check is made to pass, so that what it says about security decides."""
    rom, port = board(fault, chip="esp32s3")
    image = type(job.interpreter.image)(**{**vars(job.interpreter.image), "chip": "esp32s3"})
    interpreter = type(job.interpreter)(job.interpreter.file, job.interpreter.data, image)
    with pytest.raises(Unfit, match=fault.replace("-", " ")):
        write(port, Job(job.bundle, job.policy, job.board, interpreter))
    assert content(rom, 0, 4096) == b"\xff" * 4096


def test_nothing_there(job, tmp_path):
    with pytest.raises(DeployError, match="esptool says"):
        write(str(tmp_path / "absent"), job)


def test_why_it_does_not_fit(job):
    target = Target("x", DOWNLOAD, "ESP32 in download mode")
    assert backend.fits(target, job) is None
    assert backend.fits(Target("x", PROMPT, "a prompt"), job) is None
    assert "nothing answers" in backend.fits(Target("x", "silent", "nothing answers"), job)
    assert "--micropython FILE" in backend.fits(target, Job(job.bundle, Policy(), DEVKITC))
    pico = build_bundle(load_table("nz1-pico-hc595"))
    assert "bundle is for rp2040" in backend.fits(target, Job(pico, Policy(), MCUS["raspberry-pi-pico"]))


def test_where_esptool_s_own_loader_does_not_run_the_chip_s_is_used(board, job, monkeypatch):
    monkeypatch.setattr(backend, "_parts", lambda *_: [(0x1000, job.interpreter.data[:8192])])
    rom, port = board()
    backend.write(port, job, Quiet())
    assert content(rom, 0x1000, 8192) == job.interpreter.data[:8192]
