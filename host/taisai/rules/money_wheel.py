"""The money wheel as a game: 52 stops around the rim, each exhibiting one of seven symbols (Division 10, rule 2.3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from taisai.rules.game import Game, Win

# Rules 2.2 and 2.3.
STOPS = 52
LETTERS = ("A", "B", "C", "D", "E", "F", "G")


@dataclass(frozen=True)
class Symbol:
    """One betting area: wins when the indicator rests in a section that exhibits its letter (rule 3.1)."""

    letter: str
    odds: int
    clause: str
    kind: str = "symbol"

    @property
    def id(self) -> str:
        """The zone id: symbol-A."""
        return f"{self.kind}-{self.letter}"

    @property
    def values(self) -> tuple[str]:
        """What it wins on."""
        return (self.letter,)


class HasWheel(Protocol):
    """What the rules need of a layout: its symbols, A to G, and the letter at each stop."""

    @property
    def zones(self) -> tuple[Symbol, ...]: ...
    @property
    def stops(self) -> tuple[str, ...]: ...


class MoneyWheel(Game):
    """An outcome is the number of a stop, 0 to 51, in the order in which they pass the indicator."""

    id = "money-wheel"
    outcomes = range(STOPS)
    plural = "stops"
    columns = ("stop", "symbol")

    def evaluate(self, layout: HasWheel, outcome: int) -> dict[str, int]:
        return {win.zone: win.odds for win in self.explain(layout, outcome)}

    def explain(self, layout: HasWheel, outcome: int) -> list[Win]:
        letter = layout.stops[outcome]
        reason = f"{layout.stops.count(letter)} of the {STOPS} sections exhibit {letter}, and this is one of them"
        return [Win(zone.id, zone.odds, zone.clause, reason) for zone in layout.zones if zone.letter == letter]

    def house_edge(self, layout: HasWheel) -> dict[str, Fraction]:
        return {zone.id: symbol_edge(zone.odds, layout.stops.count(zone.letter)) for zone in layout.zones}

    def call(self, layout: HasWheel, outcome: int) -> str:
        """Rule 4.4: the winning symbol of the section."""
        return f"Symbol {layout.stops[outcome]}"

    def parse(self, layout: HasWheel, words: Sequence[str]) -> list[int]:
        """One stop by its number, or all that exhibit a symbol by its letter."""
        if len(words) != 1:
            raise ValueError(f"it has no dice, and {len(words)} words were given: name one {_WANTED}")
        word = words[0]
        if word.isascii() and word.isdigit() and len(word) <= 2 and int(word) < STOPS:
            return [int(word)]
        letter = word.upper().removeprefix("SYMBOL-")
        if letter not in LETTERS:
            raise ValueError(f"{word!r} is no stop and no symbol of the wheel: name one {_WANTED}")
        return [stop for stop in self.outcomes if layout.stops[stop] == letter]

    def meant(self, layout: HasWheel, outcomes: Sequence[int]) -> dict[str, object]:
        return {"symbol": layout.stops[outcomes[0]], "stops": list(outcomes)}

    def fields(self, layout: HasWheel, outcome: int) -> dict[str, object]:
        return {"stop": outcome, "symbol": layout.stops[outcome]}

    def cells(self, layout: HasWheel, outcome: int) -> tuple[int, str]:
        return outcome, layout.stops[outcome]

    def named(self, outcome: int) -> str:
        return f"stop {outcome}"


_WANTED = f"stop, 0 to {STOPS - 1}, or one symbol, A to G, for example 17 or B"


def symbol_edge(odds: int, sections: int) -> Fraction:
    """What the house keeps of each unit on a symbol that so many of the equally likely sections exhibit."""
    return 1 - Fraction(sections * (odds + 1), STOPS)
