"""What the display needs of a game. There is one view for each, and nothing else of the display knows which it is."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from fractions import Fraction

from taisai.boards.layout import Layout
from taisai.boards.names import zone_name
from taisai.display.history import Game
from taisai.rules import Area


class View(ABC):
    """The view of one layout, whose rules say what wins and whose language is that of the players.

    `words` are those of the game, by language: title, void, ranking, and total where results have one. A face is what
    a picture shows: a number of a die, a symbol.
    """

    words: dict[str, dict[str, str]]

    def __init__(self, layout: Layout):
        self._layout = layout

    @abstractmethod
    def result(self, throw: str) -> dict:
        """One result: its `faces`, perhaps a `total`, `labels` that say what it is, and the dealer's `call`."""

    @abstractmethod
    def counts(self, games: Sequence[Game]) -> list[dict]:
        """How many of the games each of the larger areas has won: `name` and `count`."""

    @abstractmethod
    def ranking(self, games: Sequence[Game]) -> list[dict]:
        """How often each face has come: `face`, `count`, and `heat`, see below."""

    @abstractmethod
    def pictures(self) -> dict[str, str]:
        """Each face as SVG."""

    def name(self, zone: Area) -> str:
        """What the players call a betting area."""
        return zone_name(zone, self._layout.language, self._layout.game)


def ranked(counts: dict[str, int], weights: dict[str, int]) -> list[dict]:
    """Faces with their counts. Hot are those that came most often and cold those that came least often, measured by
    their weights (how many of so many places show that face), unless all are alike.
    """
    shares = {face: Fraction(counts[face], weight) for face, weight in weights.items()}
    least, most = min(shares.values()), max(shares.values())
    heat = {} if least == most else {most: "hot", least: "cold"}
    return [{"face": face, "count": counts[face], "heat": heat.get(shares[face])} for face in weights]


def drawn(face: str, marks: list[str], size: float) -> str:
    """The picture of a face: its marks in a square of that size, readable to those who hear the page."""
    return f'<svg viewBox="0 0 {size:g} {size:g}" role="img" aria-label="{face}">{"".join(marks)}</svg>'
