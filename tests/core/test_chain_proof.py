"""The lamp chain's proof against a bit-level model of the registers: every cut, every stuck stage, noise."""

import random

from shift_model import Registers, refresh

from tablecore import chain

LENGTHS = (1, 2, 7, 14, 27, 64)


def running(count, seed):
    """A chain that has passed some refreshes."""
    random.seed(seed)
    registers = Registers(count, random)
    proof = chain.Chain(count, seed)
    for _ in range(3):
        assert refresh(registers, proof, noise(count)) == chain.OK
    return registers, proof


def noise(count):
    return bytes([random.getrandbits(8) for _ in range(count)])


def test_every_length_latches_what_was_asked_for():
    for count in range(1, 65):
        registers, proof = running(count, count)
        for frame in (bytes(count), b"\xff" * count, noise(count)):
            assert refresh(registers, proof, frame) == chain.OK
            assert registers.frame() == frame


def test_lengths_outside_the_range_are_refused():
    for count in (0, 65):
        try:
            chain.Chain(count, 1)
        except ValueError:
            continue
        raise AssertionError("accepted %d registers" % count)


def test_a_cut_at_a_steady_level_names_its_place_and_latches_nothing():
    for count in LENGTHS:
        for k in range(count + 1):
            for level in (0, 1):
                for frame in (bytes(count), b"\xff" * count):
                    registers, proof = running(count, k)
                    assert refresh(registers, proof, frame) == chain.OK
                    registers.cut = (k, level)
                    place = refresh(registers, proof, b"\x55" * count)
                    assert place == (k or chain.INPUT), (count, k, level, place)
                    assert registers.frame() == frame
                    # The far registers hold nothing known any more: no later mismatch may name a place.
                    assert refresh(registers, proof, frame) == chain.UNKNOWN
                    assert registers.frame() == frame


def test_a_noisy_cut_is_always_found_and_nearly_always_named():
    named = 0
    tried = 0
    for count in LENGTHS:
        for k in range(count + 1):
            registers, proof = running(count, 100 + k)
            registers.cut = (k, "noise")
            place = refresh(registers, proof, bytes(count))
            assert place != chain.OK, (count, k)
            named += place == (k or chain.INPUT)
            tried += 1
    # A byte of noise equals the byte that was expected once in 256 times; then the place is one register off.
    assert named >= tried * 95 // 100, (named, tried)


def test_every_stuck_stage_is_found_at_once():
    for count in (1, 2, 7, 27):
        for output in range(8 * count):
            for level in (0, 1):
                registers, proof = running(count, output)
                before = registers.frame()
                registers.stick(output, level)
                place = refresh(registers, proof, noise(count))
                register = output // 8 + 1
                # Its first stage can look like the line in front of it.
                assert place in (register, register - 1 or chain.INPUT), (count, output, level, place)
                assert registers.frame() == before


def test_power_up_with_random_stages_is_good_at_once():
    for count in LENGTHS:
        random.seed(count)
        registers = Registers(count, random)
        proof = chain.Chain(count, 77)
        assert refresh(registers, proof, bytes(count)) == chain.OK
        assert registers.frame() == bytes(count)


def test_a_fault_at_power_up_is_found_but_has_no_place():
    for count in LENGTHS:
        for k in range(count + 1):
            for level in (0, 1, "noise"):
                random.seed(k)
                registers = Registers(count, random)
                registers.cut = (k, level)
                proof = chain.Chain(count, 77)
                assert refresh(registers, proof, bytes(count)) == chain.UNKNOWN, (count, k, level)


def test_forgetting_makes_the_next_comparison_like_the_first():
    registers, proof = running(7, 5)
    registers.stages = random.getrandbits(30)
    proof.forget()
    assert refresh(registers, proof, bytes(7)) == chain.OK


def test_one_disturbed_bit_is_always_found_and_latches_nothing_before_the_second_copy():
    before_it = 8 * (4 + 7)  # the marker and the first copy
    for clock in range(1, before_it + 8 * 14 + 1):
        registers, proof = running(7, clock)
        before = registers.frame()
        registers.flips = (clock,)
        frame = noise(7)
        first = refresh(registers, proof, frame)
        if clock <= before_it:
            assert first != chain.OK and registers.frame() == before
        registers.flips = ()
        second = refresh(registers, proof, frame)
        # Bits disturbed in the second copy or in the next resident pattern show afterwards.
        assert first != chain.OK or second != chain.OK, clock
        assert refresh(registers, proof, frame) == chain.OK
        assert registers.frame() == frame


def test_a_line_that_fails_for_this_frame_only_latches_nothing():
    """As crosstalk does: the marker passes, and one bit of the frame fails each time it is sent."""
    for clock in range(8 * 7):
        registers, proof = running(7, clock)
        before = registers.frame()
        registers.flips = (8 * 4 + clock + 1, 8 * 11 + clock + 1)
        assert refresh(registers, proof, noise(7)) == chain.UNKNOWN
        assert registers.frame() == before


def test_noise_in_front_of_register_1_never_latches():
    """Each broken line is a fresh one: the registers still hold what was good, so only marker and frame can tell."""
    for count in (1, 2):
        registers, proof = running(count, 3)
        lit = b"\x81\x18"[:count]
        for _ in range(5000):
            assert refresh(registers, proof, lit) == chain.OK
            registers.cut = (0, "noise")
            assert refresh(registers, proof, lit) != chain.OK
            assert registers.frame() == lit
            registers.cut = None
            refresh(registers, proof, lit)


def test_noise_at_power_up_never_latches():
    """Nothing is known of the registers then, each time anew."""
    registers, proof = running(1, 4)
    lit = registers.frame()
    registers.cut = (0, "noise")
    for _ in range(5000):
        proof.forget()
        assert refresh(registers, proof, b"\0") == chain.UNKNOWN
        assert registers.frame() == lit


def test_a_chain_of_another_length_never_passes():
    for count in (6, 8, 13):
        random.seed(count)
        registers = Registers(count, random)
        proof = chain.Chain(7, 3)
        for _ in range(20):
            assert refresh(registers, proof, noise(7)) != chain.OK


def test_pattern_bytes_never_look_like_a_steady_line_and_always_change():
    for seed in (0, 1, 0x8000, 0xFFFF, 123456789):
        proof = chain.Chain(64, seed)
        marker = bytes(4)
        resident = bytes(64)
        for _ in range(200):
            fresh = bytes(proof.prepare(bytes(64))[:4])
            assert not [byte for byte in fresh if byte in (0x00, 0xFF)]
            assert not [i for i in range(4) if fresh[i] == marker[i]]
            marker = fresh
            pattern = bytes(proof.prepare_resident())
            assert not [byte for byte in pattern if byte in (0x00, 0xFF)]
            assert not [i for i in range(64) if pattern[i] == resident[i]]
            resident = pattern
