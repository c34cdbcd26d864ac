"""The display's view of the money wheel: the symbol, and what it pays."""

from collections import Counter
from collections.abc import Sequence

from taisai.display.history import Game
from taisai.display.view import View, drawn, ranked
from taisai.drawing.svg import text
from taisai.rules.money_wheel import LETTERS

_SIDE_PX = 40


class MoneyWheel(View):
    """A result is written as its symbol, "C"."""

    words = {"en": {"title": "Money wheel results", "void": "No spin", "ranking": "Symbols in the last {} games"}}

    def result(self, throw: str) -> dict:
        """The symbol with its odds; rule 4.4 has the symbol called."""
        (zone,) = (each for each in self._layout.zones if each.values == (throw,))
        return {"faces": [throw], "labels": [f"{zone.odds} to 1"], "call": self.name(zone)}

    def counts(self, games: Sequence[Game]) -> list[dict]:
        """There are no larger areas than the symbols."""
        return []

    def ranking(self, games: Sequence[Game]) -> list[dict]:
        """How often each symbol has come, hot and cold by the sections that exhibit it (rule 2.3)."""
        sections = {letter: self._layout.stops.count(letter) for letter in LETTERS}
        return ranked(Counter(game.throw for game in games if game.throw), sections)

    def pictures(self) -> dict[str, str]:
        """Each symbol as its letter, which is what the rules call it."""
        middle = _SIDE_PX / 2
        disc = f'<circle class="die" cx="{middle:g}" cy="{middle:g}" r="{middle - 1:g}"/>'
        found = {}
        for letter in LETTERS:
            marks = [disc, text(middle, 0.7 * _SIDE_PX, 0.55 * _SIDE_PX, letter, "symbol")]
            found[letter] = drawn(letter, marks, _SIDE_PX)
        return found
