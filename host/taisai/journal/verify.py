"""Is an export what the station wrote, whole and in order? And do several follow each other without a gap?"""

from dataclasses import dataclass, field
from pathlib import Path

from taisai.build.signing import short_name
from taisai.journal import files
from taisai.journal.chain import FORMAT, NO_HEAD, Export, Range, first_hash, gaps, next_hash, signed_bytes


@dataclass
class Finding:
    """One file, or the step from one file to the next. `problems` in words: none, and it is proved; `missing`: records
    that the board itself no longer had."""

    file: str
    problems: list[str] = field(default_factory=list)
    missing: list[Range] = field(default_factory=list)
    count: int = 0
    first: int = 0
    last: int = 0
    board: str = ""


def verify(paths: list[Path], trusted: list[bytes]) -> list[Finding]:
    """One finding for each file, in the order of their records. `trusted`: the raw public keys of the stations."""
    found = []
    for path in paths:
        finding = Finding(str(path))
        try:
            export = files.load(path)
            _judge(export, trusted, finding)
        except ValueError as error:
            finding.problems.append(str(error))
            export = None
        except (KeyError, TypeError, AttributeError):
            finding.problems.append("its heading or its seal lacks something, or has something else in it")
            export = None
        found.append((finding, export))
    found.sort(key=lambda each: (each[0].board, each[0].first, each[0].last))
    for (before, earlier), (after, later) in zip(found, found[1:], strict=False):
        if earlier is not None and later is not None and before.board == after.board:
            _join(before, earlier, after, later)
    return [finding for finding, _ in found]


def _judge(export: Export, trusted: list[bytes], finding: Finding) -> None:
    heading, seal = export.heading, export.seal
    finding.board, finding.first, finding.last = heading["board"], heading["first"], seal["last"]
    finding.count = len(export.entries)
    if heading["format"] != FORMAT:
        raise ValueError(f"it has format {heading['format']}, and this tool knows {FORMAT}")
    if not _chained(export, finding):
        return
    signature = export.signature
    if not signature.signs(signed_bytes(heading, seal)):
        finding.problems.append("its signature does not fit: somebody changed it and worked the hashes out anew")
    elif signature.key not in trusted:
        finding.problems.append(f"it is signed by key {short_name(signature.key)}, which is none of the trusted ones")
    numbers = [entry["sequence"] for entry in export.entries]
    if numbers != sorted(set(numbers)) or (numbers and numbers[0] < heading["first"]):
        finding.problems.append("its records are not in ascending order, or one is there twice")
    finding.missing = gaps(numbers, heading["first"])
    if [list(each) for each in finding.missing] != seal["missing"]:
        finding.problems.append("the records that are missing are not those that its seal says are missing")


def _chained(export: Export, finding: Finding) -> bool:
    """Whether each hash is right; the first that is not tells where the file was changed."""
    head = first_hash(export.heading)
    for entry, digest in zip(export.entries, export.hashes, strict=True):
        head = next_hash(head, entry)
        if digest != head:
            finding.problems.append(
                f"at record {entry.get('sequence')} the hash is wrong: this record was changed, or one before it is "
                "missing, added or in another place"
            )
            return False
    if export.seal["count"] != len(export.entries) or export.seal["head"] != head:
        finding.problems.append(
            f"it has {len(export.entries)} records where its seal says {export.seal['count']}, or another last one"
        )
        return False
    return True


def _join(before: Finding, earlier: Export, after: Finding, later: Export) -> None:
    """The later export continues the earlier one."""
    previous = later.heading["previous_head"]
    if later.heading["first"] <= before.last:
        after.problems.append(f"it begins with record {later.heading['first']}, which {before.file} has too")
    elif previous == earlier.head:
        return
    elif later.heading["first"] > before.last + 1:
        after.problems.append(
            f"an export is missing before it: records {before.last + 1} to {later.heading['first'] - 1}"
        )
    elif previous != NO_HEAD:
        after.problems.append(f"it does not continue {before.file}, but another file with the same last number")
    else:
        after.problems.append(f"it does not say that it continues {before.file}")
