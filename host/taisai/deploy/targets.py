"""Which boards are meant: those that are named, the only one that is attached, or all of them."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from taisai.client.drives import uf2_drives
from taisai.client.errors import (
    LinkError,
    NoBoard,
    NotOurs,
    PortBusy,
    PortDenied,
    PortMissing,
    SeveralBoards,
    Silent,
)
from taisai.client.find import ID
from taisai.client.ports import serial_ports
from taisai.client.probe import BOOTSEL, BUSY, DENIED, DOWNLOAD, GONE, PROMPT, SILENT, TABLE, Finding, probe
from taisai.deploy.backends.base import Target

_BOARDS = (TABLE, PROMPT, DOWNLOAD, BOOTSEL)
_AT_ONCE = 16


def find_targets(named: Sequence[str], every: bool) -> list[Target]:
    """One board, or with `every` all that are attached or named. A LinkError when it is not clear which, or none is."""
    if len(named) > 1 and not every:
        raise SeveralBoards(list(named))
    if len(named) == 1 and named[0].startswith(ID):
        return [_with_id(named[0].removeprefix(ID).lower())]
    if named:
        return [_named(where) for where in named]
    found = [target for target in _attached() if target.kind in _BOARDS]
    if not found:
        raise NoBoard("no board answers at any port, and none shows a BOOTSEL drive: taisai devices says what is there")
    if len(found) > 1 and not every:
        raise SeveralBoards([f"{target.where}: {target.text}" for target in found])
    return found


def refusal(target: Target) -> LinkError:
    """The error for a port on which there is no board that could be written."""
    words = {
        BUSY: PortBusy(target.where, [target.text.removeprefix("in use by ")]),
        DENIED: PortDenied(target.where, target.text),
        GONE: PortMissing(target.where, target.text),
        SILENT: Silent(target.where, f"{target.text}: check cable and power; an ESP32 without MicroPython needs its "
                       "BOOT button held while RESET is pressed"),
    }  # fmt: skip
    return words.get(target.kind) or NotOurs(target.where, target.text)


def _named(where: str) -> Target:
    """A port, or the path of a BOOTSEL drive."""
    for drive in uf2_drives([Path(where)]):
        return Target(where, BOOTSEL, f"{drive.model}, {drive.board_id}", drive)
    target = _target(probe(where))
    if target.kind not in _BOARDS:
        raise refusal(target)
    return target


def _with_id(board: str) -> Target:
    found = _probed()
    chosen = [each for each in found if each.identity is not None and each.identity.board.lower() == board]
    if len(chosen) != 1:
        raise NoBoard(f"board {board} is not attached, or its table does not run: taisai devices says what is there")
    return _target(chosen[0])


def _attached() -> list[Target]:
    drives = [Target(str(drive.path), BOOTSEL, f"{drive.model}, {drive.board_id}", drive) for drive in uf2_drives()]
    return [_target(finding) for finding in _probed()] + drives


def _probed() -> list[Finding]:
    """Every port that a board of ours can be behind, all asked at once."""
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return list(pool.map(probe, [port.device for port in serial_ports() if port.known]))


def _target(finding: Finding) -> Target:
    return Target(finding.port, finding.kind, finding.text)
