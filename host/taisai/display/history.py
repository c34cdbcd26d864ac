"""The last games of a table, from the records of its journal: the one place that says what a record does to a game.

A result begins a game, an amendment (rule 7.2) takes the place of its throw, a void (rule 7.1) of the whole game. Test
throws (rule 5.1) are no games, though a test may be run while a game is open and then carries its number.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from taisai.journal.entries import Entry

_RESULT, _AMEND, _VOID = "result", "amend", "void"


@dataclass(frozen=True)
class Game:
    """`throw`: the dice in the order in which they were keyed, "361"; None for a game that is void."""

    number: int
    throw: str | None
    amended: bool = False


class History:
    """The last `size` games. The same records give the same games, whenever each of them came."""

    def __init__(self, size: int):
        self._size = size
        self._games: dict[int, Game] = {}

    @property
    def games(self) -> tuple[Game, ...]:
        """Newest first."""
        return tuple(self._games[number] for number in sorted(self._games, reverse=True))

    def take(self, entries: Iterable[Entry]) -> None:
        """Take further records, in the order of their numbers."""
        for entry in filter(of_a_game, entries):
            number, kind = entry["game"], entry["kind"]
            self._games[number] = Game(number, None if kind == _VOID else entry["throw"], kind == _AMEND)
        for number in sorted(self._games)[: -self._size]:
            del self._games[number]


def of_a_game(entry: Entry) -> bool:
    """Whether the record says how a game has turned out. One that lacks its throw, as no table writes it, does not."""
    kind = entry["kind"]
    return "game" in entry and (kind == _VOID or kind in (_RESULT, _AMEND) and "throw" in entry)
