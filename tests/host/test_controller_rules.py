"""Each rule of a controller file, by a shipped file with one thing broken: file, key and value must be named."""

import pytest
from board_edit import edited, problems_of, text_of

from taisai.boards.controller import load_controller
from taisai.boards.tomlfile import ABSENT
from taisai.errors import DataErrors

HC, TPIC, ESP = "pico-hc595", "pico-tpic6b595", "esp32-tpic6b595"

# (file, old, new, key, value, part of the text). Each is the only problem of its file.
ONE_PROBLEM = [
    # form
    (HC, "baud = 1_000_000\n\n[display]", "baud = 1_000_000\nspeed = 3\n\n[display]", "chain.speed", 3, "unknown key"),
    (HC, "entry = 14 ", 'entry = "14" ', "keys.entry", "14", "valid integer"),
    (HC, "entry = 14 ", "entry = 14.0 ", "keys.entry", 14.0, "valid integer"),
    (HC, "entry = 14 ", "entry = -1 ", "keys.entry", -1, "greater than or equal to 0"),
    (HC, "digits = [2, 3, 4, 5, 6, 7]", "digits = [2, 3, 4, 5, 6]", "keys.digits", [2, 3, 4, 5, 6], "six of them"),
    (HC, "digits = [2, 3, 4, 5, 6, 7]", "digits = [2, 3, 'x', 5, 6, 7]", "keys.digits[3]", "x", "valid integer"),
    (HC, 'board = "raspberry-pi-pico"', 'board = "pico-w"', "board", "pico-w", "raspberry-pi-pico"),
    (HC, 'driver = "hc595"', 'driver = "ht16k33"', "display.driver", "ht16k33", "tm1637"),
    (HC, "frequency_hz = 2700", "frequency_hz = 27000", "beeper.frequency_hz", 27000, "less than or equal to 10000"),
    # pins of the RP2040
    (HC, "entry = 14 ", "entry = 22 ", "beeper.pin", 22, "used twice: GPIO22 is already keys.entry"),
    (HC, "entry = 14 ", "entry = 30 ", "keys.entry", 30, "has no GPIO30"),
    (HC, "entry = 14 ", "entry = 25 ", "keys.entry", 25, "drives the Pico's LED"),
    (HC, "switch = 15 ", "switch = 23 ", "keys.switch", 23, "power-save"),
    (HC, "sck = 18 ", "sck = 26 ", "chain.sck", 26, "cannot be sck of SPI0: use one of 2, 6, 18, 22"),
    (HC, "mosi = 19 ", "mosi = 27 ", "chain.mosi", 27, "cannot be mosi of SPI0: use one of 3, 7, 19"),
    (HC, "miso = 16 ", "miso = 28 ", "chain.miso", 28, "cannot be miso of SPI0: use one of 0, 4, 16, 20"),
    (HC, "mosi = 11 ", "mosi = 12 ", "display.mosi", 12, "cannot be mosi of SPI1: use one of 11, 15, 27"),
    (HC, "entry = 14 ", "entry = 8 ", "keys.entry", 8, "MicroPython takes GPIO8 as miso of SPI1"),
    (TPIC, "pin = 26 ", "pin = 12 ", "sense.pin", 12, "no analogue input: use one of 26, 27, 28"),
    # pins of the ESP32
    (ESP, "pin = 4 ", "pin = 35 ", "beeper.pin", 35, "input-only, without pull-up: it cannot be a PWM output"),
    (ESP, "entry = 26", "entry = 39", "keys.entry", 39, "cannot be an input with its own pull-up"),
    (ESP, "latch = 19 ", "latch = 36 ", "chain.latch", 36, "cannot be an output"),
    (ESP, "dio = 33", "dio = 35", "display.dio", 35, "cannot be an input and output"),
    (ESP, "entry = 26", "entry = 0", "keys.entry", 0, "strapping pin"),
    (ESP, "entry = 26", "entry = 2", "keys.entry", 2, "strapping pin"),
    (ESP, "entry = 26", "entry = 5", "keys.entry", 5, "strapping pin"),
    (ESP, "entry = 26", "entry = 12", "keys.entry", 12, "strapping pin"),
    (ESP, "entry = 26", "entry = 15", "keys.entry", 15, "strapping pin"),
    (ESP, "entry = 26", "entry = 1", "keys.entry", 1, "console"),
    (ESP, "entry = 26", "entry = 3", "keys.entry", 3, "console"),
    (ESP, "entry = 26", "entry = 6", "keys.entry", 6, "flash"),
    (ESP, "entry = 26", "entry = 11", "keys.entry", 11, "flash"),
    (ESP, "entry = 26", "entry = 20", "keys.entry", 20, "has no GPIO20"),
    (ESP, "entry = 26", "entry = 24", "keys.entry", 24, "has no GPIO24"),
    (ESP, "miso = 34 ", "miso = 37 ", "chain.miso", 37, "does not bring GPIO37 out"),
    # guard
    (TPIC, "door = 27 ", "door = 26 ", "guard.door", 26, "used twice: GPIO26 is already sense.pin"),
    (TPIC, "write_lock = 28 ", "write_lock = 24 ", "guard.write_lock", 24, "GPIO24 cannot be used"),
    (HC, "[limits]", "[guard]\n\n[limits]", "guard", {}, "names no input"),
    (ESP, "[limits]", "[guard]\ndoor = 35\n\n[limits]", "guard.door", 35, "cannot be an input with its own pull-up"),
    # clock
    (HC, "[limits]", '[clock]\npart = "DS3231"\nscl = 27\nsda = 22\n[limits]', "clock.sda", 22, "already beeper.pin"),
    (HC, "[limits]", '[clock]\npart = "DS3231"\nscl = 24\nsda = 26\n[limits]', "clock.scl", 24, "cannot be used"),
    (HC, "[limits]", '[clock]\npart = "DS1307"\nscl = 27\nsda = 26\n[limits]', "clock.part", "DS1307", "DS3231"),
    # buses
    (ESP, "spi = 2\n", "spi = 0\n", "chain.spi", 0, "esp32 has no SPI0"),
    (HC, "spi = 1\n", "spi = 2\n", "display.spi", 2, "rp2040 has no SPI2 for this: use 0 or 1"),
    # levels
    (TPIC, "supply_volt = 5.0               # from", "supply_volt = 3.3               # from", "chain.supply_volt", 3.3,
     "TPIC6B595 needs 4.5 to 5.5 V"),
    (TPIC, "divider_lower_ohm = 3300", "divider_lower_ohm = 8200", "chain.level.divider_lower_ohm", 8200,
     "miso sees up to 4.3"),
    (ESP, "divider_lower_ohm = 3300", "divider_lower_ohm = 1800", "chain.level.divider_lower_ohm", 1800,
     "may see only 2.00 V"),
    (HC, "enable_pull_up_ohm = 4700", "enable_pull_up_ohm = 10000", "chain.enable_pull_up_ohm", 10000,
     "must be 4700 Ohm or less"),
    (HC, "enable_pull_up_ohm = 4700", "enable_pull_up_ohm = 470", "chain.enable_pull_up_ohm", 470, "would sink 7.0 mA"),
    (TPIC, 'shifter = "74AHCT541"\nspi', "spi", "display.shifter", ABSENT, "MAX7219 at 5.0 V takes 3.50 V or more"),
    (ESP, 'shifter = "BSS138"                  # both lines', 'shifter = "74AHCT125"  # both lines', "display.shifter",
     "74AHCT125", "use one of BSS138"),
    (HC, "latch = 13 ", 'shifter = "74AHCT541"\nlatch = 13 ', "display.shifter", "74AHCT541", "remove the key"),
    (TPIC, "supply_volt = 5.0\nshifter", "supply_volt = 6.0\nshifter", "display.supply_volt", 6.0, "4.0 to 5.5 V"),
    # currents
    (HC, "output_milliamp = 100", "output_milliamp = 501", "limits.output_milliamp", 501, "carries 500.0 mA at most"),
    (TPIC, "output_milliamp = 100", "output_milliamp = 151", "limits.output_milliamp", 151, "carries 150.0 mA at most"),
    (TPIC, "package_milliamp = 640", "package_milliamp = 1300", "limits.package_milliamp", 1300, "1200.0 mA at most"),
    (HC, "milliamp = 48 ", "milliamp = 72 ", "display.milliamp", 72, "3.0 mA for each of 24 segments"),
    (TPIC, "spi = 0\n", 'lamp_driver = "ULN2803A"\nspi = 0\n', "chain.lamp_driver", "ULN2803A", "drives lamps itself"),
]  # fmt: skip

