"""Where the model of the money wheel is at any moment, for whoever draws it."""

from math import floor
from random import Random

import pytest

from taisai.sim.wheel import QUARTERS, Wheel

START_US = 1_000_000


@pytest.mark.parametrize("revolutions", [3.4, -3.4])
@pytest.mark.parametrize("end", ["free", "peg"])
def test_it_goes_evenly_from_where_it_was_thrown_to_where_it_rests(revolutions, end):
    wheel = Wheel((0,), Random(3))
    start = wheel.angle
    wheel.spin(revolutions, START_US, end)
    assert wheel.place(START_US) == pytest.approx(start)
    steps = [wheel.place(t_us) for t_us in range(START_US, wheel.rest_us, 20_000)]
    assert max(abs(one - other) for one, other in zip(steps, steps[1:], strict=False)) < 10
    assert wheel.place(wheel.rest_us) == wheel.place(wheel.rest_us + 10**9) == wheel.angle
    assert abs(wheel.angle - start) == pytest.approx(3.4 * QUARTERS, abs=8)


def test_in_each_quarter_it_is_there():
    """Between two passes, the way back that the indicator pushes it included."""
    turned_back = 0
    for seed in range(20):
        wheel = Wheel((0, 3), Random(seed))
        wheel.spin(0.7, START_US)
        for (before_us, quarter), (after_us, following) in zip(wheel.passes, wheel.passes[1:], strict=False):
            turned_back += following < quarter
            if after_us - before_us > 1:
                assert floor(wheel.place((before_us + after_us) // 2)) in (quarter, max(quarter, following))
    assert turned_back
