"""The shipped tables: which there are, that every zone has its lamps, and the worst case, all counted independently."""

import tomllib
from itertools import combinations, product

import pytest
import rule_evaluator
from board_edit import shipped, text_of

from taisai.boards.electrical import worst_case
from taisai.boards.table import list_tables, load_table

FACES = range(1, 7)
# The cloth of Division 9, Appendix 1: rule 4.1 without odd, even, and the wagers on three or four given numbers.
FIFTY = {
    "small", "big", "any-triple",
    *(f"{kind}-{face}" for kind in ("single", "double", "triple") for face in FACES),
    *(f"total-{total}" for total in range(4, 18)),
    *(f"pair-{low}-{high}" for low, high in combinations(FACES, 2)),
}  # fmt: skip
# Appendix 2, and the Korean cloth, add those.
ALL_106 = FIFTY | {
    "odd", "even", "four-1-2-3-4", "four-2-3-4-5", "four-2-3-5-6", "four-3-4-5-6",
    *("three-" + "-".join(map(str, sorted((face, face, other)))) for face in FACES for other in FACES if face != other),
    *("three-" + "-".join(map(str, numbers)) for numbers in combinations(FACES, 3)),
}  # fmt: skip
# table -> zones, lamps for each zone, microcontroller, registers of eight outputs
WANTED = {
    "nz1-pico-hc595": (FIFTY, 1, "rp2040", 7),
    "nz1-esp32-tpic6b595": (FIFTY, 1, "esp32", 7),
    "nz-gazette-pico-hc595": (FIFTY, 1, "rp2040", 7),
    "nz2-pico-tpic6b595": (ALL_106, 1, "rp2040", 14),
    "kr-pico-tpic6b595": (ALL_106, 1, "rp2040", 14),
    "nz2-double-pico-tpic6b595": (ALL_106, 2, "rp2040", 27),
}


def test_the_wanted_tables_are_shipped():
    assert (len(FIFTY), len(ALL_106)) == (50, 106)
    assert list_tables() == shipped("tables")
    assert set(WANTED) <= set(list_tables())


@pytest.mark.parametrize("name", WANTED)
def test_every_zone_has_its_lamps(name):
    zones, lamps, mcu, registers = WANTED[name]
    harness = tomllib.loads(text_of("tables", name))["harness"]
    assert set(harness) == zones
    assert {len(outputs) for outputs in harness.values()} == {lamps}
    outputs = [output for row in harness.values() for output in row]
    assert len(set(outputs)) == len(outputs) == lamps * len(zones)
    assert 0 <= min(outputs) and max(outputs) < 8 * registers

    table = load_table(name)
    assert (table.id, table.registers, table.controller.mcu) == (name, registers, mcu)
    assert table.harness == {zone: tuple(row) for zone, row in harness.items()}
    assert tuple(table.harness) == table.layout.zone_ids


def test_the_layouts_of_the_tables():
    assert {name: load_table(name).layout.id for name in WANTED} == {
        "nz1-pico-hc595": "nz-div9-appendix1",
        "nz1-esp32-tpic6b595": "nz-div9-appendix1",
        "nz-gazette-pico-hc595": "nz-gazette-1994",
        "nz2-pico-tpic6b595": "nz-div9-appendix2",
        "kr-pico-tpic6b595": "kr-daisai",
        "nz2-double-pico-tpic6b595": "nz-div9-appendix2",
    }


def test_the_double_wing_table_has_212_lamps_on_27_registers():
    table = load_table("nz2-double-pico-tpic6b595")
    assert table.registers == 27
    left = {outputs[0] for outputs in table.harness.values()}
    right = {outputs[1] for outputs in table.harness.values()}
    assert left == set(range(106)) and right == set(range(106, 212))
    # The same place in both wings, so that one drawing serves both harnesses.
    assert all(outputs[1] - outputs[0] == 106 for outputs in table.harness.values())


def test_some_harnesses_are_not_in_the_order_of_the_layout_and_one_leaves_outputs_free():
    """Else a program that ignored the harness would pass every test."""
    in_order = {name for name, table in loaded().items() if list(outputs(table)) == sorted(outputs(table))}
    assert {"kr-pico-tpic6b595", "nz-gazette-pico-hc595", "nz1-esp32-tpic6b595"} & in_order == set()
    assert max(outputs(loaded()["nz1-esp32-tpic6b595"])) > 50


def loaded():
    return {name: load_table(name) for name in WANTED}


def outputs(table):
    return [output for row in table.harness.values() for output in row]


@pytest.mark.parametrize("name", WANTED)
def test_the_worst_case_is_what_the_rule_text_gives(name):
    table = load_table(name)
    counts, registers = {}, {}
    for throw in product(FACES, repeat=3):
        lit = [output for zone in rule_evaluator.winners(table.layout.id, throw) for output in table.harness[zone]]
        counts[throw] = len(lit)
        registers[throw] = max(sum(output // 8 == register for output in lit) for register in range(table.registers))
    worst = worst_case(table.layout, table.harness)
    assert worst.lamps == max(counts.values()) == counts[worst.throw]
    assert worst.register_lamps == max(registers.values()) == registers[worst.register_throw]
    assert worst.lamps * table.lamps.milliamp <= table.lamps.supply_milliamp


def test_options_and_their_defaults():
    options = {name: table.options for name, table in loaded().items()}
    assert options["kr-pico-tpic6b595"].brightness_percent == 80
    assert {one.brightness_percent for name, one in options.items() if name != "kr-pico-tpic6b595"} == {100}
    # RP2040 datasheet 4.7: 8.3 s is the longest time that its watchdog can wait.
    assert {one.watchdog_ms for one in options.values()} == {8000}
