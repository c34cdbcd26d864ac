"""The file with the service keys of boards: what a station needs to change anything on a board that has a key.

Plain text, one line for each key, `BOARD KEY`: the board's id and 64 hex digits. `#` begins a comment. A board can have
several lines while its key is being changed: the last one is the newest. Whoever can read the file can open a session.
"""

import os
import re
import secrets
from pathlib import Path

from tablecore.servicekey import KEY_BYTES
from taisai.errors import TaisaiError

_LINE = re.compile(rf"(?P<board>[0-9a-f]{{8,32}}) +(?P<key>[0-9a-f]{{{2 * KEY_BYTES}}})")


class ServiceKeys:
    """One such file. It need not be there until a key is kept in it."""

    def __init__(self, path: Path):
        self.path = path

    def of(self, board: str) -> list[bytes]:
        """The keys of a board, the newest first. TaisaiError when the file cannot be read, naming the line."""
        return [bytes.fromhex(key) for owner, key in reversed(self._entries()) if owner == board]

    def new(self, board: str) -> bytes:
        """Make a key and keep it beside those there are: whatever happens next, the board's key is in the file."""
        key = secrets.token_bytes(KEY_BYTES)
        self._write([*self._entries(), (board, key.hex())])
        return key

    def keep(self, board: str, key: bytes) -> None:
        """Forget every other key of this board."""
        self._write([entry for entry in self._entries() if entry[0] != board or entry[1] == key.hex()])

    def drop(self, board: str, key: bytes) -> None:
        """Forget this key."""
        self._write([entry for entry in self._entries() if entry != (board, key.hex())])

    def _entries(self) -> list[tuple[str, str]]:
        try:
            lines = self.path.read_text(encoding="ascii").splitlines()
        except FileNotFoundError:
            return []
        except (OSError, UnicodeDecodeError) as error:
            raise TaisaiError(f"{self.path}: cannot be read as a file of service keys: {error}") from error
        entries = []
        for number, line in enumerate(lines, 1):
            content = line.partition("#")[0].strip()
            if not content:
                continue
            found = _LINE.fullmatch(content)
            if found is None:
                raise TaisaiError(f"{self.path}: line {number} is not a board id and a key of 64 hex digits")
            entries.append((found["board"], found["key"]))
        return entries

    def _write(self, entries: list[tuple[str, str]]) -> None:
        """The whole file, readable by its owner alone, and the old one until the new one is there."""
        text = "# Service keys of boards. Whoever has one can change that board: keep this file to yourself.\n"
        text += "".join(f"{board} {key}\n" for board, key in entries)
        beside = self.path.with_name(self.path.name + ".new")
        try:
            with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.replace(beside, self.path)
        except OSError as error:
            raise TaisaiError(f"{self.path}: cannot be written: {error.strerror}") from error
