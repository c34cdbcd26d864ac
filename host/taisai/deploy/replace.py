"""A spare controller takes the place of one that failed: its settings and identity, and its journal from the exports.

The spare then is that unit: records go on where the exports end. Its own service key and calibration stay its own.
"""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256

from tablecore import settings, shelf
from taisai.client.board import Board
from taisai.client.servicekeys import ServiceKeys
from taisai.client.session import session
from taisai.deploy.errors import DeployError, NotStarted, WriteFailed
from taisai.deploy.installer import Installer
from taisai.deploy.reach import Reach
from taisai.errors import EXIT_UNIT_FAILED, TaisaiError
from taisai.journal.reading import read
from taisai.journal.rebuild import Rebuilt

_STARTS_S = 20.0
_OF_GAMES = ("result", "amend", "void", "end")
_FOLDERS = (shelf.FOLDER, shelf.TAIL_FOLDER)


@dataclass(frozen=True)
class Failed:
    """What there is of the controller that failed. `found`: its records, in order."""

    board: str
    table: str
    settings: dict
    identity: dict
    found: list[dict]


class OwnRecords(TaisaiError):
    """The spare has records of its own that nobody has exported."""

    exit_code = EXIT_UNIT_FAILED


@dataclass
class Replacement:
    """What is done to the spare. `open`: (game, dice) of a result that was lit when the controller failed, and that the
    spare will light. `overwritten`: records of its own that go.
    """

    board: str
    failed: str
    records: int
    last: int
    open: tuple[int, str] | None
    settings: dict
    identity: dict
    overwritten: int


def plan(spare: Board, failed: Failed, rebuilt: Rebuilt, discard_records: bool) -> Replacement:
    """What would be done; TaisaiError when this spare cannot take the place."""
    own = spare.identity
    if own.board == failed.board:
        raise DeployError(f"{spare.port}: this is board {own.board} itself, not a spare for it")
    if own.table != failed.table:
        raise DeployError(f"{spare.port}: the spare is table {own.table}, the failed one was {failed.table}: flash it")
    state = spare.journal_state()
    if not discard_records and any(entry["kind"] in _OF_GAMES for entry in read(spare, state["exported"] + 1)):
        raise OwnRecords(
            f"{spare.port}: the spare has records of games that were never exported: run taisai journal export first, "
            "or say --discard-records"
        )
    return Replacement(
        board=own.board,
        failed=failed.board,
        records=len(failed.found),
        last=rebuilt.last,
        open=rebuilt.open,
        settings=_known(settings.SETTINGS, failed.settings),
        identity=_known(settings.IDENTITY, failed.identity),
        overwritten=state["next"] - 1,
    )


def carry_out(
    reach: Reach,
    spare: Board,
    todo: Replacement,
    rebuilt: Rebuilt,
    keys: ServiceKeys | None,
    stage: Callable[[str], None],
) -> dict:
    """Do it and prove it; the state that the table is in afterwards. Cut off, it is run again from the start."""
    stage("writing settings and identity")
    with session(spare, keys):
        if todo.settings:
            spare.set_settings(todo.settings)
        if todo.identity:
            spare.set_unit_identity(todo.identity)
    stage("entering service mode")
    repl = reach.prompt(spare)
    installer = Installer(repl)
    stage("writing the journal")
    _write(installer, rebuilt)
    stage("restarting the board")
    reach.restart(repl)
    board = reach.wait_started(_STARTS_S)
    if board.identity.board != todo.board:
        raise NotStarted(f"{reach.name}: another board answers after the restart")
    _prove(board, todo, rebuilt)
    return board.state()


def _write(installer: Installer, rebuilt: Rebuilt) -> None:
    installer.empty(list(_FOLDERS))  # the spare's firmware has made them
    installer.put(rebuilt.files, lambda _: None)


def _prove(board: Board, todo: Replacement, rebuilt: Rebuilt) -> None:
    """The board has read the journal, goes on after it, and each of its older files is as it was sent."""
    name = f"{board.port}: board {todo.board}"
    state = board.journal_state()
    if state["failed"] or state["damaged"] or state["next"] < rebuilt.next or state["exported"] != rebuilt.last:
        raise WriteFailed(f"{name}: the journal does not read back as it was sent: run this again")
    segments = sorted(path for path in rebuilt.files if path.startswith(shelf.FOLDER) and path != shelf.MARK)
    for path in segments[:-1]:  # the newest may have grown since
        nonce = secrets.token_bytes(16)
        content = rebuilt.files[path]
        if board.file_hash(path, nonce) != (len(content), sha256(nonce + content).hexdigest()):
            raise WriteFailed(f"{name}: {path} does not read back as it was sent: run this again")
    values, unit = board.settings(), board.unit_identity()
    if values != values | todo.settings or unit != unit | todo.identity:
        raise WriteFailed(f"{name}: settings or identity are not what they should be: run this again")


def _known(rows: tuple, values: dict) -> dict:
    """What this version knows of the values; TaisaiError names one that is out of range."""
    known = {name: value for name, value in values.items() if settings.find(rows, name)}
    if wrong := settings.check(rows, known):
        raise TaisaiError(f"the export of the failed controller: {wrong[0][0]} {wrong[0][1]}")
    return known
