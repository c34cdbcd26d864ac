"""Lamps, zones, currents and the sense, driven through the pins of shipped tables."""

from statistics import mean, stdev

import pytest
from bench_parts import DOUBLE_WING, HC595, MAX7219, Wired

from taisai.boards.table import list_tables

LAMP = 20.0


@pytest.mark.parametrize("table_id", list_tables())
def test_each_output_lights_the_zone_that_the_harness_gives_it_and_no_other(table_id):
    wired = Wired(table_id)
    owner = {output: zone for zone, outputs in wired.table.harness.items() for output in outputs}
    for output in range(8 * wired.table.registers):
        wired.show([output])
        seen = wired.bench.observe()
        assert seen.lit + seen.partial == ([owner[output]] if output in owner else [])
        assert wired.bench.lamps.milliamp(wired.bench.now_us) == (LAMP if output in owner else 0)


def test_a_zone_of_two_lamps_is_lit_only_with_both():
    wired = Wired(DOUBLE_WING)
    left, right = wired.zone("big")
    for outputs, lit, partial in [([left], [], ["big"]), ([right], [], ["big"]), ([left, right], ["big"], [])]:
        wired.show(outputs)
        seen = wired.bench.observe()
        assert (seen.lit, seen.partial) == (lit, partial)
    wired.show(wired.zone("total-9") + wired.zone("small") + wired.zone("double-1")[:1])
    seen = wired.bench.observe()
    assert (seen.lit, seen.partial) == (["small", "total-9"], ["double-1"]), "in the canonical order of zones"
    assert wired.bench.lamps.milliamp(wired.bench.now_us) == 5 * LAMP


def test_nothing_lights_before_the_controller_enables_the_outputs():
    # SCLS041: OE high disables the outputs; the pull-up holds it there while the chip boots or is reset.
    wired = Wired(HC595, random_bits=True)
    assert wired.bench.chain.output != 0
    assert wired.bench.observe().lit == [] and wired.bench.first_lit_us is None
    wired.bench.advance(1_000_000)
    wired.pin(wired.chain.enable, 0)
    assert wired.bench.observe().lit != []
    assert wired.bench.first_lit_us == wired.bench.now_us
    wired.bench.reset_controller()
    seen = wired.bench.observe()
    assert seen.lit == [] and not seen.enabled
    assert int(seen.frame, 16) == wired.bench.chain.output != 0, "the chain has kept its power and its bits"


def test_first_lit_is_the_moment_of_the_first_current_since_power_on():
    wired = Wired(HC595)
    wired.show([], enabled=True)
    assert wired.bench.first_lit_us is None
    wired.show(wired.zone("small"))
    first = wired.bench.first_lit_us
    assert first == wired.bench.now_us - 20, "the latch edge, two pin moves ago"
    wired.show([])
    wired.show(wired.zone("big"))
    assert wired.bench.first_lit_us == first
    wired.bench.power_off()
    wired.bench.power_on()
    assert wired.bench.first_lit_us is None


def test_an_enable_that_blinks_on_is_seen():
    wired = Wired(HC595)
    wired.show(wired.zone("small"), enabled=False)
    wired.pin(wired.chain.enable, 0)
    wired.pin(wired.chain.enable, 1)
    assert wired.bench.first_lit_us == wired.bench.now_us - 10


def test_an_open_lamp_is_dark_and_draws_nothing():
    wired = Wired(DOUBLE_WING)
    wired.bench.faults.apply("open:big")
    wired.show(wired.zone("big") + wired.zone("odd"))
    seen = wired.bench.observe()
    assert (seen.lit, seen.partial) == (["odd"], ["big"])
    assert wired.bench.lamps.milliamp(wired.bench.now_us) == 3 * LAMP
    wired.bench.faults.apply("open:big:2")
    assert wired.bench.observe().partial == []


def test_a_shorted_lamp_is_dark_and_puts_its_driver_into_the_limit():
    # SLIS032B: each output of a TPIC6B595 limits at 500 mA typical.
    wired = Wired(MAX7219)
    wired.bench.faults.apply("short:big")
    wired.show(wired.zone("odd"))
    assert wired.bench.lamps.milliamp(wired.bench.now_us) == LAMP, "a short draws nothing while its output is off"
    wired.show(wired.zone("big") + wired.zone("odd"))
    assert wired.bench.observe().lit == ["odd"]
    assert wired.bench.lamps.milliamp(wired.bench.now_us) == LAMP + 500


def test_an_output_stuck_on_lights_whatever_frame_and_enable_say():
    wired = Wired(MAX7219)
    wired.bench.faults.apply("on:even")
    for enabled in (False, True):
        wired.show(wired.zone("odd"), enabled)
        assert wired.bench.observe().lit == (["odd", "even"] if enabled else ["even"])
    assert wired.bench.lamps.milliamp(wired.bench.now_us) == 2 * LAMP
    wired.show(wired.zone("even"))
    assert wired.bench.lamps.milliamp(wired.bench.now_us) == LAMP, "it is one lamp, not two"


