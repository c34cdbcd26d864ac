"""An RP2040 that waits in BOOTSEL mode: copying a UF2 file onto the drive that it shows.

The boot ROM writes each block as it arrives and restarts the board after the last one. MicroPython alone leaves the
volume as it is; the files follow over the serial port. Only a full image overwrites the volume.
"""

import errno
import os
import time

from taisai.build.images import full_image
from taisai.client.drives import uf2_drives
from taisai.client.errors import PortMissing
from taisai.client.ports import RASPBERRY_PI, serial_ports
from taisai.client.probe import BOOTSEL
from taisai.deploy.backends import mpremote
from taisai.deploy.backends.base import Job, Target
from taisai.deploy.backends.serial import deploy
from taisai.deploy.errors import DeployError, Unfit, WriteFailed
from taisai.deploy.flash import Result, Watcher

NAME = "uf2"
RP2040_DRIVE = "RPI-RP2"  # Board-ID in INFO_UF2.TXT: RP2040 datasheet, section 2.8.4.2
_FILE = "TAISAI.UF2"
_PIECE_BYTES = 64 * 1024
_LEAVES_S = 15.0
_RETURNS_S = 30.0
_LOOK_S = 0.2


def fits(target: Target, job: Job) -> str | None:
    """None for an RP2040 drive and a job for an RP2040 with an image, else why this way is none."""
    if target.kind != BOOTSEL:
        return "the board shows no BOOTSEL drive: hold its BOOTSEL button while you plug it in"
    if target.drive is None or target.drive.board_id != RP2040_DRIVE:
        return f"the drive is that of another board ({target.text}), not of an RP2040"
    if job.board.name != "rp2040":
        return f"the bundle is for {job.board.name}, and an RP2040 waits there"
    if job.interpreter is None:
        return "name MicroPython's UF2 file with --micropython FILE"
    return None


def run(target: Target, job: Job, watcher: Watcher) -> Result:
    """Write MicroPython, or with a full image everything, wait for the board, and bring its files up to date."""
    drives = uf2_drives()
    if len(drives) > 1:
        listed = ", ".join(str(drive.path) for drive in drives)
        raise Unfit(
            f"{len(drives)} boards wait in BOOTSEL mode ({listed}): afterwards nobody could tell which is which; "
            "leave one and flash them one after the other"
        )
    data = _content(target, job)
    before = {port.device for port in serial_ports()}
    watcher.total(len(data))
    watcher.stage("writing the image")
    copy(target, data, watcher)
    watcher.stage("waiting for the board to come back")
    return deploy(_wait_for_port(target, before), job, watcher, mpremote.raw_repl)


def copy(target: Target, data: bytes, watcher: Watcher) -> None:
    """Onto the drive, which goes away by itself with the last block."""
    path = target.drive.path / _FILE
    written = 0
    try:
        with open(path, "wb", buffering=0) as file:
            while written < len(data):
                count = file.write(data[written : written + _PIECE_BYTES])
                written += count
                watcher.moved(count)
            os.fsync(file.fileno())
    except OSError as error:
        if written < len(data):
            raise _copy_failed(target, error, written, len(data)) from error
        # The board has taken the last block and restarted before the file was closed.


def _content(target: Target, job: Job) -> bytes:
    interpreter = job.interpreter
    if not job.full_image:
        return interpreter.data
    if not job.policy.discard_records:
        raise Unfit(
            f"{target.where}: a board in BOOTSEL mode cannot be asked for its records, and a full image would destroy "
            "them: say --discard-records if it has none that are needed, or leave --full-image out, which keeps them"
        )
    return full_image(job.bundle, interpreter.data, job.board, interpreter.file).content


def _copy_failed(target: Target, error: OSError, written: int, size: int) -> DeployError:
    if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
        return Unfit(f"{target.where}: the drive cannot be written ({error.strerror}): mount it writable for this user")
    if error.errno == errno.ENOSPC:
        return Unfit(f"{target.where}: the drive has no room for the image of {size} bytes: is it a BOOTSEL drive?")
    return WriteFailed(
        f"{target.where}: the drive went away after {written} of {size} bytes ({error.strerror}): hold BOOTSEL, plug "
        "the board in again and run this once more"
    )


def _wait_for_port(target: Target, before: set[str]) -> str:
    """The one serial port of an RP2040 that was not there before."""
    end = time.monotonic() + _LEAVES_S
    while target.drive.path.joinpath("INFO_UF2.TXT").exists():
        if time.monotonic() > end:
            raise WriteFailed(f"{target.where}: the image was copied, and the board does not start: it may be damaged")
        time.sleep(_LOOK_S)
    end = time.monotonic() + _RETURNS_S
    while time.monotonic() < end:
        new = [
            port.device
            for port in serial_ports()
            if port.device not in before and (port.usb or (0,))[0] == RASPBERRY_PI
        ]
        if len(new) == 1:
            return new[0]
        time.sleep(_LOOK_S)
    raise PortMissing(target.where, "MicroPython was written, and no serial port of it has come: unplug the board and "
                      "plug it in again, then run this without --micropython")  # fmt: skip
