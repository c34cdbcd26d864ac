"""`taisai journal`: what a table has recorded: look at it, follow it, export it, verify exports."""

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from taisai.cli.options import PortName, ServiceKeysFile
from taisai.cli.output import print_json, print_table, talk
from taisai.cli.trust import service_keys_in
from taisai.errors import EXIT_UNIT_FAILED, TaisaiError

if TYPE_CHECKING:
    from taisai.client import Board
    from taisai.journal.entries import Entry
    from taisai.journal.verify import Finding

ACTIONS = ("list", "follow", "export", "verify")
_HEADINGS = ("record", "kind", "game", "throw", "before", "time (UTC)", "from", "uptime s", "detail")
_COLUMNS = ("sequence", "kind", "game", "throw", "previous", "time_utc", "time_source", "uptime_s", "detail")
_LIST_COUNT = 20


def journal(
    action: Annotated[str, typer.Argument(metavar="list|follow|export|verify", help="What to do.")],
    files: Annotated[list[Path] | None, typer.Argument(metavar="[FILE...]", help="The exports to verify.")] = None,
    port: PortName = None,
    last: Annotated[int, typer.Option("--last", min=1, metavar="N", help="list: so many records.")] = _LIST_COUNT,
    seconds: Annotated[
        float | None, typer.Option("--for", metavar="SECONDS", min=0, help="follow: end after so long.")
    ] = None,
    key: Annotated[
        list[Path] | None,
        typer.Option(
            "--key",
            metavar="FILE",
            help="export: this station's private key. verify: a public key that is trusted; may be repeated.",
        ),
    ] = None,
    to: Annotated[
        Path, typer.Option("--to", metavar="FOLDER", help="export: where the exports of this table are.")
    ] = Path("."),
    form: Annotated[str, typer.Option("--format", metavar="jsonl|csv", help="export: JSON lines or CSV.")] = "jsonl",
    service_keys: ServiceKeysFile = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the result as JSON; follow prints one object on each line.")
    ] = False,
) -> None:
    """Look at what a table has recorded, follow it, export it, verify exports.

    `list` prints the last records, `follow` each one as it is written. `export` writes what the exports in the folder
    do not have yet into a new file there, with a hash chain and the signature of this station's key (make one with
    `taisai key`), and tells the table how far it was exported, and what time it is; it says so when records are
    missing. A table that has a service key is told neither without --service-keys, and then goes on to warn of records
    that will be overwritten. `verify` checks one export or several that follow each other: any record that was changed,
    left out, added or moved is found. Times are UTC; one that the table did not know is absent.
    """
    if action not in ACTIONS:
        raise TaisaiError(f"journal {action}: the actions are {', '.join(ACTIONS)}")
    if files and action != "verify":
        raise TaisaiError(f"journal {action}: takes no files; it reads from a board")
    if action == "verify":
        _verify(files or [], key or [], as_json)
    elif action == "export":
        _export(port, key or [], to, form, service_keys, as_json)
    elif action == "list":
        _list(port, last, as_json)
    else:
        _follow(port, seconds, as_json)


def _board(port: str | None) -> "Board":
    from taisai.client import open_board

    return open_board(port)


def _list(port: str | None, count: int, as_json: bool) -> None:
    from taisai.journal.reading import newest

    with _board(port) as board:
        state = board.journal_state()
        found = newest(board, count)
    if as_json:
        print_json({"journal": state, "records": found})
        return
    print_table(list(_HEADINGS), [_row(entry) for entry in found])
    _tell_state(state)


def _follow(port: str | None, seconds: float | None, as_json: bool) -> None:
    from taisai.journal.reading import follow

    with _board(port) as board:
        clock = board.link.transport.now
        end = None if seconds is None else clock() + seconds
        for entry in follow(board, board.journal_state()["next"], lambda: end is not None and clock() >= end):
            print(json.dumps(entry) if as_json else _line(entry), flush=True)


