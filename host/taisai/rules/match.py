"""What each kind of zone needs from the dice: one entry per kind, and the only place where kinds differ.

A kind says when the numbers match. Whether a triple that matches also wins is not decided here: the zone lists the
triples on which it loses, as its layout file states them.
"""

from collections.abc import Callable
from dataclasses import dataclass

from taisai.rules.dice import triple_of
from taisai.rules.zone import Zone

Throw = tuple[int, int, int]
Values = tuple[int, ...]


@dataclass(frozen=True)
class Kind:
    """`matches(values, dice)`: do the sorted dice show it. `reason(values, dice)`: the same in words, for people."""

    matches: Callable[[Values, Throw], bool]
    reason: Callable[[Values, Throw], str]


def _listed(numbers: Values) -> str:
    *most, last = map(str, numbers)
    return f"{', '.join(most)} and {last}" if most else last


def _on_dice(number: int, dice: Throw) -> str:
    count = dice.count(number)
    return f"{number} is on {('one die', 'two dice', 'three dice')[count - 1]}"


KINDS = {
    "total-group": Kind(
        lambda values, dice: sum(dice) in values,
        lambda values, dice: f"the total {sum(dice)} is one of its totals",
    ),
    "total": Kind(
        lambda values, dice: sum(dice) in values,
        lambda values, dice: f"the total is {sum(dice)}",
    ),
    "any-triple": Kind(
        lambda values, dice: triple_of(dice) in values,
        lambda values, dice: f"the dice show triple {dice[0]}",
    ),
    "triple": Kind(
        lambda values, dice: triple_of(dice) in values,
        lambda values, dice: f"the dice show triple {dice[0]}",
    ),
    "double": Kind(
        lambda values, dice: dice.count(values[0]) >= 2,
        lambda values, dice: _on_dice(values[0], dice),
    ),
    "single": Kind(
        lambda values, dice: values[0] in dice,
        lambda values, dice: _on_dice(values[0], dice),
    ),
    "pair": Kind(
        lambda values, dice: set(values) <= set(dice),
        lambda values, dice: f"{_listed(values)} are both shown",
    ),
    "three": Kind(
        lambda values, dice: dice == values,
        lambda values, dice: f"the three dice show {_listed(values)}",
    ),
    "four": Kind(
        lambda values, dice: len(set(dice)) == 3 and set(dice) <= set(values),
        lambda values, dice: f"{_listed(dice)} are three of {_listed(values)}",
    ),
}


def wins(zone: Zone, dice: Throw) -> bool:
    """Does the zone win on these dice (sorted)? True when they match and are no triple on which the zone loses."""
    return KINDS[zone.kind].matches(zone.values, dice) and triple_of(dice) not in zone.losing_triples


def reason(zone: Zone, dice: Throw) -> str:
    """Why a winning zone wins, in a few words."""
    return KINDS[zone.kind].reason(zone.values, dice)
