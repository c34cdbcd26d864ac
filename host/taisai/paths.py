"""Where the shipped data lie: beside the host package in a checkout, as data packages in an installed wheel."""

from importlib.util import find_spec
from pathlib import Path

from taisai.errors import TaisaiError


def boards_dir() -> Path:
    """Folder with controllers/, layouts/ and tables/. TaisaiError when the installation lacks it."""
    return _data_package("taisai_boards")


def firmware_dir() -> Path:
    """Folder with the sources of main.py, wiring.py and what they import. TaisaiError when it is missing."""
    return _data_package("taisai_firmware")


def _data_package(name: str) -> Path:
    """The folder of a package without code; an editable installation lists a marker that is no folder after it."""
    spec = find_spec(name)
    folders = [Path(place) for place in (spec.submodule_search_locations or [])] if spec else []
    if not folders or not folders[0].is_dir():
        raise TaisaiError(f"the installation lacks the data package {name}: install the taisai wheel again")
    return folders[0]
