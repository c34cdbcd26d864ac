"""The transcript: every byte that goes over the link, with the time and the direction, into a file."""

import gzip
import hashlib
from collections.abc import Callable
from pathlib import Path

from taisai.errors import TaisaiError


class Tape:
    """`path`: a gzip file, one line for each piece: seconds, direction, the bytes as Python shows them.

    TaisaiError when it cannot be made.
    """

    def __init__(self, path: Path, now: Callable[[], float]):
        self.path = path
        self._now = now
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._raw = path.open("wb")
        except OSError as error:
            raise TaisaiError(f"{path}: the transcript cannot be written: {error.strerror or error}") from error
        # Without name and time in it, the same bytes give the same file.
        self._file = gzip.GzipFile("", "wb", fileobj=self._raw, compresslevel=1, mtime=0)

    def note(self, direction: str, data: bytes) -> None:
        """`direction`: ">" to the board, "<" from it, "#" a word of ours."""
        if data and not self._file.closed:
            self._file.write(f"{self._now():.6f} {direction} {data!r}\n".encode("ascii"))

    def close(self) -> str:
        """End it; the SHA-256 of the file."""
        self._file.close()
        self._raw.close()
        return hashlib.sha256(self.path.read_bytes()).hexdigest()


class TapedPort:
    """A port in pyserial's form that writes down what passes. `keep`: closing it only ends this use of it."""

    def __init__(self, port, tape: Tape, keep: bool):
        self._port = port
        self._tape = tape
        self._keep = keep

    def __getattr__(self, name: str):
        return getattr(self._port, name)

    @property
    def timeout(self) -> float | None:
        """Seconds that `read` waits."""
        return self._port.timeout

    @timeout.setter
    def timeout(self, seconds: float | None) -> None:
        self._port.timeout = seconds

    def read(self, size: int = 1) -> bytes:
        """As the port does it."""
        data = self._port.read(size)
        self._tape.note("<", data)
        return data

    def write(self, data: bytes) -> int:
        """As the port does it."""
        self._tape.note(">", data)
        return self._port.write(data)

    def close(self) -> None:
        """Let go of the port, unless it is kept."""
        if not self._keep:
            self._port.close()
