"""`taisai devices`: every serial port and what answers there, and RP2040 boards that wait as a drive."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from taisai.cli.options import Json
from taisai.cli.output import print_json, print_table, talk

if TYPE_CHECKING:
    from taisai.client.probe import Finding

# At once: a hub full of boards is done in the time of a few.
_AT_ONCE = 16


def devices(
    port: Annotated[
        list[str] | None,
        typer.Option("--port", metavar="PORT", help="Ask this port too, whatever is there. May be repeated."),
    ] = None,
    as_json: Json = False,
) -> None:
    """List every serial port and what answers there.

    A table with board id, table, version and state; MicroPython at its prompt; an ESP32 in download mode; an RP2040 in
    BOOTSEL mode, by its drive; something else; in use. Only ports with the USB ids of the shipped controllers are
    spoken to, and those named with --port. Nothing is reset or changed. A port that does not answer takes 4 s.
    """
    from taisai.client.drives import uf2_drives
    from taisai.client.ports import serial_ports
    from taisai.client.probe import BOOTSEL, LEFT_ALONE, Finding, probe

    listed = {each.device: each for each in serial_ports()}
    asked = [device for device, each in listed.items() if each.known]
    asked += [each for each in port or [] if each not in asked]
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        findings = {finding.port: finding for finding in pool.map(probe, asked)}
    for device, each in listed.items():
        text = f"{each.description or 'a serial port'}; not a board's USB id, so it was not asked: name it with --port"
        findings.setdefault(device, Finding(device, LEFT_ALONE, text))
    found = [findings[name] for name in sorted(findings)]
    found += [Finding(str(drive.path), BOOTSEL, f"{drive.model}, {drive.board_id}") for drive in uf2_drives()]
    if as_json:
        print_json({"devices": [_as_json(finding) for finding in found]})
    elif found:
        print_table(["port", "what", ""], [[finding.port, finding.kind, finding.text] for finding in found])
    else:
        talk("taisai: no serial port and no BOOTSEL drive found: is a board attached, does its cable carry data?")


def _as_json(finding: "Finding") -> dict:
    identity = None if finding.identity is None else asdict(finding.identity)
    return {"port": finding.port, "what": finding.kind, "text": finding.text, "identity": identity}
