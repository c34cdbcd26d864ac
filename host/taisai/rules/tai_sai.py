"""Tai-Sai as a game: three dice, 216 throws."""

from collections.abc import Sequence

from taisai.rules import settle
from taisai.rules.calling import call
from taisai.rules.dice import THROWS
from taisai.rules.game import Game, Win


class TaiSai(Game):
    """The rules are in settle.py and match.py; an outcome is a throw."""

    id = "tai-sai"
    outcomes = THROWS
    plural = "throws"
    columns = ("die1", "die2", "die3")

    def evaluate(self, layout, outcome) -> dict[str, int | None]:
        return settle.evaluate(layout, outcome)

    def explain(self, layout, outcome) -> list[Win]:
        return settle.explain(layout, outcome)

    def house_edge(self, layout) -> dict:
        return settle.house_edge(layout)

    def call(self, layout, outcome) -> str:
        return call(outcome, layout.language)

    def parse(self, layout, words: Sequence[str]) -> list:
        """Three dice: `1 3 6`, or `136` in one word."""
        values = list(words[0]) if len(words) == 1 and len(words[0]) == 3 else words
        for value in values:
            if value not in ("1", "2", "3", "4", "5", "6"):
                raise ValueError(
                    f"{value!r} is not the value of a die: give three numbers from 1 to 6, for example 1 3 6"
                )
        if len(values) != 3:
            raise ValueError(f"a throw is three dice, and {len(values)} were given: for example 1 3 6")
        return [tuple(int(value) for value in values)]

    def meant(self, layout, outcomes) -> dict[str, object]:
        return self.fields(layout, outcomes[0])

    def fields(self, layout, outcome) -> dict[str, object]:
        return {"dice": list(outcome)}

    def cells(self, layout, outcome) -> tuple:
        return outcome

    def named(self, outcome) -> str:
        return f"throw {' '.join(map(str, outcome))}"
