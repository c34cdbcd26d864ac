"""Where the shipped data lie: beside the host package in a checkout, as data packages in an installed wheel."""

from importlib.util import find_spec
from pathlib import Path


def _data_package(name: str) -> Path:
    spec = find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise RuntimeError(f"the installation lacks the data package {name}: install taisai again")
    return Path(next(iter(spec.submodule_search_locations)))


def boards_dir() -> Path:
    """Folder with controllers/, layouts/ and tables/."""
    return _data_package("taisai_boards")


def firmware_dir() -> Path:
    """Folder with main.py, wiring.py, tablecore/ and tablehw/ as they are deployed to a board."""
    return _data_package("taisai_firmware")
