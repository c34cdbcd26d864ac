"""The lamp chain driver's order of operations: dark until proven, nothing latched that did not come back."""

import pytest
from recording_machine import CLEAR, ENABLE, LATCH, REGISTERS, Wires, loader

CHAIN_PINS = {"enable": ENABLE, "latch": LATCH, "spi": 0, "sck": 18, "mosi": 19, "miso": 16, "baud": 1000000}


@pytest.fixture
def wires():
    return Wires()


@pytest.fixture
def lamps(wires, monkeypatch):
    """Makes the lamp chain's driver."""

    def make(clear=CLEAR, sense=None, percent=100):
        chain = loader(wires, monkeypatch)("chain")
        return chain.LampChain(clear=clear, registers=REGISTERS, sense=sense, percent=percent, **CHAIN_PINS)

    return make


def test_output_enable_is_the_first_pin_and_high_from_its_first_moment(lamps, wires):
    lamps()
    assert wires.log[0] == ("pin", ENABLE, 1)
    assert wires.pins(ENABLE) == [1]
    assert wires.rises(LATCH) == 0


@pytest.mark.parametrize("clear", [CLEAR, None])
def test_zeros_through_the_whole_chain_and_one_latch_edge_before_the_lamps_are_enabled(lamps, wires, clear):
    assert lamps(clear).power_up() == 0
    enabled = wires.place("pwm", ENABLE, 0)
    before = wires.log[:enabled]
    latched = before.index(("pin", LATCH, 1))
    assert before.count(("pin", LATCH, 1)) == 1
    sent = b"".join(entry[2] for entry in before[:latched] if entry[0] == "spi")
    # The marker and twice the frame, of which the second copy stays in the registers.
    assert len(sent) == 4 + 2 * REGISTERS and sent[4:] == bytes(2 * REGISTERS)
    assert wires.outputs == bytes(REGISTERS)
    assert 0 not in wires.pins(ENABLE)


def test_clear_is_pulsed_before_anything_is_shifted(lamps, wires):
    lamps().power_up()
    first_byte = next(place for place, entry in enumerate(wires.log) if entry[0] == "spi")
    assert [entry[2] for entry in wires.log[:first_byte] if entry[:2] == ("pin", CLEAR)][-2:] == [0, 1]
    assert wires.pins(CLEAR)[-1] == 1


@pytest.mark.parametrize("cut", range(REGISTERS))
def test_a_chain_that_does_not_pass_data_at_power_up_is_neither_latched_nor_enabled(lamps, wires, cut):
    wires.cut = cut
    chain = lamps()
    for _ in range(3):
        assert chain.power_up() != 0
    assert wires.rises(LATCH) == 0
    assert not [entry for entry in wires.log if entry[0] == "pwm"]


def test_the_lamps_can_be_enabled_once_the_chain_is_plugged_in(lamps, wires):
    wires.cut = 3
    chain = lamps()
    assert chain.power_up() != 0
    wires.cut = None
    assert chain.power_up() == 0
    assert wires.log[-1] == ("pwm", ENABLE, 0)


def test_a_second_power_up_holds_the_lamps_off_first_and_leaves_them_off_without_a_chain(lamps, wires):
    chain = lamps()
    chain.power_up()
    chain.refresh(b"\xff" * REGISTERS)
    wires.cut = 2
    wires.log.clear()
    assert chain.power_up() != 0
    assert wires.log[:2] == [("pwm", ENABLE, None), ("pin", ENABLE, 1)]
    assert wires.pins(ENABLE) == [1] and wires.rises(LATCH) == 0


def test_the_first_byte_of_a_frame_ends_in_the_farthest_register(lamps, wires):
    chain = lamps()
    chain.power_up()
    assert chain.refresh(bytes([1, 2, 3, 4, 5, 6, 7])) == 0
    assert wires.outputs == bytes([7, 6, 5, 4, 3, 2, 1])


@pytest.mark.parametrize("cut", range(1, REGISTERS))
def test_a_mismatch_keeps_the_lamps_and_names_the_register_before_the_cut(lamps, wires, cut):
    chain = lamps()
    chain.power_up()
    frame = bytes([0x80, 0, 0x11, 0, 0x42, 0, 0x08])
    for _ in range(2):
        assert chain.refresh(frame) == 0
    lit = bytes(wires.outputs)
    rises = wires.rises(LATCH)
    wires.cut = cut
    assert chain.refresh(bytes(REGISTERS)) == cut
    for _ in range(3):
        assert chain.refresh(bytes(REGISTERS)) != 0
    assert wires.rises(LATCH) == rises and bytes(wires.outputs) == lit
    wires.cut = None
    chain.refresh(frame)
    assert chain.refresh(frame) == 0


def test_what_stays_in_the_shift_stages_is_never_latched(lamps, wires):
    chain = lamps()
    chain.power_up()
    for number in range(20):
        frame = bytes([number] * REGISTERS)
        assert chain.refresh(frame) == 0
        assert wires.outputs == frame and wires.shift != frame


def test_brightness_is_active_low_and_waits_for_power_up(lamps, wires):
    chain = lamps(percent=25)
    chain.brightness(10)
    assert not [entry for entry in wires.log if entry[0] == "pwm"]
    chain.power_up()
    chain.brightness(100)
    duties = [entry[2] for entry in wires.log if entry[0] == "pwm"]
    assert duties == [65535 * 90 // 100, 0]


@pytest.mark.parametrize(("on", "duty"), [(True, 0), (False, 65535)])
def test_current_is_read_with_all_outputs_on_or_off_within_two_milliseconds(lamps, wires, on, duty):
    chain = lamps(sense=(26, 400), percent=25)
    chain.power_up()
    wires.adc = 65535 // 2
    mark = len(wires.log)
    assert chain.current(on) == 65535 // 2
    steps = wires.log[mark:]
    assert steps[0] == ("pwm", ENABLE, duty) and steps[-1] == ("pwm", ENABLE, 65535 * 75 // 100)
    assert 200 < sum(entry[1] for entry in steps if entry[0] == "sleep") < 1500


def test_current_in_milliampere(lamps, wires):
    chain = lamps(sense=(26, 400), percent=25)
    assert chain.milliamp() is None
    chain.power_up()
    wires.adc = 65535 // 2
    assert chain.milliamp() == pytest.approx(660, rel=0.001)  # 1.65 V of 3.3 V, at 400 mA per volt
    assert lamps().milliamp() is None
