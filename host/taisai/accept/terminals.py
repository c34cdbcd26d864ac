"""What keys and display do at the terminal of each game, as far as acceptance has to know it."""

from typing import Protocol

from taisai.accept.operator import ENTRY
from taisai.accept.presses import presses
from taisai.client import Board
from taisai.rules import MONEY_WHEEL, TAI_SAI


class Terminal(Protocol):
    """Of one game. `beeps`: a key that can be pressed to hear the beeper; ENTRY held takes back what it did."""

    beeps: str

    def show(self, board: Board, digit: str) -> None:
        """Have this digit on all three places of the display, in a test run."""

    def trace(self, board: Board) -> dict:
        """How the contacts moved since the last call. No press of the step that traces them may become a game."""

    def after(self, shown: str, key: str) -> str:
        """The digits that the unit tells of when this key has been pressed, or ENTRY held, where it told of `shown`, in
        the step that traces the contacts.
        """


class DiceTerminal:
    """Tai-Sai: the display shows the last three presses, and holding ENTRY clears it."""

    beeps = "1"

    def show(self, board: Board, digit: str) -> None:
        board.fixture("keys", presses([digit] * 3))

    def trace(self, board: Board) -> dict:
        return board.fixture("trace")

    def after(self, shown: str, key: str) -> str:
        return "" if key == ENTRY else shown + key


class WheelTerminal:
    """The money wheel: 1 and 6 offer a letter, and ENTRY then makes a game of it; the other keys are refused."""

    beeps = "2"

    def show(self, board: Board, digit: str) -> None:
        board.fixture("show", digit * 3)

    def trace(self, board: Board) -> dict:
        return board.fixture("trace", "deaf")

    def after(self, shown: str, key: str) -> str:
        return ""


TERMINALS: dict[str, Terminal] = {TAI_SAI.id: DiceTerminal(), MONEY_WHEEL.id: WheelTerminal()}
