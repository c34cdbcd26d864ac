"""What the tests of flashing share: bundles, a board's volume as it lies in flash, and one flash run over its port."""

from contextlib import suppress
from dataclasses import replace
from functools import cache

from board_port import BoardPort
from littlefs import LittleFS, UserContext

from tablecore import hardwarefile, manifest
from taisai.boards.table import load_table
from taisai.build import volume_files
from taisai.build.bundle import Bundle, build_bundle
from taisai.build.manifest import manifest_of
from taisai.build.volume import BLOCK_BYTES
from taisai.client.transport import Transport
from taisai.deploy.backends import mpremote
from taisai.deploy.flash import Result, flash_board
from taisai.deploy.plan import Plan
from taisai.deploy.preflight import Policy
from taisai.deploy.reach import Reach
from taisai.sim import flash as flash_model
from taisai.sim.board import VirtualBoard

TABLE = "nz1-pico-hc595"
START_MS = 1500


@cache
def first() -> Bundle:
    """The release that boards have before an update."""
    return build_bundle(load_table(TABLE))


@cache
def second() -> Bundle:
    """A release in which one file differs: lamps at 90 per cent."""
    old = first()
    wiring = old.files["hardware.json"].replace(b'"brightness_percent": 100', b'"brightness_percent": 90')
    assert wiring != old.files["hardware.json"]
    return of_files(old.main, {**old.files, "hardware.json": hardwarefile.seal(wiring)})


@cache
def with_new_loader() -> Bundle:
    """A release that also has another /main.py."""
    return of_files(second().main + b"# Changed.\n", second().files)


def of_files(main: bytes, files: dict[str, bytes]) -> Bundle:
    raw = manifest_of(load_table(TABLE), main, files)
    return replace(first(), manifest=manifest.parse(raw), manifest_raw=raw, main=main, files=files)


class Quiet:
    """Looks on and remembers."""

    def __init__(self):
        self.plans: list[Plan] = []
        self.stages: list[str] = []

    def stage(self, text):
        self.stages.append(text)

    def plan(self, plan, board):
        self.plans.append(plan)

    def total(self, count):
        pass

    def moved(self, count):
        pass


def blank(**options) -> VirtualBoard:
    board = VirtualBoard(load_table(TABLE), **{"files": {}, **options})
    board.power_on()
    board.run_ms(START_MS)
    return board


def with_release(bundle: Bundle, **options) -> VirtualBoard:
    """A board on which this release runs."""
    return blank(files=bundle.volume(), **options)


def fast_flash(monkeypatch) -> None:
    """Flash operations that take next to no time: the prompt's time is real, and a campaign has thousands of them."""
    monkeypatch.setattr(flash_model, "ERASE_US", 20)
    monkeypatch.setattr(flash_model, "PAGE_PROGRAM_US", 5)


def flash(board, bundle, *, port=None, policy=None, watcher=None, transport=mpremote) -> Result:
    """One `taisai flash` of a board, over a port of its own or the given one."""
    return flash_board(reached(board, port, transport), bundle, policy or Policy(), watcher or Quiet())


def reached(board, port=None, transport=mpremote) -> Reach:
    """The board behind a port of its own or the given one, time-outs in bench time."""
    port = port or BoardPort(board)
    return Reach(lambda: Transport(port, "the port", lambda: board.bench.now_us / 1_000_000), transport.raw_repl)


def volume(board: VirtualBoard) -> dict[str, bytes]:
    """Every file, from a copy of the flash's content.

    As the loader does it, something is removed first: only then does littlefs finish a move between two folders that
    was cut in the middle, and until then a listing lacks the entry behind the moved one.
    """
    image = UserContext(buffer=bytearray(board.bench.flash.content))
    copy = LittleFS(
        image, block_size=BLOCK_BYTES, block_count=len(image.buffer) // BLOCK_BYTES, read_size=32, prog_size=256,
        cache_size=1024, lookahead_size=32,
    )  # fmt: skip
    with suppress(FileNotFoundError):
        copy.remove("/data/service")
    copy.unmount()
    return volume_files(bytes(image.buffer))


def is_exactly(board: VirtualBoard, bundle: Bundle) -> bool:
    """Whether the volume has the bundle in one folder and nothing else outside /data."""
    files = {path: content for path, content in volume(board).items() if not path.startswith("/data/")}
    folder = files["/current"].decode()
    wanted = {f"/{folder}/{path}": content for path, content in bundle.folder.items()}
    return files == {"/main.py": bundle.main, "/current": folder.encode(), **wanted}


def started_version(board: VirtualBoard, *bundles: Bundle) -> Bundle | None:
    """Which of the releases starts, with all of its files whole and none besides; None when no release does.

    Fails when what would start is anything else, a mix for example.
    """
    files = volume(board)
    if "/current" not in files or "/main.py" not in files:
        return None
    folder = "/" + files["/current"].decode() + "/"
    there = {path.removeprefix(folder): content for path, content in files.items() if path.startswith(folder)}
    # The loader moves this one into place before anything else happens.
    main = there.pop("main.py", files["/main.py"])
    for bundle in bundles:
        if there == bundle.folder and main == bundle.main:
            return bundle
    raise AssertionError(f"{folder} has a mix: {sorted(there)}")


def restart(board: VirtualBoard) -> None:
    board.power_off()
    board.power_on()
    board.serial.read(0)
    board.run_ms(START_MS)
