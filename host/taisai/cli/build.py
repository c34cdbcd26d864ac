"""`taisai build`: the bundle of a table, and with a MicroPython image the full image for a blank board."""

from hashlib import sha256
from pathlib import Path
from typing import Annotated

import typer

from tablecore.version import VERSION
from taisai.boards.table import load_table
from taisai.cli.options import Json, TableName
from taisai.cli.output import print_json, talk
from taisai.cli.writing import write_file
from taisai.errors import TaisaiError

_TOLD = ("table", "layout", "mcu", "version", "mpy", "table_digest", "layout_digest")


def build(
    table: TableName,
    sign: Annotated[
        Path | None, typer.Option(metavar="KEY", help="Sign with this private key (see `taisai key`).")
    ] = None,
    output: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The bundle; otherwise taisai-TABLE-VERSION.zip here.")
    ] = None,
    micropython: Annotated[
        Path | None, typer.Option(metavar="FILE", help="MicroPython's image: make the full image for blank boards too.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Build what a table's board is flashed with.

    The bundle holds the compiled firmware, the lamp table, the wiring and a manifest with the SHA-256 of every file.
    The same sources and key give the same bytes every time. Without --sign anyone could have made it. Beside it goes a
    wiring sheet to print: the harness as a table and as a drawing, and the pins of the controller.

    With --micropython: for the RP2040 one UF2 file that holds MicroPython and the files; for the ESP32 a file system
    image that goes beside MicroPython's own, at the offsets printed. A full image overwrites everything on a board, its
    records included.
    """
    from taisai.build.bundle import build_bundle
    from taisai.build.images import check_micropython, full_image
    from taisai.build.signing import load_private, short_name
    from taisai.drawing.sheet import wiring_sheet

    chosen = load_table(table)
    key = None if sign is None else load_private(sign)
    image = None if micropython is None else _read(micropython)
    bundle = build_bundle(chosen, key)
    output = output or Path(f"taisai-{chosen.id}-{VERSION}.zip")
    result: dict = {name: bundle.manifest[name] for name in _TOLD}
    result["signed_by"] = None if bundle.signature is None else bundle.signature.key.hex()
    written = [(output, bundle.pack(), None)]
    if image is not None:
        board = chosen.controller.mcu_facts
        found = check_micropython(image, board, str(micropython))
        part = full_image(bundle, image, board, str(micropython))
        written.append((output.with_name(output.stem + part.ending), part.content, part.offset))
        result["micropython"] = {
            "file": str(micropython), "version": found.version, "sha256": found.sha256, "offset": found.offset,
        }  # fmt: skip
    result["files"] = [_write(*file) for file in written]
    sheet = output.with_name(output.stem + "-wiring.html")
    write_file(sheet, wiring_sheet(chosen).encode())
    result["wiring_sheet"] = str(sheet)
    if as_json:
        print_json(result)
        return
    for file in result["files"]:
        print(f"{file['file']}: {file['bytes']:,} bytes, SHA-256 {file['sha256']}{_place(file['offset'])}")
    print(f"{sheet}: the wiring, to print")
    if image is not None:
        print(f"{micropython}: MicroPython {found.version}, SHA-256 {found.sha256}{_place(found.offset)}")
    talk("not signed" if bundle.signature is None else f"signed with key {short_name(bundle.signature.key)}")


def _place(offset: int | None) -> str:
    """Where a file goes on a chip that takes files by offset. A UF2 knows its places by itself."""
    return f", at {offset:#x}" if offset else ""


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise TaisaiError(f"{path} cannot be read: {error.strerror}") from error


def _write(path: Path, content: bytes, offset: int | None) -> dict:
    write_file(path, content)
    return {"file": str(path), "bytes": len(content), "sha256": sha256(content).hexdigest(), "offset": offset}
