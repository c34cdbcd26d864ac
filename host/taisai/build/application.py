"""Everything that belongs on the volume of one table's board, as files; the same table, the same bytes."""

from collections.abc import Mapping

from tablecore import manifest
from taisai.boards.table import Table
from taisai.build.hardware import hardware_json
from taisai.build.manifest import manifest_of
from taisai.build.mpy import compile_module
from taisai.build.tablebin import table_bin
from taisai.paths import firmware_dir

_PACKAGES = ("tablecore", "tablehw")


def loader() -> bytes:
    """/main.py: it stays source text, so that anyone can read on the board what starts first."""
    return (firmware_dir() / manifest.MAIN).read_bytes()


def program_files(table: Table) -> dict[str, bytes]:
    """What one version of the application consists of, path in its folder to content: all that its manifest lists."""
    source = firmware_dir()
    modules = ["wiring.py"]
    modules += [f"{package}/{path.name}" for package in _PACKAGES for path in sorted((source / package).glob("*.py"))]
    files = {"table.bin": table_bin(table), "hardware.json": hardware_json(table)}
    for module in modules:
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