# (file, several (old, new), the problems as (key, value, part of the text)): all of them, and no other.
SEVERAL = {
    "a section under a wrong name": (
        HC, [("[limits]\noutput_milliamp = 100 ", "[limit]\noutput_milliamp = 100 ")],
        [("limit", ..., "unknown key"), ("limits", ABSENT, "missing key")],
    ),
    "a missing key": (HC, [("latch = 17 ", "# latch = 17 ")], [("chain.latch", ABSENT, "missing key")]),
    "no driver named": (HC, [('driver = "hc595"\n', "")], [("display.driver", ABSENT, "missing key")]),
    "5 V registers without shifters and divider": (
        TPIC,
        [("[chain.level]\n", ""), ('shifter = "74AHCT541"           #', "#"), ("enable_shifter =", "#"),
         ("divider_upper_ohm = 1800 ", "#"), ("divider_lower_ohm = 3300 ", "#")],
        [("chain.level", ABSENT, "TPIC6B595 at 5.0 V takes 4.25 V or more as high, and rp2040 guarantees 2.62 V")],
    ),
    "5 V registers with shifters but no divider": (
        ESP, [("divider_upper_ohm = 1800 ", "# "), ("divider_lower_ohm = 3300 ", "# ")],
        [("chain.level.divider_upper_ohm", ABSENT, "missing key"),
         ("chain.level.divider_lower_ohm", ABSENT, "missing key")],
    ),
    "5 V registers whose enable has no shifter": (
        ESP, [('enable_shifter = "BSS138" ', "# ")], [("chain.level.enable_shifter", ABSENT, "missing key")],
    ),
    "74HC595 at 5 V without shifters": (
        HC, [("supply_volt = 3.3               # from the Pico", "supply_volt = 5.0  # from the Pico")],
        [("chain.level", ABSENT, "74HC595 at 5.0 V takes 3.50 V or more as high")],
    ),
    "shifters that 3.3 V registers do not need": (
        HC, [("[display]", '[chain.level]\nshifter = "74AHCT125"\nenable_shifter = "BSS138"\n'
              "divider_upper_ohm = 1800\ndivider_lower_ohm = 3300\n\n[display]")],
        [("chain.level", {"shifter": "74AHCT125", "enable_shifter": "BSS138", "divider_upper_ohm": 1800,
                          "divider_lower_ohm": 3300}, "takes the levels as they are: remove the section")],
    ),
    "lamps on the registers themselves": (
        HC, [('lamp_driver = "ULN2803A" ', "# ")],
        [("limits.output_milliamp", 100, "74HC595 carries 2.4 mA at most"),
         ("limits.package_milliamp", 500, "74HC595 carries 70.0 mA at most")],
    ),
    "beeper on the PWM slice of enable": (
        HC, [("clear = 21 ", "# "), ("pin = 22 ", "pin = 21 ")],
        [("chain.enable", 20, "shares PWM slice 2, and so its frequency, with beeper.pin (GPIO21)")],
    ),
    "beeper sixteen pins from enable": (
        HC, [("digits = [2, 3, 4, 5, 6, 7]", "digits = [2, 3, 0, 5, 6, 7]"), ("pin = 22 ", "pin = 4 ")],
        [("chain.enable", 20, "shares PWM slice 2")],
    ),
    "display on the bus of the chain": (
        HC, [("spi = 1\nsck = 10 ", "spi = 0\nsck = 2 "), ("mosi = 11 ", "mosi = 3 "),
             ("digits = [2, 3, 4, 5, 6, 7]", "digits = [26, 27, 4, 5, 6, 7]")],
        [("display.spi", 0, "the lamp chain is on this bus")],
    ),
    "a key on the pin that moves at boot": (
        ESP, [("entry = 26", "entry = 14"), ("clk = 14 ", "clk = 26 ")],
        [("keys.entry", 14, "GPIO14 moves during boot")],
    ),
    "enable on the pin that moves at boot": (
        ESP, [("enable = 32 ", "enable = 14 "), ("clk = 14 ", "clk = 32 ")],
        [("chain.enable", 14, "GPIO14 moves during boot")],
    ),
    "one bad item of a list beside a pin that another item of it has": (
        HC, [("digits = [2, 3,", 'digits = ["2", 14,'), ("switch = 15 ", "switch = 7 ")],
        [("keys.digits[1]", "2", "valid integer"), ("keys.entry", 14, "already keys.digits[2]"),
         ("keys.switch", 7, "already keys.digits[6]")],
    ),
    "too few items of a list, and one of them a pin that is used twice": (
        HC, [("digits = [2, 3,", "digits = [15,")],
        [("keys.digits", ..., "six of them, not 5"), ("keys.switch", 15, "already keys.digits[1]")],
    ),
    "many errors of every kind in one file": (
        TPIC,
        [("entry = 14 ", "entry = 7 "), ("switch = 15 ", "switch = 24 "), ("latch = 17 ", 'latch = "17" '),
         ("enable_pull_up_ohm = 4700", "enable_pull_up_ohm = 22000"), ("cs = 13 ", "chip_select = 13 "),
         ("pin = 26 ", "pin = 9 "), ("output_milliamp = 100", "output_milliamp = 200"),
         ("frequency_hz = 2700\n", "")],
        [("keys.entry", 7, "already keys.digits[6]"), ("keys.switch", 24, "USB voltage"),
         ("chain.latch", "17", "valid integer"), ("chain.enable_pull_up_ohm", 22000, "4700 Ohm or less"),
         ("display.chip_select", 13, "unknown key"), ("display.cs", ABSENT, "missing key"),
         ("sense.pin", 9, "no analogue input"), ("limits.output_milliamp", 200, "150.0 mA"),
         ("beeper.frequency_hz", ABSENT, "missing key")],
    ),
}  # fmt: skip


