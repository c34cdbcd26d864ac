"""`taisai configure`: a table's settings and identity: read, change, save to a file, load from one."""

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tablecore import settings
from taisai.cli.options import Json, PortName, ServiceKeysFile
from taisai.cli.output import print_json, print_table, talk
from taisai.cli.trust import service_keys_in
from taisai.errors import DataErrors, Problem, TaisaiError

if TYPE_CHECKING:
    from taisai.client import Board

FORMAT = 1
PARTS = {"settings": settings.SETTINGS, "identity": settings.IDENTITY}
ACTIONS = ("get", "set", "export", "import", "service-key")


def configure(
    action: Annotated[str, typer.Argument(metavar="get|set|export|import|service-key", help="What to do.")],
    what: Annotated[
        list[str] | None,
        typer.Argument(metavar="KEY|KEY=VALUE|FILE", help="KEY for get, KEY=VALUE for set, FILE for the others."),
    ] = None,
    port: PortName = None,
    service_keys: ServiceKeysFile = None,
    as_json: Json = False,
) -> None:
    """Read or change a table's settings and identity, or give it a service key.

    `get` prints all of them, or the keys that are named. `set` changes those that are given as KEY=VALUE; an empty
    value takes an identity key away. `export` writes them to a file, or prints them; `import` sets what a file holds.
    Values are checked before anything is sent: one that is wrong changes nothing. Whoever changes something also tells
    the board what time it is.

    `service-key` gives the board a new service key, its first or another one, and keeps it in the file that
    --service-keys names. From then on nobody changes anything on this board without that file. The key travels over
    the cable in the clear.
    """
    given = what or []
    if action == "get":
        _get(given, port, as_json)
    elif action == "set":
        _set(_parse(given), port, service_keys, as_json)
    elif action == "export":
        _export(_file(action, given, needed=False), port)
    elif action == "import":
        _set(_changes(_file(action, given, needed=True)), port, service_keys, as_json)
    elif action == "service-key":
        _give_key(given, port, service_keys, as_json)
    else:
        raise TaisaiError(f"configure {action}: the actions are {', '.join(ACTIONS)}")


def _get(keys: list[str], port: str | None, as_json: bool) -> None:
    for key in keys:
        _part_of(key)
    with _board(port) as board:
        found = _all(board)
    _print({part: {k: v for k, v in found[part].items() if not keys or k in keys} for part in PARTS}, as_json)


def _set(changes: dict[str, dict], port: str | None, service_keys: Path | None, as_json: bool) -> None:
    """Judge everything, then send."""
    problems = [
        Problem(part, key, changes[part].get(key), text)
        for part, rows in PARTS.items()
        for key, text in settings.check(rows, changes[part])
    ]
    if problems:
        raise DataErrors(problems)
    if not any(changes.values()):
        raise TaisaiError("configure: nothing to set: give KEY=VALUE, or a file that holds settings or identity")
    from taisai.client.session import session, tell_time

    with _board(port) as board:
        with session(board, service_keys_in(service_keys)):
            if trouble := tell_time(board, time.time()):
                talk(f"taisai: {trouble}")
            if changes["settings"]:
                board.set_settings(changes["settings"])
            if changes["identity"]:
                board.set_unit_identity(changes["identity"])
        found = _all(board)
    _print({part: {key: found[part][key] for key in changes[part]} for part in PARTS}, as_json)


def _give_key(given: list[str], port: str | None, service_keys: Path | None, as_json: bool) -> None:
    from taisai.client.session import give_key

    keys = service_keys_in(service_keys)
    if given or keys is None:
        raise TaisaiError("configure service-key: name the file that is to keep the key with --service-keys FILE")
    with _board(port) as board:
        give_key(board, keys)
        name = board.identity.board
    if as_json:
        print_json({"board": name, "service_keys": str(keys.path)})
    else:
        talk(f"taisai: board {name} has a new service key; {keys.path} keeps it: make a copy, and guard both")


def _export(path: Path | None, port: str | None) -> None:
    with _board(port) as board:
        content = {"format": FORMAT, "board": board.identity.board, "table": board.identity.table, **_all(board)}
    if path is None:
        print_json(content)
        return
    try:
        path.write_text(json.dumps(content, indent=2) + "\n", encoding="ascii")
    except OSError as error:
        raise TaisaiError(f"{path}: cannot be written: {error.strerror}") from error
    talk(f"taisai: settings and identity of board {content['board']} are in {path}")


def _board(port: str | None) -> "Board":
    from taisai.client import open_board

    return open_board(port)


def _all(board: "Board") -> dict[str, dict]:
    return {"settings": _sorted(board.settings(), "settings"), "identity": _sorted(board.unit_identity(), "identity")}


def _sorted(values: dict, part: str) -> dict:
    """In the order of the rows: a board sends them in any order."""
    return {row.name: values[row.name] for row in PARTS[part] if row.name in values}


def _part_of(key: str) -> tuple[str, settings.Row]:
    for part, rows in PARTS.items():
        if row := settings.find(rows, key):
            return part, row
    known = ", ".join(row.name for rows in PARTS.values() for row in rows)
    raise TaisaiError(f"{key}: no such key; the keys are {known}")


def _parse(words: list[str]) -> dict[str, dict]:
    changes: dict[str, dict] = {part: {} for part in PARTS}
    for word in words:
        key, equals, text = word.partition("=")
        if not equals:
            raise TaisaiError(f"configure set {word}: give KEY=VALUE")
        part, row = _part_of(key)
        changes[part][key] = _value(row, text)
    return changes


def _value(row: settings.Row, text: str) -> object:
    """What the text stands for; one that is no whole number stays text, which the check then refuses by name."""
    if text == "" and row.kind.endswith("?"):
        return None
    if row.kind == "flag":
        return {"true": True, "false": False}.get(text.lower(), text)
    if row.kind == "integer":
        try:
            return int(text)
        except ValueError:
            return text
    return text


def _file(action: str, given: list[str], *, needed: bool) -> Path | None:
    if len(given) > 1 or (needed and not given):
        raise TaisaiError(f"configure {action}: give one file")
    return Path(given[0]) if given else None


def read_export(path: Path) -> dict:
    """What `export` wrote: board, table, settings and identity, not judged yet. TaisaiError when it is none."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise TaisaiError(f"{path}: cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise TaisaiError(f"{path}: is not JSON, as taisai configure export writes it: {error}") from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise TaisaiError(f"{path}: is no export of this tool (format {FORMAT})")
    content = {"board": None, "table": None, **dict.fromkeys(PARTS, {}), **content}
    for part in PARTS:
        if not isinstance(content[part], dict):
            raise DataErrors([Problem(str(path), part, content[part], "must be an object")])
    return content


def _changes(path: Path) -> dict[str, dict]:
    content = read_export(path)
    return {part: content[part] for part in PARTS}


def _print(found: dict[str, dict], as_json: bool) -> None:
    if as_json:
        print_json(found)
        return
    print_table(
        ["key", "value"], [[key, _as_text(value)] for values in found.values() for key, value in values.items()]
    )


def _as_text(value: object) -> str:
    """A value as `set` takes it; one that is absent as a dash."""
    if value is None:
        return "-"
    return str(value).lower() if isinstance(value, bool) else str(value)
