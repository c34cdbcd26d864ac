"""The layout of a money wheel table: seven symbols with their odds, and the wheel that they are won on."""

from functools import cached_property
from pathlib import Path
from typing import Annotated

from pydantic import Field

from taisai.boards import shipped
from taisai.boards.draft import draft
from taisai.boards.layout_checks import edge_problems
from taisai.boards.layout_model import Layout, name_problems
from taisai.boards.model import StrictModel, Text
from taisai.boards.tomlfile import check
from taisai.boards.wheel import Wheel, load_wheel
from taisai.errors import DataErrors, Problem
from taisai.rules import MONEY_WHEEL
from taisai.rules.money_wheel import LETTERS, Symbol, symbol_edge


class SymbolKeys(StrictModel):
    """What a layout says of one symbol: the sections that exhibit it (rule 2.3), and what it pays (rule 3.8)."""

    sections: Annotated[int, Field(ge=1, le=len(MONEY_WHEEL.outcomes))]
    odds: Annotated[int, Field(ge=1, le=1000)]
    zero_edge_note: Text | None = None


class Symbols(StrictModel):
    """All seven, by their letters."""

    A: SymbolKeys
    B: SymbolKeys
    C: SymbolKeys
    D: SymbolKeys
    E: SymbolKeys
    F: SymbolKeys
    G: SymbolKeys


class WheelLayoutFile(Layout):
    """The keys of a layout file of this game. `clause` is the place in the rules that all its areas come from."""

    clause: Text
    wheel: Text
    # Rule 4.2: at least 3.
    minimum_revolutions: Annotated[int, Field(ge=3, le=20)]
    symbols: Symbols


class WheelLayout(Layout):
    """One checked layout file, with the wheel that it names."""

    clause: Text
    wheel: Wheel
    minimum_revolutions: int
    symbols: Symbols

    @property
    def stops(self) -> tuple[str, ...]:
        """The letter at each stop of the wheel."""
        return self.wheel.stops

    @cached_property
    def zones(self) -> tuple[Symbol, ...]:
        """The symbols from A to G."""
        return tuple(Symbol(letter, getattr(self.symbols, letter).odds, self.clause) for letter in LETTERS)


def load_wheel_layout(path: Path, data: dict) -> WheelLayout:
    """Check what a layout file says, with its wheel. Raises DataErrors with every problem of both."""
    checked, problems = check(WheelLayoutFile, data, path)
    sound = checked or draft(WheelLayoutFile, data)
    problems += name_problems(sound, str(path), path.stem)
    problems += _symbol_problems(sound.symbols, str(path))
    wheel = shipped.named_part("wheel", sound.wheel, path, load_wheel, problems)
    if wheel is not None:
        problems += _count_problems(sound.symbols, wheel, str(path))
    if problems:
        raise DataErrors(problems)
    return WheelLayout(**{**dict(checked), "wheel": wheel})


def _symbol_problems(symbols: Symbols | None, path: str) -> list[Problem]:
    """Odds that would make the house lose, and sections that do not make a wheel. May be a draft."""
    found = []
    stated = {} if symbols is None else {letter: part for letter, part in symbols if part is not None}
    for letter, part in stated.items():
        if part.odds is not None and part.sections is not None:
            edges = {f"symbol-{letter}": symbol_edge(part.odds, part.sections)}
            found += edge_problems(path, f"symbols.{letter}", edges, part.odds, part.zero_edge_note)
    sections = [part.sections for part in stated.values()]
    wanted = len(MONEY_WHEEL.outcomes)
    if len(sections) == len(LETTERS) and None not in sections and sum(sections) != wanted:
        text = f"the sections of all symbols must be {wanted} in all (rule 2.2): correct the counts"
        found.append(Problem(path, "symbols", sum(sections), text))
    return found


def _count_problems(symbols: Symbols | None, wheel: Wheel, path: str) -> list[Problem]:
    """The wheel exhibits each symbol as often as the layout says. `symbols` may be a draft."""
    found = []
    for letter, part in symbols or ():
        count = wheel.stops.count(letter)
        if part is not None and part.sections is not None and part.sections != count:
            text = f"the wheel has {count} stops with {letter}: correct it, or the stops of the wheel"
            found.append(Problem(path, f"symbols.{letter}.sections", part.sections, text))
    return found