def assert_exactly(problems, expected):
    """Every expected (key, value, part of the text) is among the problems, and there is no other."""
    left = list(problems)
    for key, value, text in expected:
        found = [one for one in left if one.key == key and text in one.text and value in (..., one.value)]
        assert len(found) == 1, (key, value, text, [str(one) for one in problems])
        left.remove(found[0])
    assert not left, [str(one) for one in left]


@pytest.mark.parametrize(("name", "old", "new", "key", "value", "text"), ONE_PROBLEM, ids=lambda value: str(value)[:40])
def test_one_broken_value_is_the_one_problem(tmp_path, name, old, new, key, value, text):
    problems = problems_of(tmp_path, "controllers", name, edited("controllers", name, (old, new)))
    assert_exactly(problems, [(key, value, text)])


@pytest.mark.parametrize("case", SEVERAL)
def test_all_problems_of_a_file_are_reported_together(tmp_path, case):
    name, edits, expected = SEVERAL[case]
    assert_exactly(problems_of(tmp_path, "controllers", name, edited("controllers", name, *edits)), expected)


def test_a_key_stated_twice_is_named(tmp_path):
    text = edited("controllers", HC, ("entry = 14 ", "entry = 14\nentry = 14 "))
    assert_exactly(problems_of(tmp_path, "controllers", HC, text), [("entry", ..., "stated twice, keep one")])


