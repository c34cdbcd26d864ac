"""Tai-Sai: winning zones of a throw with their odds, the reasons, and the house edge of each zone."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Protocol

from taisai.rules.dice import THROWS, sorted_throw
from taisai.rules.game import Win
from taisai.rules.match import Throw, reason, wins
from taisai.rules.zone import Zone


class HasZones(Protocol):
    """What the evaluation needs of a layout: its zones in canonical order."""

    @property
    def zones(self) -> tuple[Zone, ...]: ...


def evaluate(layout: HasZones, dice: Sequence[int]) -> dict[str, int | None]:
    """Winning zones in canonical order with their odds "to 1" (None where the source states none).

    The order of the dice does not matter. ValueError unless they are three numbers from 1 to 6.
    """
    throw = sorted_throw(dice)
    return {zone.id: _odds_on(zone, throw) for zone in layout.zones if wins(zone, throw)}


def explain(layout: HasZones, dice: Sequence[int]) -> list[Win]:
    """The same zones and odds as `evaluate`, each with its rule clause and the reason why it wins."""
    throw = sorted_throw(dice)
    return [
        Win(zone.id, _odds_on(zone, throw), zone.clause, reason(zone, throw))
        for zone in layout.zones
        if wins(zone, throw)
    ]


def house_edge(layout: HasZones) -> dict[str, Fraction | None]:
    """What the house keeps of each unit staked on a zone, on average over the 216 equally likely throws.

    0 is a fair bet and less than 0 loses money for the house; None where a zone has no odds.
    """
    return {zone.id: zone_edge(zone) for zone in layout.zones}


def zone_edge(zone: Zone) -> Fraction | None:
    """House edge of one zone: 1 minus what a stake of 1 returns on average (odds and the stake itself on a win)."""
    if zone.odds is None:
        return None
    returned = 0
    for dice in THROWS:
        throw = sorted_throw(dice)
        if wins(zone, throw):
            returned += _odds_on(zone, throw) + 1
    return 1 - Fraction(returned, len(THROWS))


def _odds_on(zone: Zone, throw: Throw) -> int | None:
    """Odds that a winning zone pays on this throw: a single-die zone pays by the number of dice that show it."""
    if isinstance(zone.odds, tuple):
        return zone.odds[throw.count(zone.values[0]) - 1]
    return zone.odds
