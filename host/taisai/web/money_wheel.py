"""The page's view of the money wheel: its drawing, how it stands, and a hand that throws it."""

from taisai.drawing import svg, wheel
from taisai.errors import TaisaiError
from taisai.sim.bench import Bench
from taisai.sim.fittedwheel import FittedWheel
from taisai.sim.wheel import QUARTERS
from taisai.web.actions import Spin
from taisai.web.view import View

# What the dealer announces of a spin that was none, by the reason on the display (rules 4.2, 5.1 to 5.3).
_NO_SPIN = {
    "n-r": "No spin: fewer than {} revolutions",
    "n-b": "No spin: the wheel went back",
    "n-H": "No spin: a hand stopped the wheel",
    "n-F": "No spin: a hand pushed the wheel on",
    "n-P": "No spin: at rest on a peg",
    "---": "The sensors cannot tell: enter the symbol",
}


class MoneyWheel(View):
    """A result is the letter of its symbol."""

    def furniture(self) -> dict:
        """The wheel as it is drawn, how many steps its place has in one revolution, and whether sensors see it."""
        drawing = svg.document(wheel.SIZE, wheel.SIZE, wheel.STYLE, wheel.marks(self._layout), self._layout.wheel.title)
        sensors = self._table.controller.wheel is not None
        return {"wheel": {"drawing": drawing, "steps": QUARTERS, "sensors": sensors}}

    def moving(self, bench: Bench) -> list[dict]:
        """`place`: steps clockwise from where the index is, not brought back to one revolution."""
        fitted = bench.wheel
        return [{"type": "wheel", "place": round(fitted.place, 2), "words": _how_it_stands(fitted)}]

    def spin(self, bench: Bench, action: Spin) -> None:
        way = 1 if action.way == "clockwise" else -1
        try:
            bench.wheel.spin(way * action.revolutions, action.end)
        except ValueError as error:
            raise TaisaiError(str(error)) from error

    def call(self, state: dict) -> str:
        reason = _NO_SPIN.get(state["digits"], "")
        return super().call(state) or reason.format(self._layout.minimum_revolutions)


def _how_it_stands(fitted: FittedWheel) -> str:
    if fitted.turning:
        return "The wheel turns"
    return f"Symbol {fitted.symbol} at the indicator" if fitted.symbol else "The indicator is on a peg"
