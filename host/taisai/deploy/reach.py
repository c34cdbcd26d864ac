"""Reaching one board: its firmware over the link, or its prompt, and from one to the other and back."""

import json
import time
from collections.abc import Callable
from itertools import count
from random import randrange

from tablecore import framing, protocol
from taisai.deploy.errors import DeployError, LineLost, NoPrompt, NotStarted
from taisai.deploy.installer import Installer
from taisai.deploy.line import Line, Port
from taisai.deploy.rawrepl import RawRepl

_ANSWER_S = 2.5  # a board that is slow to answer still is one
_PROMPT_S = 10.0
_REAPPEARS_S = 20.0  # from a reset until a USB port is there again
_RETRY_S = 0.25
_FRIENDLY = b">>> "
_STARTED = b"import sys\nprint(any(p.startswith('/app-') for p in sys.path))"


class Reach:
    """`open_port` opens the board's port anew each time, exclusively; `name` is the port's, for messages.

    `make_repl` makes the raw REPL on an open line: that of mpremote's or of ampy's transport.
    """

    def __init__(self, open_port: Callable[[], Port], name: str, make_repl: Callable[[Line, str], RawRepl]):
        self.name = name
        self.sent = 0
        self.received = 0
        self._open_port = open_port
        self._make_repl = make_repl
        self._line: Line | None = None
        self._ids = count(randrange(1, 900_000_000))

    def close(self) -> None:
        """Let the port go."""
        if self._line is not None:
            self._line.close()
            self.sent += self._line.sent
            self.received += self._line.received
        self._line = None

    def identify(self) -> dict | None:
        """What the firmware says of itself; None when no firmware of ours answers."""
        word, fields = self._ask("identify", {})
        return fields if word == "ok" else None

    def prompt(self, identity: dict | None) -> RawRepl:
        """The raw REPL of the board, without a watchdog running. `identity`: of the firmware that runs, if one does."""
        if identity is not None:
            self._service(identity["board"])
            self._reopen()
            return self._raw(soft_reset=False)
        repl = self._raw(soft_reset=False)
        if repl.run(_STARTED, _ANSWER_S).strip() == b"True":
            # An application was started here and has ended: its watchdog runs on, also through a soft reset.
            Installer(repl).service_next()
            Installer(repl).reset()
            self._reopen()
            return self._raw(soft_reset=False)
        return self._raw(soft_reset=True)

    def restart(self, repl: RawRepl) -> None:
        """Restart into the application."""
        Installer(repl).reset()
        self._reopen()

    def wait_identified(self, limit_s: float) -> dict:
        """What the firmware says of itself once it has started; NotStarted when it does not."""
        end = time.monotonic() + limit_s
        seen = b""
        while time.monotonic() < end:
            try:
                word, fields = self._ask("identify", {})
                if word == "ok" and fields.get("state") != protocol.BOOTING:
                    return fields
                seen = self._line.drain(_RETRY_S, _ANSWER_S) or seen
            except LineLost:
                self._reopen()
        text = f"; it says: {ascii(seen[-200:])[2:-1]}" if seen else ""
        raise NotStarted(f"{self.name}: the board was restarted and does not identify itself as a table{text}")

    def _raw(self, *, soft_reset: bool) -> RawRepl:
        repl = self._make_repl(self._opened(), self.name)
        repl.enter(_PROMPT_S, soft_reset)
        return repl

    def _service(self, board: str) -> None:
        word, fields = self._ask("service", {"board": board})
        if word != "ok":
            reason = fields.get("text", "no answer")
            if fields.get("code") == "state":
                reason = "a result is lit: let the dealer end the game (hold ENTRY), then run this again"
            raise DeployError(f"{self.name}: the table does not go into service mode: {reason}")

    def _ask(self, verb: str, fields: dict) -> tuple[str, dict]:
        """One request; ("", {}) when no valid reply comes in time."""
        line = self._opened()
        id = str(next(self._ids))
        line.write(b"\n" + framing.encode(id, verb, fields))
        end = time.monotonic() + _ANSWER_S
        while (left := end - time.monotonic()) > 0:
            text = line.read_until(b"\n", left)
            if answer := _parsed(text.strip(), id):
                return answer
            if _FRIENDLY in text:
                break
        return "", {}

    def _opened(self) -> Line:
        if self._line is None:
            self._line = Line(self._open_port(), self.name)
        return self._line

    def _reopen(self) -> None:
        """Wait for the port to be there again after a restart."""
        self.close()
        end = time.monotonic() + _REAPPEARS_S
        while True:
            try:
                self._opened()
                return
            except (DeployError, OSError) as error:
                if time.monotonic() >= end:
                    raise LineLost(f"{self.name}: the port does not come back after the restart ({error})") from error
                time.sleep(_RETRY_S)


def _parsed(line: bytes, id: str) -> tuple[str, dict] | None:
    """Word and fields of a reply to this request, if the line is one."""
    head, _, seal = line.rpartition(b" *")
    if framing.crc(head).encode() != seal:
        return None
    try:
        found, word, fields = head.decode("ascii").split(" ", 2)
        return (word, json.loads(fields)) if found == id else None
    except ValueError:
        return None
