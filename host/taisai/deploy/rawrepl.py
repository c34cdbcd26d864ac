"""Getting into MicroPython's raw REPL, and running programs there; the same over mpremote's and over ampy's transport.

The raw REPL answers a program with its output, byte 4, its traceback if it ended by an exception, and byte 4.
"""

import ast
import re
from typing import Protocol

from taisai.client.errors import LinkLost
from taisai.deploy.errors import NoPrompt, OnBoardError
from taisai.deploy.line import Line

_RAW_BANNER = b"raw REPL; CTRL-B to exit\r\n"  # a ">" follows, for which the transports look before each program
_SOFT_REBOOT = b"soft reboot\r\n"
_INTERRUPT = b"\r\x03\x03"
_ENTER_RAW = b"\r\x01"
_SOFT_RESET = b"\x04"
_QUIET_S = 0.03  # to begin with; twice as long with each attempt
_NOISE_S = 1.5
_ANSWER_S = 0.4  # likewise: what is sent while a board starts is lost, and some answer seconds late
_RESET_S = 5.0
_SEEN_BYTES = 60


class Transport(Protocol):
    """What mpremote's SerialTransport and ampy's Pyboard have in common."""

    def exec_raw_no_follow(self, command: bytes) -> None: ...


class RawRepl:
    """A board that waits for programs, over `line`, which the transport writes to."""

    def __init__(self, transport: Transport, errors: tuple[type[BaseException], ...], line: Line):
        """`errors`: what the transport raises of its own."""
        self.line = line
        self._transport = transport
        self._errors = errors

    def enter(self, limit_s: float) -> None:
        """Stop what runs and get the raw prompt; NoPrompt names what was seen instead."""
        end = self.line.now() + limit_s
        seen = b""
        quiet_s, answer_s = _QUIET_S, _ANSWER_S
        while self.line.now() < end:
            self.line.write(_INTERRUPT)
            seen += self.line.drain(quiet_s, _NOISE_S)
            quiet_s, answer_s = 2 * quiet_s, 2 * answer_s
            self.line.write(_ENTER_RAW)
            answer = self.line.read_until(_RAW_BANNER, answer_s)
            seen += answer
            if answer.endswith(_RAW_BANNER):
                return
        raise NoPrompt(f"{self.line.name}: {_description(seen)}")

    def run(self, program: str | bytes, timeout_s: float) -> bytes:
        """Output of a program; OnBoardError if it ended by an exception. `timeout_s`: for its whole run."""
        self.start(program)
        return self.finish(timeout_s)

    def start(self, program: str | bytes) -> None:
        """Send a program and let it begin."""
        try:
            self._transport.exec_raw_no_follow(program if isinstance(program, bytes) else program.encode())
        except self._errors as error:
            text = f"the board does not take a program ({error}): run this again"
            raise LinkLost(self.line.name, text) from error

    def finish(self, timeout_s: float) -> bytes:
        """The rest of a program's output, once it has ended."""
        return self._end(self.line.read_until(b"\x04", timeout_s), timeout_s)

    def mark(self, timeout_s: float) -> bytes:
        """The next byte that a started program writes; OnBoardError if it has ended instead."""
        byte = self.line.read(1, timeout_s)
        if byte == b"\x04":
            self._end(byte, timeout_s)
            raise LinkLost(self.line.name, "the program on the board ended early: run this again")
        return byte

    def soft_reset(self) -> bool:
        """An empty heap for the programs to come; False when the board does not come back from it in time."""
        self.line.write(_SOFT_RESET)
        if not self.line.read_until(_SOFT_REBOOT, _RESET_S).endswith(_SOFT_REBOOT):
            return False
        return self.line.read_until(_RAW_BANNER, _RESET_S).endswith(_RAW_BANNER)

    def _end(self, output: bytes, timeout_s: float) -> bytes:
        error = self.line.read_until(b"\x04", timeout_s) if output.endswith(b"\x04") else b""
        if not error.endswith(b"\x04"):
            raise self.line.stopped()
        if error != b"\x04":
            raise _on_board(error[:-1].decode("utf-8", "replace"), self.line.name)
        return output[:-1]


def literal(value: object) -> str:
    """A value as the board's Python reads it: text, numbers, lists of them."""
    text = repr(value)
    assert ast.literal_eval(text) == value
    return text


def _description(seen: bytes) -> str:
    """Who answers there, if not MicroPython's prompt."""
    rest = seen.replace(b"\r", b"").replace(b"\n", b"").strip()
    if not rest:
        return "nothing answers there: check the cable and the board's power, or name another port"
    if not rest.strip(b"\x01\x03"):
        return "what is there only sends back what it gets: this is no MicroPython board"
    shown = ascii(bytes(rest[-_SEEN_BYTES:]))[2:-1]
    return f"what answers there is not MicroPython's prompt; it sent: {shown}"


def _on_board(traceback: str, name: str) -> OnBoardError:
    """The last line of a traceback says what happened."""
    last = traceback.strip().splitlines()[-1]
    kind, _, text = last.partition(":")
    number = re.match(r"\s*(?:\[Errno )?(\d+)", text) if kind == "OSError" else None
    return OnBoardError(f"{name}: the board reports {last}", kind, int(number.group(1)) if number else None)
