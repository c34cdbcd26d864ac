"""A station's folder: its key, its ledger, the runs under way, transcripts, certificates, and its own database."""

import hashlib
import os
import platform
from pathlib import Path

from filelock import FileLock, Timeout

from taisai.build.signing import load_private, load_public, new_key, public_path, raw_public
from taisai.errors import TaisaiError
from taisai.records.ledger import Entry, Ledger
from taisai.records.model import Record
from taisai.records.running import Running, leftovers

DEFAULT_FOLDER = Path.home() / ".taisai" / "station"
_KEY = "station.pem"
_LOCK = "station.lock"


class PortClaimed(TaisaiError):
    """Another run on this computer has the port."""


class Station:
    """`folder` is made with a new key when it is not there yet."""

    def __init__(self, folder: Path | None = None):
        self.folder = folder = folder or DEFAULT_FOLDER
        self.name = platform.node() or "station"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with FileLock(folder / _LOCK):
                if not (folder / _KEY).exists():
                    new_key(folder / _KEY)
        except OSError as error:
            raise TaisaiError(f"{folder}: cannot be the station's folder: {error.strerror or error}") from error
        self.key = load_private(folder / _KEY)
        self.ledger = Ledger(folder / "records.jsonl")

    @property
    def public_key(self) -> bytes:
        """The raw public key that its records are signed with."""
        return raw_public(load_public(public_path(self.folder / _KEY)))

    @property
    def used(self) -> bool:
        """Whether acceptance was ever begun here: only then is a ledger that is not there a missing one."""
        own = {_KEY, public_path(self.folder / _KEY).name, _LOCK}
        return any(path.name not in own for path in self.folder.iterdir())

    @property
    def database_url(self) -> str:
        """Its own database, when no other is named."""
        return f"sqlite:///{self.folder / 'records.sqlite'}"

    def begin(self, header: Record) -> Running:
        """Open the file of a run; TaisaiError when nothing can be written here: then nothing is tested either."""
        try:
            return Running(self.folder / "running", header)
        except OSError as error:
            raise TaisaiError(f"{self.folder}: the run cannot be recorded: {error.strerror or error}") from error

    def store(self, record: Record, running: Running) -> Entry:
        """Put a finished run into the ledger. When that fails, the file of the run stays, and `recover` finds it."""
        try:
            entry = self.ledger.append(record, self.key)
        except TaisaiError:
            running.close(stored=False)
            raise
        running.close(stored=True)
        return entry

    def recover(self) -> list[Entry]:
        """Put every run that nobody holds any more into the ledger, as ABORTED, unless it is there already."""
        found = []
        known = None
        for record, held in leftovers(self.folder / "running"):
            known = {entry.record.run for entry in self.ledger.entries()} if known is None else known
            if record.run in known:
                held.close(stored=True)
            else:
                found.append(self.store(record, held))
        return found

    def claim(self, port: str) -> FileLock:
        """Hold a port for one run on this computer, until `release`; PortClaimed when another run has it."""
        folder = self.folder / "ports"
        name = hashlib.sha256(os.path.realpath(port).encode()).hexdigest()[:16]
        lock = FileLock(folder / f"{name}.lock", timeout=0)
        try:
            folder.mkdir(exist_ok=True)
            lock.acquire()
        except Timeout:
            raise PortClaimed(
                f"{port}: another acceptance run on this computer has this port: let it end first"
            ) from None
        except OSError as error:
            raise TaisaiError(f"{folder}: no port can be claimed there: {error.strerror or error}") from error
        return lock

    def keep(self, kind: str, name: str, content: bytes) -> Path:
        """Write a file that belongs to a record (transcript, certificate), whole or not at all."""
        folder = self.folder / kind
        path = folder / name
        fresh = path.with_name(path.name + ".new")
        try:
            folder.mkdir(exist_ok=True)
            fresh.write_bytes(content)
            fresh.replace(path)
        except OSError as error:
            raise TaisaiError(f"{path}: cannot be written: {error.strerror or error}") from error
        return path
