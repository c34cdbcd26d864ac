"""What answers at a port: a table, MicroPython's prompt, an ESP32's ROM loader, or something else. Never resets it."""

import re
from dataclasses import dataclass

from taisai.client.board import Board, Identity
from taisai.client.errors import (
    AtPrompt,
    LinkError,
    LinkLost,
    NotOurs,
    NotReading,
    PortBusy,
    PortDenied,
    PortMissing,
    Silent,
    StillBooting,
)
from taisai.client.transport import Transport, open_port

TABLE, PROMPT, DOWNLOAD, BOOTSEL = "table", "micropython", "esp32-download", "rp2040-bootsel"
OTHER, SILENT, BUSY, DENIED, GONE, LEFT_ALONE = "other", "silent", "busy", "denied", "gone", "left alone"

IDENTIFY_S = 3.0
"""Long enough for a board that answers late, or that starts anew because its port was opened."""
PROMPT_S = 0.6
SYNC_S = 0.4

_CTRL_B = b"\r\x02"
_PROMPT = b">>> "
_BANNER = re.compile(rb"MicroPython v?([^ ;]+)[^;]*; ([^\r\n]+)\r?\n(?:.*\r?\n)*>>> ")
# The loader's SYNC request and the head of its answer: esptool "Serial Protocol", section "Initial Synchronization".
_SYNC = b"\xc0\x00\x08\x24\x00\x00\x00\x00\x00\x07\x07\x12\x20" + b"\x55" * 32 + b"\xc0"
_SYNC_ANSWER = re.compile(rb"\xc0\x01\x08")


@dataclass(frozen=True)
class Finding:
    """What was found at a port; `identity` for a table."""

    port: str
    kind: str
    text: str
    identity: Identity | None = None


def probe(spec: str) -> Finding:
    """Open the port and look, within IDENTIFY_S + PROMPT_S + SYNC_S and the time that opening takes."""
    try:
        with open_port(spec) as transport:
            return _look(transport)
    except PortBusy as error:
        return Finding(spec, BUSY, f"in use by {', '.join(error.holders) or 'another program'}")
    except PortDenied:
        return Finding(spec, DENIED, "this user may not open it: taisai doctor says how to change that")
    except (PortMissing, LinkLost, NotReading) as error:
        return Finding(spec, GONE, _words(error))


def _look(transport: Transport) -> Finding:
    name = transport.name
    try:
        identity = Board.identify(transport, IDENTIFY_S, any_protocol=True).identity
        return Finding(name, TABLE, str(identity), identity)
    except AtPrompt:
        return Finding(name, PROMPT, _prompt(transport) or "MicroPython at its prompt")
    except StillBooting:
        return Finding(name, TABLE, "a table in its self-tests")
    except (NotOurs, Silent) as error:
        # Raw REPL says nothing to a line. The ROM loader answers only its own requests, but has told how it started.
        if text := _prompt(transport):
            return Finding(name, PROMPT, text)
        if _in_download_mode(transport):
            return Finding(name, DOWNLOAD, "ESP32 in download mode")
        if isinstance(error, Silent):
            return Finding(name, SILENT, "nothing answers")
        return Finding(name, OTHER, _words(error))


def _prompt(transport: Transport) -> str | None:
    """What MicroPython's banner says when it is asked for (Ctrl-B, which also ends raw REPL); None without a prompt."""
    heard, found = _exchange(transport, _CTRL_B, PROMPT_S, _BANNER)
    if found is None:
        return "MicroPython at its prompt" if _PROMPT in heard else None
    version, machine = (part.decode("ascii", "replace").strip() for part in found.groups())
    return f"MicroPython {version} at its prompt, {machine}"


def _in_download_mode(transport: Transport) -> bool:
    return _exchange(transport, _SYNC, SYNC_S, _SYNC_ANSWER)[1] is not None


def _exchange(
    transport: Transport, data: bytes, timeout_s: float, wanted: re.Pattern[bytes]
) -> tuple[bytes, re.Match[bytes] | None]:
    """Send, and listen until the pattern has come or the time is over."""
    transport.write(data)
    end = transport.now() + timeout_s
    heard = b""
    while (found := wanted.search(heard)) is None and (left := end - transport.now()) > 0:
        heard += transport.read(left)
    return heard, found


def _words(error: LinkError) -> str:
    return str(error).removeprefix(f"{error.port}: ")
