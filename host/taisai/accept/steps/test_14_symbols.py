"""Every symbol of the money wheel, from the keys' scanner to the latch: what comes back through the chain, the current
of its lamps, and its areas looked at, since a chain only tells what was shifted.
"""

from taisai.accept import Limit, StepFailed, step
from taisai.accept.operator import Sight
from taisai.accept.presses import presses
from taisai.build.tablebin import frames_of
from taisai.rules import MONEY_WHEEL

NEXT = "6"
# The letters as seven segments show them.
SHOWN = dict(zip("ABCDEFG", "AbCdEFG", strict=True))


@step(
    "symbols",
    game=MONEY_WHEEL.id,
    attended=True,
    limits=[
        Limit("symbols", "", lower=1),
        Limit("current_error", "lamps", upper=0.5, marginal=0.1, optional=True),
    ],
)
def test_symbols(unit, operator, measurements):
    table = unit.table
    stops = table.layout.stops
    wanted = dict(zip(stops, frames_of(table), strict=True))  # one frame for each letter
    left = dict(wanted)
    with unit.session() as board:
        while left:
            told = board.fixture("keys", presses([NEXT]))
            letter = next((each for each, frame in left.items() if frame.hex() == told["frame"]), None)
            if letter is None:
                reason = f"{told['frame']} comes back, which is none of {', '.join(left)}"
                raise StepFailed("lamp table", f"lamp table: {reason}")
            frame = left.pop(letter)
            lit = frozenset(at for at in range(8 * len(frame)) if int.from_bytes(frame, "big") >> at & 1)
            if "milliamp" in told:
                error = abs(told["milliamp"] / table.lamps.milliamp - len(lit))
                measurements.take("current_error", round(error, 2), of=letter, part=f"lamps of symbol-{letter}")
            sight = Sight(f"Is symbol {letter} lit, and no other, and {letter} displayed?", f" {SHOWN[letter]} ", lit)
            if not operator.sees(sight):
                raise StepFailed("firmware or latch", f"firmware or latch: symbol {letter} does not light as it should")
        board.fixture("end")
    measurements.take("symbols", len(wanted))
