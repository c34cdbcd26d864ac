"""The controllers with sensors at the wheel against the datasheets, and what a bad controller or table is told."""

import re
import tomllib
from xml.etree import ElementTree

import pytest
from board_edit import BOARDS, load_controller, load_table
from layout_edit import replace_once
from test_controller_shipped import (
    ESP32_CONSOLE,
    ESP32_MOVES_AT_BOOT,
    ESP32_STRAPPING,
    PICO_HEADER,
    RP2040_SLICE,
    RP2040_SPI,
    WROOM_PINS,
)

from taisai.boards.controller import list_controllers
from taisai.drawing import pinout
from taisai.drawing.sheet import wiring_sheet
from taisai.errors import DataErrors
from taisai.rules import MONEY_WHEEL

PICO, ESP = "pico-tpic6b595-wheel", "esp32-tpic6b595-wheel"
LOADERS = {"controllers": load_controller, "tables": load_table}


def text_of(kind: str, name: str) -> str:
    return (BOARDS / "money-wheel" / kind / f"{name}.toml").read_text(encoding="utf-8")


def pins(name: str) -> dict[str, int]:
    """Every pin that a file names, by its key, straight from the TOML."""
    file = tomllib.loads(text_of("controllers", name))
    found = {f"key {number}": pin for number, pin in enumerate(file["keys"]["digits"], start=1)}
    found |= {"entry": file["keys"]["entry"], "switch": file["keys"]["switch"], "beeper": file["beeper"]["pin"]}
    for section in ("chain", "display", "sense", "guard", "wheel"):
        keys = ("sck", "mosi", "miso", "latch", "enable", "clear", "cs", "clk", "dio", "pin", "door", "write_lock")
        found |= {
            f"{section}.{key}": pin for key, pin in file.get(section, {}).items() if key in (*keys, "a", "b", "index")
        }
    return found


def test_both_controllers_are_shipped_and_each_pin_has_one_job():
    assert list_controllers(MONEY_WHEEL) == [ESP, PICO]
    for name in (PICO, ESP):
        used = pins(name)
        assert len(set(used.values())) == len(used), used
        assert {"wheel.a", "wheel.b", "wheel.index"} <= set(used)


def test_pico_pins_can_do_their_jobs():
    used = pins(PICO)
    assert set(used.values()) <= set(PICO_HEADER) - {8}, "MicroPython takes GP8 as MISO of the display's bus"
    for (bus, signal), able in RP2040_SPI.items():
        key = f"{'chain' if bus == 0 else 'display'}.{signal}"
        assert used.get(key) in able | {None}, key
    assert RP2040_SLICE[used["chain.enable"]] != RP2040_SLICE[used["beeper"]]
    # RP2040 datasheet 3.4.5: IN takes pins that follow each other.
    assert used["wheel.b"] == used["wheel.a"] + 1


def test_the_header_pins_in_the_comments_are_right():
    lines = re.findall(r"^\w+ = (\d+) +#.*\((\d+)\)$", text_of("controllers", PICO), flags=re.MULTILINE)
    assert all(PICO_HEADER[int(gpio)] == int(header) for gpio, header in lines)
    assert len(lines) == len(pins(PICO)) - 6
    (listed,) = re.findall(r"header pins ([\d, ]+)", text_of("controllers", PICO))
    assert [PICO_HEADER[pins(PICO)[f"key {number}"]] for number in range(1, 7)] == list(map(int, listed.split(",")))


def test_esp32_pins_can_do_their_jobs():
    used = pins(ESP)
    assert set(used.values()) <= WROOM_PINS - ESP32_STRAPPING - ESP32_CONSOLE
    inputs = {"chain.miso", "wheel.a", "wheel.b", "wheel.index"}
    assert {key for key, pin in used.items() if pin >= 34} == inputs, "these pins are inputs only"
    assert {key for key, pin in used.items() if pin in ESP32_MOVES_AT_BOOT} == {"display.clk"}


