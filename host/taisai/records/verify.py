"""Is a ledger what the station wrote, whole and in order?"""

import json
from dataclasses import dataclass, field
from pathlib import Path

from taisai.build.signing import Signature, short_name
from taisai.journal.chain import first_hash, next_hash, signed_bytes
from taisai.records.ledger import FORMAT, Entry, Ledger, parse


@dataclass
class Finding:
    """`problems` in words: none, and it is proved."""

    file: str
    station: str = ""
    count: int = 0
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def verify(path: Path, trusted: list[bytes], witnesses: dict[int, str] | None = None) -> Finding:
    """Judge a ledger. `trusted`: raw public keys of stations. `witnesses`: number to hash of records in a database.

    The first problem of the chain ends it: behind it nothing can be told apart.
    """
    finding = Finding(str(path))
    ledger = Ledger(path)
    lines = ledger.lines()
    try:
        heading = ledger.heading()
        if heading is None:
            raise ValueError("there is no ledger, or nothing in it")
        if heading.get("format") != FORMAT:
            raise ValueError(f"it has format {heading.get('format')}, and this tool knows {FORMAT}")
    except (ValueError, AttributeError) as error:
        finding.problems.append(str(error) or "its first line is no heading")
        return finding
    finding.station = str(heading.get("station"))
    entries = _chain(lines[1:], heading, trusted, finding)
    if not finding.problems:
        _newest(ledger, entries, heading, trusted, finding)
    finding.count = len(entries)
    for number, digest in sorted((witnesses or {}).items()):
        if number > len(entries) and not finding.problems:
            finding.problems.append(f"record {number} is in the database and not here: the file was cut or put back")
        elif number <= len(entries) and entries[number - 1].hash != digest:
            finding.problems.append(f"record {number} is another one than the database has")
    return finding


def _chain(lines: list[str], heading: dict, trusted: list[bytes], finding: Finding) -> list[Entry]:
    head = first_hash(heading)
    entries: list[Entry] = []
    for number, line in enumerate(lines, 1):
        try:
            entry = parse(line)
        except ValueError as error:
            finding.problems.append(f"record {number}: {error}")
            return entries
        head = next_hash(head, entry.record.as_dict())
        seal = {"count": number, "last": number, "missing": [], "head": head}
        if entry.number != number or entry.hash != head:
            finding.problems.append(
                f"record {number}: the hash is wrong: it was changed, or one before it is missing, added or moved"
            )
            return entries
        if problem := _signature(entry.seal, seal, heading, trusted):
            finding.problems.append(f"record {number}: {problem}")
            return entries
        entries.append(entry)
    return entries


def _newest(ledger: Ledger, entries: list[Entry], heading: dict, trusted: list[bytes], finding: Finding) -> None:
    """The seal beside the file says how many records there are."""
    try:
        seal = json.loads(ledger.seal_path.read_text(encoding="ascii"))
        count = seal["count"]
        problem = _signature(
            seal, {name: seal[name] for name in ("count", "last", "missing", "head")}, heading, trusted
        )
    except (OSError, ValueError, KeyError, TypeError):
        finding.problems.append(f"{ledger.seal_path} is missing or damaged: the last records may have been cut off")
        return
    if problem:
        finding.problems.append(f"{ledger.seal_path}: {problem}")
    elif count > len(entries):
        finding.problems.append(f"it has {len(entries)} records and its seal says {count}: the last ones were cut off")
    elif entries[count - 1].hash != seal["head"]:
        finding.problems.append(f"record {count} is another one than was sealed")
    elif count < len(entries):
        finding.notes.append(
            f"records from {count + 1} on were written when the station was interrupted; each is signed"
        )


def _signature(seal: dict, wanted: dict, heading: dict, trusted: list[bytes]) -> str | None:
    """What is wrong with a seal over `wanted`; None when a trusted station made it."""
    try:
        found = Signature(bytes.fromhex(seal["key"]), bytes.fromhex(seal["signature"]))
        whole = seal == {**wanted, "key": found.key.hex(), "signature": found.signature.hex()}
        good = whole and found.signs(signed_bytes(heading, wanted))
    except (KeyError, TypeError, ValueError):
        return "its seal is damaged"
    if not good:
        return "its signature does not fit: somebody changed it and worked the hashes out anew"
    if found.key not in trusted:
        return f"it is signed by key {short_name(found.key)}, which is none of the trusted ones"
    return None
