"""Ed25519 keys in PEM files, and the signature of a manifest.

manifest.sig is one JSON object: {"key": public key, "signature": that of the bytes of manifest.json}, both in hex. The
key in there only says which key to look for: whoever checks must have that public key from somewhere else.
"""

import json
import os
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from taisai.errors import TaisaiError

_PUBLIC_BYTES = 32
_SIGNATURE_BYTES = 64


@dataclass(frozen=True)
class Signature:
    """Content of manifest.sig: raw public key of 32 bytes, signature of 64 bytes."""

    key: bytes
    signature: bytes

    @classmethod
    def parse(cls, raw: bytes) -> "Signature":
        """ValueError when the bytes are not exactly what `dump` writes."""
        content = json.loads(raw)
        if type(content) is not dict or not all(type(content.get(name)) is str for name in ("key", "signature")):
            raise ValueError("no key and signature in it")
        found = cls(bytes.fromhex(content["key"]), bytes.fromhex(content["signature"]))
        if len(found.key) != _PUBLIC_BYTES or len(found.signature) != _SIGNATURE_BYTES or found.dump() != raw:
            raise ValueError("not in the form that this product writes")
        return found

    def dump(self) -> bytes:
        """The bytes of manifest.sig."""
        content = {"key": self.key.hex(), "signature": self.signature.hex()}
        return (json.dumps(content, indent=1, sort_keys=True) + "\n").encode("ascii")

    def signs(self, data: bytes) -> bool:
        """Whether the owner of `key` signed these bytes."""
        try:
            Ed25519PublicKey.from_public_bytes(self.key).verify(self.signature, data)
        except (InvalidSignature, ValueError):
            return False
        return True


def sign(key: Ed25519PrivateKey, data: bytes) -> Signature:
    """The same key and data give the same signature (RFC 8032)."""
    return Signature(raw_public(key.public_key()), key.sign(data))


def raw_public(key: Ed25519PublicKey) -> bytes:
    """The 32 bytes that name a key."""
    return key.public_bytes_raw()


def short_name(raw_key: bytes) -> str:
    """How messages name a public key: its first 16 hex digits, which nobody can choose at will."""
    return raw_key.hex()[:16]


def public_path(private: Path) -> Path:
    """Where the public half of a new key lies: release.pem has release.pub.pem beside it."""
    return private.with_suffix(".pub.pem")


def new_key(path: Path) -> Ed25519PublicKey:
    """Make a key: private at `path`, readable by its owner only, and public beside it. Never over an existing file."""
    if not path.name.endswith(".pem") or path.name.endswith(".pub.pem"):
        raise TaisaiError(f"{path}: the file of a private key must end in .pem (and not in .pub.pem)")
    for target in (path, public_path(path)):
        if target.exists():
            raise TaisaiError(f"{target} exists already: a key is never overwritten; choose another name")
    key = Ed25519PrivateKey.generate()
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    for target, content, mode in ((path, private, 0o600), (public_path(path), public, 0o644)):
        try:
            with os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
                file.write(content)
        except OSError as error:
            raise TaisaiError(f"{target} cannot be written: {error.strerror}") from error
    return key.public_key()


def load_private(path: Path) -> Ed25519PrivateKey:
    """The key that signs. TaisaiError when the file is missing or holds anything else."""
    try:
        key = load_pem_private_key(_read(path), password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        hint = "; it is the public half: name the private key" if b"PUBLIC KEY" in _read(path) else ""
        raise TaisaiError(f"{path} is not a private key without a password, in PEM form{hint}") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise TaisaiError(f"{path} is not an Ed25519 key: make one with taisai key --new FILE")
    return key


def load_public(path: Path) -> Ed25519PublicKey:
    """The key that checks, from its own file or from that of the private key."""
    if b"PRIVATE KEY" in _read(path):
        return load_private(path).public_key()
    try:
        key = load_pem_public_key(_read(path))
    except (ValueError, UnsupportedAlgorithm) as error:
        raise TaisaiError(f"{path} is not a key in PEM form") from error
    if not isinstance(key, Ed25519PublicKey):
        raise TaisaiError(f"{path} is not an Ed25519 key: make one with taisai key --new FILE")
    return key


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise TaisaiError(f"{path} cannot be read: {error.strerror}") from error
