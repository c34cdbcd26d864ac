"""Bundles with one thing wrong, made with zipfile and json alone."""

import io
import json
import zipfile
from collections.abc import Callable
from hashlib import sha256

Members = dict[str, bytes]


def members_of(bundle: bytes) -> Members:
    """Files of a bundle by name."""
    with zipfile.ZipFile(io.BytesIO(bundle)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(members: Members, compression: int = zipfile.ZIP_STORED) -> bytes:
    """A bundle of these files, in the form that the product's description states: sorted, stored, of 1 January 1980."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as archive:
        for name, content in sorted(members.items()):
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.create_system = 3
            info.external_attr = 0o100644 << 16
            info.compress_type = compression
            archive.writestr(info, content)
    return out.getvalue()


def with_manifest(members: Members, change: Callable[[dict], None]) -> Members:
    """The files with a changed manifest, written as the product writes it."""
    manifest = json.loads(members["manifest.json"])
    change(manifest)
    raw = (json.dumps(manifest, indent=1, sort_keys=True) + "\n").encode()
    return {**members, "manifest.json": raw}


def with_file(members: Members, path: str, content: bytes) -> Members:
    """The files with one of the application's replaced or added, and the manifest made to agree."""

    def change(manifest: dict) -> None:
        manifest["files"][path] = {"size": len(content), "sha256": sha256(content).hexdigest()}

    return with_manifest({**members, f"app/{path}": content}, change)
