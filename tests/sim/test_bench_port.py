"""The bench's clock, watchdog, beeper, and the rules of its port side."""

import ast
from pathlib import Path

import pytest
from bench_parts import HC595, MAX7219, TM1637, Wired

import taisai.sim
from taisai.sim.events import EventQueue


def test_events_come_in_order_of_time_and_then_of_planning():
    events, seen = EventQueue(), []
    for name, t_us in [("late", 30), ("first", 10), ("second", 10)]:
        events.schedule(t_us, lambda name=name: seen.append((name, events.now_us)))
    events.schedule(10, lambda: events.schedule(10, lambda: seen.append(("added", events.now_us))))
    assert events.next_event_us() == 10
    events.advance(9)
    assert seen == [] and events.now_us == 9
    events.advance(40)
    assert seen == [("first", 10), ("second", 10), ("added", 10), ("late", 30)]
    assert events.now_us == 40 and events.next_event_us() is None


def test_a_cancelled_event_does_not_happen_and_is_no_horizon():
    events, seen = EventQueue(), []
    event = events.schedule(5, lambda: seen.append(1))
    event.cancel()
    assert events.next_event_us() is None
    events.advance(10)
    assert seen == []


def test_time_does_not_move_back():
    wired = Wired(HC595)
    wired.bench.advance(1000)
    with pytest.raises(ValueError, match="back"):
        wired.bench.advance(999)
    with pytest.raises(ValueError, match="already"):
        wired.bench.schedule(999, lambda: None)
    with pytest.raises(ValueError, match="back"):
        wired.bench.spi(0, b"\x00", 999)


def test_a_port_call_happens_at_its_own_time_after_the_events_before_it():
    wired = Wired(HC595)
    wired.bench.schedule(500, lambda: wired.bench.faults.apply("supply"))
    wired.show(wired.zone("small"))
    assert wired.bench.observe().lit == ["small"]
    wired.bench.pin_output(wired.chain.enable, 0, 600)
    assert wired.bench.now_us == 600 and wired.bench.observe().lit == []


def test_an_unfed_watchdog_resets_the_chip_once():
    wired, restarts = Wired(MAX7219), []
    wired.bench.on_watchdog = lambda: restarts.append(wired.bench.now_us)
    wired.show(wired.zone("small"))
    wired.bench.wdt(8000, 1_000_000)
    wired.bench.wdt(None, 5_000_000)
    assert wired.bench.next_event_us() <= 13_000_000
    wired.bench.advance(12_999_999)
    assert restarts == [] and wired.bench.observe().lit == ["small"]
    wired.bench.advance(60_000_000)
    assert restarts == [13_000_000] and wired.bench.watchdog.resets == 1
    assert not wired.bench.observe().enabled and wired.bench.observe().lit == []
    assert not wired.bench.watchdog.running


def test_a_feed_reported_late_counts_from_its_own_time():
    wired, restarts = Wired(MAX7219), []
    wired.bench.on_watchdog = lambda: restarts.append(wired.bench.now_us)
    wired.bench.wdt(2000, 1_000_000)
    wired.bench.advance(2_900_000)
    wired.bench.wdt(None, 2_500_000)
    wired.bench.advance(10_000_000)
    assert restarts == [4_500_000]


@pytest.mark.parametrize("act", ["power_off", "reset_controller"])
def test_mains_and_reset_stop_the_watchdog(act):
    wired = Wired(MAX7219)
    wired.bench.wdt(2000, 1_000_000)
    getattr(wired.bench, act)()
    assert wired.bench.next_event_us() is None
    wired.bench.advance(10_000_000)
    assert wired.bench.watchdog.resets == 0


def test_the_watchdog_counts_no_further_than_the_chip():
    # RP2040 datasheet 4.7: 24 bits, two counts per microsecond: 8,388 ms.
    wired = Wired(MAX7219)
    wired.bench.wdt(8388, wired.bench.now_us)
    with pytest.raises(ValueError, match="8389 ms"):
        wired.bench.wdt(8389, wired.bench.now_us)
    with pytest.raises(ValueError, match="0 ms"):
        wired.bench.wdt(0, wired.bench.now_us)
    esp32 = Wired(TM1637)
    esp32.bench.wdt(60_000, 1000)
    esp32.bench.advance(61_000_000)
    assert esp32.bench.watchdog.resets == 1
    with pytest.raises(RuntimeError, match="before it was started"):
        Wired(MAX7219).bench.wdt(None, 0)


