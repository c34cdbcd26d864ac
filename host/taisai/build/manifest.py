"""Making the manifest of a table's application; its format is in tablecore/manifest.py."""

import json
from collections.abc import Mapping
from hashlib import sha256

from tablecore import manifest, tablefile
from tablecore.version import VERSION
from taisai.boards.layout import Layout
from taisai.boards.table import Table
from taisai.build.mpy import MPY_VERSION


def manifest_of(table: Table, main: bytes, files: Mapping[str, bytes]) -> bytes:
    """manifest.json for /main.py and the files of the application, path in its folder to content.

    ValueError when the files break the format, for example by a path that is too long.
    """
    raw = canonical(
        {
            "format": manifest.FORMAT,
            "version": VERSION,
            "table": table.id,
            "layout": table.layout.id,
            "mcu": table.controller.mcu,
            "mpy": MPY_VERSION,
            "table_digest": tablefile.load(files["table.bin"]).digest.hex(),
            "layout_digest": layout_digest(table.layout),
            "main": entry(main),
            "files": {path: entry(content) for path, content in files.items()},
        }
    )
    manifest.parse(raw)
    return raw


def canonical(content: dict) -> bytes:
    """The one form in which a manifest is written: ASCII, keys sorted, one line feed at the end."""
    return (json.dumps(content, indent=1, sort_keys=True) + "\n").encode("ascii")


def entry(content: bytes) -> dict:
    """Size and SHA-256 of one file, as a manifest lists them."""
    return {"size": len(content), "sha256": sha256(content).hexdigest()}


def layout_digest(layout: Layout) -> str:
    """SHA-256 in hex of everything the layout says. table.bin holds no odds and no clauses: this covers them too.

    It is taken from the values and not from the file, so that a comment or another line break does not change it.
    """
    text = json.dumps(layout.model_dump(mode="json"), sort_keys=True, ensure_ascii=True)
    return sha256(text.encode("ascii")).hexdigest()
