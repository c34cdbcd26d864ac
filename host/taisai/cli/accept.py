"""`taisai accept`: test units as the factory does, and put what was found on record."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from taisai.cli.factory import require_factory
from taisai.cli.options import DatabaseUrl, Json, StationFolder
from taisai.cli.output import print_json, talk
from taisai.errors import EXIT_INTERRUPTED, EXIT_PASS, EXIT_UNIT_FAILED, TaisaiError

if TYPE_CHECKING:
    from taisai.accept.station_loop import Jobs
    from taisai.accept.workers import Result, View
    from taisai.records.station import Station

_SIM = "sim:"


def accept(
    port: Annotated[
        list[str] | None,
        typer.Option("--port", metavar="PORT", help="A serial port or sim:TABLE. Repeat it for units side by side."),
    ] = None,
    serial_number: Annotated[
        list[str] | None,
        typer.Option(
            "--serial-number", metavar="SN", help="Of the unit at each --port. Left out: scan them, in a loop."
        ),
    ] = None,
    operator: Annotated[str | None, typer.Option("--operator", metavar="NAME", help="Who tests.")] = None,
    table: Annotated[
        str | None,
        typer.Option("--table", metavar="TABLE", help="Which table the units are to be; blank ones become it."),
    ] = None,
    bundle: Annotated[
        Path | None, typer.Option("--bundle", metavar="FILE", help="The bundle that the units are to carry.")
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option("--only", metavar="STEP", help="Do this step. May be repeated.")
    ] = None,
    skip: Annotated[list[str] | None, typer.Option("--skip", metavar="STEP", help="Leave a step out.")] = None,
    steps: Annotated[
        list[Path] | None, typer.Option("--steps", metavar="FILE", help="Steps of your own: a file of pytest tests.")
    ] = None,
    pattern: Annotated[
        str | None, typer.Option("--pattern", metavar="REGEX", help="The form of a serial number. [A-Z]{2}[0-9]{4,12}")
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Test a unit that has passed before.")] = False,
    assume_yes: Annotated[
        bool,
        typer.Option(
            "--assume-yes", help="Nobody answers: a simulated unit's bench does. A real unit cannot pass then."
        ),
    ] = False,
    plain: Annotated[bool, typer.Option("--plain", help="Lines of text instead of the full screen.")] = False,
    station: StationFolder = None,
    database: DatabaseUrl = None,
    as_json: Json = False,
) -> None:
    """Test units in the factory: identity, keys, digits, lamps, all 216 throws or the wheel, power, journal, link.

    A unit passes only when the whole plan was done and everything was within its limits; the first step that is not
    ends the run and names the part. --only and --skip make a partial run, which can never read PASS. Every run is on
    record in the station's signed file first, then in the database; `taisai records` reads it. A certificate, JUnit XML
    and the transcript of the link are kept in the station's folder.

    Without --serial-number each unit is scanned, one after the other, until Ctrl-C. Without a terminal nobody can be
    asked: then --serial-number, --operator and --assume-yes are needed.
    """
    require_factory()
    from taisai.accept import serials
    from taisai.records.station import Station

    ports = port or []
    numbers = [serials.checked(each, pattern or serials.PATTERN) for each in serial_number or []]
    _check(ports, numbers, operator, assume_yes)
    here = Station(station)
    for entry in here.recover():
        talk(f"taisai: a run was cut off; it is record {entry.number} now: {entry.record.headline}")
    job = {
        "station": str(here.folder), "operator": operator, "table": table, "bundle": bundle and str(bundle),
        "only": only, "skip": skip or [], "step_files": [str(each) for each in steps or []], "assume_yes": assume_yes,
        "sizes": {},
    }  # fmt: skip
    def make(port: str, serial_number: str) -> dict:
        return {**job, "port": port, "serial_number": serial_number}

    def finish(results: "list[Result]") -> None:
        _file(here, database, results)

    if numbers:
        _refuse_passed(here, numbers, again)
        jobs = [make(each, number) for each, number in zip(ports, numbers, strict=True)]
        results = _behind(plain, here, ports, lambda view: _round(jobs, view, finish))
    else:
        results = _behind(plain, here, ports, lambda view: _loop(here, ports, make, view, pattern, finish))
    _show(results, as_json)


def _check(ports: list[str], numbers: list[str], operator: str | None, assume_yes: bool) -> None:
    """Everything that would otherwise be missing in the middle of a run."""
    if not ports:
        raise TaisaiError("accept: name the port of each unit with --port (taisai devices lists them)")
    doubled = {each for each in ports if ports.count(each) > 1 and not each.startswith(_SIM)}
    if doubled or len(set(numbers)) < len(numbers):
        raise TaisaiError("accept: each port and each serial number can be named once")
    if numbers and len(numbers) != len(ports):
        raise TaisaiError(f"accept: {len(ports)} ports and {len(numbers)} serial numbers: give one for each")
    simulated = [each for each in ports if each.startswith(_SIM)]
    if simulated and not assume_yes:
        raise TaisaiError("accept: nobody can look at a simulated unit: add --assume-yes, and its bench answers")
    if sys.stdin.isatty():
        return
    missing = [name for name, given in (("--serial-number", numbers), ("--operator", operator)) if not given]
    if not assume_yes:
        missing.append("--assume-yes")
    if missing:
        raise TaisaiError(f"accept: without a terminal nobody can be asked: give {', '.join(missing)}")


def _refuse_passed(here: "Station", numbers: list[str], again: bool) -> None:
    from taisai.accept.station_loop import passed_before

    doubled = sorted(set(numbers) & passed_before(here))
    if doubled and not again:
        raise TaisaiError(f"{doubled[0]} has passed before: say --again to test it once more")


def _behind(plain: bool, here: "Station", ports: list[str], work: "Callable[[View], list[Result]]") -> "list[Result]":
    """Do the work behind the full screen, or with lines of text where that was asked for or there is no terminal."""
    from taisai.accept.plain import PlainView

    if plain or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return work(PlainView(ports))
    from taisai.accept.screen import run_screen

    return run_screen(f"Acceptance, station {here.name}", ports, work)


def _round(jobs: list[dict], view: "View", finish: "Callable[[list[Result]], None]") -> "list[Result]":
    from taisai.accept.workers import run_jobs

    results = run_jobs(jobs, view)
    finish(results)
    return results


def _loop(
    here: "Station", ports: list[str], make: "Jobs", view: "View", pattern: str | None,
    finish: "Callable[[list[Result]], None]",
) -> "list[Result]":  # fmt: skip
    from taisai.accept.serials import PATTERN
    from taisai.accept.station_loop import work

    return work(here, ports, make, view, pattern or PATTERN, finish)


def _file(here: "Station", database: str | None, results: "list[Result]") -> None:
    """Everything that follows a round: runs that were cut off, certificates, the database."""
    from taisai.records.database import Database

    recovered = here.recover()
    for entry in recovered:
        talk(f"taisai: a run was cut off; it is record {entry.number} now: {entry.record.headline}")
    _papers(here, {each.number for each in results} | {entry.number for entry in recovered})
    try:
        with Database(database or here.database_url) as found:
            found.send(here.ledger)
    except TaisaiError as error:
        talk(f"taisai: {error}; the records are in {here.ledger.path}, send them later with: taisai records send")


def _show(results: "list[Result]", as_json: bool) -> None:
    shown = [vars(each) for each in results]
    if as_json:
        print_json(shown[0] if len(shown) == 1 else shown)
    else:
        for each in results:
            print(_line(each))
    code = _exit([each.exit for each in results])
    if code != EXIT_PASS:
        raise typer.Exit(code)


def _papers(here: "Station", numbers: "set[int | None]") -> None:
    """Certificate and JUnit XML of these records."""
    from taisai.records.certificate import certificate
    from taisai.records.junit import junit

    for entry in here.ledger.entries():
        if entry.number in numbers:
            name = f"{entry.number:06d}-{entry.record.unit.serial_number}"
            here.keep("certificates", f"{name}.html", certificate(entry).encode("utf-8"))
            here.keep("junit", f"{name}.xml", junit(entry).encode("utf-8"))


def _line(result: "Result") -> str:
    if result.record is None:
        return f"ERROR {result.serial_number}: {result.text}"
    reason = f": {result.record['reason']}" if result.record["reason"] else ""
    simulated = " (simulated)" if result.record["simulated"] else ""
    return f"{result.record['outcome']} {result.serial_number}{simulated}{reason} [record {result.number}]"


def _exit(codes: list[int]) -> int:
    """Of several units: a failed one first, then an interruption, then whatever else was not a pass."""
    for code in (EXIT_UNIT_FAILED, EXIT_INTERRUPTED):
        if code in codes:
            return code
    return max(codes, default=EXIT_PASS)
