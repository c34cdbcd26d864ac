"""`taisai replace`: let a spare controller take the place of one that failed."""

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from taisai.cli.configure import read_export
from taisai.cli.options import Json, PortName, ServiceKeysFile
from taisai.cli.output import print_json, talk
from taisai.cli.trust import Keys, service_keys_in, trusted_keys
from taisai.errors import EXIT_UNIT_FAILED, TaisaiError

if TYPE_CHECKING:
    from taisai.deploy.replace import Failed, Replacement

CALIBRATE = (
    "the spare has not been calibrated with the lamps of this table: where the controller has a current sense do that "
    "now, and have the supervisor make a test run (hold ENTRY with the key-switch on) before the next game"
)


class BadExports(TaisaiError):
    """The exports do not prove what the failed controller had recorded."""

    exit_code = EXIT_UNIT_FAILED


def replace(
    unit: Annotated[Path, typer.Argument(metavar="UNIT", help="What `taisai configure export` wrote.")],
    exports: Annotated[
        list[Path], typer.Argument(metavar="EXPORT...", help="Every journal export of the failed controller.")
    ],
    port: PortName = None,
    key: Keys = None,
    service_keys: ServiceKeysFile = None,
    discard_records: Annotated[
        bool, typer.Option("--discard-records", help="Destroy records of games that the spare has of its own.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before the spare is changed.")] = False,
    as_json: Json = False,
) -> None:
    """Let a spare controller take the place of one that failed.

    The spare has been flashed with the same table. It gets the settings and the identity of the failed controller,
    and its journal from the exports, which must be signed with a key that --key names and follow each other without a
    gap. Its records then go on where the exports end. A result that was lit when the last export was made will be lit
    again. The service key does not move. Afterwards the spare has to be calibrated.
    """
    from taisai.client.transport import open_port
    from taisai.deploy.backends import mpremote
    from taisai.deploy.reach import Reach
    from taisai.deploy.replace import carry_out, plan
    from taisai.deploy.targets import find_targets
    from taisai.journal.rebuild import Rebuilt

    failed = _failed(unit, exports, trusted_keys(key))
    (target,) = find_targets([] if port is None else [port], every=False)
    keys = service_keys_in(service_keys)
    reach = Reach(lambda: open_port(target.where), mpremote.raw_repl, keys)
    try:
        spare = reach.board()
        if spare is None:
            raise TaisaiError(f"{target.where}: no table runs there: reset the spare, or flash it first")
        rebuilt = Rebuilt(failed.found, spare.identity.mcu)
        todo = plan(spare, failed, rebuilt, discard_records)
        _show(todo)
        if not yes:
            _ask()
        state = carry_out(reach, spare, todo, rebuilt, keys, lambda text: talk(f"{target.where}: {text}"))
    finally:
        reach.close()
    if as_json:
        print_json({**asdict(todo), "state": state})
    else:
        print(f"PASS board {todo.board} is the unit of board {todo.failed} now; state {state['state']}")
    talk(f"taisai: {CALIBRATE}")


def _failed(unit: Path, exports: list[Path], trusted: list[bytes]) -> "Failed":
    """What the files say, once they are proved."""
    from taisai.deploy.replace import Failed
    from taisai.journal import files
    from taisai.journal.verify import verify

    content = read_export(unit)
    findings = verify(exports, trusted)
    problems = [f"{finding.file}: {problem}" for finding in findings for problem in finding.problems]
    for finding in findings:
        if not finding.problems and finding.board != content["board"]:
            problems.append(f"{finding.file}: it is of board {finding.board}, and {unit} of board {content['board']}")
    if not problems and findings[0].first != 1:
        problems.append(f"{findings[0].file}: it begins with record {findings[0].first}: one before it is missing")
    found = [] if problems else [entry for each in findings for entry in files.load(Path(each.file)).entries]
    if not problems and not found:
        problems.append("the exports have no records: taisai configure import moves settings and identity alone")
    if problems:
        raise BadExports("\n".join(["nothing was changed:", *problems]))
    return Failed(content["board"], content["table"], content["settings"], content["identity"], found)


def _show(todo: "Replacement") -> None:
    name = todo.identity.get("serial_number") or "without serial number"
    settings = ", ".join(f"{key} {value}" for key, value in todo.settings.items()) or "as delivered"
    lines = [
        f"board {todo.board} becomes the unit of board {todo.failed} ({name})",
        f"settings: {settings}",
        f"journal: {todo.records} records, the last is number {todo.last}; it loses {todo.overwritten} of its own",
    ]
    if todo.open is not None:
        lines.append(f"game {todo.open[0]} ({todo.open[1]}) was lit: the spare will light it; holding ENTRY ends it")
    for line in lines:
        talk(f"taisai: {line}")


def _ask() -> None:
    if not sys.stdin.isatty():
        raise TaisaiError("nothing was changed: say --yes to agree")
    if input("Go on? Type yes: ").strip().lower() != "yes":
        raise TaisaiError("nothing was changed")
