"""The register chain against the 74HC595 and TPIC6B595 datasheets (TI SCLS041, TI SLIS032B)."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taisai.sim.chain import NOISE, OutputEnable, ShiftChain


def powered(registers, seed=1, random_bits=False):
    chain = ShiftChain(registers, Random(seed))
    chain.power_on(random_bits)
    return chain


def clock_in(chain, data):
    """Bytes bit by bit, MSB first, mode 0: data, sample the far end at the rising edge, falling edge."""
    fallen = []
    for byte in data:
        for position in range(7, -1, -1):
            chain.data(byte >> position & 1)
            fallen.append(chain.serial_out)
            chain.clock(1)
            chain.clock(0)
    bits = "".join(map(str, fallen))
    return bytes(int(bits[at : at + 8], 2) for at in range(0, len(bits), 8))


class PlainChain:
    """The chain as the datasheet draws it: a list of flip-flops, one clock at a time, with nothing clever."""

    def __init__(self, stages, output, broken):
        self.stages, self.output = list(stages), list(output)
        self.stuck, self.cut = broken
        self.cleared = False
        self.force()

    def force(self):
        for output, level in self.stuck.items():
            self.stages[output] = level

    def rise(self, level):
        for index in range(len(self.stages) - 1, -1, -1):
            source = level if index == 0 else self.stages[index - 1]
            if index % 8 == 0 and index // 8 in self.cut:
                source = self.cut[index // 8]
            self.stages[index] = 0 if self.cleared else source
        self.force()

    @property
    def serial_out(self):
        return self.cut.get(len(self.stages) // 8, self.stages[-1])


def as_int(bits):
    return sum(bit << index for index, bit in enumerate(bits))


@pytest.mark.parametrize("registers", [1, 7, 27])
def test_a_walking_one_reaches_every_output_alone(registers):
    chain = powered(registers)
    for output in range(8 * registers):
        frame = bytearray(registers)
        frame[registers - 1 - output // 8] = 1 << output % 8
        clock_in(chain, frame)
        chain.latch(1)
        chain.latch(0)
        assert chain.output == 1 << output


def test_the_first_bit_ends_in_qh_of_the_last_register():
    # SCLS041: QA takes the serial input; each clock moves QA to QB ... QG to QH, and QH' feeds the next register.
    chain = powered(2)
    clock_in(chain, b"\x80\x01")
    assert chain.shift == 1 << 15 | 1


def test_the_latch_copies_on_its_rising_edge_only():
    # SCLS041: "a positive transition on RCLK"; SLIS032B: "rising edge of RCK".
    chain = powered(1)
    clock_in(chain, b"\xa5")
    assert chain.output == 0
    chain.latch(1)
    assert chain.output == 0xA5
    clock_in(chain, b"\x3c")
    chain.latch(1)
    assert chain.output == 0xA5, "a level is no edge"
    chain.latch(0)
    assert chain.output == 0xA5, "a falling edge does nothing"
    chain.latch(1)
    assert chain.output == 0x3C
    assert chain.latches == 2


def test_only_a_rising_clock_edge_shifts():
    chain = powered(1)
    chain.data(1)
    chain.clock(1)
    chain.clock(1)
    assert chain.shift == 1
    chain.clock(0)
    assert chain.shift == 1


def test_clear_empties_and_holds_the_shift_stages_and_leaves_the_outputs():
    # SLIS032B: "when SRCLR is low, the input shift register is cleared".
    chain = powered(1)
    clock_in(chain, b"\xff")
    chain.latch(1)
    chain.latch(0)
    clock_in(chain, b"\x5a")
    chain.clear(0)
    assert (chain.shift, chain.output) == (0, 0xFF)
    assert chain.transfer(b"\xff\xff") == b"\x00\x00"
    assert chain.shift == 0
    chain.clear(1)
    clock_in(chain, b"\x81")
    assert chain.shift == 0x81


def test_what_was_shifted_in_falls_out_after_the_whole_chain_in_the_same_order():
    chain = powered(3)
    assert clock_in(chain, b"\x12\x34\x56\x9a") == b"\x00\x00\x00\x12"
    assert chain.transfer(b"\x00\x00\x00") == b"\x34\x56\x9a"


def test_both_stages_of_every_bit_power_up_at_random():
    ever_set, ever_clear = [0, 0], [0, 0]
    for seed in range(30):
        chain = powered(7, seed, random_bits=True)
        for stage, value in enumerate((chain.shift, chain.output)):
            ever_set[stage] |= value
            ever_clear[stage] |= ~value & (1 << 56) - 1
        assert chain.shift != chain.output
    assert ever_set == ever_clear == [(1 << 56) - 1] * 2
    first, second = (powered(7, 5, random_bits=True) for _ in range(2))
    assert (first.shift, first.output) == (second.shift, second.output), "the same seed gives the same bits"


def test_without_power_nothing_is_stored_or_shifted():
    chain = powered(2)
    clock_in(chain, b"\xff\xff")
    chain.latch(1)
    chain.power_off()
    assert (chain.shift, chain.output, chain.serial_out) == (0, 0, 0)
    clock_in(chain, b"\xff\xff")
    chain.latch(1)
    assert (chain.shift, chain.output) == (0, 0)
    assert chain.transfer(b"\xff") == b"\x00"


@pytest.mark.parametrize("level", [0, 1])
@pytest.mark.parametrize("register", range(8))
def test_a_cut_behind_register_k_lets_out_the_bytes_beyond_it(register, level):
    registers = 7
    resident = bytes([0x35, 0x4B, 0x9C, 0xA6, 0x72, 0xD1, 0x2E])
    chain = powered(registers)
    chain.transfer(resident)
    chain.set_cut(register, level)
    frame = bytes([0x11, 0x22, 0x44, 0x88, 0x18, 0x24, 0x42])
    fallen = chain.transfer(b"\x5d" + frame)
    broken = bytes([0xFF * level])
    beyond = registers - register
    assert fallen[:beyond] == resident[:beyond]
    assert fallen[beyond:] == broken * (register + 1)
    before = frame[beyond:] if register else b""
    assert chain.shift == int.from_bytes(broken * beyond + before, "big")


def test_a_noisy_cut_reads_both_levels_and_repeats_with_the_seed():
    def fallen(seed):
        chain = powered(3, seed)
        chain.set_cut(1, NOISE)
        return chain.transfer(bytes(12))

    assert fallen(1) == fallen(1) != fallen(2)
    assert set(f"{int.from_bytes(fallen(1)[2:], 'big'):080b}") == {"0", "1"}


@pytest.mark.parametrize("level", [0, 1])
@pytest.mark.parametrize("output", [0, 7, 8, 20, 23])
def test_a_stuck_stage_spoils_its_output_and_all_that_passes_through_it(output, level):
    chain = powered(3)
    chain.set_stuck(output, level)
    sent = bytes([0xFF * (1 - level)] * 3)
    chain.transfer(sent)
    chain.latch(1)
    wrong = (1 << 24) - (1 << output)
    assert chain.output == (wrong if level else wrong ^ 0xFFFFFF)
    assert chain.transfer(sent) == bytes([0xFF * level] * 3), "everything before it comes out as the stuck level"


def test_repaired_faults_leave_only_what_is_still_in_the_stages():
    chain = powered(2)
    chain.set_stuck(3, 1)
    chain.set_cut(1, 1)
    chain.clear_faults()
    assert chain.shift == 1 << 3
    chain.transfer(b"\x00\x00")
    assert chain.transfer(b"\x12\x34") == b"\x00\x00"
    assert chain.shift == 0x1234


_moves = st.one_of(
    st.binary(min_size=0, max_size=6).map(lambda data: ("bytes", data)),
    st.sampled_from([("latch", 1), ("latch", 0), ("clear", 0), ("clear", 1)]),
)


@given(
    registers=st.integers(1, 4),
    seed=st.integers(0, 1000),
    stuck=st.dictionaries(st.integers(0, 31), st.integers(0, 1), max_size=2),
    cuts=st.dictionaries(st.integers(0, 4), st.sampled_from([0, 1, NOISE]), max_size=2),
    moves=st.lists(_moves, max_size=12),
)
@settings(max_examples=300, deadline=None)
def test_bytes_and_edges_give_the_same_chain(registers, seed, stuck, cuts, moves):
    """Property: an SPI transfer is exactly its clock and data edges, faults included, and both are the plain chain."""
    by_byte, by_edge = (powered(registers, seed, random_bits=True) for _ in range(2))
    stuck = {output: level for output, level in stuck.items() if output < 8 * registers}
    cuts = {register: level for register, level in cuts.items() if register <= registers}
    start = [[value >> bit & 1 for bit in range(8 * registers)] for value in (by_edge.shift, by_edge.output)]
    plain = None if NOISE in cuts.values() else PlainChain(*start, (stuck, cuts))
    for chain in (by_byte, by_edge):
        for output, level in stuck.items():
            chain.set_stuck(output, level)
        for register, level in cuts.items():
            chain.set_cut(register, level)
    latched = 0
    for what, value in moves:
        if what == "bytes":
            expected = plain_transfer(plain, value) if plain else None
            fallen = by_byte.transfer(value)
            assert fallen == clock_in(by_edge, value)
            assert expected in (None, fallen)
        else:
            for chain in (by_byte, by_edge):
                getattr(chain, what)(value)
            if plain and what == "clear":
                plain.cleared = not value
                if plain.cleared:
                    plain.stages = [0] * len(plain.stages)
                    plain.force()
            if what == "latch":
                if plain and value and not latched:
                    plain.output = list(plain.stages)
                latched = value
        assert (by_byte.shift, by_byte.output, by_byte.serial_out) == (
            by_edge.shift,
            by_edge.output,
            by_edge.serial_out,
        )
        if plain:
            assert (by_byte.shift, by_byte.output) == (as_int(plain.stages), as_int(plain.output))


def plain_transfer(plain, data):
    fallen = 0
    for byte in data:
        for position in range(7, -1, -1):
            fallen = fallen << 1 | plain.serial_out
            plain.rise(byte >> position & 1)
    return fallen.to_bytes(len(data), "big")


def test_enable_is_active_low_and_off_until_it_is_driven():
    enable = OutputEnable()
    assert enable.share == 0.0 and not enable.on_at(0)
    enable.drive(0)
    assert enable.share == 1.0 and enable.on_at(5)
    enable.drive(1)
    assert enable.share == 0.0


def test_pwm_on_enable_is_on_for_the_low_part_of_each_period():
    enable = OutputEnable()
    enable.drive_pwm(1000, 49151, t_us=500)  # high for three quarters of 1 ms
    assert enable.share == pytest.approx(0.25, abs=0.001)
    on = sum(enable.on_at(t_us) for t_us in range(500, 10_500))
    assert on == pytest.approx(2500, abs=20)
    assert not enable.on_at(500) and enable.on_at(1499)
    enable.drive_pwm(1000, 0, t_us=0)
    assert enable.share == 1.0
    enable.drive_pwm(1000, 65535, t_us=0)
    assert enable.share == 0.0 and not any(enable.on_at(t_us) for t_us in range(2000))
