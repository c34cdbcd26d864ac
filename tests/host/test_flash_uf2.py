"""The backend for BOOTSEL drives, on a folder that is one: what is copied, what is refused, and what is waited for."""

import errno
import threading
import time

import pytest
from uf2_edit import BootRom, pages_of, program, uf2

from taisai.boards.controller import MCUS
from taisai.boards.table import load_table
from taisai.build.bundle import build_bundle
from taisai.build.volume import volume_files
from taisai.client.drives import uf2_drives
from taisai.client.errors import PortMissing
from taisai.client.ports import Port
from taisai.client.probe import BOOTSEL
from taisai.deploy.backends import uf2 as backend
from taisai.deploy.backends.base import Job, Target, read_interpreter
from taisai.deploy.errors import Unfit, WriteFailed
from taisai.deploy.preflight import Policy

PICO = MCUS["raspberry-pi-pico"]
INFO = "UF2 Bootloader v3.0\nModel: Raspberry Pi RP2\nBoard-ID: RPI-RP2\n"
TTY = Port("/dev/ttyACM7", "a board", (0x2E8A, 0x0005))


class Quiet:
    def __init__(self):
        self.count = 0

    def stage(self, text):
        pass

    def total(self, count):
        self.count = count

    def moved(self, count):
        self.count -= count


@pytest.fixture(scope="module")
def bundle():
    return build_bundle(load_table("nz1-pico-hc595"))


class Desk:
    """A computer with a board in BOOTSEL mode, whose drive goes away a moment after the file is complete."""

    def __init__(self, folder, bundle, monkeypatch):
        self.folder = folder
        self.drive = folder / "RPI-RP2"
        self.drive.mkdir()
        (self.drive / "INFO_UF2.TXT").write_text(INFO)
        self.drives = [self.drive]
        self.ports = [Port("/dev/ttyS0", "a port", None)]
        self.deployed = []
        image = folder / "micropython.uf2"
        self.image = uf2(pages_of(program()))
        image.write_bytes(self.image)
        self.job = Job(bundle, Policy(), PICO, read_interpreter(image, PICO))
        monkeypatch.setattr(backend, "uf2_drives", lambda: uf2_drives(self.drives))
        monkeypatch.setattr(backend, "serial_ports", lambda: self.ports)
        monkeypatch.setattr(backend, "deploy", lambda where, *_: self.deployed.append(where))

    def target(self):
        (drive,) = uf2_drives([self.drive])
        return Target(str(self.drive), BOOTSEL, f"{drive.model}, {drive.board_id}", drive)

    def leave_when_complete(self, size, then=(TTY,)):
        def board():
            file = self.drive / "TAISAI.UF2"
            while not (file.exists() and file.stat().st_size >= size):
                time.sleep(0.005)
            (self.drive / "INFO_UF2.TXT").unlink()
            self.ports = [*self.ports, *then]

        threading.Thread(target=board, daemon=True).start()

    @property
    def written(self):
        return (self.drive / "TAISAI.UF2").read_bytes()


@pytest.fixture
def desk(tmp_path, bundle, monkeypatch):
    return Desk(tmp_path, bundle, monkeypatch)


def with_policy(job, **policy):
    return Job(job.bundle, Policy(**policy), job.board, job.interpreter, full_image=True)


def test_micropython_is_copied_and_the_files_follow_over_the_port_that_comes(desk):
    desk.leave_when_complete(len(desk.image))
    watcher = Quiet()
    assert backend.fits(desk.target(), desk.job) is None
    backend.run(desk.target(), desk.job, watcher)
    assert desk.written == desk.image
    assert watcher.count == 0
    assert desk.deployed == [TTY.device]


def test_a_full_image_needs_a_word_about_records(desk):
    with pytest.raises(Unfit, match="--discard-records"):
        backend.run(desk.target(), with_policy(desk.job), Quiet())
    assert not (desk.drive / "TAISAI.UF2").exists()


def test_a_full_image_holds_the_files(desk, bundle):
    desk.leave_when_complete(len(desk.image) + 0x160000 * 2)
    backend.run(desk.target(), with_policy(desk.job, discard_records=True), Quiet())
    rom = BootRom(PICO.flash_bytes)
    rom.write(desk.written)
    assert rom.restarted
    assert volume_files(bytes(rom.flash[0xA0000 : 0xA0000 + 0x160000])) == bundle.volume()


def test_two_drives_are_refused(desk):
    other = desk.folder / "RPI-RP2-2"
    other.mkdir()
    (other / "INFO_UF2.TXT").write_text(INFO)
    desk.drives.append(other)
    with pytest.raises(Unfit, match="2 boards wait in BOOTSEL mode"):
        backend.run(desk.target(), desk.job, Quiet())
    assert not (desk.drive / "TAISAI.UF2").exists()


@pytest.mark.parametrize(
    ("number", "kind", "words"),
    [
        (errno.EROFS, Unfit, "cannot be written"),
        (errno.ENOSPC, Unfit, "no room for the image"),
        (errno.EIO, WriteFailed, "went away after 0 of"),
    ],
)
def test_a_drive_that_fails(desk, monkeypatch, number, kind, words):
    def fail(*_, **__):
        raise OSError(number, "no")

    target = desk.target()
    monkeypatch.setattr("builtins.open", fail)
    with pytest.raises(kind, match=words):
        backend.copy(target, desk.image, Quiet())


def test_a_board_that_does_not_come_back(desk, monkeypatch):
    monkeypatch.setattr(backend, "_RETURNS_S", 0.3)
    desk.leave_when_complete(len(desk.image), then=())
    with pytest.raises(PortMissing, match="no serial port of it has come"):
        backend.run(desk.target(), desk.job, Quiet())


def test_a_board_that_does_not_start(desk, monkeypatch):
    monkeypatch.setattr(backend, "_LEAVES_S", 0.3)
    with pytest.raises(WriteFailed, match="does not start"):
        backend.run(desk.target(), desk.job, Quiet())


def test_why_it_does_not_fit(desk, bundle):
    target = desk.target()
    assert "hold its BOOTSEL button" in backend.fits(Target("x", "table", "a table"), desk.job)
    (desk.drive / "INFO_UF2.TXT").write_text(INFO.replace("RPI-RP2", "RP2350"))
    assert "another board" in backend.fits(desk.target(), desk.job)
    assert "--micropython FILE" in backend.fits(target, Job(bundle, Policy(), PICO))
    other = build_bundle(load_table("nz1-esp32-tpic6b595"))
    assert "bundle is for esp32" in backend.fits(target, Job(other, Policy(), MCUS["esp32-devkitc"]))
