"""The shipped controllers against facts copied here by hand from the datasheets, not from the product's own tables."""

import re
import tomllib

import pytest
from board_edit import shipped, text_of

from taisai.boards.controller import list_controllers, load_controller

# Raspberry Pi Pico datasheet, figure 2: GPIO -> header pin.
PICO_HEADER = {
    0: 1, 1: 2, 2: 4, 3: 5, 4: 6, 5: 7, 6: 9, 7: 10, 8: 11, 9: 12, 10: 14, 11: 15, 12: 16, 13: 17, 14: 19, 15: 20,
    16: 21, 17: 22, 18: 24, 19: 25, 20: 26, 21: 27, 22: 29, 26: 31, 27: 32, 28: 34,
}  # fmt: skip
# RP2040 datasheet, table 2, column F1.
RP2040_SPI = {
    (0, "miso"): {0, 4, 16, 20}, (0, "sck"): {2, 6, 18, 22}, (0, "mosi"): {3, 7, 19, 23},
    (1, "miso"): {8, 12, 24, 28}, (1, "sck"): {10, 14, 26}, (1, "mosi"): {11, 15, 27},
}  # fmt: skip
# RP2040 datasheet, table 525: GPIO -> slice, of the pins that a controller could use.
RP2040_SLICE = {
    0: 0, 1: 0, 2: 1, 3: 1, 4: 2, 5: 2, 6: 3, 7: 3, 8: 4, 9: 4, 10: 5, 11: 5, 12: 6, 13: 6, 14: 7, 15: 7,
    16: 0, 17: 0, 18: 1, 19: 1, 20: 2, 21: 2, 22: 3, 26: 5, 27: 5, 28: 6,
}  # fmt: skip
RP2040_ADC = {26, 27, 28}
# ESP32-WROOM-32 datasheet, table 2, and ESP32 datasheet, sections 2.2 and 2.4.
WROOM_PINS = {0, 1, 2, 3, 4, 5, 12, 13, 14, 15, 16, 17, 18, 19, 21, 22, 23, 25, 26, 27, 32, 33, 34, 35, 36, 39}
ESP32_STRAPPING = {0, 2, 5, 12, 15}
ESP32_CONSOLE = {1, 3}
ESP32_INPUT_ONLY = {34, 35, 36, 37, 38, 39}
ESP32_MOVES_AT_BOOT = {0, 1, 3, 5, 6, 7, 8, 9, 10, 11, 14, 15}


def stated(name: str) -> dict:
    return tomllib.loads(text_of("controllers", name))


def pins(name: str) -> dict[str, int]:
    """Every pin that a file names, by its key, straight from the TOML."""
    file = stated(name)
    found = {f"key {number}": pin for number, pin in enumerate(file["keys"]["digits"], start=1)}
    found |= {"entry": file["keys"]["entry"], "switch": file["keys"]["switch"], "beeper": file["beeper"]["pin"]}
    for section in ("chain", "display"):
        for key in ("sck", "mosi", "miso", "latch", "enable", "clear", "cs", "clk", "dio"):
            if key in file[section]:
                found[f"{section}.{key}"] = file[section][key]
    if "sense" in file:
        found["sense"] = file["sense"]["pin"]
    found |= {f"guard.{name}": pin for name, pin in file.get("guard", {}).items()}
    return found


def of_board(board: str) -> list[str]:
    return [name for name in shipped("controllers") if stated(name)["board"] == board]


def test_every_shipped_controller_is_listed_and_valid():
    assert list_controllers() == shipped("controllers")
    for name in list_controllers():
        assert load_controller(name).id == name


def test_the_three_named_controllers_are_there_with_every_driver_and_with_and_without_sense():
    files = {name: stated(name) for name in ("pico-hc595", "pico-tpic6b595", "esp32-tpic6b595")}
    assert {file["display"]["driver"] for file in files.values()} == {"hc595", "tm1637", "max7219"}
    assert {"sense" in file for file in files.values()} == {True, False}
    assert {tuple(sorted(file.get("guard", ()))) for file in files.values()} == {("door", "write_lock"), ()}
    assert files["pico-hc595"]["chain"]["part"] == "74HC595"
    assert files["pico-tpic6b595"]["chain"]["part"] == files["esp32-tpic6b595"]["chain"]["part"] == "TPIC6B595"
    assert load_controller("pico-hc595").mcu == load_controller("pico-tpic6b595").mcu == "rp2040"
    assert load_controller("esp32-tpic6b595").mcu == "esp32"


