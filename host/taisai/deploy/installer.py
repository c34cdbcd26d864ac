"""The PC's side of the programs in onboard/: what a board has on it, and the steps that change it.

A file travels once, in a stream packed with DEFLATE where the board can unpack it, in frames of which each is checked
by the board and asked for by the board. Whatever goes wrong ends the step; a plan made anew from what is on the board
then finds what is still to be done.
"""

import ast
import json
import zlib
from binascii import crc32
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files as package_files
from posixpath import basename

from taisai.client.errors import LinkLost
from taisai.deploy.errors import DeployError
from taisai.deploy.rawrepl import RawRepl, literal

UNIT_BYTES = 64 * 1024
"""Files are packed together up to this size: similar files pack better, and a board has room for one such packet."""
_WINDOW_BITS = 15  # of the DEFLATE stream: 32 KiB, which the board has to keep in memory
_FRAME_BYTES = 4096
_LOOK_S = 60.0
_MARK_S = 20.0  # for one file: even with every flash operation at its slowest
_STEP_S = 20.0
_READS = 3
_RESET_S = 0.1
_ASK, _DONE = b"+", b"."
_MOST = 400  # as MOST in onboard/look.py


@dataclass(frozen=True)
class Entry:
    """One file on the board."""

    size: int
    sha256: str


@dataclass(frozen=True)
class Facts:
    """What a board says of itself and of its volume.

    data, records: bytes of files in /data, and of the journal in there. listing: digest of all files and their hashes.
    """

    listing: str
    files: int
    current: str | None
    data: int
    records: int
    block: int
    blocks: int
    free: int
    platform: str
    machine: str
    version: tuple[int, ...]
    mpy: int
    board: str


@dataclass(frozen=True)
class Listing:
    """Every file outside /data, and every folder (ending in a slash)."""

    files: dict[str, Entry]
    folders: frozenset[str]


def listing_digest(files: Mapping[str, Entry]) -> str:
    """What `Facts.listing` is for a volume with exactly these files and their folders."""
    total = sha256()
    for line in _walk("", files):
        total.update(line.encode() + b"\n")
    return total.hexdigest()


