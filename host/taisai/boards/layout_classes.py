"""The classes of zones that a layout file may hold: what each must state, and the zones it stands for.

Every class states what triples do to it, also where only one answer makes sense, so that a reader of the file needs no
knowledge of this code.
"""

from itertools import pairwise
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from taisai.boards.model import StrictModel, Text
from taisai.rules import FACES, Odds, Zone, zone_id

Face = Annotated[int, Field(ge=1, le=6)]
# Totals with a betting area of their own: 3 and 18 are the triples 1 and 6 and have none in any of the rules.
AreaTotal = Annotated[int, Field(ge=4, le=17)]
AnyTotal = Annotated[int, Field(ge=3, le=18)]
# "odds to 1"; "absent" says that the source at hand states none, which is not the same as a forgotten key.
PlainOdds = Annotated[int, Field(ge=1, le=1000)] | Literal["absent"]

NO_TRIPLE: tuple[int, ...] = ()


def _ascending(numbers: tuple[int, ...]) -> tuple[int, ...]:
    if any(low >= high for low, high in pairwise(numbers)):
        raise ValueError("must be different numbers in ascending order")
    return numbers


def _three_dice(numbers: tuple[int, ...]) -> tuple[int, ...]:
    if list(numbers) != sorted(numbers):
        raise ValueError("must be in ascending order")
    if len(set(numbers)) == 1:
        raise ValueError("is a triple: put it into a class of the kind 'triple'")
    return numbers


Numbers = Annotated[tuple[Face, ...], Field(min_length=1), AfterValidator(_ascending)]
AreaTotals = Annotated[tuple[AreaTotal, ...], Field(min_length=1), AfterValidator(_ascending)]
AnyTotals = Annotated[tuple[AnyTotal, ...], Field(min_length=1), AfterValidator(_ascending)]
TwoNumbers = Annotated[tuple[Face, Face], AfterValidator(_ascending)]
ThreeDice = Annotated[tuple[Face, Face, Face], AfterValidator(_three_dice)]
FourNumbers = Annotated[tuple[Face, Face, Face, Face], AfterValidator(_ascending)]


class ZoneClass(StrictModel):
    """Keys of every class. `name` and `clause` are the rule's; `note` says where the rule is silent or slips.

    `zero_edge_note` must be there when, and only when, a zone of the class is a fair bet (house edge exactly zero).
    """

    name: Text
    clause: Text
    note: Text | None = None
    zero_edge_note: Text | None = None

    @property
    def zones(self) -> tuple[Zone, ...]:
        """The zones this class stands for, in the order of the file."""
        raise NotImplementedError

    def _zone(self, values: tuple[int, ...], losing_triples: tuple[int, ...]) -> Zone:
        return Zone(zone_id(self.kind, values), self.kind, values, zone_odds(self.odds), self.clause, losing_triples)


class LosingTriples(StrictModel):
    """`lose`: the triples, by face, on which the zone loses even where their total is one of the winning totals."""

    lose: Annotated[tuple[Face, ...], AfterValidator(_ascending)]


class TotalGroupClass(ZoneClass):
    """One zone that wins on several totals: small, big, odd or even."""

    kind: Literal["total-group"]
    zone: Literal["small", "big", "odd", "even"]
    totals: AnyTotals
    triples: LosingTriples
    odds: PlainOdds

    @property
    def zones(self) -> tuple[Zone, ...]:
        odds = zone_odds(self.odds)
        return (Zone(self.zone, self.kind, self.totals, odds, self.clause, self.triples.lose),)


class AnyTripleClass(ZoneClass):
    """The one zone that wins on every triple."""

    kind: Literal["any-triple"]
    triples: Literal["win"]
    odds: PlainOdds

    @property
    def zones(self) -> tuple[Zone, ...]:
        return (self._zone(FACES, NO_TRIPLE),)


class TripleClass(ZoneClass):
    """One zone for each number: wins when all three dice show it."""

    kind: Literal["triple"]
    numbers: Numbers
    triples: Literal["win"]
    odds: PlainOdds

    @property
    def zones(self) -> tuple[Zone, ...]:
        return tuple(self._zone((number,), NO_TRIPLE) for number in self.numbers)


class DoubleClass(ZoneClass):
    """One zone for each number: wins when two dice show it; on the triple it wins once (its odds, once) or loses."""

    kind: Literal["double"]
    numbers: Numbers
    triples: Literal["win once", "lose"]
    odds: PlainOdds

    @property
    def zones(self) -> tuple[Zone, ...]:
        losing = NO_TRIPLE if self.triples == "win once" else FACES
        return tuple(self._zone((number,), losing) for number in self.numbers)


class TotalClass(ZoneClass):
    """One zone for each total: wins when the dice add up to it; a triple with that total wins or loses as stated."""

    kind: Literal["total"]
    totals: AreaTotals
    triples: Literal["win", "lose"]
    odds: PlainOdds

    @property
    def zones(self) -> tuple[Zone, ...]:
        losing = NO_TRIPLE if self.triples == "win" else FACES
        return tuple(self._zone((total,), losing) for total in self.totals)


class SingleOdds(StrictModel):
    """Odds to 1 of a single-die zone by the number of dice that show its number."""

    one_die: Annotated[int, Field(ge=1, le=1000)]
    two_dice: Annotated[int, Field(ge=1, le=1000)]
    three_dice: Annotated[int, Field(ge=1, le=1000)]


class SingleClass(ZoneClass):
    """One zone for each number: wins when one die or more show it, and pays by how many do."""

    kind: Literal["single"]
    numbers: Numbers
    triples: Literal["win"]
    odds: SingleOdds | Literal["absent"]

    @property
    def zones(self) -> tuple[Zone, ...]:
        return tuple(self._zone((number,), NO_TRIPLE) for number in self.numbers)


class CombinationClass(ZoneClass):
    """One zone for each combination of numbers that no triple can show, so that triples lose."""

    triples: Literal["lose"]
    odds: PlainOdds

    @property
    def zones(self) -> tuple[Zone, ...]:
        return tuple(self._zone(numbers, FACES) for numbers in self.combinations)


class PairClass(CombinationClass):
    """Two different numbers: wins when both are shown."""

    kind: Literal["pair"]
    combinations: Annotated[tuple[TwoNumbers, ...], Field(min_length=1)]


class ThreeClass(CombinationClass):
    """Three dice, two of them alike or none: wins on exactly these three."""

    kind: Literal["three"]
    combinations: Annotated[tuple[ThreeDice, ...], Field(min_length=1)]


class FourClass(CombinationClass):
    """Four different numbers: wins when the dice show three different ones of them."""

    kind: Literal["four"]
    combinations: Annotated[tuple[FourNumbers, ...], Field(min_length=1)]


AnyClass = Annotated[
    TotalGroupClass
    | AnyTripleClass
    | TripleClass
    | DoubleClass
    | TotalClass
    | PairClass
    | SingleClass
    | ThreeClass
    | FourClass,
    Field(discriminator="kind"),
]


def zone_odds(stated: int | SingleOdds | str) -> Odds:
    """The odds of a class as its zones carry them: None for "absent", three numbers for a single-die class."""
    if isinstance(stated, SingleOdds):
        return stated.one_die, stated.two_dice, stated.three_dice
    return None if stated == "absent" else stated
