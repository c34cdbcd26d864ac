"""A layout: the betting areas of one printed cloth with their odds, read from boards/layouts/ID.toml."""

from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from taisai.boards import shipped
from taisai.boards.class_draft import class_draft
from taisai.boards.draft import draft
from taisai.boards.layout_checks import class_problems
from taisai.boards.layout_classes import AnyClass, ZoneClass
from taisai.boards.model import StrictModel, Text
from taisai.boards.tomlfile import check, read_toml
from taisai.errors import DataErrors, Problem
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


def list_layouts() -> list[str]:
    """Ids of the shipped layouts, sorted."""
    return shipped.ids("layouts")


def load_layout(id_or_path: str | Path) -> Layout:
    """Read and check a layout: a shipped one by its id, or any file by its path (a name that ends in .toml).

    Raises DataErrors with every problem of the file, or with the list of ids when there is no such layout.
    """
    path = shipped.path_of("layouts", id_or_path)
    data = read_toml(path)
    layout, problems = check(Layout, data, path)
    classes, complete = _sound_classes(data, path)
    problems += class_problems(str(path), classes)
    problems += _whole_problems(draft(Layout, data), classes, complete, path)
    if problems:
        raise DataErrors(problems)
    return layout


def _sound_classes(data: dict, path: Path) -> tuple[dict[int, ZoneClass], bool]:
    """The classes without what is wrong in them, by number (from 1), and whether no zone is missing among them."""
    stated = data.get("class")
    if not isinstance(stated, list):
        return {}, False
    drafts = {number: class_draft(part, str(path)) for number, part in enumerate(stated, start=1)}
    complete = all(whole for _, whole in drafts.values())
    return {number: part for number, (part, _) in drafts.items() if part is not None}, complete


def _whole_problems(file: Layout, classes: dict[int, ZoneClass], complete: bool, path: Path) -> list[Problem]:
    """What only the whole file can show: its name, and the number of zones against the control total.

    `file` may be a draft. Zones that are stated badly are not counted, and then only too many can be told.
    """
    found = []
    if file.id is not None and file.id != path.stem:
        found.append(Problem(str(path), "id", file.id, f"must be the name of the file, {path.stem}"))
    count = sum(len(part.zones) for part in classes.values())
    if file.zone_count is not None and (count > file.zone_count or (complete and count < file.zone_count)):
        text = f"the classes hold {count} zones: a zone is missing or too many, or the count is wrong"
        found.append(Problem(str(path), "zone_count", file.zone_count, text))
    return found
