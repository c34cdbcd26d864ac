"""All 216 throws, from the keys' scanner to the latch: what comes back through the chain, and the current of the lamps,
compared with the rules; and some of them looked at, since a chain only tells what was shifted.
"""

import random

from taisai.accept import Limit, StepFailed, step
from taisai.accept.operator import ENTRY, Sight
from taisai.accept.presses import presses
from taisai.build.tablebin import frames_of
from taisai.rules import TAI_SAI, THROWS, evaluate

LOOKED_AT = 3  # throws, by a person; at the bench every one is


@step(
    "throws",
    game=TAI_SAI.id,
    attended=True,
    limits=[
        Limit("throws", "", lower=1),
        Limit("wrong_frames", "", upper=0),
        Limit("current_error", "lamps", upper=0.5, marginal=0.1, optional=True),
    ],
)
def test_throws(unit, operator, measurements, record):
    table = unit.table
    frames = frames_of(table)
    chosen = sorted(random.sample(range(len(THROWS)), record.sizes.throws))
    every = unit.bay.simulated
    looked_at = set(chosen if every else random.sample(chosen, min(LOOKED_AT, len(chosen))))
    worst, worst_throw, done = 0.0, None, 0
    with unit.session() as board:
        for index in chosen:
            dice, frame = THROWS[index], frames[index]
            name = " ".join(map(str, dice))
            told = board.fixture("keys", presses([*map(str, dice), ENTRY]))
            if told["frame"] != frame.hex():
                raise StepFailed("lamp table", f"lamp table: {name} comes back as {told['frame']}, not {frame.hex()}")
            lit = frozenset(at for at in range(8 * len(frame)) if int.from_bytes(frame, "big") >> at & 1)
            if "milliamp" in told:
                error = abs(told["milliamp"] / table.lamps.milliamp - len(lit))
                if error > worst:
                    worst, worst_throw = error, name
            if index in looked_at:
                zones = ", ".join(evaluate(table.layout, dice))
                if not operator.sees(Sight(f"{name}: are exactly these areas lit (blinking)? {zones}", lamps=lit)):
                    raise StepFailed("firmware or latch", f"firmware or latch: {name} does not light its areas")
            done += 1
        board.fixture("end")
    measurements.take("throws", done)
    measurements.take("wrong_frames", 0)
    if worst_throw is not None:
        measurements.take("current_error", round(worst, 2), part=f"firmware or latch (throw {worst_throw})")