class Installer:
    """Runs the steps on one board, whose raw REPL has been entered."""

    def __init__(self, repl: RawRepl):
        self._repl = repl
        self._packs = False
        self._listing = ""
        self._loaded: set[str] = set()

    def facts(self) -> Facts:
        """Look over the whole volume; the board hashes every file."""
        self._load("look")
        told = json.loads(self._sealed(self._ask("facts()", _LOOK_S)))
        told["version"] = tuple(told["version"])
        if told["files"] >= _MOST:
            raise DeployError("the board holds hundreds of other files: erase it first, or use another board")
        if told["free"] > told["blocks"]:
            # littlefs counts some blocks twice: on a volume that is nearly full the difference wraps below zero.
            told["free"] = 0
        self._listing = told["listing"]
        return Facts(**told)

    def listing(self) -> Listing:
        """Every file with size and hash, as `facts` has found them."""
        text = self._ask("for line in lines: print(line)", _LOOK_S)
        lines = text.split(b"\r\n") if text else []
        if sha256(b"".join(line + b"\n" for line in lines)).hexdigest() != self._listing:
            raise self._damaged()
        files, folders = {}, set()
        for line in text.decode().splitlines():
            if line.endswith("/"):
                folders.add(line)
            else:
                path, size, digest = line.rsplit(" ", 2)
                files[path] = Entry(int(size), digest)
        return Listing(files, frozenset(folders))

    def make_folders(self, paths: Iterable[str]) -> None:
        """Folders that are not there yet, parents first."""
        self._load("take")
        self._ask(f"make({literal(list(paths))})", _STEP_S)

    def copy(self, pairs: list[tuple[str, str]], done: Callable[[], None]) -> None:
        """Copy files on the board, source to target; `done` is called after each."""
        self._load("take")
        self._marked(f"copy({literal(pairs)})", len(pairs), done)

    def remove(self, paths: list[str], done: Callable[[], None]) -> None:
        """Remove files, and folders (ending in a slash) that are empty by then, in this order."""
        self._load("take")
        self._marked(f"remove({literal(paths)})", len(paths), done)

    def empty(self, folders: list[str]) -> None:
        """Remove every file in these folders, which are there."""
        program = f"import os\nfor folder in {literal(folders)}:\n"
        program += " for name in os.listdir(folder): os.remove(folder + '/' + name)"
        self._ask(program, _LOOK_S)

    def put(self, files: Mapping[str, bytes], moved: Callable[[int], None]) -> None:
        """Write files whose folders exist; `moved` is told the bytes of content that have arrived."""
        self._load("take")
        for unit in _units(files):
            self._put_unit(unit, moved)

    def hashes(self, paths: list[str]) -> list[Entry]:
        """Size and hash of single files, as they lie in flash now."""
        self._load("look")
        told = json.loads(self._sealed(self._ask(f"hashes({literal(paths)})", _LOOK_S)))
        return [Entry(size, digest) for size, digest in told]

    def switch(self, name: str, *, loader: bool) -> None:
        """Make `name` the version that starts, and with `loader` put the loader from its folder in place."""
        self._load("take")
        self._ask(f"switch({literal(name)}, {loader})", _STEP_S)

    def read(self, path: str, entry: Entry) -> bytes:
        """Content of a file. Read again where it is not what the board has hashed, for the link may have spoiled it."""
        self._load("give")
        for _ in range(_READS):
            content = self._read_once(path, entry.size)
            if sha256(content).hexdigest() == entry.sha256:
                break
        return content

    def service_next(self) -> None:
        """Let the next start be into the prompt, without the watchdog."""
        self._ask(
            "import os\nif 'data' not in os.listdir('/'): os.mkdir('/data')\nopen('/data/service', 'w').close()",
            _STEP_S,
        )

    def reset(self) -> None:
        """Restart as a power-on does; the board is gone after that, and a USB port with it."""
        self._repl.start("import machine\nmachine.reset()")
        try:
            # What is sent too early could still interrupt the program that restarts the board.
            self._repl.line.drain(_RESET_S, _RESET_S)
        except LinkLost:
            pass

    def _read_once(self, path: str, size: int) -> bytes:
        content = bytearray()
        self._repl.start(f"give({literal(path)})")
        while (mark := self._repl.mark(_STEP_S)) == _ASK and len(content) <= size:
            try:
                length = int(self._repl.line.read(3), 16)
            except ValueError as error:
                raise self._damaged() from error
            content += self._repl.line.read(length)
        if mark != _DONE:
            raise self._damaged()
        self._repl.finish(_STEP_S)
        return bytes(content)

    def _put_unit(self, unit: dict[str, bytes], moved: Callable[[int], None]) -> None:
        head = json.dumps([(path, len(content)) for path, content in unit.items()]).encode()
        stream = head + b"".join(unit.values())
        if self._packs:
            packer = zlib.compressobj(9, zlib.DEFLATED, _WINDOW_BITS)
            stream = packer.compress(stream) + packer.flush()
        self._repl.start(f"put({len(stream)}, {self._packs}, {len(head)})")
        for start in range(0, len(stream), _FRAME_BYTES):
            self._expect(_ASK)
            self._repl.line.write(frame(stream[start : start + _FRAME_BYTES]))
        for content in unit.values():
            self._expect(_DONE)
            moved(len(content))
        self._repl.finish(_STEP_S)

    def _marked(self, call: str, marks: int, done: Callable[[], None]) -> None:
        self._repl.start(call)
        for _ in range(marks):
            self._expect(_DONE)
            done()
        self._repl.finish(_STEP_S)

    def _expect(self, mark: bytes) -> None:
        if (got := self._repl.mark(_MARK_S)) != mark:
            text = f"the board sends {got!r} where {mark!r} was due: the link is damaged, run this again"
            raise LinkLost(self._repl.line.name, text)

    def _sealed(self, text: bytes) -> bytes:
        """What follows a CRC-32 that fits it."""
        seal, _, rest = text.partition(b" ")
        if seal != b"%08x" % crc32(rest):
            raise self._damaged()
        return rest

    def _damaged(self) -> LinkLost:
        return LinkLost(
            self._repl.line.name, "what the board tells arrives damaged: check the cable, then run this again"
        )

    def _load(self, program: str) -> None:
        """Send a program of onboard/ once, and what it builds on before it."""
        if program in self._loaded:
            return
        if program != "look":
            self._load("look")
        told = self._ask(program_text(program), _STEP_S)
        if program == "take":
            self._packs = told == b"1"
        self._loaded.add(program)

    def _ask(self, program: str, timeout_s: float) -> bytes:
        return self._repl.run(program, timeout_s).strip()


def frame(data: bytes) -> bytes:
    """One frame as onboard/take.py reads it; byte 3, which interrupts, does not occur in it."""
    body = data.replace(b"\x10", b"\x10\x20").replace(b"\x03", b"\x10\x13")
    return b"%04x%08x" % (len(body), crc32(body)) + body


@cache
def program_text(name: str) -> str:
    """A program of onboard/ without its documentation, indented by one blank: what is not sent costs no time."""
    source = (package_files("taisai.deploy.onboard") / f"{name}.py").read_text(encoding="utf-8")
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.FunctionDef) and ast.get_docstring(node) is not None:
            del node.body[0]
    lines = ast.unparse(tree).splitlines()
    return "\n".join(" " * ((len(line) - len(line.lstrip())) // 4) + line.lstrip() for line in lines if line.strip())


def _units(files: Mapping[str, bytes]) -> list[dict[str, bytes]]:
    """The files in their order, in groups that are packed together."""
    units: list[dict[str, bytes]] = []
    room = 0
    for path, content in files.items():
        if not units or len(content) > room:
            units.append({})
            room = UNIT_BYTES
        units[-1][path] = content
        room -= len(content)
    return units


def _walk(folder: str, files: Mapping[str, Entry]) -> list[str]:
    """The lines of onboard/look.py, in its order."""
    names = {path[len(folder) + 1 :].partition("/")[0] for path in files if path.startswith(f"{folder}/")}
    lines = []
    for name in sorted(names):
        path = f"{folder}/{name}"
        if entry := files.get(path):
            lines.append(f"{path} {entry.size} {entry.sha256}")
        elif basename(path):
            lines += [f"{path}/", *_walk(path, files)]
    return lines
