"""The shipped data files, and files of one's own, which are named by their path.

boards/FOLDER/ID.toml is for Tai-Sai or serves every game; boards/GAME/FOLDER/ID.toml is for another game alone.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from taisai.boards.tomlfile import is_file
from taisai.errors import DataErrors, Problem
from taisai.paths import boards_dir
from taisai.rules import GAMES, TAI_SAI, Game

PartT = TypeVar("PartT")


def ids(folder: str, game: Game = TAI_SAI) -> list[str]:
    """Ids of the shipped files of a game, sorted."""
    return sorted(path.stem for path in _folder(folder, game).glob("*.toml"))


def every_id(folder: str) -> list[str]:
    """Ids of the shipped files of every game."""
    return [name for game in GAMES.values() for name in ids(folder, game)]


def path_of(folder: str, id_or_path: str | Path) -> Path:
    """Where the file of this id lies; a path (a name that ends in .toml) is itself.

    Raises DataErrors with the list of ids when there is no such file.
    """
    if is_file(id_or_path):
        return Path(id_or_path)
    for game in GAMES.values():
        if str(id_or_path) in ids(folder, game):
            return _folder(folder, game) / f"{id_or_path}.toml"
    kind = folder.removesuffix("s")
    text = f"no such {kind}: use one of {', '.join(every_id(folder))}, or the path of a .toml file"
    raise DataErrors([Problem(f"boards/{folder}", kind, str(id_or_path), text)])


def named_part(
    key: str, name: str | None, path: Path, load: Callable[[str | Path], PartT], problems: list[Problem]
) -> PartT | None:
    """The layout, controller or wheel that the file at `path` names; what is wrong with it is added to `problems`.

    A name that ends in .toml is a file, looked for from the folder of the file that names it.
    """
    if name is None:
        return None
    by_file = is_file(name)
    known = every_id(f"{key}s")
    if not by_file and name not in known:
        problems.append(Problem(str(path), key, name, f"unknown {key}: use one of {', '.join(known)}"))
        return None
    try:
        return load(path.parent / name if by_file else name)
    except DataErrors as error:
        problems.extend(error.problems)
        return None


def _folder(folder: str, game: Game) -> Path:
    return boards_dir() / folder if game is TAI_SAI else boards_dir() / game.id / folder