def test_tones_are_the_intervals_of_the_pwm():
    wired = Wired(HC595)
    pin = wired.table.controller.beeper.pin
    wired.bench.pwm(pin, 2700, 0, 1000)
    assert wired.bench.observe().tone_hz == 0
    wired.bench.pwm(pin, 2700, 32768, 2000)
    wired.bench.pwm(pin, 2700, 30000, 3000)
    assert wired.bench.observe().tone_hz == 2700
    wired.bench.pwm(pin, 900, 32768, 4000)
    wired.bench.pwm(pin, 900, 0, 6000)
    wired.bench.pwm(pin, 2700, 65535, 7000)
    wired.bench.pwm(pin, 2700, 32768, 8000)
    wired.pin(pin, 0)
    tones = [(tone.start_us, tone.end_us, tone.hz) for tone in wired.bench.beeper.tones]
    assert tones == [(2000, 4000, 2700), (4000, 6000, 900), (8000, 8010, 2700)]
    wired.bench.pwm(pin, 2700, 32768, 9000)
    wired.bench.power_off()
    assert wired.bench.observe().tone_hz == 0


def test_an_spi_unit_without_the_chain_reads_zero():
    wired = Wired(HC595)
    assert wired.bench.spi(wired.table.controller.display.spi, b"\xff\xff", 100) == b"\x00\x00"


def test_the_return_line_is_also_a_pin():
    wired = Wired(HC595)
    wired.spi(b"\x80" + bytes(6))
    assert wired.bench.pin_input(wired.chain.miso) == 1
    wired.spi(b"\x00" * 7)
    assert wired.bench.pin_input(wired.chain.miso) == 0


def test_the_lamp_chain_by_pins_is_the_lamp_chain_by_spi():
    by_spi, by_pin = Wired(HC595, seed=4), Wired(HC595, seed=4)
    data = bytes([0x5A, 1, 2, 3, 4, 5, 6, 0x81])
    fallen = by_spi.spi(data)
    read = 0
    for bit in "".join(f"{byte:08b}" for byte in data):
        by_pin.pin(by_pin.chain.mosi, int(bit))
        read = read << 1 | by_pin.bench.pin_input(by_pin.chain.miso)
        by_pin.pulse(by_pin.chain.sck)
    assert read == int.from_bytes(fallen, "big")
    for wired in (by_spi, by_pin):
        wired.pulse(wired.chain.latch)
        wired.pin(wired.chain.enable, 0)
    assert by_spi.bench.observe() == by_pin.bench.observe()


def test_mains_on_twice_is_refused():
    with pytest.raises(ValueError, match="already"):
        Wired(HC595).bench.power_on()


def test_latch_and_clear_sit_low_until_they_are_driven():
    wired = Wired(HC595)
    wired.bench.power_off()
    wired.bench.power_on()
    assert wired.bench.chain.shift == 0, "clear is not driven yet: the pad's pull-down holds the shift stages empty"
    before = wired.bench.chain.output
    wired.pin(wired.chain.latch, 0)
    assert wired.bench.chain.output == before
    wired.pin(wired.chain.latch, 1)
    assert wired.bench.chain.output == 0, "a latch that is first driven high is a rising edge"


def test_two_benches_of_one_seed_agree():
    def story(seed):
        wired = Wired(TM1637, seed)
        wired.bench.keys.press(1)
        wired.bench.advance(200_000)
        return wired.bench.observe(), wired.bench.chain.shift, wired.spi(bytes(9))

    assert story(7) == story(7) != story(8)


def test_the_bench_never_looks_at_the_firmware():
    models = [path for path in Path(taisai.sim.__file__).parent.glob("*.py") if path.stem in MODELS]
    assert len(models) == len(MODELS)
    for path in models:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not [name for name in names if name.split(".")[0] in ("tablecore", "tablehw", "taisai_firmware")]
            assert "taisai.build" not in names


MODELS = {
    *("bench", "bench_lines", "beeper", "chain", "contacts", "displays", "displays_fitting", "displays_hc595"),
    *("displays_max7219", "displays_tm1637", "events", "faultwords", "flash", "lamps", "observe", "watchdog"),
}
