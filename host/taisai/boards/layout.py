"""The layouts of every game, read from the board data."""

from pathlib import Path

from taisai.boards import shipped
from taisai.boards.dice_layout import load_dice_layout
from taisai.boards.layout_model import Layout
from taisai.boards.tomlfile import read_toml
from taisai.boards.wheel_layout import load_wheel_layout
from taisai.rules import MONEY_WHEEL, TAI_SAI, Game

__all__ = ["Layout", "list_layouts", "load_layout"]


def list_layouts(game: Game = TAI_SAI) -> list[str]:
    """Ids of the shipped layouts of a game, sorted."""
    return shipped.ids("layouts", game)


def load_layout(id_or_path: str | Path) -> Layout:
    """Read and check a layout: a shipped one by its id, or any file by its path (a name that ends in .toml).

    Raises DataErrors with every problem of the file, or with the list of ids when there is no such layout.
    """
    path = shipped.path_of("layouts", id_or_path)
    data = read_toml(path)
    load = load_wheel_layout if data.get("game") == MONEY_WHEEL.id else load_dice_layout
    return load(path, data)
