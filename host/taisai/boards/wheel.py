"""The rim of a money wheel: which symbol is at each of its 52 stops, from boards/money-wheel/wheels/ID.toml."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator

from taisai.boards import shipped
from taisai.boards.draft import draft
from taisai.boards.model import Found, StrictModel, Text
from taisai.boards.tomlfile import check, read_toml
from taisai.errors import DataErrors, Problem
from taisai.rules import MONEY_WHEEL

Letter = Literal["A", "B", "C", "D", "E", "F", "G"]


def _all_stops(stops: tuple[str, ...]) -> tuple[str, ...]:
    wanted = len(MONEY_WHEEL.outcomes)
    if len(stops) != wanted:
        raise ValueError(f"{len(stops)} stops are listed, and a wheel has {wanted} (rule 2.2)")
    return stops


class Wheel(StrictModel):
    """One checked wheel file. `stops` are the letters in the order in which they pass the indicator while the wheel
    turns clockwise as the players see it; the first one is at the indicator when the index sensor is active.

    `neighbours_note` must be there when, and only when, a symbol is next to itself: else that is a typing error.
    """

    title: Text
    source: Text
    notes: tuple[Text, ...]
    stops: Annotated[tuple[Letter, ...], AfterValidator(_all_stops)]
    neighbours_note: Text | None = None


def load_wheel(id_or_path: str | Path) -> Wheel:
    """Read and check a wheel: a shipped one by its id, or any file by its path (a name that ends in .toml).

    Raises DataErrors with every problem of the file, or with the list of ids when there is no such wheel.
    """
    path = shipped.path_of("wheels", id_or_path)
    data = read_toml(path)
    wheel, problems = check(Wheel, data, path)
    problems += [Problem(str(path), *found) for found in _neighbour_problems(wheel or draft(Wheel, data))]
    if problems:
        raise DataErrors(problems)
    return wheel


def _neighbour_problems(wheel: Wheel) -> Found:
    """Equal symbols next to each other, also over the end of the list, unless the file says why. May be a draft."""
    stops = wheel.stops or ()
    alike = [
        (number, number % len(stops) + 1)
        for number, letter in enumerate(stops, start=1)
        if letter is not None and letter == stops[number % len(stops)]
    ]
    if not alike and wheel.neighbours_note is not None:
        text = "no symbol is next to itself: remove the note"
        return [("neighbours_note", wheel.neighbours_note, text)]
    if wheel.neighbours_note is not None:
        return []
    return [
        (f"stops[{first}]", stops[first - 1], f"stops[{second}] is alike: correct one, or say why in neighbours_note")
        for first, second in alike
    ]
