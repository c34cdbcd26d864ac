"""One export: what is new on a board since the last one, into a file, and the board told so."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from taisai.errors import EXIT_UNIT_FAILED, TaisaiError
from taisai.journal import files
from taisai.journal.chain import FORMAT, NO_HEAD, Export, Range
from taisai.journal.entries import Entry, time_text
from taisai.journal.reading import now, read

if TYPE_CHECKING:
    from taisai.client import Board


class RecordsMissing(TaisaiError):
    """The board's journal is not the one that was exported before."""

    exit_code = EXIT_UNIT_FAILED


@dataclass(frozen=True)
class Outcome:
    """`path` None: there was nothing new. `missing`: records that the board does not have any more."""

    path: Path | None
    count: int
    first: int
    last: int
    missing: list[Range]


def export(
    board: "Board",
    key: Ed25519PrivateKey,
    folder: Path,
    form: str,
    progress: Callable[[int, int], None] | None = None,
) -> Outcome:
    """Write what the exports in `folder` do not have yet.

    RecordsMissing when the board's journal ends before them, or has another record where they end: then the board was
    erased or exchanged.
    """
    before = _last(folder, board.identity.board)
    first, head = 1, NO_HEAD
    if before is not None:
        first, head = before.seal["last"] + 1, before.head
        _check_same(board, before)
    found = list(read(board, first, progress))
    if not found:
        return Outcome(None, 0, first, first - 1, [])
    identity = board.identity
    heading = {
        "format": FORMAT,
        "board": identity.board,
        "serial_number": identity.serial_number,
        "table": identity.table,
        "table_digest": identity.table_digest,
        "firmware": identity.firmware,
        "first": first,
        "exported_utc": time_text(now()),
        "previous_head": head,
    }
    made = Export.make(heading, found, key)
    path = folder / files.file_name(identity.board, first, made.seal["last"], form)
    files.write(path, made, form)
    return Outcome(path, len(found), first, made.seal["last"], [tuple(each) for each in made.seal["missing"]])


def _last(folder: Path, board: str) -> Export | None:
    paths = files.earlier(folder, board)
    if not paths:
        return None
    try:
        return files.load(paths[-1])
    except ValueError as error:
        raise TaisaiError(f"{paths[-1]}: {error}: put it away, or name another folder") from error


def _check_same(board: "Board", before: Export) -> None:
    """The board still has, or has overwritten, the record that the last export ends with."""
    last: Entry | None = before.entries[-1] if before.entries else None
    state = board.journal_state()
    name = f"board {board.identity.board}"
    if last is None:
        return
    number = last["sequence"]
    if state["next"] <= number:
        raise RecordsMissing(
            f"records are missing: {name} was exported up to record {number}, and its journal now ends at "
            f"{state['next'] - 1}. Its memory was erased, or it is not the controller that it was. The exports are "
            "the record; keep them, and name another folder for what comes now"
        )
    if state["oldest"] <= number:
        there = next(iter(read(board, number)), None)
        if there != last:
            raise RecordsMissing(
                f"records are missing: record {number} of {name} is not the one that was exported. Its journal was "
                "begun anew. The exports are the record; keep them, and name another folder for what comes now"
            )
