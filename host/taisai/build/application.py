"""Everything that belongs on the volume of one table's board, as files; the same table, the same bytes."""

import ast
from collections.abc import Mapping
from pathlib import Path

from tablecore import manifest
from taisai.boards.table import Table
from taisai.build.hardware import hardware_json
from taisai.build.manifest import manifest_of
from taisai.build.mpy import compile_module
from taisai.build.tablebin import table_bin
from taisai.paths import firmware_dir
from taisai.rules import MONEY_WHEEL

_START = "wiring"  # the module that the loader imports
# How the names of modules begin that only a money wheel needs.
_OF_THE_WHEEL = ("wheel", "pegs")


def loader() -> bytes:
    """/main.py: it stays source text, so that anyone can read on the board what starts first."""
    return (firmware_dir() / manifest.MAIN).read_bytes()


def modules(source: Path) -> list[str]:
    """Path of every module of the application: what its first one imports, directly or not, at any place.

    The folder of the firmware holds some more, which only the PC needs.
    """
    found: set[str] = set()
    _follow(source, _START, found)
    return sorted(found)


def _follow(source: Path, module: str, found: set[str]) -> None:
    """Add a module, with the packages that it lies in, and all that it imports. A name of another module is none."""
    path = Path(*module.split("."))
    path = path / "__init__.py" if (source / path).is_dir() else path.with_suffix(".py")
    if path.as_posix() in found or not (source / path).is_file():
        return
    found.add(path.as_posix())
    if "." in module:
        _follow(source, module.rpartition(".")[0], found)
    for node in ast.walk(ast.parse((source / path).read_bytes())):
        if isinstance(node, ast.Import):
            names = [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}", *(f"{node.module}.{each.name}" for each in node.names)]
        else:
            continue
        for name in names:
            _follow(source, name, found)


def program_files(table: Table) -> dict[str, bytes]:
    """What one version of the application consists of, path in its folder to content: all that its manifest lists."""
    source = firmware_dir()
    files = {"table.bin": table_bin(table), "hardware.json": hardware_json(table)}
    for module in modules(source):
        if table.layout.rules is not MONEY_WHEEL and Path(module).name.startswith(_OF_THE_WHEEL):
            continue
        files[f"{module.removesuffix('.py')}.mpy"] = compile_module(module, (source / module).read_bytes())
    return dict(sorted(files.items()))


def on_volume(main: bytes, folder: Mapping[str, bytes], number: int = 1) -> dict[str, bytes]:
    """Absolute path on a board that has nothing else to content: the loader, the name of the version, its folder."""
    name = f"app-{number}"
    files = {f"/{manifest.MAIN}": main, "/current": name.encode()}
    files.update({f"/{name}/{path}": content for path, content in folder.items()})
    return dict(sorted(files.items()))


def application_files(table: Table) -> dict[str, bytes]:
    """The volume of a new board of this table, absolute path to content, with an unsigned manifest."""
    main, files = loader(), program_files(table)
    return on_volume(main, {**files, manifest.NAME: manifest_of(table, main, files)})
