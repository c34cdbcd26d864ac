"""An ESP32 through its ROM loader: esptool's own functions, with everything that could ruin a board asked first.

Secure boot and flash encryption cannot be undone, and a plain image on such a chip is a dead board: they are read from
the chip before a byte is written, and nothing overrides them. MicroPython alone leaves the volume as it is; the files
follow over the serial port. Only a full image overwrites the volume.
"""

from taisai.build import esp32
from taisai.build.images import full_image
from taisai.client.errors import Silent
from taisai.client.probe import DOWNLOAD, PROMPT, TABLE
from taisai.client.transport import open_port
from taisai.deploy.backends import mpremote
from taisai.deploy.backends.base import Job, Target
from taisai.deploy.backends.serial import deploy
from taisai.deploy.errors import DeployError, Unfit, WriteFailed
from taisai.deploy.flash import Result, Watcher
from taisai.deploy.installer import Installer
from taisai.deploy.preflight import check_records
from taisai.deploy.reach import Reach

NAME = "esptool"
_CONNECT_ATTEMPTS = 4
_ROM_BAUD = 115_200
_FAST_BAUD = 460_800
_SUPERBLOCKS_BYTES = 2 * 4096
_ERASED = b"\xff" * _SUPERBLOCKS_BYTES


def fits(target: Target, job: Job) -> str | None:
    """None for a serial port and a job for an ESP32 with an image, else why this way is none."""
    if job.board.name != "esp32":
        return f"it writes ESP32 chips, and the bundle is for {job.board.name}"
    if target.kind not in (DOWNLOAD, PROMPT, TABLE):
        return target.text
    if job.interpreter is None:
        return "name MicroPython's image with --micropython FILE"
    return None


def run(target: Target, job: Job, watcher: Watcher) -> Result:
    """Write MicroPython, or with a full image everything, restart, and bring the files up to date."""
    blank = None
    if job.full_image and target.kind != DOWNLOAD:
        blank = _check_records_at_prompt(target, job)
    write(target.where, job, watcher, volume_may_go=blank)
    return deploy(target.where, job, watcher, mpremote.raw_repl)


def write(port: str, job: Job, watcher: Watcher, volume_may_go: bool | None = None, stub: bool = True) -> None:
    """Everything up to the restart. `volume_may_go`: None when it has to be looked at whether the volume is blank.

    stub: use esptool's loader program, which is faster, where the chip runs it; else the ROM's own.
    """
    from esptool import cmds
    from esptool.util import FatalError

    from taisai.deploy.esplog import watched

    watcher.stage("connecting to the chip's loader")
    with watched(watcher):
        esp = None
        try:
            esp = cmds.detect_chip(port, _ROM_BAUD, connect_attempts=_CONNECT_ATTEMPTS)
            _check_chip(esp, job, port)
            if stub:
                esp = _with_stub(esp, cmds, FatalError)
            cmds.attach_flash(esp)
            _check_flash(esp, cmds, job, port)
            parts = _parts(esp, cmds, job, port, volume_may_go)
            watcher.total(sum(len(data) for _, data in parts))
            watcher.stage("writing the image")
            cmds.write_flash(esp, parts)
            watcher.stage("restarting the board")
            cmds.reset_chip(esp, "hard-reset")
        except (FatalError, OSError) as error:
            raise _translated(str(error), port) from error
        finally:
            if esp is not None:
                esp._port.close()


def _with_stub(esp, cmds, fatal_error):
    """The same chip with esptool's loader at a higher rate; as it is where that does not start."""
    try:
        faster = cmds.run_stub(esp)
        faster.change_baud(_FAST_BAUD)
        return faster
    except fatal_error:
        esp.connect("default-reset", _CONNECT_ATTEMPTS)
        return esp


def _check_chip(esp, job: Job, port: str) -> None:
    name = esp.CHIP_NAME.lower().replace("-", "")
    if name != job.interpreter.image.chip:
        raise Unfit(f"{port}: the chip is {esp.CHIP_NAME}, and the image is for {job.interpreter.image.chip}")
    if esp.secure_download_mode:
        raise Unfit(f"{port}: the chip is in secure download mode: it belongs to a locked product and cannot be used")
    if esp.get_secure_boot_enabled():
        raise Unfit(f"{port}: secure boot is on in this chip: it would never start this image; use another module")
    if esp.get_flash_encryption_enabled():
        raise Unfit(f"{port}: flash encryption is on in this chip: it would never start this image; use another module")


def _check_flash(esp, cmds, job: Job, port: str) -> None:
    from esptool.util import flash_size_bytes

    found = cmds.detect_flash_size(esp)
    if found is None:
        raise Unfit(f"{port}: the chip does not say how much flash it has: the module may be damaged")
    try:
        esp32.check_flash(esp32.parse(job.interpreter.data, job.interpreter.file), flash_size_bytes(found), port)
    except esp32.Esp32FlashTooSmall as error:
        raise Unfit(f"{error} ({port} has {found} of flash)") from error


def _parts(esp, cmds, job: Job, port: str, volume_may_go: bool | None) -> list[tuple[int, bytes]]:
    """(offset, content) of everything that is written."""
    interpreter = job.interpreter
    parts = [(interpreter.image.offset, interpreter.data)]
    if job.full_image:
        volume = full_image(job.bundle, interpreter.data, job.board, interpreter.file)
        if volume_may_go is None and not job.policy.discard_records:
            found = cmds.read_flash(esp, volume.offset, _SUPERBLOCKS_BYTES, flash_size="detect", no_progress=True)
            if found != _ERASED:
                raise Unfit(
                    f"{port}: there are files on this board, perhaps records, and a full image would destroy them: "
                    "export them first and say --discard-records, or leave --full-image out, which keeps them"
                )
        parts.append((volume.offset, volume.content))
    return parts


def _check_records_at_prompt(target: Target, job: Job) -> bool:
    """Ask the running MicroPython for records, before it is overwritten."""
    reach = Reach(lambda: open_port(target.where), mpremote.raw_repl, job.policy.service_keys)
    try:
        check_records(Installer(reach.prompt(reach.board())).facts(), job.policy, target.where)
    finally:
        reach.close()
    return True


def _translated(text: str, port: str) -> DeployError | Silent:
    """esptool's words as what the person at the board has to do."""
    first = text.splitlines()[0] if text else "unknown error"
    if "Wrong boot mode" in text:
        return Unfit(
            f"{port}: the chip runs its program instead of the loader: hold BOOT, press RESET, let go, try again"
        )
    if "MD5 of file does not match" in text or "region is empty" in text:
        return WriteFailed(f"{port}: what was written does not read back: the flash chip of this module is defective")
    if "No serial data received" in text or "Timed out waiting" in text:
        return Silent(port, "the chip's loader does not answer: check cable, power and port; hold BOOT, press RESET")
    return DeployError(f"{port}: esptool says: {first}")
