"""A layout: the betting areas of one printed cloth with their odds, read from boards/layouts/ID.toml."""

from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, RootModel, StringConstraints

from taisai.boards.layout_checks import class_problems
from taisai.boards.layout_classes import AnyClass, StrictModel, Text, ZoneClass
from taisai.boards.tomlfile import check, read_toml
from taisai.errors import DataErrors, Problem
from taisai.paths import boards_dir
from taisai.rules import Zone

# 32 bytes is the size of the field in the lamp table file.
LayoutId = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=32)]


class Layout(StrictModel):
    """One checked layout file. `zone_count` is a control total: the number of betting areas on the cloth."""

    id: LayoutId
    version: Annotated[int, Field(ge=1, le=65535)]
    title: Text
    game: Literal["tai-sai"]
    language: Literal["en", "ko"]
    source: Text
    notes: tuple[Text, ...]
    zone_count: Annotated[int, Field(ge=1, le=1000)]
    classes: Annotated[tuple[AnyClass, ...], Field(alias="class", min_length=1)]

    @cached_property
    def zones(self) -> tuple[Zone, ...]:
        """Every zone in canonical order."""
        return tuple(sorted((zone for part in self.classes for zone in part.zones), key=lambda zone: zone.order))

    @cached_property
    def zone_ids(self) -> tuple[str, ...]:
        """The ids of `zones`, in the same order."""
        return tuple(zone.id for zone in self.zones)


class _OneClass(RootModel[AnyClass]):
    """A single [[class]], for checking the good ones of a file in which another one is bad."""


def layout_file(layout_id: str) -> Path:
    """Where the shipped layout of this id lies, or would lie."""
    return boards_dir() / "layouts" / f"{layout_id}.toml"


def list_layouts() -> list[str]:
    """Ids of the shipped layouts, sorted."""
    return sorted(path.stem for path in layout_file("any").parent.glob("*.toml"))


def load_layout(id_or_path: str | Path) -> Layout:
    """Read and check a layout: a shipped one by its id, or any file by its path (a name that ends in .toml).

    Raises DataErrors with every problem of the file, or with the list of ids when there is no such layout.
    """
    path = Path(id_or_path)
    if path.suffix != ".toml":
        if str(id_or_path) not in list_layouts():
            text = f"no such layout: use one of {', '.join(list_layouts())}, or the path of a .toml file"
            raise DataErrors([Problem("boards/layouts", "layout", str(id_or_path), text)])
        path = layout_file(str(id_or_path))
    data = read_toml(path)
    layout, problems = check(Layout, data, path)
    problems += class_problems(str(path), _good_classes(data, path))
    if layout is not None:
        problems += _whole_problems(layout, path)
    if problems:
        raise DataErrors(problems)
    return layout


def _good_classes(data: dict, path: Path) -> dict[int, ZoneClass]:
    """The classes that are well formed by themselves, by their number in the file, counted from 1."""
    stated = data.get("class")
    if not isinstance(stated, list):
        return {}
    checked = {number: check(_OneClass, part, path)[0] for number, part in enumerate(stated, start=1)}
    return {number: part.root for number, part in checked.items() if part is not None}


def _whole_problems(layout: Layout, path: Path) -> list[Problem]:
    """What only the whole file can show: its name, and the number of zones against the control total."""
    found = []
    if layout.id != path.stem:
        found.append(Problem(str(path), "id", layout.id, f"must be the name of the file, {path.stem}"))
    if len(layout.zones) != layout.zone_count:
        text = f"the classes hold {len(layout.zones)} zones: a zone is missing or too many, or the count is wrong"
        found.append(Problem(str(path), "zone_count", layout.zone_count, text))
    return found
