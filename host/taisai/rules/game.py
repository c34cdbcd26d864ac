"""What everything around the rules needs of a game. There is one object for each game, in games.py, and a layout names
the one it belongs to: so nobody else asks which game it is.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

# One result that is as likely as any other: a throw (three dice), or a stop of the wheel (its number).
Outcome = tuple[int, int, int] | int


class Area(Protocol):
    """A betting area as far as all games have it; `values` is what it wins on, in the words of its kind."""

    @property
    def id(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def values(self) -> tuple: ...
    @property
    def odds(self) -> int | tuple[int, int, int] | None: ...
    @property
    def clause(self) -> str: ...


class HasAreas(Protocol):
    """What a game needs of a layout: its areas in canonical order. The wheel needs its stops too."""

    @property
    def zones(self) -> Sequence[Area]: ...


@dataclass(frozen=True)
class Win:
    """One winning zone: zone id, odds "to 1" (None where the source states none), rule clause, reason."""

    zone: str
    odds: int | None
    clause: str
    reason: str


class Game(ABC):
    """The rules of one game.

    `id` is the name that layout files use. `outcomes` are all outcomes, each as likely as any other, in the order of
    the lamp table. `plural` and `columns` name them where they are listed.
    """

    id: str
    outcomes: Sequence[Outcome]
    plural: str
    columns: tuple[str, ...]

    @abstractmethod
    def evaluate(self, layout: HasAreas, outcome: Outcome) -> dict[str, int | None]:
        """Winning zones in canonical order with their odds "to 1" (None where the source states none)."""

    @abstractmethod
    def explain(self, layout: HasAreas, outcome: Outcome) -> list[Win]:
        """The same zones and odds, each with its rule clause and the reason why it wins."""

    @abstractmethod
    def house_edge(self, layout: HasAreas) -> dict[str, Fraction | None]:
        """What the house keeps of each unit staked on a zone, on average; None where a zone has no odds."""

    @abstractmethod
    def call(self, layout: HasAreas, outcome: Outcome) -> str:
        """The outcome as the dealer announces it."""

    @abstractmethod
    def parse(self, layout: HasAreas, words: Sequence[str]) -> list[Outcome]:
        """The outcomes that a person means who typed this; all of them win alike. ValueError says what is wrong."""

    @abstractmethod
    def meant(self, layout: HasAreas, outcomes: Sequence[Outcome]) -> dict[str, object]:
        """What `parse` understood, for other programs."""

    @abstractmethod
    def fields(self, layout: HasAreas, outcome: Outcome) -> dict[str, object]:
        """One outcome, for other programs."""

    @abstractmethod
    def cells(self, layout: HasAreas, outcome: Outcome) -> tuple:
        """The same, one value for each of `columns`."""

    @abstractmethod
    def named(self, outcome: Outcome) -> str:
        """The outcome in a sentence: "throw 1 3 6"."""