@pytest.mark.parametrize("name", shipped("controllers"))
def test_no_pin_has_two_jobs(name):
    used = pins(name)
    assert len(set(used.values())) == len(used), used


@pytest.mark.parametrize("name", of_board("raspberry-pi-pico"))
def test_pico_pins_can_do_their_jobs(name):
    file, used = stated(name), pins(name)
    assert set(used.values()) <= set(PICO_HEADER)
    for section in ("chain", "display"):
        for signal in ("sck", "mosi", "miso"):
            if signal in file[section]:
                assert file[section][signal] in RP2040_SPI[file[section]["spi"], signal], (section, signal)
    assert file["chain"]["spi"] != file["display"].get("spi")
    assert RP2040_SLICE[file["chain"]["enable"]] != RP2040_SLICE[file["beeper"]["pin"]]
    if "sense" in file:
        assert file["sense"]["pin"] in RP2040_ADC
    # MicroPython takes GP8 as MISO of SPI1 when a display names none.
    if file["display"].get("spi") == 1:
        assert 8 not in used.values()


@pytest.mark.parametrize("name", of_board("raspberry-pi-pico"))
def test_the_header_pins_in_the_comments_are_right(name):
    """`entry = 14   # (19)`: the number in brackets is the pin that the technician counts on the board."""
    seen = 0
    for line in text_of("controllers", name).splitlines():
        if match := re.fullmatch(r"\w+ = (\d+) +#.*\((\d+)\)", line):
            assert PICO_HEADER[int(match[1])] == int(match[2]), line
            seen += 1
    # Every pin but the six of the number keys, which share a line, is counted out for the technician.
    assert seen == len(pins(name)) - 6


@pytest.mark.parametrize("name", of_board("esp32-devkitc"))
def test_esp32_pins_can_do_their_jobs(name):
    used = pins(name)
    assert set(used.values()) <= WROOM_PINS - ESP32_STRAPPING - ESP32_CONSOLE
    inputs = {"chain.miso", "sense"}
    assert {key for key, pin in used.items() if pin in ESP32_INPUT_ONLY} <= inputs
    # A clock alone shows nothing: the TM1637 starts only on a falling DIO while the clock is high.
    assert {key for key, pin in used.items() if pin in ESP32_MOVES_AT_BOOT} <= {"display.clk"}


@pytest.mark.parametrize("name", shipped("controllers"))
def test_electrical_facts(name):
    file = stated(name)
    chain, limits = file["chain"], file["limits"]
    assert chain["enable_pull_up_ohm"] <= 4700
    if chain["part"] == "TPIC6B595":
        # SLIS032B: 4.5 to 5.5 V, 150 mA continuous per output; inputs need 0.85 x 5 V, out of reach of 3.3 V logic.
        assert 4.5 <= chain["supply_volt"] <= 5.5
        assert limits["output_milliamp"] <= 150
        level = chain["level"]
        share = level["divider_lower_ohm"] / (level["divider_upper_ohm"] + level["divider_lower_ohm"])
        assert 5.25 * share <= 3.6
        assert 4.0 * share >= (2.0 if file["board"] == "raspberry-pi-pico" else 0.75 * 3.3)
    else:
        # 74HC595 at 3.3 V: 70 mA per package is too little for eight lamps of 20 mA, so a driver must carry them.
        assert chain["supply_volt"] == 3.3 and "level" not in chain
        assert chain["lamp_driver"] == "ULN2803A"
        assert limits["output_milliamp"] <= 500


def test_the_sense_scale_follows_from_shunt_and_gain():
    """1 A in 50 mOhm is 50 mV, 50 times amplified 2.5 V: 400 mA per volt."""
    sense = load_controller("pico-tpic6b595").sense
    assert (sense.shunt_ohm, sense.amplifier_gain) == (0.05, 50)
    assert sense.milliamp_per_volt == 400
    assert sense.noise_at(0) == sense.noise_milliamp
    assert sense.noise_at(1000) == pytest.approx(sense.noise_milliamp + 10 * sense.noise_percent)


def test_nothing_in_a_controller_can_be_changed_afterwards():
    controller = load_controller("pico-hc595")
    with pytest.raises(ValueError, match="frozen"):
        controller.chain.enable = 3
