"""What the page needs of a game. There is one view for each, and nothing else of the page knows which it is."""

from abc import ABC, abstractmethod

from taisai.boards.table import Table
from taisai.rules import GAMES, Outcome, Win
from taisai.sim.bench import Bench
from taisai.web.actions import Spin


class View(ABC):
    """The view of one table, whose layout says what wins and how it is called.

    A state is what the firmware answers on its link; `lit` of it are the words of the result while one is lit.
    """

    def __init__(self, table: Table):
        self._table = table
        self._layout = table.layout
        self._rules = GAMES[table.layout.game]

    @abstractmethod
    def furniture(self) -> dict:
        """What this game adds to the message about the table."""

    @abstractmethod
    def moving(self, bench: Bench) -> list[dict]:
        """Messages, one of each type, about what moves at the table by itself now."""

    @abstractmethod
    def spin(self, bench: Bench, action: Spin) -> None:
        """Throw the wheel. TaisaiError, with nothing done, when that is not possible now."""

    def call(self, state: dict) -> str:
        """What the dealer announces of this state; "" while there is nothing."""
        return self._rules.call(self._layout, self._outcome(state)) if state["lit"] else ""

    def wins(self, state: dict) -> list[Win]:
        """The areas that win, with their reasons."""
        return self._rules.explain(self._layout, self._outcome(state)) if state["lit"] else []

    def _outcome(self, state: dict) -> Outcome:
        return self._rules.parse(self._layout, [str(word) for word in state["lit"]])[0]
