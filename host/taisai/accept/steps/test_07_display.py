"""The display, digit by digit. 6 and 2 together use every segment, 1 shows one that never goes off."""

from taisai.accept import StepFailed, step
from taisai.accept.operator import Sight

PLACES = ("left", "middle", "right")


@step("display", attended=True)
def test_display(unit, operator):
    with unit.session() as board:
        for digit in "621":
            unit.terminal.show(board, digit)
            if operator.sees(Sight(f"Does the display show {digit} {digit} {digit}?", display=digit * 3)):
                continue
            if operator.sees(Sight("Is the whole display dark?", display="   ")):
                raise StepFailed("display", "display: it is dark: not plugged in, or without supply")
            for at, place in enumerate(PLACES):
                wanted = "".join(digit if place == PLACES[at] else "*" for place in PLACES)
                if not operator.sees(Sight(f"Is the {place} digit a good {digit}?", display=wanted)):
                    raise StepFailed(f"{place} digit", f"{place} digit: it does not show {digit} as it should")
            raise StepFailed("display", f"display: it does not show {digit} {digit} {digit}")
        board.fixture("end")
