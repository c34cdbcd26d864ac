"""Keys and key-switch: what a pin sees of a press, in time."""

from random import Random

import pytest
from bench_parts import HC595, Wired
from hypothesis import given, settings
from hypothesis import strategies as st

from taisai.sim.contacts import Contact
from taisai.sim.events import EventQueue


def changes(wired, pin, until_us):
    """(time, level) at every change of the pin, found by going from event to event."""
    seen, level = [], wired.bench.pin_input(pin)
    while (due := wired.bench.next_event_us()) is not None and due <= until_us:
        wired.bench.advance(due)
        if wired.bench.pin_input(pin) != level:
            level = 1 - level
            seen.append((wired.bench.now_us, level))
    wired.bench.advance(until_us)
    return seen


def key_pin(wired, key):
    return wired.table.controller.keys.digits[key - 1]


@given(key=st.integers(1, 6), down_ms=st.integers(20, 300), seed=st.integers(0, 500))
@settings(max_examples=100, deadline=None)
def test_a_press_bounces_10_ms_at_most_and_then_rests(key, down_ms, seed):
    wired = Wired(HC595, seed)
    start = wired.bench.now_us
    rests = wired.bench.keys.press(key, down_ms)
    opens = start + down_ms * 1000
    seen = changes(wired, key_pin(wired, key), start + 1_000_000)
    assert seen[0] == (start, 0) and seen[-1][1] == 1
    assert (opens, 1) in seen
    assert all(at <= start + 10_000 or opens <= at <= opens + 10_000 for at, _ in seen)
    assert seen[-1][0] <= rests <= opens + 10_000
    closed_by = [at for at, _ in seen if at < opens]
    assert wired.bench.pin_input(key_pin(wired, key)) == 1 and len(closed_by) % 2 == 1, "down until it opens"


def test_bounce_depends_on_the_seed_alone():
    def trace(seed):
        wired = Wired(HC595, seed)
        wired.bench.keys.press(3, 100)
        return changes(wired, key_pin(wired, 3), 500_000)

    assert trace(1) == trace(1) != trace(2)
    assert any(len(trace(seed)) > 2 for seed in range(5))


def test_a_clean_press_has_two_edges_at_the_times_asked_for():
    wired = Wired(HC595)
    wired.bench.keys.press(2, down_ms=40, bounce_ms=0, at_us=100_000)
    assert changes(wired, key_pin(wired, 2), 200_000) == [(100_000, 0), (140_000, 1)]


def test_no_input_changes_between_events():
    wired = Wired(HC595)
    assert wired.bench.next_event_us() is None
    wired.bench.keys.press(1, 100, bounce_ms=0, at_us=50_000)
    assert wired.bench.next_event_us() == 50_000
    wired.bench.advance(49_999)
    assert wired.bench.pin_input(key_pin(wired, 1)) == 1
    wired.bench.advance(50_000)
    assert wired.bench.pin_input(key_pin(wired, 1)) == 0
    assert wired.bench.next_event_us() == 150_000


def test_a_chord_goes_down_together_or_one_after_the_other():
    wired = Wired(HC595)
    wired.bench.keys.chord([1, "E"], skew_ms=3, at_us=100_000)
    entry = wired.table.controller.keys.entry
    wired.bench.advance(100_000)
    assert (wired.bench.pin_input(key_pin(wired, 1)), wired.bench.pin_input(entry)) == (0, 1)
    assert changes(wired, entry, 400_000)[0] == (103_000, 0)


def test_a_glitch_is_one_short_closing():
    wired = Wired(HC595)
    wired.bench.keys.glitch(4, 4900, at_us=20_000)
    assert changes(wired, key_pin(wired, 4), 100_000) == [(20_000, 0), (24_900, 1)]


def test_each_key_has_its_own_pin_active_low():
    wired = Wired(HC595)
    keys = wired.table.controller.keys
    for name, pin in zip("123456E", (*keys.digits, keys.entry), strict=True):
        wired.bench.keys.press(name, 50, bounce_ms=0)
        wired.bench.advance(wired.bench.now_us + 1000)
        assert [at for at, level in wired.bench.inputs().items() if level == 0] == [pin]
        wired.bench.advance(wired.bench.now_us + 100_000)


def test_the_key_switch_stays_where_it_is_turned():
    wired = Wired(HC595)
    pin = wired.table.controller.keys.switch
    wired.bench.switch.turn(True)
    wired.bench.advance(wired.bench.now_us + 10_000)
    assert wired.bench.switch.on and wired.bench.pin_input(pin) == 0
    wired.bench.power_off()
    wired.bench.power_on()
    assert wired.bench.pin_input(pin) == 0
    wired.bench.switch.turn(False)
    wired.bench.advance(wired.bench.now_us + 10_000)
    assert not wired.bench.switch.on and wired.bench.pin_input(pin) == 1


def test_release_forgets_what_was_planned():
    wired = Wired(HC595)
    wired.bench.keys.press(1, 500)
    wired.bench.keys.stick(2)
    wired.bench.advance(wired.bench.now_us + 100_000)
    wired.bench.keys.release_all()
    assert all(wired.bench.inputs().values())
    assert changes(wired, key_pin(wired, 1), 1_000_000) == []


def test_a_key_pin_without_pull_up_reads_as_down():
    wired = Wired(HC595)
    pin = key_pin(wired, 5)
    wired.bench.pin_output(pin, None, wired.bench.now_us, pull_up=False)
    assert wired.bench.pin_input(pin) == 0
    wired.bench.pin_output(pin, None, wired.bench.now_us, pull_up=True)
    assert wired.bench.pin_input(pin) == 1


def test_a_key_that_does_not_exist_and_too_much_bounce_are_refused():
    wired = Wired(HC595)
    for key in (0, 7, "e", ""):
        with pytest.raises(ValueError, match="no key"):
            wired.bench.keys.press(key)
    with pytest.raises(ValueError, match="bounce of 11 ms"):
        Contact(EventQueue(), Random(0)).move(True, 11)
