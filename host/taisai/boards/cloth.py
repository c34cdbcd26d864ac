"""Where the betting areas lie on the cloth, from boards/cloths/ID.toml: a new layout is drawn without any code."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Annotated

from pydantic import Field

from taisai.boards.layout import Layout
from taisai.boards.model import StrictModel, Text
from taisai.boards.tomlfile import check, is_file, read_toml
from taisai.errors import DataErrors, Problem
from taisai.paths import boards_dir

Units = Annotated[int, Field(ge=1, le=1000)]
Place = Annotated[int, Field(ge=0, le=1000)]


@dataclass(frozen=True)
class Area:
    """The rectangle of one zone, in units of the cloth, from its upper left corner as the players see it."""

    zone: str
    x: int
    y: int
    width: int
    height: int

    def overlaps(self, other: "Area") -> bool:
        """They share more than an edge."""
        apart_x = self.x + self.width <= other.x or other.x + other.width <= self.x
        apart_y = self.y + self.height <= other.y or other.y + other.height <= self.y
        return not (apart_x or apart_y)


class Block(StrictModel):
    """Zones in cells of one size, `columns` to a line, line after line from `at` on."""

    zones: Annotated[tuple[Text, ...], Field(min_length=1)]
    at: tuple[Place, Place]
    cell: tuple[Units, Units]
    columns: Annotated[int, Field(ge=1, le=100)]

    @property
    def areas(self) -> tuple[Area, ...]:
        """One for each zone, in the order of the file."""
        (left, top), (width, height) = self.at, self.cell
        return tuple(
            Area(zone, left + number % self.columns * width, top + number // self.columns * height, width, height)
            for number, zone in enumerate(self.zones)
        )


class Cloth(StrictModel):
    """The whole cloth of a layout, `size` units wide and high."""

    layout: Text
    note: Text | None = None
    size: tuple[Units, Units]
    blocks: Annotated[tuple[Block, ...], Field(alias="block", min_length=1)]

    @property
    def areas(self) -> tuple[Area, ...]:
        """Every area, block after block."""
        return tuple(area for block in self.blocks for area in block.areas)


def load_cloth(layout: Layout, id_or_path: str | Path | None = None) -> Cloth:
    """Read and check the cloth of a layout: of a shipped one by its id, which may be left out; for a layout in a file
    of its own, by that file's path: beside NAME.toml lies NAME.cloth.toml.

    Raises DataErrors with every problem of the file.
    """
    if id_or_path is not None and is_file(id_or_path):
        path = Path(id_or_path).with_suffix(".cloth.toml")
    else:
        path = boards_dir() / "cloths" / f"{layout.id}.toml"
    cloth, problems = check(Cloth, read_toml(path), path)
    if cloth:
        if cloth.layout != layout.id:
            problems.append(Problem(str(path), "layout", cloth.layout, f"must be {layout.id}"))
        problems += _problems(str(path), cloth, layout.zone_ids)
    if problems:
        raise DataErrors(problems)
    return cloth


def _problems(path: str, cloth: Cloth, zones: Iterable[str]) -> list[Problem]:
    """Every zone has one place on the cloth and every place a zone, inside the cloth and apart from the others."""
    found = []
    wanted, placed = set(zones), {}
    for number, block in enumerate(cloth.blocks, start=1):
        for area in block.areas:
            if area.zone not in wanted:
                found.append(Problem(path, f"block[{number}].zones", area.zone, "the layout has no such zone"))
            elif area.zone in placed:
                found.append(Problem(path, f"block[{number}].zones", area.zone, "this zone has a place already"))
            placed.setdefault(area.zone, area)
            if area.x + area.width > cloth.size[0] or area.y + area.height > cloth.size[1]:
                text = f"{area.zone} reaches beyond the cloth, which is {cloth.size[0]} by {cloth.size[1]}"
                found.append(Problem(path, f"block[{number}].at", block.at, text))
    missing = "has no place on the cloth: add it to a block"
    found += [Problem(path, "block", zone, missing) for zone in zones if zone not in placed]
    for one, other in combinations(placed.values(), 2):
        if one.overlaps(other):
            found.append(Problem(path, "block", one.zone, f"overlaps {other.zone}"))
    return found