def test_an_output_stuck_off_stays_dark():
    wired = Wired(MAX7219)
    wired.bench.faults.apply("off:even")
    wired.show(wired.zone("even") + wired.zone("odd"))
    assert wired.bench.observe().lit == ["odd"]
    assert wired.bench.lamps.milliamp(wired.bench.now_us) == LAMP
    assert wired.bench.chain.output.bit_count() == 2, "the latch holds both"


def test_without_the_lamp_supply_everything_is_dark_and_the_chain_works():
    wired = Wired(MAX7219)
    wired.bench.faults.apply("on:even")
    wired.bench.faults.apply("supply")
    wired.show(wired.zone("odd"))
    seen = wired.bench.observe()
    assert seen.lit == seen.partial == [] and int(seen.frame, 16) != 0
    assert wired.bench.lamps.milliamp(wired.bench.now_us) == 0
    wired.bench.faults.apply("clear")
    assert wired.bench.observe().lit == ["odd"]


def test_mains_off_darkens_even_a_driver_that_is_stuck_on():
    wired = Wired(MAX7219)
    wired.bench.faults.apply("on:even")
    wired.show(wired.zone("odd"))
    wired.bench.power_off()
    seen = wired.bench.observe()
    assert (seen.lit, seen.display, int(seen.frame, 16), seen.enabled) == ([], "   ", 0, False)


def test_brightness_leaves_zones_lit_and_current_pulsed():
    wired = Wired(MAX7219)
    wired.show(wired.zone("big") + wired.zone("odd"))
    start = wired.bench.now_us
    wired.bench.pwm(wired.chain.enable, 1000, 52428, start)  # high, so off, for 80 % of each millisecond
    assert wired.bench.observe().lit == ["big", "odd"]
    sums = [wired.bench.lamps.milliamp(start + at) for at in range(10_000)]
    assert set(sums) == {0, 2 * LAMP}
    assert mean(sums) == pytest.approx(0.2 * 2 * LAMP, rel=0.02)
    wired.bench.pwm(wired.chain.enable, 1000, 65535, start + 10)
    assert not wired.bench.observe().enabled and wired.bench.observe().lit == []
    wired.bench.pwm(wired.chain.enable, 0, 0, start + 20)
    assert not wired.bench.observe().enabled, "PWM that ends leaves the line to its pull-up"
    wired.pin(wired.chain.enable, 0)
    assert wired.bench.observe().lit == ["big", "odd"]


def measured(wired, readings):
    """Milliampere as computed from the controller file: 0.05 ohm, gain 50, 3.3 V full scale."""
    pin = wired.table.controller.sense.pin
    counts = [wired.bench.adc(pin, wired.bench.now_us + 50) for _ in range(readings)]
    return [count / 65535 * 3.3 / (0.05 * 50) * 1000 for count in counts]


def test_the_sense_shows_the_sum_with_the_noise_of_the_controller_file():
    wired = Wired(MAX7219)
    wired.show(wired.zone("big") + wired.zone("odd") + wired.zone("total-11") + wired.zone("single-4"))
    means = [mean(measured(wired, 16)) for _ in range(300)]
    assert mean(means) == pytest.approx(80, abs=0.5)
    assert 2.2 < stdev(means) < 2.9, "2.5 mA and 0.3 % in a measurement of 16 readings"
    wired.pin(wired.chain.enable, 1)
    assert mean(measured(wired, 400)) < 6, "noise around zero, cut off below it"


def test_the_sense_sees_one_lamp_more_and_one_less():
    wired = Wired(MAX7219)
    wired.show(wired.zone("big") + wired.zone("odd"))
    two = mean(measured(wired, 200))
    wired.bench.faults.apply("off:odd")
    assert mean(measured(wired, 200)) - two == pytest.approx(-LAMP, abs=3)
    wired.bench.faults.apply("clear")
    wired.bench.faults.apply("on:total-4")
    assert mean(measured(wired, 200)) - two == pytest.approx(LAMP, abs=3)


def test_the_sense_saturates_at_the_converters_full_scale():
    wired = Wired(MAX7219)
    for zone in ("big", "odd", "even"):
        wired.bench.faults.apply(f"short:{zone}")
    wired.show(wired.zone("big") + wired.zone("odd") + wired.zone("even"))
    pin = wired.table.controller.sense.pin
    assert wired.bench.adc(pin, wired.bench.now_us) == 65535


def test_a_table_without_sense_has_nothing_to_read():
    wired = Wired(HC595)
    with pytest.raises(ValueError, match="pin 26"):
        wired.bench.adc(26, wired.bench.now_us)
