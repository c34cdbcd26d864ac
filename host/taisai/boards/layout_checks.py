"""What the classes of a layout must not do together or to the house: a zone stated twice, a bet that loses money."""

from fractions import Fraction

from taisai.boards.layout_classes import SingleOdds, ZoneClass
from taisai.boards.tomlfile import ABSENT
from taisai.errors import Problem
from taisai.rules import house_edge


def class_problems(file: str, classes: dict[int, ZoneClass]) -> list[Problem]:
    """Problems of well-formed classes, keyed by their number in the file (from 1)."""
    found = _duplicate_zones(file, classes)
    for number, part in classes.items():
        edges = {zone: edge for zone, edge in house_edge(part).items() if edge is not None}
        found += edge_problems(file, f"class[{number}]", edges, _plain(part.odds), part.zero_edge_note)
    return found


def _duplicate_zones(file: str, classes: dict[int, ZoneClass]) -> list[Problem]:
    found = []
    first: dict[str, int] = {}
    for number, part in classes.items():
        for zone in part.zones:
            if zone.id in first:
                text = f"zone stated twice: first by class[{first[zone.id]}]"
                found.append(Problem(file, f"class[{number}]", zone.id, text))
            first.setdefault(zone.id, number)
    return found


def edge_problems(
    file: str, where: str, edges: dict[str, Fraction], odds: object, zero_edge_note: str | None
) -> list[Problem]:
    """A negative house edge is a typing error in odds or combination; a zero one must be stated as meant.

    `edges`: of the zones that the section `where` of the file stands for, which states these odds and this note.
    """
    negative = {zone: edge for zone, edge in edges.items() if edge < 0}
    fair = [zone for zone, edge in edges.items() if edge == 0]
    found = []
    if negative:
        text = f"the house would lose on {_named(negative)}: correct the odds or what wins"
        found.append(Problem(file, f"{where}.odds", odds, text))
    if fair and zero_edge_note is None:
        text = f"house edge of {', '.join(fair)} is exactly zero: correct the odds, or say here why it is meant"
        found.append(Problem(file, f"{where}.zero_edge_note", ABSENT, text))
    if not fair and zero_edge_note is not None:
        text = "no zone of this class has a house edge of zero: remove the note or correct the odds"
        found.append(Problem(file, f"{where}.zero_edge_note", zero_edge_note, text))
    return found


def _named(edges: dict[str, Fraction]) -> str:
    return ", ".join(f"{zone} ({float(edge):.2%})" for zone, edge in edges.items())


def _plain(odds: object) -> object:
    """Odds as they stand in the file."""
    return odds.model_dump() if isinstance(odds, SingleOdds) else odds
