"""The layout of a Tai-Sai table: classes of betting areas, of which each wins on certain throws."""

from functools import cached_property
from pathlib import Path
from typing import Annotated

from pydantic import Field

from taisai.boards.class_draft import class_draft
from taisai.boards.draft import draft
from taisai.boards.layout_checks import class_problems
from taisai.boards.layout_classes import AnyClass, ZoneClass
from taisai.boards.layout_model import Layout, name_problems
from taisai.boards.tomlfile import check
from taisai.errors import DataErrors, Problem
from taisai.rules import Zone


class DiceLayout(Layout):
    """One checked layout file. `zone_count` is a control total: the number of betting areas on the cloth."""

    zone_count: Annotated[int, Field(ge=1, le=1000)]
    classes: Annotated[tuple[AnyClass, ...], Field(alias="class", min_length=1)]

    @cached_property
    def zones(self) -> tuple[Zone, ...]:
        """Every zone in canonical order."""
        return tuple(sorted((zone for part in self.classes for zone in part.zones), key=lambda zone: zone.order))


def load_dice_layout(path: Path, data: dict) -> DiceLayout:
    """Check what a layout file says. Raises DataErrors with every problem of it."""
    layout, problems = check(DiceLayout, data, path)
    classes, complete = _sound_classes(data, path)
    problems += class_problems(str(path), classes)
    problems += _whole_problems(draft(DiceLayout, data), classes, complete, path)
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


def _whole_problems(file: DiceLayout, classes: dict[int, ZoneClass], complete: bool, path: Path) -> list[Problem]:
    """What only the whole file can show: its name, and the number of zones against the control total.

    `file` may be a draft. Zones that are stated badly are not counted, and then only too many can be told.
    """
    found = name_problems(file, str(path), path.stem)
    count = sum(len(part.zones) for part in classes.values())
    if file.zone_count is not None and (count > file.zone_count or (complete and count < file.zone_count)):
        text = f"the classes hold {count} zones: a zone is missing or too many, or the count is wrong"
        found.append(Problem(str(path), "zone_count", file.zone_count, text))
    return found
