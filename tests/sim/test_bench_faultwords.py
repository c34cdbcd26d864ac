"""The fault words of the simulator: what they do on the bench, and errors that name the wrong part."""

import pytest
from bench_parts import DOUBLE_WING, HC595, Wired

from taisai.errors import TaisaiError
from taisai.sim.faultwords import FaultWordError, parse


@pytest.mark.parametrize(
    ("word", "names"),
    [
        ("opne:small", "'opne'"),
        ("", "''"),
        ("open", "takes 1 or 2 values"),
        ("open:small:1:2", "takes 1 or 2 values"),
        ("open:smal", "'smal'"),
        ("open:small:x", "lamp 'x'"),
        ("open:small:0", "lamp 0"),
        ("open:small:2", "small has 1"),
        ("stuck:5", "takes 2 values"),
        ("stuck:five:1", "bit 'five'"),
        ("stuck:-1:1", "bit '-1'"),
        ("stuck:56:1", "bits are 0 to 55"),
        ("stuck:5:2", "level '2'"),
        ("stuck:5:noise", "level 'noise'"),
        ("cut:8", "registers are 1 to 7"),
        ("cut:x", "register 'x'"),
        ("cut:1:up", "level 'up'"),
        ("supply:1", "takes 0 values"),
        ("key:7", "key '7'"),
        ("key:e", "key 'e'"),
        ("key", "takes 1 values"),
        ("clear:all", "takes 0 values"),
        ("display:1", "takes 0 values"),
    ],
)
def test_a_bad_word_names_its_bad_part_and_changes_nothing(word, names):
    wired = Wired(HC595)
    with pytest.raises(FaultWordError, match=names):
        wired.bench.faults.apply(word)
    assert wired.bench.faults.active == []
    wired.show(wired.zone("small"))
    assert wired.bench.observe().lit == ["small"]
    assert issubclass(FaultWordError, TaisaiError)


def test_parse_takes_a_word_apart_without_a_table():
    assert (parse("cut:3").number, parse("cut:3").level) == (3, 0)
    assert parse("cut:3:noise").level == "noise"
    assert (parse("stuck:17:1").number, parse("stuck:17:1").level) == (17, 1)
    assert (parse("short:pair-1-2").zone, parse("short:pair-1-2").lamp) == ("pair-1-2", 1)
    assert parse("key:E").key == "E"


def test_a_stuck_bit_shows_on_its_own_output_and_on_all_that_are_fed_through_it():
    wired = Wired(HC595)
    (output,) = wired.zone("total-17")
    wired.bench.faults.apply(f"stuck:{output}:1")
    wired.show([])
    fed = {zone for zone, outputs in wired.table.harness.items() if outputs[0] >= output}
    assert "total-17" in fed and set(wired.bench.observe().lit) == fed != set(wired.table.harness)
    wired.bench.faults.apply("clear")
    wired.show([])
    assert wired.bench.observe().lit == []


@pytest.mark.parametrize(("word", "beyond"), [("cut:2", 0x00), ("cut:2:0", 0x00), ("cut:2:1", 0xFF)])
def test_cut_leaves_the_registers_behind_it_without_data(word, beyond):
    wired = Wired(HC595)
    wired.spi(bytes([0x96] * 7))
    wired.bench.faults.apply(word)
    fallen = wired.spi(bytes([0x3C] * 7))
    assert fallen == bytes([0x96] * 5 + [beyond] * 2), "five registers lie behind the cut"
    wired.pulse(wired.chain.latch)
    assert wired.bench.observe().frame == bytes([beyond] * 5 + [0x3C] * 2).hex()


def test_a_cut_return_line_spoils_only_what_is_read():
    wired = Wired(HC595)
    wired.bench.faults.apply("cut:7:1")
    assert wired.bench.pin_input(wired.chain.miso) == 1
    wired.show(wired.zone("small"))
    assert wired.bench.observe().lit == ["small"]
    assert wired.spi(bytes(7)) == b"\xff" * 7


@pytest.mark.parametrize("key", ["1", "6", "E"])
def test_a_stuck_key_reads_low_until_it_is_repaired(key):
    wired = Wired(HC595)
    pins = dict(zip("123456E", (*wired.table.controller.keys.digits, wired.table.controller.keys.entry), strict=True))
    wired.bench.faults.apply(f"key:{key}")
    assert {name for name, pin in pins.items() if wired.bench.pin_input(pin) == 0} == {key}
    wired.bench.keys.press(key, down_ms=50)
    wired.bench.advance(wired.bench.now_us + 100_000)
    assert wired.bench.pin_input(pins[key]) == 0
    wired.bench.faults.apply("clear")
    assert wired.bench.pin_input(pins[key]) == 1


def test_faults_add_up_and_clear_repairs_them_all():
    wired = Wired(DOUBLE_WING)
    words = ["open:big", "on:odd", "supply", "stuck:3:1", "cut:4", "key:2", "off:small:2", "short:even"]
    for word in words:
        wired.bench.faults.apply(word)
    assert wired.bench.faults.active == words
    wired.bench.faults.clear()
    wired.show(wired.zone("big") + wired.zone("small") + wired.zone("even"))
    assert wired.bench.faults.active == []
    assert wired.bench.observe().lit == ["small", "big", "even"]
    keys = wired.table.controller.keys
    assert all(wired.bench.inputs()[pin] for pin in (*keys.digits, keys.entry, keys.switch))
