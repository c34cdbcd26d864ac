"""What every layout has, whichever game it is for."""

from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from taisai.boards.model import StrictModel, Text
from taisai.errors import Problem
from taisai.rules import GAMES, Area, Game

# 32 bytes is the size of the field in the lamp table file.
LayoutId = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=32)]


class Layout(StrictModel):
    """The printed cloth of a table: its betting areas with their odds, and the game that is played on it."""

    id: LayoutId
    version: Annotated[int, Field(ge=1, le=65535)]
    title: Text
    game: Literal["tai-sai", "money-wheel"]
    language: Literal["en", "ko"]
    source: Text
    notes: tuple[Text, ...]

    @property
    def zones(self) -> tuple[Area, ...]:
        """Every zone in canonical order."""
        raise NotImplementedError

    @cached_property
    def zone_ids(self) -> tuple[str, ...]:
        """The ids of `zones`, in the same order."""
        return tuple(zone.id for zone in self.zones)

    @property
    def rules(self) -> Game:
        """The game of this layout."""
        return GAMES[self.game]


def name_problems(file: Layout, path: str, stem: str) -> list[Problem]:
    """The id repeats the name of the file. `file` may be a draft."""
    if file.id is None or file.id == stem:
        return []
    return [Problem(path, "id", file.id, f"must be the name of the file, {stem}")]
