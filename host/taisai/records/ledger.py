"""The station's ledger: an append-only file with one line for each record, chained and signed.

The first line is the heading: whose file it is. Every other line has a record, its hash, which covers the record and
the hash before, and a seal: the station's signature over the heading, the number of records so far and that hash. The
chain and the seal are those of the journal's exports (taisai.journal.chain). A second file beside it, `.seal`, has the
newest seal: without it the last record could be cut off and nobody would notice.

Whoever has the station's private key can write anything; whoever puts back an older pair of both files, made by the
station itself, is found only by a second witness: the database, or a certificate with a higher number.
"""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from filelock import FileLock

from taisai.build.signing import raw_public, sign
from taisai.errors import TaisaiError
from taisai.journal.chain import canonical, first_hash, next_hash, signed_bytes
from taisai.records.model import Record

FORMAT = 1
_LOCK_S = 30


@dataclass(frozen=True)
class Entry:
    """One line. `number` counts from 1; `line` is the line as it stands in the file."""

    number: int
    record: Record
    hash: str
    seal: dict
    line: str


class Ledger:
    """The file `path`; made with its heading by the first record. Several programs may append at once."""

    def __init__(self, path: Path):
        self.path = path
        self.seal_path = path.with_suffix(".seal")
        self._lock = FileLock(path.with_suffix(".lock"), timeout=_LOCK_S)

    def append(self, record: Record, key: Ed25519PrivateKey) -> Entry:
        """Add a record and seal it; on disk before this returns. TaisaiError when it cannot be: nothing is added then.

        A line that was cut off while it was written is removed first: its record is still in the file of its run.
        """
        try:
            with self._lock:
                return self._append(record, key)
        except OSError as error:
            raise TaisaiError(f"{self.path}: the record cannot be written: {error.strerror or error}") from error

    def entries(self) -> Iterator[Entry]:
        """Every record in order, not verified. TaisaiError naming the line that is none."""
        for number, line in enumerate(self.lines()[1:], 1):
            try:
                yield parse(line)
            except ValueError as error:
                raise TaisaiError(
                    f"{self.path}: line {number + 1} is no record ({error}): taisai records verify"
                ) from error

    def lines(self) -> list[str]:
        """Every line without its end; one that was cut off while it was written is left out."""
        try:
            text = self.path.read_text(encoding="ascii")
        except FileNotFoundError:
            return []
        except (OSError, UnicodeDecodeError) as error:
            raise TaisaiError(f"{self.path}: cannot be read: {error}") from error
        return text.split("\n")[:-1]

    def heading(self) -> dict | None:
        """The heading, None when there is no file yet. ValueError when the first line is none."""
        lines = self.lines()
        if not lines:
            return None
        heading = json.loads(lines[0]).get("heading")
        if not isinstance(heading, dict):
            raise ValueError("its first line is no heading")
        return heading

    def _append(self, record: Record, key: Ed25519PrivateKey) -> Entry:
        lines = self.lines()
        fresh = ""
        if not lines:
            heading = {"format": FORMAT, "station": record.station, "key": raw_public(key.public_key()).hex()}
            fresh = _line({"heading": heading})
            head, count = first_hash(heading), 0
        else:
            heading = json.loads(lines[0])["heading"]
            last = parse(lines[-1]) if len(lines) > 1 else None
            head, count = (last.hash, last.number) if last else (first_hash(heading), 0)
        content = record.as_dict()
        seal = {"count": count + 1, "last": count + 1, "missing": [], "head": next_hash(head, content)}
        made = sign(key, signed_bytes(heading, seal))
        seal |= {"key": made.key.hex(), "signature": made.signature.hex()}
        line = _line({"number": count + 1, "record": content, "hash": seal["head"], "seal": seal})
        self._write(sum(len(each) + 1 for each in lines), fresh + line)
        self._write_seal(seal)
        return Entry(count + 1, record, seal["head"], seal, line.rstrip("\n"))

    def _write(self, at: int, text: str) -> None:
        """Write behind the last whole line; on failure the file is as long as before."""
        with self.path.open("ab") as file:
            file.truncate(at)
            try:
                file.write(text.encode("ascii"))
                file.flush()
                os.fsync(file.fileno())
            except OSError:
                os.truncate(self.path, at)
                raise

    def _write_seal(self, seal: dict) -> None:
        fresh = self.seal_path.with_suffix(".seal.new")
        with fresh.open("w", encoding="ascii") as file:
            file.write(_line(seal))
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, self.seal_path)


def parse(line: str) -> Entry:
    """A line as an entry; ValueError when it is not exactly what `append` writes."""
    try:
        content = json.loads(line)
        entry = Entry(content["number"], Record(**content["record"]), content["hash"], content["seal"], line)
        same = _line(content) == line + "\n" and entry.record.as_dict() == content["record"]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(str(error).partition("\n")[0] or type(error).__name__) from error
    if not same:
        raise ValueError("it is not in the form that this tool writes")
    return entry


def _line(content: dict) -> str:
    return canonical(content).decode("ascii") + "\n"
