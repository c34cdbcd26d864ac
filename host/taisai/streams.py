"""Standard input, output and error as the verbs need them: what cannot be written is one sentence, never a crash.

Any character can be written to a stream of any encoding, as an escape where it has no other form. A failing standard
output raises OutputError, so that it cannot be mistaken for a fault of a board; a failing standard error is left alone,
because there is nobody left to tell.
"""

import errno
import io
import os
import sys
from typing import TextIO

from taisai.errors import TaisaiError


class OutputError(TaisaiError):
    """The result could not be written."""


class ReaderLeft(Exception):
    """Whoever read the result (head, less) has seen enough."""


def prepare() -> None:
    """Make the streams of this process safe; called once, before anything is written."""
    closed = [stream is None for stream in (sys.stdin, sys.stdout, sys.stderr)]
    if any(closed):
        _occupy()
    if closed[0]:
        sys.stdin = open(0, closefd=False)
    if closed[1]:
        raw, encoding, by_line = io.FileIO(1, "w", closefd=False), "utf-8", False
    else:
        buffer = sys.stdout.buffer
        raw, encoding, by_line = getattr(buffer, "raw", buffer), sys.stdout.encoding, sys.stdout.line_buffering
    writer = io.BufferedWriter(_Output(raw))
    sys.stdout = io.TextIOWrapper(writer, encoding, "backslashreplace", line_buffering=by_line)
    if closed[2]:
        sys.stderr = open(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")
    sys.stderr.reconfigure(errors="backslashreplace")


def say(text: str) -> None:
    """Say something to the person, on standard error."""
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        _silence(sys.stderr)


def give_up_output() -> None:
    """What is still buffered must not raise again at the end of the process."""
    _silence(sys.stdout)


def _occupy() -> None:
    """Put the null device, opened for reading, where a standard stream is closed: no file that is opened later may get
    its number, and writing there still fails.
    """
    while (number := os.open(os.devnull, os.O_RDONLY)) <= 2:
        pass
    os.close(number)


def _silence(stream: TextIO) -> None:
    number = os.open(os.devnull, os.O_WRONLY)
    os.dup2(number, stream.fileno())
    os.close(number)


class _Output(io.RawIOBase):
    """Standard output that says what is wrong with it."""

    def __init__(self, raw: io.RawIOBase):
        self._raw = raw

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._raw.fileno()

    def isatty(self) -> bool:
        return self._raw.isatty()

    def write(self, data) -> int | None:
        try:
            return self._raw.write(data)
        except BrokenPipeError as error:
            raise ReaderLeft from error
        except OSError as error:
            closed = error.errno == errno.EBADF
            reason = "standard output is closed" if closed else error.strerror
            raise OutputError(f"the result cannot be written: {reason}") from error
