"""Export files: JSON lines or CSV, one record on each line with its hash; the heading and the seal are lines too.

Both forms hold the same values, so that both are verified in the same way. In CSV the first line has the names of the
columns, and heading and seal stand at the end, for programs that expect nothing else above the records.
"""

import csv
import io
import json
import re
from pathlib import Path

from taisai.errors import TaisaiError
from taisai.journal.chain import Export
from taisai.journal.entries import NAMES, WHOLE_NUMBERS, Entry

FORMS = ("jsonl", "csv")
_HEADING, _SEAL = "#heading", "#seal"
_NAME = re.compile(r"journal-(?P<board>[0-9a-f]+)-(?P<first>\d+)-(?P<last>\d+)\.(?:jsonl|csv)")


def file_name(board: str, first: int, last: int, form: str) -> str:
    """How an export of these records is called."""
    return f"journal-{board}-{first:08d}-{last:08d}.{form}"


def earlier(folder: Path, board: str) -> list[Path]:
    """The exports of this board in a folder, in the order of their records."""
    found = []
    for path in folder.glob("journal-*"):
        match = _NAME.fullmatch(path.name)
        if match and match["board"] == board:
            found.append((int(match["first"]), int(match["last"]), path))
    return [path for *_, path in sorted(found)]


def write(path: Path, export: Export, form: str) -> None:
    """Write an export; the file is there whole or not at all, and never over another one."""
    fresh = path.with_name(path.name + ".new")
    try:
        if path.exists():
            raise TaisaiError(f"{path} exists already: an export is never overwritten")
        with fresh.open("w", encoding="ascii", newline="") as file:
            file.write(_text(export, form))
        fresh.replace(path)
    except OSError as error:
        raise TaisaiError(f"{path} cannot be written: {error.strerror}") from error


def load(path: Path) -> Export:
    """What a file holds, not verified. ValueError with a plain reason when it has not the form of an export."""
    try:
        text = path.read_bytes().decode("ascii")
    except OSError as error:
        raise TaisaiError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError:
        raise ValueError("it is not a text of plain characters") from None
    if not text:
        raise ValueError("it is empty")
    form = "jsonl" if text.startswith("{") else "csv"
    try:
        heading, rows, seal = _from_jsonl(text) if form == "jsonl" else _from_csv(text)
        export = Export(heading, rows, [row.pop("hash") for row in rows], seal)
        # Exactly as it was written: else a line could show a person something that the hash does not cover.
        same = _text(export, form) == text
    except (KeyError, TypeError, AttributeError, IndexError, ValueError, csv.Error, RecursionError):
        same = False
    if not same:
        raise ValueError("it is not in the form that this tool writes, or its heading or seal is missing")
    return export


def _text(export: Export, form: str) -> str:
    return _jsonl(export) if form == "jsonl" else _csv(export)


def _jsonl(export: Export) -> str:
    rows = [{"heading": export.heading}]
    rows += [{**entry, "hash": digest} for entry, digest in zip(export.entries, export.hashes, strict=True)]
    rows.append({"seal": export.seal})
    return "".join(json.dumps(row) + "\n" for row in rows)


def _csv(export: Export) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*NAMES, "hash"])
    for entry, digest in zip(export.entries, export.hashes, strict=True):
        writer.writerow([*(entry.get(name, "") for name in NAMES), digest])
    writer.writerow([_HEADING, json.dumps(export.heading)])
    writer.writerow([_SEAL, json.dumps(export.seal)])
    return text.getvalue()


def _from_jsonl(text: str) -> tuple[dict, list[Entry], dict]:
    rows = [json.loads(line) for line in text.splitlines()]
    return rows[0]["heading"], rows[1:-1], rows[-1]["seal"]


def _from_csv(text: str) -> tuple[dict, list[Entry], dict]:
    names, *rows, heading, seal = csv.reader(io.StringIO(text))
    return json.loads(heading[1]), [_row(names, row) for row in rows], json.loads(seal[1])


def _row(names: list[str], values: list[str]) -> Entry:
    """A line of CSV as the record it was made from; absent where nothing stands."""
    return {
        name: int(value) if name in WHOLE_NUMBERS and value.isdigit() else value
        for name, value in zip(names, values, strict=True)
        if value != ""
    }
