"""The folder that keeps a virtual board's flash from one run to the next: checked and locked before it has power.

`flash.bin` is the content of the flash, and behind it 64 bytes that say whose it is: a mark, the chip, the SHA-256 of
all that stands before it. It is replaced in one step, so that a program killed at any moment leaves a whole one.
"""

import fcntl
import hashlib
import struct
import time
from pathlib import Path

from taisai.errors import TaisaiError
from taisai.sim.flash import Flash

_FILE, _FRESH, _LOCK = "flash.bin", "flash.bin.new", "lock"
_MARK = b"taisai flash 1\n\0"
_LABEL = struct.Struct("<16s16s32s")
# A board that is killed loses at most what it wrote during this time.
_SAVE_EVERY_S = 1.0


class StateFolder:
    """One folder, held for one board until `close`. Every error is a TaisaiError in one sentence."""

    def __init__(self, folder: Path, chip: str, flash: Flash):
        """Make the folder or check it, keep others out, and load what was left there; `restored` tells whether any."""
        self._folder = folder
        self._chip = chip
        self._flash = flash
        self._lock = self._hold()
        try:
            self.restored = self._load()
            self._try_to_write()
        except TaisaiError:
            self.close()
            raise
        self._saved = flash.changes
        self._saved_s = time.monotonic()

    def close(self) -> None:
        """Let others in."""
        self._lock.close()

    def save_now_and_then(self) -> None:
        """Save what has changed, unless that was done just now."""
        if time.monotonic() - self._saved_s >= _SAVE_EVERY_S:
            self.save()

    def save(self) -> None:
        """Save what has changed."""
        if self._saved != self._flash.changes:
            self._write()

    def _hold(self):
        """The open lock file; the system lets go of it with the process, however that ends."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except FileExistsError as error:
            raise TaisaiError(f"cannot keep the board's flash in {self._folder}: that is no folder") from error
        except OSError as error:
            raise self._trouble(error) from error
        try:
            lock = (self._folder / _LOCK).open("a")
        except OSError as error:
            raise self._trouble(error) from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            lock.close()
            raise TaisaiError(f"another board runs with {self._folder}: stop it, or use another folder") from error
        except OSError as error:
            lock.close()
            raise self._trouble(error) from error
        return lock

    def _load(self) -> bool:
        """Whether a flash was left there; it is then in place."""
        path = self._folder / _FILE
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return False
        except OSError as error:
            raise TaisaiError(f"cannot read the board's flash {path}: {error.strerror}") from error
        label = data[-_LABEL.size :]
        mark, chip, digest = _LABEL.unpack(label) if len(label) == _LABEL.size else (b"", b"", b"")
        if mark != _MARK or hashlib.sha256(data[: -len(digest)]).digest() != digest:
            raise TaisaiError(f"{path} is damaged, or no flash of a simulated board: remove it to start blank")
        left_by = chip.rstrip(b"\0").decode("ascii", errors="replace")
        content = data[: -_LABEL.size]
        if left_by != self._chip or len(content) != len(self._flash.content):
            raise TaisaiError(
                f"{path} is the flash of a {left_by} with {len(content):,} bytes, this table has a {self._chip} with "
                f"{len(self._flash.content):,}: use another folder"
            )
        self._flash.load_image(content)
        return True

    def _try_to_write(self) -> None:
        """Now, and not when there is something to lose."""
        try:
            (self._folder / _FRESH).write_bytes(b"")
            (self._folder / _FRESH).unlink()
        except OSError as error:
            raise self._trouble(error) from error

    def _write(self) -> None:
        body = bytes(self._flash.content) + _LABEL.pack(_MARK, self._chip.encode("ascii"), b"")[:-32]
        fresh = self._folder / _FRESH
        try:
            fresh.write_bytes(body + hashlib.sha256(body).digest())
            fresh.replace(self._folder / _FILE)
        except OSError as error:
            raise self._trouble(error) from error
        self._saved = self._flash.changes
        self._saved_s = time.monotonic()

    def _trouble(self, error: OSError) -> TaisaiError:
        return TaisaiError(f"cannot keep the board's flash in {self._folder}: {error.strerror}")
