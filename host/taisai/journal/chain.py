"""The hash chain of an export, and the seal that a station's key puts on it.

The hash of the heading is the first link; the hash of each record covers the one before and the record itself. Anyone
can work these out anew after a change, so they only tell where a file was damaged. The seal is what nobody else can
make: an Ed25519 signature over the heading, the number of records, the last number and the last hash.
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from taisai.build.signing import Signature, sign
from taisai.journal.entries import Entry

FORMAT = 1
NO_HEAD = "0" * 64

Range = tuple[int, int]


def canonical(value: object) -> bytes:
    """The one way in which a value is written for hashing."""
    return json.dumps(value, ensure_ascii=True, sort_keys=True, separators=(",", ":")).encode("ascii")


def first_hash(heading: dict) -> str:
    """The link that the records hang on."""
    return hashlib.sha256(canonical(heading)).hexdigest()


def next_hash(before: str, entry: Entry) -> str:
    """The hash of a record."""
    return hashlib.sha256(before.encode("ascii") + canonical(entry)).hexdigest()


def gaps(numbers: Iterable[int], first: int) -> list[Range]:
    """Ranges of sequence numbers, both ends included, that are absent from `first` on up to the last of `numbers`."""
    found = []
    for number in numbers:
        if number > first:
            found.append((first, number - 1))
        first = number + 1
    return found


@dataclass(frozen=True)
class Export:
    """One export: `heading` says of which board and from which number on, `entries` are the records, `hashes` theirs.

    `previous_head` in the heading is the last hash of the export before this one.
    """

    heading: dict
    entries: list[Entry]
    hashes: list[str]
    seal: dict

    @classmethod
    def make(cls, heading: dict, found: list[Entry], key: Ed25519PrivateKey) -> "Export":
        """Chain and seal the records."""
        head = first_hash(heading)
        hashes = []
        for entry in found:
            head = next_hash(head, entry)
            hashes.append(head)
        seal = {
            "count": len(found),
            "last": found[-1]["sequence"] if found else heading["first"] - 1,
            "missing": [list(each) for each in gaps((entry["sequence"] for entry in found), heading["first"])],
            "head": head,
        }
        signature = sign(key, signed_bytes(heading, seal))
        return cls(
            heading, found, hashes, {**seal, "key": signature.key.hex(), "signature": signature.signature.hex()}
        )

    @property
    def head(self) -> str:
        """The last hash."""
        return self.seal["head"]

    @property
    def signature(self) -> Signature:
        """Who sealed it; ValueError when the seal has no such thing."""
        found = Signature(bytes.fromhex(self.seal["key"]), bytes.fromhex(self.seal["signature"]))
        if (found.key.hex(), found.signature.hex()) != (self.seal["key"], self.seal["signature"]):
            raise ValueError("its signature is not in the form that this tool writes")
        return found


def signed_bytes(heading: dict, seal: dict) -> bytes:
    """What the signature is made over."""
    return canonical({"heading": heading, **{name: seal[name] for name in ("count", "last", "missing", "head")}})
