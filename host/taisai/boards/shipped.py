"""The shipped data files, boards/FOLDER/ID.toml, and files of one's own, which are named by their path."""

from pathlib import Path

from taisai.boards.tomlfile import is_file
from taisai.errors import DataErrors, Problem
from taisai.paths import boards_dir


def ids(folder: str) -> list[str]:
    """Ids of the shipped files of a folder, sorted."""
    return sorted(path.stem for path in (boards_dir() / folder).glob("*.toml"))


def path_of(folder: str, id_or_path: str | Path) -> Path:
    """Where the file of this id lies; a path (a name that ends in .toml) is itself.

    Raises DataErrors with the list of ids when there is no such file.
    """
    if is_file(id_or_path):
        return Path(id_or_path)
    known = ids(folder)
    if str(id_or_path) not in known:
        kind = folder.removesuffix("s")
        text = f"no such {kind}: use one of {', '.join(known)}, or the path of a .toml file"
        raise DataErrors([Problem(f"boards/{folder}", kind, str(id_or_path), text)])
    return boards_dir() / folder / f"{id_or_path}.toml"
