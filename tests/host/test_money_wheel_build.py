"""table.bin and hardware.json of every money wheel table, decoded by their formats and compared with the rules."""

import json
import struct
from hashlib import sha256

import pytest
import wheel_evaluator as rules
from board_edit import BOARDS

from tablecore import hardwarefile, manifest, tablefile
from taisai.boards.electrical import worst_case
from taisai.boards.table import list_tables, load_table
from taisai.build.bundle import build_bundle, check_bundle
from taisai.build.hardware import hardware_json
from taisai.build.tablebin import table_bin
from taisai.rules import MONEY_WHEEL

# table -> layout, lamps of the symbols A to G, registers, microcontroller, sensors a, b, index
WANTED = {
    "wheel1-pico-tpic6b595": ("nz-div10-option1", (1, 1, 1, 1, 1, 1, 1), 1, "rp2040", (0, 1, 2)),
    "wheel2-pico-tpic6b595": ("nz-div10-option2", (2, 2, 2, 2, 2, 2, 2), 2, "rp2040", (0, 1, 2)),
    "wheel3-pico-tpic6b595": ("nz-div10-option3", (4, 2, 1, 1, 1, 1, 1), 2, "rp2040", (0, 1, 2)),
    "wheel1-esp32-tpic6b595": ("nz-div10-option1", (1, 1, 1, 1, 1, 1, 1), 1, "esp32", (35, 36, 39)),
    "wheel1-pico-hc595": ("nz-div10-option1", (1, 1, 1, 1, 1, 1, 1), 1, "rp2040", None),
}
# The wheel as it is in boards/money-wheel/wheels/nz-div10.toml, written off by hand.
STOPS = "GACBADABACABA" "EACBADABACABA" "FACBADABACABA" "EABCADABACABA"


@pytest.fixture(scope="module", params=WANTED)
def table(request):
    return load_table(request.param)


def test_the_wanted_tables_are_shipped():
    assert list_tables(MONEY_WHEEL) == sorted(WANTED)
    assert sorted(path.stem for path in (BOARDS / "money-wheel" / "tables").glob("*.toml")) == sorted(WANTED)


def test_every_table_is_as_wanted(table):
    layout, lamps, registers, mcu, sensors = WANTED[table.id]
    assert (table.layout.id, table.registers, table.controller.mcu) == (layout, registers, mcu)
    assert tuple(len(table.harness[f"symbol-{letter}"]) for letter in "ABCDEFG") == lamps
    outputs = [output for row in table.harness.values() for output in row]
    assert len(set(outputs)) == len(outputs) and max(outputs) < 8 * registers
    found = table.controller.wheel
    assert (found and (found.a, found.b, found.index)) == sensors
    assert rules.is_wheel(STOPS)


def test_one_harness_is_not_in_the_order_of_the_layout():
    """Else a program that ignored the harness would pass every test."""
    harness = load_table("wheel3-pico-tpic6b595").harness
    assert harness["symbol-A"][0] > harness["symbol-G"][0]


def outputs_on(frame: bytes) -> set[int]:
    """Outputs that are on once the frame has been shifted in: the first byte sent ends in the farthest register."""
    bits = int.from_bytes(frame, "big")
    return {output for output in range(8 * len(frame)) if bits >> output & 1}


def test_every_stop_lights_exactly_its_symbol(table):
    data = table_bin(table)
    read = tablefile.load(data)
    for stop in range(52):
        frame = data[76 + stop * table.registers : 76 + (stop + 1) * table.registers]
        (zone,) = rules.winners(table.layout.id, STOPS, stop)
        assert outputs_on(frame) == set(table.harness[zone]), stop
        assert bytes(read.entry(stop)) == frame


def test_header_and_digest_are_as_documented(table):
    """Read without the product's own module: fields, length, and the digest over the file with its field zeroed."""
    data = table_bin(table)
    magic, form, game, zones, frame_bytes, version, layout_id, digest = struct.unpack("<4sBBHHH32s32s", data[:76])
    assert (magic, form, game, zones) == (b"TSTB", 2, 52, 7)
    assert (frame_bytes, version) == (table.registers, table.layout.version)
    assert layout_id == table.layout.id.encode().ljust(32, b"\0")
    assert digest == sha256(data[:44] + bytes(32) + data[76:]).digest()
    assert len(data) == 76 + (52 + 8) * table.registers
    lamps = data[76 + 52 * table.registers :]
    for output, number in enumerate(lamps):
        owners = [letter for letter in "ABCDEFG" if output in table.harness[f"symbol-{letter}"]]
        assert owners == (["ABCDEFG"[number - 1]] if number else []), output


def test_the_worst_case_is_the_symbol_with_most_lamps(table):
    worst = worst_case(table.layout, table.harness)
    most = max(WANTED[table.id][1])
    assert worst.lamps == most == len(table.harness[f"symbol-{STOPS[worst.throw]}"])


def test_the_board_is_told_of_spin_and_sensors(table):
    data = hardware_json(table)
    told = json.loads(data)
    sensors = WANTED[table.id][4]
    heavy = table.id == "wheel3-pico-tpic6b595"
    assert told["game"] == "money-wheel"
    assert told["spin"] == {
        "minimum_revolutions": 3, "rest_ms": 2000 if heavy else 1500, "peg_quarters": [0, 3] if heavy else [0],
    }  # fmt: skip
    assert told["wheel"] == (sensors and dict(zip(("a", "b", "index"), sensors, strict=True)))
    assert hardwarefile.parse(data) == told and data == hardware_json(load_table(table.id))


def test_tai_sai_boards_are_told_nothing_of_a_wheel():
    told = json.loads(hardware_json(load_table("nz2-pico-tpic6b595")))
    assert "spin" not in told and "wheel" not in told


def test_a_bundle_is_built_and_opens_again():
    bundle = build_bundle(load_table("wheel1-pico-tpic6b595"))
    listed = manifest.parse(bundle.manifest_raw)
    assert (listed["table"], listed["layout"]) == ("wheel1-pico-tpic6b595", "nz-div10-option1")
    assert listed["table_digest"] == table_bin(load_table("wheel1-pico-tpic6b595"))[44:76].hex()
    assert check_bundle(bundle.pack(), "made.zip").files == bundle.files