def _export(
    port: str | None, keys: list[Path], folder: Path, form: str, service_keys: Path | None, as_json: bool
) -> None:
    from taisai.build.signing import load_private
    from taisai.journal import files
    from taisai.journal.exporting import export

    if len(keys) != 1:
        raise TaisaiError("journal export: name this station's private key with --key (make one with taisai key --new)")
    if form not in files.FORMS:
        raise TaisaiError(f"journal export --format {form}: one of {', '.join(files.FORMS)}")
    if not folder.is_dir():
        raise TaisaiError(f"{folder}: no such folder: make it first")
    station = load_private(keys[0])
    with _board(port) as board:
        done = export(board, station, folder, form, _Progress())
        marked = _mark(board, done.last, service_keys)
    _show_export(done, marked, as_json)
    if done.missing:
        raise typer.Exit(EXIT_UNIT_FAILED)


def _mark(board: "Board", last: int, service_keys: Path | None) -> int | None:
    """Tell the table how far it was exported; None when it cannot be told. The export is good either way."""
    from taisai.client.errors import NeedsKey, Refused, WrongKey
    from taisai.client.session import session, tell_time
    from taisai.journal.reading import now

    try:
        with session(board, service_keys_in(service_keys)):
            if trouble := tell_time(board, now()):
                talk(f"taisai: {trouble}")
            exported = board.journal_state()["exported"]
            return board.mark_exported(last) if last > exported else exported
    except (NeedsKey, Refused, WrongKey) as error:
        talk(f"taisai: the table was not told that this was exported: {error}")
        return None


def _show_export(done, marked: int | None, as_json: bool) -> None:
    if as_json:
        path = None if done.path is None else str(done.path)
        counted = {"count": done.count, "first": done.first, "last": done.last}
        print_json({"file": path, **counted, "missing": [list(each) for each in done.missing], "marked": marked})
    elif done.path is None:
        print("nothing new")
    else:
        print(f"{done.path}: {done.count} records, {done.first} to {done.last}")
    if done.missing:
        talk(f"taisai: records are missing: the table does not have {_ranges(done.missing)}")


def _verify(paths: list[Path], keys: list[Path], as_json: bool) -> None:
    from taisai.build.signing import load_public, raw_public
    from taisai.journal.verify import verify

    if not paths:
        raise TaisaiError("journal verify: name the exports")
    if not keys:
        raise TaisaiError("journal verify: name the public key of the station with --key: without it anyone can sign")
    found = verify(paths, [raw_public(load_public(each)) for each in keys])
    if as_json:
        print_json([vars(finding) for finding in found])
    else:
        for finding in found:
            print(_verdict(finding))
    if any(finding.problems for finding in found):
        raise typer.Exit(EXIT_UNIT_FAILED)


def _verdict(finding: "Finding") -> str:
    if finding.problems:
        return "\n".join(f"{finding.file}: NOT GOOD: {problem}" for problem in finding.problems)
    text = f"{finding.file}: good: board {finding.board}, {finding.count} records, {finding.first} to {finding.last}"
    if finding.missing:
        text += f"; the table did not have {_ranges(finding.missing)}"
    return text


def _ranges(missing: list) -> str:
    return ", ".join(f"{first}" if first == last else f"{first} to {last}" for first, last in missing)


def _row(entry: "Entry") -> list[str]:
    return [str(entry.get(name, "-")) for name in _COLUMNS]


def _line(entry: "Entry") -> str:
    return "  ".join(str(entry.get(name, "-")) for name in _COLUMNS)


def _tell_state(state: dict) -> None:
    """What somebody has to do about the journal, if anything."""
    if state["failed"]:
        talk("taisai: the table cannot write its journal")
    if state["damaged"]:
        talk(f"taisai: damage was found since the table's start; {state['dropped']} records could not be read")
    if state["low_storage"]:
        talk("taisai: so much damage is kept aside that games have to wait: export the journal")
    if state["export_due"]:
        talk("taisai: records will soon be overwritten that were never exported: export the journal")


class _Progress:
    """Says how far it is, on a line of its own, once it takes longer than a second."""

    def __init__(self):
        self._start = self._said = time.monotonic()

    def __call__(self, done: int, of: int) -> None:
        now = time.monotonic()
        if now - self._said >= 1 and of:
            self._said = now
            talk(f"taisai: {done} of {of} records read")
