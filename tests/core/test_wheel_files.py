"""What a money wheel's board carries: 52 frames instead of 216, and the wiring of its sensors."""

from test_hardwarefile import refused, taken
from test_hardwarefile import sample as hardware_sample
from test_tablefile import lamps, reason, resealed

from tablecore import tablefile, tablepack


def frames(size=2):
    """52 frames that all differ."""
    return [bytes([number]) + bytes(size - 1) for number in range(52)]


def sample(size=2):
    return tablepack.pack("nz-div10-option1", 1, 7, frames(size), lamps(size, 7))


def test_bytes_on_disk():
    raw = sample()
    assert len(raw) == 76 + 52 * 2 + 16
    assert raw[:6] == b"TSTB\x02\x34"
    assert raw[76:180] == b"".join(frames())
    assert raw[180:] == bytes(range(1, 8)) + bytes(9)


def test_every_stop_finds_its_own_frame():
    table = tablefile.load(sample())
    assert (table.outcomes, table.zone_count, table.frame_bytes) == (52, 7, 2)
    for stop in range(52):
        assert bytes(table.entry(stop)) == bytes([stop, 0])


def test_a_throw_and_its_index_find_the_same_frame():
    table = tablefile.load(tablepack.pack("a", 1, 1, [bytes([number]) for number in range(216)], lamps(1, 1)))
    assert table.outcomes == 216
    assert bytes(table.entry(17)) == bytes(table.frame(1, 3, 6)) == b"\x11"


def test_no_game_has_another_number_of_frames():
    for count in (0, 1, 51, 53, 215, 217):
        assert "216 or 52" in reason(tablepack.pack, "a", 1, 1, [b"\x00"] * count, lamps(1, 1)), count


def test_a_file_of_one_game_is_never_read_as_the_others():
    assert "asks for" in reason(tablefile.load, resealed(sample(), 5, 0))
    for game in (1, 51, 53, 216, 255):
        assert "reserved" in reason(tablefile.load, resealed(sample(), 5, game))
    throws = tablepack.pack("a", 1, 1, [bytes(1)] * 216, lamps(1, 1))
    assert "asks for" in reason(tablefile.load, resealed(throws, 5, 52))


def test_every_flipped_bit_is_refused():
    raw = sample()
    for at in range(len(raw)):
        for bit in range(8):
            changed = bytearray(raw)
            changed[at] ^= 1 << bit
            reason(tablefile.load, bytes(changed))


def wheel_hardware():
    """The complete file of test_hardwarefile with what the wheel adds; the clock gives it two of its pins."""
    hardware = hardware_sample()
    hardware["game"] = "money-wheel"
    hardware["clock"] = None
    hardware["wheel"] = {"a": 0, "b": 1, "index": 12}
    hardware["spin"] = {"minimum_revolutions": 3, "rest_ms": 1500, "peg_quarters": [0]}
    return hardware


def test_a_good_file_is_taken_with_and_without_sensors():
    hardware = wheel_hardware()
    taken(hardware)
    hardware["spin"]["peg_quarters"] = [0, 1, 3]
    hardware["wheel"] = None
    taken(hardware)
    del hardware["wheel"]
    taken(hardware)


def test_every_game_is_known():
    hardware = wheel_hardware()
    for game in ("craps", "", None, 3, ["money-wheel"]):
        hardware["game"] = game
        assert "unknown game" in refused(hardware)


def test_every_missing_or_spoilt_setting_of_the_wheel_is_named():
    for name in ("a", "b", "index"):
        for bad in (None, -1, 30, "1", True, [], 18, 2):
            hardware = wheel_hardware()
            hardware["wheel"][name] = bad
            assert "wheel." + name in refused(hardware), (name, bad)
    for name, least, most in (("minimum_revolutions", 3, 20), ("rest_ms", 200, 10000)):
        for bad in (None, least - 1, most + 1, 3.0, "3", True):
            hardware = wheel_hardware()
            hardware["spin"][name] = bad
            assert "spin." + name in refused(hardware), (name, bad)
        for edge in (least, most):
            hardware = wheel_hardware()
            hardware["spin"][name] = edge
            taken(hardware)
    for bad in (None, [], [0, 1, 2, 3], [4], [-1], ["0"], [True], [1.0], [[0]], 0, "0"):
        hardware = wheel_hardware()
        hardware["spin"]["peg_quarters"] = bad
        assert "peg_quarters" in refused(hardware), bad
    for section in ("spin", "wheel"):
        for bad in (3, [], "x"):
            hardware = wheel_hardware()
            hardware[section] = bad
            assert section in refused(hardware)
    hardware = wheel_hardware()
    del hardware["spin"]
    assert "spin" in refused(hardware)
