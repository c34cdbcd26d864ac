"""Every lamp by itself: the frame comes back through the chain, the current is that of one lamp where it is sensed, and
where it is not somebody watches the walk.
"""

from statistics import median

from taisai.accept import Limit, StepFailed, step
from taisai.accept.operator import Sight
from taisai.accept.parts import lamp

DARK_PERCENT = 40  # of one lamp: less is none
FIRST = 4  # lamps: when all of them are dark, none will light


@step(
    "lamps",
    attended=True,
    limits=[
        Limit("dark_current", "% of a lamp", upper=40, optional=True),
        Limit("current", "% of a lamp", lower=80, upper=120, marginal=5, optional=True),
        Limit("middle_current", "% of a lamp", lower=90, upper=110, marginal=2, optional=True),
        Limit("lamps", "", lower=1),
    ],
)
def test_lamps(unit, operator, measurements):
    table = unit.table
    lamps = [(zone, number, output) for zone in table.layout.zone_ids for number, output in _numbered(table, zone)]
    with unit.session() as board:
        _dark(board, operator, measurements, table)
        if table.controller.sense is None:
            _walk(board, operator, lamps)
        else:
            _measure(board, measurements, table, lamps)
        measurements.take("lamps", len(lamps))
        board.fixture("end")


def _numbered(table, zone):
    outputs = table.harness[zone]
    return [(number if len(outputs) > 1 else None, output) for number, output in enumerate(outputs, 1)]


def _dark(board, operator, measurements, table):
    """Nothing is asked for, so nothing may be lit."""
    told = board.fixture("show", "888")
    dark = True
    if "milliamp" in told:
        percent = 100 * told["milliamp"] / table.lamps.milliamp
        dark = percent <= DARK_PERCENT
    if dark and operator.sees(Sight("Is the whole layout dark?", lamps=frozenset())):
        if "milliamp" in told:
            measurements.take("dark_current", round(percent, 1), part="lamps")
        return
    zones = operator.names_lit(table.layout.zone_ids)
    part = lamp(zones[0]) if zones else "current sense"
    raise StepFailed(part, f"{part}: it is lit while nothing is asked for" if zones else f"{part}: current while dark")


def _walk(board, operator, lamps):
    """Watched by whoever tests: one lamp after the other."""

    def sights():
        for zone, number, output in lamps:
            _light(board, zone, number, output)
            yield Sight(f"Is {lamp(zone, number)} lit, and no other?", lamps=frozenset((output,)))

    words = "Watch the layout: every lamp lights once, alone, in the order of the areas"
    wrong = operator.watches(words, "Did every lamp light, one after the other and alone?", sights)
    if wrong is None:
        return
    dark = [zone for zone, number, output in lamps[:FIRST] if not _seen(board, operator, zone, number, output)]
    if len(dark) == FIRST:
        raise StepFailed("lamp supply", "lamp supply: no lamp lights")
    (output,) = wrong.lamps
    part = next(lamp(zone, number) for zone, number, place in lamps if place == output)
    raise StepFailed(part, f"{part}: it does not light, or not alone ({_place(output)})")


def _seen(board, operator, zone, number, output):
    _light(board, zone, number, output)
    return operator.sees(Sight(f"Is {lamp(zone, number)} lit?", lamps=frozenset((output,))))


def _measure(board, measurements, table, lamps):
    """By the current that each draws."""
    percents = {}
    for zone, number, output in lamps:
        told = _light(board, zone, number, output)
        percents[zone, number, output] = 100 * told["milliamp"] / table.lamps.milliamp
        if len(percents) == FIRST and max(percents.values()) < DARK_PERCENT:
            raise StepFailed("lamp supply", "lamp supply: no lamp draws any current")
    measurements.take("middle_current", round(median(percents.values()), 1), part="current sense")
    for (zone, number, output), percent in percents.items():
        of = zone if number is None else f"{zone} {number}"
        measurements.take("current", round(percent, 1), of=of, part=f"{lamp(zone, number)} ({_place(output)})")


def _light(board, zone, number, output):
    told = board.fixture("light", str(output))
    frame = int(told["frame"], 16)
    if frame != 1 << output:
        raise StepFailed("lamp chain", f"lamp chain: for {lamp(zone, number)} it gives back {told['frame']}")
    return told


def _place(output):
    return f"register {output // 8 + 1}, output {output % 8}"
