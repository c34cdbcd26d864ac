"""Who acts at the unit and looks at it: a person who is prompted, or on a simulated unit the bench's observers.

A step says once what is to be done and what is to be seen, in both forms: in words for a person, as data for the bench.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from taisai.accept.errors import Aborted

ENTRY = "E"
ANSWER_S = 60
"""A question that nobody answers for so long ends the run."""
WALK_S = 0.4
"""So long each thing of a row is to be seen."""


@dataclass(frozen=True)
class Act:
    """Something to be done at the unit. `keys`: pressed one after the other, `together` at once; `hold_ms` how long.
    `switch`, `power`: to be turned on or off. `turns`: revolutions of a money wheel, clockwise positive; `stopped`: a
    hand ends them."""

    text: str
    keys: tuple[str, ...] = ()
    together: bool = False
    hold_ms: int = 80
    switch: bool | None = None
    power: bool | None = None
    turns: float = 0.0
    stopped: bool = False


@dataclass(frozen=True)
class Sight:
    """Something to be seen or heard. `display`: its three characters, `*` for any; `lamps`: the register outputs whose
    lamps glow, and no others; `heard`: a tone since the last act, or none; `symbol`: the letter at the indicator of a
    money wheel."""

    text: str
    display: str | None = None
    lamps: frozenset[int] | None = None
    heard: bool | None = None
    symbol: str | None = None


class Operator(Protocol):
    """`assumed`: what nobody answered, but was taken for answered."""

    assumed: list[str]

    def does(self, act: Act) -> None:
        """Have it done: at the bench it has been done afterwards, a person has been told to."""

    def sees(self, sight: Sight) -> bool:
        """Whether it is so. Aborted when nobody answers."""

    def done(self) -> None:
        """What a person was told to do has been noticed: the prompt can go."""

    def watches(self, text: str, question: str, sights: Callable[[], Iterator[Sight]]) -> Sight | None:
        """Have a row of things looked at; each is there as the iterator yields it. The first that is not so."""

    def names_lit(self, zones: Sequence[str]) -> list[str]:
        """Which zones are lit, in part too."""


@dataclass(frozen=True)
class Prompt:
    """What a person is shown. kind: "info", "yes-no", "choice" or "text". `default`: what Enter alone means; None: an
    answer is needed. After `timeout_s` without an answer: Aborted."""

    text: str
    kind: str
    default: str | None = None
    choices: tuple[str, ...] = ()
    timeout_s: float = ANSWER_S


class Person:
    """A person in front of the unit. `ask(prompt)` shows a prompt and returns the answer, None after its time-out; one
    of kind "info" returns at once, and stays until `ask` is called again."""

    def __init__(self, ask: Callable[[Prompt], str | None]):
        self.assumed: list[str] = []
        self._ask = ask

    def does(self, act: Act) -> None:
        self._ask(Prompt(act.text, "info"))

    def sees(self, sight: Sight) -> bool:
        prompt = Prompt(sight.text, "yes-no")
        answer = self._ask(prompt)
        if answer is None:
            raise Aborted(f"nobody answered within {prompt.timeout_s:g} s: {sight.text}")
        return answer == "yes"

    def done(self) -> None:
        self._ask(Prompt("", "info"))

    def watches(self, text: str, question: str, sights: Callable[[], Iterator[Sight]]) -> Sight | None:
        """All of it, then one question; only after a no one question for each."""
        self._ask(Prompt(text, "info"))
        for _ in sights():
            time.sleep(WALK_S)
        if self.sees(Sight(question)):
            return None
        return next((sight for sight in sights() if not self.sees(sight)), None)

    def names_lit(self, zones: Sequence[str]) -> list[str]:
        answer = self._ask(Prompt("Which area is lit?", "choice", choices=tuple(zones)))
        return [answer] if answer else []


class Nobody:
    """Every answer is taken for a yes, on a real unit: for trying a plan out. Such a run can never read PASS."""

    def __init__(self, say: Callable[[str], None]):
        self.assumed: list[str] = []
        self._say = say

    def does(self, act: Act) -> None:
        self._say(act.text)

    def sees(self, sight: Sight) -> bool:
        self.assumed.append(sight.text)
        return True

    def done(self) -> None:
        """Nobody looks at a prompt."""

    def watches(self, text: str, question: str, sights: Callable[[], Iterator[Sight]]) -> Sight | None:
        for _ in sights():
            pass
        self.assumed.append(question)
        return None

    def names_lit(self, zones: Sequence[str]) -> list[str]:
        return []