def test_a_section_stated_twice_is_named(tmp_path):
    text = text_of("controllers", HC) + "\n[beeper]\npin = 22\n"
    assert_exactly(problems_of(tmp_path, "controllers", HC, text), [("beeper", ..., "stated twice, keep one")])


def test_the_default_miso_of_a_bus_is_free_when_its_own_is_named(tmp_path):
    """With chain and display on each other's bus, SPI1 has its miso on GP12 and leaves GP8 to a key."""
    text = edited(
        "controllers", HC,
        ("spi = 0\nsck = 18                        # to SHCP", "spi = 1\nsck = 10 # to SHCP"),
        ("spi = 1\nsck = 10                        #", "spi = 0\nsck = 18 #"),
        ("mosi = 11                       # (15)", "mosi = 19 # (25)"),
        ("mosi = 19                       # to DS", "mosi = 11  # DS"),
        ("miso = 16 ", "miso = 12 "), ("entry = 14 ", "entry = 8 "),
    )  # fmt: skip
    path = tmp_path / "swapped.toml"
    path.write_text(text, encoding="utf-8")
    assert load_controller(path).keys.entry == 8


def test_an_unknown_controller_is_answered_with_the_known_ones():
    with pytest.raises(DataErrors, match="no such controller: use one of .*pico-hc595"):
        load_controller("pico-hc596")
