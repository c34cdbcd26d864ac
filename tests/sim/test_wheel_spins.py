"""Spins of the modelled wheel, judged by the firmware's logic: the money wheel's rules against the wheel itself."""

from collections import Counter

import pytest
from wheel_bench import MINIMUM, ON_PEG, WheelBench

from tablecore import wheelspin
from taisai.sim.wheel import PITCH, QUARTERS

SPINS = 10_000
SPINS_EACH = 250  # of one wheel
SENSOR_FAULTS = {
    "a is dead": ("E91", lambda sensors: sensors.stuck.update({1: 0})),
    "a is stuck": ("E91", lambda sensors: sensors.stuck.update({1: 1})),
    "b is dead": ("E92", lambda sensors: sensors.stuck.update({2: 0})),
    "b is stuck": ("E92", lambda sensors: sensors.stuck.update({2: 1})),
    "a and b are swapped": ("E93", lambda sensors: setattr(sensors, "swapped", True)),
    "the index is dead": ("E94", lambda sensors: sensors.stuck.update({4: 0})),
    "the index is stuck": ("E95", lambda sensors: sensors.stuck.update({4: 1})),
    "an edge too many each 1,000 pegs": ("E96", lambda sensors: setattr(sensors, "extra", True)),
}


def spin_at_random(bench: WheelBench) -> tuple[int, int]:
    """(quarters that the wheel turned since its last change of direction at launch, verdict).

    A wheel that is swung back may be in the quarter where it turns for less than the 5 ms between two samples. That
    quarter is not seen then, and does not count: never one too many.
    """
    rng = bench.rng
    revolutions = rng.choice((-1, 1)) * rng.uniform(0.2, 9)
    end = "peg" if rng.random() < 0.2 else "free"
    swing = rng.uniform(3, 60) if rng.random() < 0.3 else 0.0
    way = 1 if revolutions > 0 else -1
    start = bench.wheel.angle - way * swing
    verdict = bench.throw(revolutions, end, swing)
    turned = (int(bench.wheel.angle // 1) - int(start // 1)) * way
    entered_us = [t_us for t_us, _ in bench.wheel.passes[int(swing) - 1 : int(swing) + 2]]
    briefly = swing and any(later - sooner < 9000 for sooner, later in zip(entered_us, entered_us[1:], strict=False))
    return turned - 1 if briefly and bench.spin.net == turned - 1 else turned, verdict


@pytest.mark.soak
def test_spins_of_random_strength_direction_bounce_and_resting_place(campaign):
    """Valid and where, or no spin and why, exactly as the model has it. Within one step of the resolution of the edge
    of a peg both answers would do; those are counted apart, and are exact too.
    """
    counted: Counter = Counter()
    wrong = []
    for seed in range(campaign(SPINS) // SPINS_EACH):
        bench = WheelBench(seed)
        bench.throw(4.4)
        for number in range(SPINS_EACH):
            turned, verdict = spin_at_random(bench)
            if turned < MINIMUM:
                expected = wheelspin.FEW
            else:
                expected = wheelspin.ON_PEG if bench.wheel.rests_on_peg else wheelspin.GOOD
            counted[expected, near_an_edge(bench)] += 1
            stop = None if verdict != wheelspin.GOOD else bench.pegs.place // PITCH
            wanted = None if expected != wheelspin.GOOD else bench.wheel.stop
            if (verdict, stop, bench.spin.net) != (expected, wanted, turned):
                wrong.append((seed, number, turned, bench.spin.net, expected, verdict, stop, wanted))
        assert bench.found == [], "sound sensors"
    assert wrong == []
    assert all(counted[verdict, True] for verdict in (wheelspin.GOOD, wheelspin.FEW, wheelspin.ON_PEG)), counted
    assert counted[wheelspin.GOOD, False] > 20, counted


def near_an_edge(bench: WheelBench) -> bool:
    """It rests within one quarter of where a peg begins or ends."""
    return any((bench.wheel.angle - edge + step) % PITCH < 1 for edge in ON_PEG for step in (-1, 0, 1))


@pytest.mark.parametrize("name", SENSOR_FAULTS)
@pytest.mark.parametrize("when", ["from the start", "at rest", "while it turns"])
def test_a_sensor_fault_is_named_and_no_wrong_symbol_comes_of_it(name, when, campaign):
    """Of a sensor that fails while the last peg passes, nothing can tell: then the dealer's ENTRY stands between."""
    code, fail = SENSOR_FAULTS[name]
    named: Counter = Counter()
    for seed in range(campaign(30)):
        bench = WheelBench(seed, fail=fail if when == "from the start" else None)
        if when != "from the start":
            bench.throw(4.4)
        if when == "at rest":
            fail(bench.sensors)
        for number in range(30):
            bench.verdict = None
            bench.wheel.spin(bench.rng.choice((-1, 1)) * bench.rng.uniform(3.2, 9), bench.now_us)
            seconds = (bench.wheel.rest_us - bench.now_us) / 1_000_000
            share = bench.rng.random()
            bench.run(seconds * share)
            left = sum(1 for t_us, _ in bench.wheel.passes if t_us > bench.now_us)
            if when == "while it turns" and number == 0:
                fail(bench.sensors)
            bench.run(seconds * (1 - share) + 1.9)
            if bench.found:
                break
            if bench.verdict == wheelspin.GOOD and left > 2 * PITCH:
                assert bench.pegs.place // PITCH == bench.wheel.stop, (seed, number)
        named[bench.found[0] if bench.found else None] += 1
    # One that fails in the middle of an edge may show as a miscount first.
    assert set(named) <= {code, "E96"} and named[code] > 0.7 * sum(named.values()), named


@pytest.mark.parametrize(
    ("end", "verdict"), [("stop", wheelspin.STOPPED), ("push", wheelspin.PUSHED), ("free", wheelspin.GOOD)]
)
def test_a_hand_is_seen_by_the_timing_of_the_pegs_and_none_where_there_is_none(end, verdict, campaign):
    found: Counter = Counter()
    for seed in range(campaign(50)):
        bench = WheelBench(seed)
        for _ in range(5):
            found[bench.throw(bench.rng.choice((-1, 1)) * bench.rng.uniform(4, 8), end)] += 1
    on_peg = found.pop(wheelspin.ON_PEG, 0) + found.pop(wheelspin.UNSURE, 0)
    assert set(found) == {verdict} and on_peg < sum(found.values()), found


def test_at_full_speed_no_quarter_is_lost():
    """Four revolutions a second and the longest bounce, with readings 400 ms apart at times."""
    bench = WheelBench(5, bearing=60.0, indicator=100.0)
    with pytest.raises(ValueError, match="4 is the most"):
        bench.wheel.spin(40, bench.now_us)
    bench.throw(-4.4)
    for revolutions in (19, -19, 19):
        bench.verdict = None
        start = bench.wheel.angle
        bench.wheel.spin(revolutions, bench.now_us)
        for _ in range(8):
            bench.run(0.05)
            bench.now_us += 400_000
        bench.run((bench.wheel.rest_us - bench.now_us) / 1_000_000 + 1.9)
        assert bench.spin.net == abs(int(bench.wheel.angle // 1) - int(start // 1))
        assert bench.verdict == (wheelspin.ON_PEG if bench.wheel.rests_on_peg else wheelspin.GOOD)
        assert bench.pegs.travel % QUARTERS == (bench.wheel.quarter - bench.offset) % QUARTERS
