"""Reaching one board: its firmware over the link, or its prompt, and from one to the other and back."""

import time
from collections.abc import Callable

from taisai.client.board import Board
from taisai.client.errors import AtPrompt, LinkError, LinkLost, NotOurs, Refused, Silent
from taisai.client.servicekeys import ServiceKeys
from taisai.client.session import open_session
from taisai.client.transport import Transport
from taisai.deploy.errors import DeployError, NoPrompt, NotStarted
from taisai.deploy.installer import Installer
from taisai.deploy.line import Line
from taisai.deploy.rawrepl import RawRepl

_LOOK_S = 1.2
_PATIENT_S = 5.0  # for a board that answers late
_PROMPT_S = 10.0
_ANSWER_S = 2.5
_REAPPEARS_S = 20.0  # from a reset until a USB port is there again
_RETRY_S = 0.25
_PROMPTS = 2  # the first may be a late answer from before a restart
_LOSSES = 3  # the restart takes a USB port away once; one that keeps going away has no power behind it
_STARTED = b"import sys\nprint(any(p.startswith('/app-') for p in sys.path))"


class Reach:
    """`open_port` opens the board's port anew each time, exclusively.

    `make_repl` makes the raw REPL on an open line: that of mpremote's or of ampy's transport. `service_keys`: for a
    table that wants a service session.
    """

    def __init__(
        self,
        open_port: Callable[[], Transport],
        make_repl: Callable[[Line], RawRepl],
        service_keys: ServiceKeys | None = None,
    ):
        self._open_port = open_port
        self._make_repl = make_repl
        self._service_keys = service_keys
        self._transport: Transport | None = None
        self._line: Line | None = None

    @property
    def name(self) -> str:
        """The port as the user knows it."""
        return self.transport.name

    @property
    def transport(self) -> Transport:
        """The open port; it is opened now if it is not open."""
        if self._transport is None:
            self._transport = self._open_port()
            self._line = Line(self._transport)
        return self._transport

    def close(self) -> None:
        """Let the port go."""
        if self._transport is not None:
            self._transport.close()
        self._transport = self._line = None

    def board(self, timeout_s: float = _LOOK_S) -> Board | None:
        """The table that runs there, whatever protocol it speaks; None when something else is there, or nothing."""
        try:
            return Board.identify(self.transport, timeout_s, any_protocol=True)
        except (NotOurs, Silent):
            return None

    def prompt(self, board: Board | None) -> RawRepl:
        """The raw REPL, without a watchdog running. `board`: the table that runs there, if one does."""
        if board is None:
            try:
                repl = self._raw()
            except NoPrompt:
                board = self.board(_PATIENT_S)
                if board is None:
                    raise
        if board is not None:
            _enter_service(board, self._service_keys)
            return self._raw()
        if repl.run(_STARTED, _ANSWER_S).strip() != b"True":
            return repl if repl.soft_reset() else self._raw()
        # An application was started here and has ended. Its watchdog runs on, even through a soft reset.
        Installer(repl).service_next()
        Installer(repl).reset()
        return self._raw()

    def restart(self, repl: RawRepl) -> None:
        """Restart into the application."""
        Installer(repl).reset()

    def wait_started(self, limit_s: float) -> Board:
        """The table, once its firmware has started and its self-tests are over; NotStarted if not."""
        end = self.transport.now() + limit_s
        at_prompt = lost = 0
        while self.transport.now() < end and at_prompt < _PROMPTS:
            try:
                return Board.identify(self.transport, limit_s / 4, any_protocol=True)
            except AtPrompt:
                at_prompt += 1
                self._line.drain(_RETRY_S, _ANSWER_S)
            except LinkLost:
                lost += 1
                if lost > _LOSSES:
                    raise
                self._reopen()
            except LinkError:
                continue
        text = "ends in MicroPython's prompt" if at_prompt else "does not answer"
        raise NotStarted(f"{self.name}: the board was restarted, and its firmware {text}")

    def _raw(self) -> RawRepl:
        """On a USB port that a restart has taken away, once it is there again."""
        try:
            return self._entered()
        except LinkLost:
            self._reopen()
            return self._entered()

    def _entered(self) -> RawRepl:
        self.transport  # noqa: B018  (opens it)
        repl = self._make_repl(self._line)
        repl.enter(_PROMPT_S)
        return repl

    def _reopen(self) -> None:
        """Wait for the port to be there again after a restart."""
        self.close()
        end = time.monotonic() + _REAPPEARS_S
        while True:
            try:
                self.transport  # noqa: B018  (opens it)
                return
            except LinkError as error:
                if time.monotonic() >= end:
                    raise LinkLost(error.port, f"the port does not come back after the restart ({error})") from error
                time.sleep(_RETRY_S)


def _enter_service(board: Board, keys: ServiceKeys | None) -> None:
    try:
        open_session(board, keys)
        board.service()
    except Refused as error:
        if error.code == "state":
            raise DeployError(
                f"{board.port}: a result is lit on this table: let the dealer end the game (hold ENTRY), "
                "then run this again"
            ) from error
        raise