# (kind, name, old, new, key, value, words): each is the only problem of its file
BAD = [
    ("controllers", PICO, "b = 1 ", "b = 0 ", "wheel.b", 0, "used twice: GPIO0 is already wheel.a"),
    ("controllers", PICO, "a = 0 ", "a = 26 ", "wheel.a", 26, "used twice: GPIO26 is already sense.pin"),
    ("controllers", PICO, "b = 1 ", "b = 12 ", "wheel.b", 12, "pins that follow each other: use GPIO1"),
    ("controllers", PICO, "a = 0 ", "a = 12 ", "wheel.b", 1, "pins that follow each other: use GPIO13"),
    ("controllers", PICO, "index = 2 ", "index = 25 ", "wheel.index", 25, "drives the Pico's LED"),
    ("controllers", PICO, "index = 2 ", "index = 30 ", "wheel.index", 30, "has no GPIO30"),
    ("controllers", PICO, "index = 2 ", "index = -1 ", "wheel.index", -1, "greater than or equal to 0"),
    ("controllers", PICO, "index = 2 ", 'index = "2" ', "wheel.index", "2", "valid integer"),
    ("controllers", PICO, "index = 2 ", "# ", "wheel.index", ..., "missing key"),
    ("controllers", PICO, "index = 2 ", "index = 2\nc = 12 ", "wheel.c", 12, "unknown key"),
    ("controllers", PICO, "pull_up_ohm = 2200", "pull_up_ohm = 100", "wheel.pull_up_ohm", 100, "greater than"),
    ("controllers", PICO, "pull_up_ohm = 2200", "pull_up_ohm = 47000", "wheel.pull_up_ohm", 47000, "less than"),
    ("controllers", ESP, "a = 35 ", "a = 12 ", "wheel.a", 12, "strapping pin"),
    ("controllers", ESP, "a = 35 ", "a = 3 ", "wheel.a", 3, "console"),
    ("controllers", ESP, "a = 35 ", "a = 37 ", "wheel.a", 37, "does not bring GPIO37 out"),
    ("tables", "wheel3-pico-tpic6b595", "rest_ms = 2000", "rest_ms = 100", "wheel.rest_ms", 100, "greater than"),
    ("tables", "wheel3-pico-tpic6b595", "rest_ms = 2000", "rest_ms = 1500", "wheel.rest_ms", 1500, "restates"),
    ("tables", "wheel3-pico-tpic6b595", "= [0, 3]", "= [0]", "wheel.peg_quarters", (0,), "restates"),
    ("tables", "wheel3-pico-tpic6b595", "= [0, 3]", "= [3, 0]", "wheel.peg_quarters", [3, 0], "ascending"),
    ("tables", "wheel3-pico-tpic6b595", "= [0, 3]", "= [0, 0]", "wheel.peg_quarters", [0, 0], "different"),
    ("tables", "wheel3-pico-tpic6b595", "= [0, 3]", "= []", "wheel.peg_quarters", [], "one to three"),
    ("tables", "wheel3-pico-tpic6b595", "= [0, 3]", "= [0, 1, 2, 3]", "wheel.peg_quarters", [0, 1, 2, 3], "one to"),
    ("tables", "wheel3-pico-tpic6b595", "= [0, 3]", "= [0, 4]", "wheel.peg_quarters[2]", 4, "less than or equal to 3"),
    ("tables", "wheel3-pico-tpic6b595", "rest_ms", "rests_ms", "wheel.rests_ms", 2000, "unknown key"),
    ("tables", "wheel3-pico-tpic6b595", '"nz-div10-option3"', '"macau"', "layout", "macau", "use one of kr-daisai"),
    ("tables", "wheel3-pico-tpic6b595", "symbol-G = [0]\n", "", "harness.symbol-G", ..., "zone without an output"),
    ("tables", "wheel3-pico-tpic6b595", "symbol-G = [0]", "symbol-G = [0]\nsymbol-H = [12]", "harness.symbol-H", [12],
     "nz-div10-option3 has none of this name"),
    ("tables", "wheel3-pico-tpic6b595", "symbol-G = [0]", "symbol-G = [16]", "harness.symbol-G", [16],
     "beyond the chain"),
    ("tables", "wheel3-pico-tpic6b595", "supply_milliamp = 400\ngroup_milliamp = 220",
     "supply_milliamp = 79\ngroup_milliamp = 79", "lamps.supply_milliamp", 79, "stop 1 lights 4 lamps: 80 mA"),
    ("tables", "wheel1-pico-hc595", "[harness]", "[wheel]\nrest_ms = 900\n[harness]", "wheel", {"rest_ms": 900},
     "pico-hc595 has no sensors at the wheel"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "name", "old", "new", "key", "value", "words"), BAD)
def test_what_is_wrong_is_told_by_file_key_and_value(tmp_path, kind, name, old, new, key, value, words):
    path = tmp_path / f"{name}.toml"
    path.write_text(replace_once(text_of(kind, name), old, new), encoding="utf-8")
    with pytest.raises(DataErrors) as caught:
        LOADERS[kind](path)
    found = [(each.file, each.key, each.value, each.text) for each in caught.value.problems]
    assert [1 for file, k, v, t in found if (file, k) == (str(path), key) and value in (v, ...) and words in t], found


def test_what_belongs_to_the_wheel_is_refused_on_a_table_of_tai_sai(tmp_path):
    path = tmp_path / "nz1-pico-hc595.toml"
    text = (BOARDS / "tables" / path.name).read_text(encoding="utf-8")
    path.write_text(text.replace('"pico-hc595"', f'"{PICO}"') + "\n[wheel]\nrest_ms = 900\n", encoding="utf-8")
    with pytest.raises(DataErrors) as caught:
        load_table(path)
    found = {each.key: each.text for each in caught.value.problems}
    assert "another controller" in found["controller"] and "remove the section" in found["wheel"]


def test_a_controller_without_sensors_serves_the_wheel_too():
    assert load_table("wheel1-pico-hc595").controller.wheel is None


@pytest.mark.parametrize("name", [PICO, ESP])
def test_the_pinout_shows_the_sensors(name):
    words = [each.text for each in ElementTree.fromstring(pinout.draw(load_controller(name))).iter() if each.text]
    assert {"wheel a", "wheel b", "wheel index"} <= set(words)


def test_the_wiring_sheet_names_each_symbol_and_the_sensors():
    page = wiring_sheet(load_table("wheel2-pico-tpic6b595"))
    for letter in "ABCDEFG":
        assert page.count(f"<td>symbol-{letter}</td><td>Symbol {letter}</td>") == 2
    assert "wheel index" in page and page.count("not connected") == 2 * 2
