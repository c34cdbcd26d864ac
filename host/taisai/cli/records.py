"""`taisai records`: what acceptance has found: list, show, verify, export, count, and send what was held back."""

from typing import TYPE_CHECKING, Annotated

import typer

from taisai.cli.factory import require_factory
from taisai.cli.options import DatabaseUrl, Json, StationFolder
from taisai.cli.output import print_json, print_table, talk
from taisai.cli.trust import Keys, trusted_keys
from taisai.errors import EXIT_UNIT_FAILED, TaisaiError

if TYPE_CHECKING:
    from taisai.records.ledger import Entry
    from taisai.records.station import Station

ACTIONS = ("list", "show", "verify", "export", "yield", "pareto", "send")
_HEADINGS = ["record", "ended (UTC)", "serial number", "table", "outcome", "operator", "why"]


def records(
    action: Annotated[str, typer.Argument(metavar="|".join(ACTIONS), help="What to do.")],
    which: Annotated[
        str | None, typer.Argument(metavar="[RECORD]", help="show: number of the record, or the unit's serial number.")
    ] = None,
    station: StationFolder = None,
    database: DatabaseUrl = None,
    key: Keys = None,
    form: Annotated[str, typer.Option("--format", metavar="csv|json", help="export: CSV or JSON.")] = "csv",
    simulated: Annotated[
        bool, typer.Option("--simulated", help="yield, pareto: count the runs on simulated boards, and those alone.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Look at the records of acceptance, verify them, export them, count them, send them to a database.

    They are read from the station's own file; with --database from the database of all stations. `verify` finds a
    record that was changed, cut off, left out or moved, also when every hash was worked out anew; --key names the
    station's public key, which should have come by another way than the records, and --database lets the database bear
    witness too. `yield` is the share of units that passed at their first run, `pareto` tells which steps fail most.
    `send` gives the database what an outage held back.
    """
    if action not in ACTIONS:
        raise TaisaiError(f"records {action}: the actions are {', '.join(ACTIONS)}")
    if (which is None) == (action == "show"):
        raise TaisaiError(
            "records show: name one record by its number, or a unit by its serial number; no other action does"
        )
    require_factory()
    from taisai.records.station import Station

    here = Station(station)
    for entry in here.recover():
        talk(f"taisai: a run was cut off; it is record {entry.number} now: {entry.record.headline}")
    if action == "verify":
        _verify(here, database, trusted_keys(key), as_json)
    elif action == "send":
        _send(here, database, as_json)
    else:
        _read(action, which, _entries(here, database), form, simulated, as_json)


def _entries(here: "Station", database: str | None) -> "list[Entry]":
    if database is None:
        return list(here.ledger.entries())
    from taisai.records.database import Database

    with Database(database) as found:
        return list(found.entries())


def _read(action: str, which: str | None, found: "list[Entry]", form: str, simulated: bool, as_json: bool) -> None:
    from taisai.records import exporting, statistics

    judged = statistics.judged([entry.record for entry in found], simulated)
    if action == "list":
        _list(found, as_json)
    elif action == "show":
        _show(
            [entry for entry in found if which in (str(entry.number), entry.record.unit.serial_number)], which, as_json
        )
    elif action == "export":
        if form not in exporting.FORMS:
            raise TaisaiError(f"records export --format {form}: one of {', '.join(exporting.FORMS)}")
        print(exporting.export(found, form), end="")
    elif action == "yield":
        counted = statistics.first_pass_yield(judged)
        if as_json:
            print_json({**vars(counted), "percent": counted.percent})
        else:
            print(f"{counted.units} units, {counted.first_pass} passed at their first run ({counted.percent or 0} %), "
                  f"{counted.passed} in the end")  # fmt: skip
    else:
        rows = statistics.pareto(judged)
        if as_json:
            print_json([{"step": name, "failures": count, "percent_up_to_here": share} for name, count, share in rows])
        else:
            print_table(["step", "failures", "% with those above"], [[name, str(n), f"{s:g}"] for name, n, s in rows])


def _list(found: "list[Entry]", as_json: bool) -> None:
    rows = [
        [str(each.number), each.record.ended_utc, each.record.unit.serial_number, each.record.unit.table or "-",
         each.record.outcome + (" (simulated)" if each.record.simulated else ""), each.record.operator,
         each.record.reason or ""]
        for each in found
    ]  # fmt: skip
    if as_json:
        names = ("number", "ended_utc", "serial_number", "table", "outcome", "operator", "reason")
        print_json([dict(zip(names, row, strict=True)) for row in rows])
    else:
        print_table(_HEADINGS, rows)


def _show(found: "list[Entry]", which: str, as_json: bool) -> None:
    if not found:
        raise TaisaiError(f"records show {which}: there is no such record; taisai records list names them")
    if as_json:
        print_json([{"number": each.number, "hash": each.hash, **each.record.as_dict()} for each in found])
        return
    for entry in found:
        record = entry.record
        print(f"record {entry.number}, hash {entry.hash}\n{record.headline}")
        print(f"{record.started_utc} to {record.ended_utc} UTC, {record.operator} at {record.station}, {record.port}")
        for step in record.steps:
            print(f"  {step.outcome:10} {step.name}, {step.seconds:g} s" + (f": {step.reason}" if step.reason else ""))
            for each in step.measurements:
                value = "-" if each.value is None else f"{each.value} {each.unit}".strip()
                word = {None: "not taken", True: "marginal" if each.marginal else "good", False: "BAD"}[each.good]
                print(f"    {each.name}: {value} ({limits(each.lower, each.upper)}): {word}")


def limits(lower: float | None, upper: float | None) -> str:
    """Limits in words."""
    low, high = (f"{'' if each is None else f'{each:g}'}" for each in (lower, upper))
    if low and high:
        return f"{low} to {high}"
    return f"at least {low}" if low else f"at most {high}" if high else "no limit"


def _verify(here: "Station", database: str | None, trusted: list[bytes], as_json: bool) -> None:
    from taisai.records.database import Database
    from taisai.records.verify import verify

    witnesses = None
    if database is not None:
        with Database(database) as found:
            witnesses = found.hashes(here.ledger)
    elif not here.used:
        raise TaisaiError(f"{here.folder}: no unit was tested at this station yet, so there is nothing to verify")
    finding = verify(here.ledger.path, trusted or [here.public_key], witnesses)
    if not trusted:
        finding.notes.append(
            "checked with the key in the station's own folder: name --key to rule out that it was exchanged"
        )
    if as_json:
        print_json(vars(finding))
    else:
        for problem in finding.problems:
            print(f"{finding.file}: NOT GOOD: {problem}")
        if not finding.problems:
            print(f"{finding.file}: good: station {finding.station}, {finding.count} records")
        for note in finding.notes:
            talk(f"taisai: {note}")
    if finding.problems:
        raise typer.Exit(EXIT_UNIT_FAILED)


def _send(here: "Station", database: str | None, as_json: bool) -> None:
    from taisai.records.database import Database

    with Database(database or here.database_url) as found:
        count = found.send(here.ledger)
        name = found.name
    if as_json:
        print_json({"database": name, "sent": count})
    else:
        print(f"{count} records sent to {name}")
