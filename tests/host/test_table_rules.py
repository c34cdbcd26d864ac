"""Each rule of a table file, by a shipped file with one thing broken: file, key and value must be named."""

import pytest
from board_edit import edited, problems_of, text_of
from test_controller_rules import assert_exactly

from taisai.boards.table import load_table
from taisai.boards.tomlfile import ABSENT
from taisai.errors import DataErrors

HC, TPIC, ESP, DOUBLE = "nz1-pico-hc595", "nz2-pico-tpic6b595", "nz1-esp32-tpic6b595", "nz2-double-pico-tpic6b595"

# case -> (file, (old, new) ..., the problems as (key, value, part of the text)): all of them, and no other.
CASES = {
    # form
    "unknown key": (HC, [("registers = 7\n", "registers = 7\ncolour = 1\n")], [("colour", 1, "unknown key")]),
    "unknown lamp key": (
        HC, [("supply_volt = 12\n", "supply_volt = 12\nwatt = 3\n")], [("lamps.watt", 3, "unknown key")],
    ),
    "missing key": (HC, [("registers = 7\n", "")], [("registers", ABSENT, "missing key")]),
    "missing lamp key": (HC, [("supply_milliamp = 600\n", "")], [("lamps.supply_milliamp", ABSENT, "missing key")]),
    "text for a number": (HC, [("registers = 7\n", 'registers = "7"\n')], [("registers", "7", "valid integer")]),
    "restated brightness": (
        HC, [("[harness]", "[options]\nbrightness_percent = 100\n\n[harness]")],
        [("options.brightness_percent", 100, "restates the default: remove the key")],
    ),
    "restated watchdog": (
        HC, [("[harness]", "[options]\nwatchdog_ms = 8000\n\n[harness]")],
        [("options.watchdog_ms", 8000, "restates the default: remove the key")],
    ),
    "dark lamps": (
        HC, [("[harness]", "[options]\nbrightness_percent = 5\n\n[harness]")],
        [("options.brightness_percent", 5, "greater than or equal to 10")],
    ),
    "watchdog beyond the RP2040": (
        HC, [("[harness]", "[options]\nwatchdog_ms = 9000\n\n[harness]")],
        [("options.watchdog_ms", 9000, "waits 8388 ms at most")],
    ),
    "watchdog that a flash erase would trip": (
        ESP, [("[harness]", "[options]\nwatchdog_ms = 500\n\n[harness]")],
        [("options.watchdog_ms", 500, "greater than or equal to 2000")],
    ),
    # names
    "unknown layout": (
        HC, [('layout = "nz-div9-appendix1"', 'layout = "nz-div9-appendix3"')],
        [("layout", "nz-div9-appendix3", "unknown layout: use one of kr-daisai, nz-div9-appendix1")],
    ),
    "unknown controller": (
        HC, [('controller = "pico-hc595"', 'controller = "pico"')],
        [("controller", "pico", "unknown controller: use one of esp32-tpic6b595, pico-hc595")],
    ),
    # harness
    "zone without an output": (
        HC, [("any-triple = [2]", "")], [("harness.any-triple", ABSENT, "zone without an output")],
    ),
    "zone with an empty list": (
        HC, [("any-triple = [2]", "any-triple = []")], [("harness.any-triple", [], "zone without an output")],
    ),
    "unknown zone": (
        HC, [("any-triple = [2]", "any-triple = [2]\nodd = [55]")], [("harness.odd", [55], "unknown zone")],
    ),
    "misspelt zone": (
        HC, [("any-triple = [2]", "anytriple = [2]")],
        [("harness.anytriple", [2], "unknown zone: nz-div9-appendix1 has none of this name"),
         ("harness.any-triple", ABSENT, "zone without an output")],
    ),
    "output used twice": (
        HC, [("any-triple = [2]", "any-triple = [3]")],
        [("harness.single-1", [3], "output 3 used twice: it already lights any-triple")],
    ),
    "output used twice in one zone": (
        HC, [("any-triple = [2]", "any-triple = [2, 2]")],
        [("harness.any-triple", [2, 2], "output 2 used twice: it already lights any-triple")],
    ),
    "output beyond the chain": (
        HC, [("any-triple = [2]", "any-triple = [56]")],
        [("harness.any-triple", [56], "output 56 is beyond the chain: 7 registers end with output 55")],
    ),
    "a register less than the harness needs": (
        DOUBLE, [("registers = 27\n", "registers = 26\n")],
        [(f"harness.{zone}", ..., "26 registers end with output 207")
         for zone in ("four-1-2-3-4", "four-2-3-4-5", "four-2-3-5-6", "four-3-4-5-6")],
    ),
    "negative output": (
        HC, [("any-triple = [2]", "any-triple = [-2]")], [("harness.any-triple[1]", -2, "greater than or equal to 0")],
    ),
    "output that is no number": (
        HC, [("any-triple = [2]", 'any-triple = ["QC"]')], [("harness.any-triple[1]", "QC", "valid integer")],
    ),
    "output without a list": (
        HC, [("any-triple = [2]", "any-triple = 2")], [("harness.any-triple", 2, "must be a list")],
    ),
    # currents: throw 1 2 3 lights 8 of the 50 zones, 2 3 4 lights 12 of the 106
    "lamp too strong for an output": (
        ESP, [("milliamp = 20 ", "milliamp = 101 ")],
        [("lamps.milliamp", 101, "an output of this controller carries 100.0 mA at most")],
    ),
    "lamp test too much for a package": (
        TPIC, [("milliamp = 20 ", "milliamp = 90 "), ("supply_milliamp = 1000", "supply_milliamp = 2000"),
               ("group_milliamp = 400", "group_milliamp = 1000")],
        [("lamps.group_milliamp", 1000, "the lamp test may put 720 mA through one package, which carries 640.0 mA")],
    ),
    "lamp voltage above the drivers": (
        ESP, [("supply_volt = 12", "supply_volt = 51")], [("lamps.supply_volt", 51, "stands 50.0 V at most")],
    ),
    "supply too weak for the largest result": (
        HC, [("supply_milliamp = 600", "supply_milliamp = 159"), ("group_milliamp = 400", "group_milliamp = 100")],
        [("lamps.supply_milliamp", 159, "throw 1 2 3 lights 8 lamps: 160 mA, more than the supply gives")],
    ),
    "group beyond the supply": (
        HC, [("group_milliamp = 400", "group_milliamp = 601")],
        [("lamps.group_milliamp", 601, "must stay within the supply's 600.0 mA")],
    ),
    "group too small for a zone": (
        DOUBLE, [("group_milliamp = 600", "group_milliamp = 39")],
        [("lamps.group_milliamp", 39, "the lamps of one zone take 40 mA")],
    ),
    "sense blind for weak lamps": (
        DOUBLE, [("milliamp = 20 ", "milliamp = 8 ")],
        [("lamps.milliamp", 8, "cannot tell one lamp among 24 (throw 2 3 4): its noise there is 3.076 mA")],
    ),
    "sense blind only at the largest result": (
        DOUBLE, [("milliamp = 20 ", "milliamp = 9.5 ")],
        [("lamps.milliamp", 9.5, "its noise there is 3.184 mA, and a lamp must be 3 times that")],
    ),
    "beyond the range of the sense": (
        TPIC, [("milliamp = 20 ", "milliamp = 102 "), ("supply_milliamp = 1000", "supply_milliamp = 3000")],
        [("lamps.milliamp", 102, "carries 100.0 mA at most"),
         ("lamps.milliamp", 102, "12 lamps and one more are beyond the 1320 mA that the sense can measure")],
    ),
}  # fmt: skip

# case -> (controller, its edits, table, its edits, the problems): the table names an edited copy of its controller.
WEAK_CONTROLLERS = {
    "result too much for a package": (
        "pico-tpic6b595", [("package_milliamp = 640", "package_milliamp = 99")],
        TPIC, [("group_milliamp = 400", "group_milliamp = 80")],
        [("lamps.milliamp", 20, "throw 1 2 3 lights 5 lamps of register 1: 100 mA, and its package carries 99.0 mA")],
    ),
    "result too much for the lamp connector": (
        "pico-tpic6b595", [("lamp_supply_milliamp = 3000", "lamp_supply_milliamp = 479")],
        DOUBLE, [],
        [("lamps.milliamp", 20, "throw 2 3 4 lights 24 lamps: 480 mA, and the lamp connector carries 479.0 mA")],
    ),
    "registers and display too much for the logic supply": (
        "pico-tpic6b595", [("logic_supply_milliamp = 450", "logic_supply_milliamp = 302")],
        DOUBLE, [],
        [("registers", 27, "take up to 303 mA: the logic supply gives 302.0 mA at most")],
    ),
    "driver inputs count for the logic supply": (
        "pico-hc595", [("logic_supply_milliamp = 250", "logic_supply_milliamp = 65")],
        HC, [],
        [("registers", 7, "take up to 65.8 mA")],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_broken_table_is_refused_with_exactly_these_problems(tmp_path, case):
    name, edits, expected = CASES[case]
    assert_exactly(problems_of(tmp_path, "tables", name, edited("tables", name, *edits)), expected)


@pytest.mark.parametrize("case", WEAK_CONTROLLERS)
def test_a_controller_too_weak_for_its_table_is_named(tmp_path, case):
    controller, controller_edits, table, table_edits, expected = WEAK_CONTROLLERS[case]
    (tmp_path / "weak.toml").write_text(edited("controllers", controller, *controller_edits), encoding="utf-8")
    text = edited("tables", table, (f'controller = "{controller}"', 'controller = "weak.toml"'), *table_edits)
    assert_exactly(problems_of(tmp_path, "tables", table, text), expected)


def test_problems_of_every_kind_come_together(tmp_path):
    text = edited(
        "tables", HC,
        ("registers = 7\n", "registers = 7\nheight = 2\n"),
        ("supply_milliamp = 600\n", ""),
        ("any-triple = [2]", "any-triple = [99]"),
        ("single-2   = [4]", 'single-2 = ["four", 98]'),
        ("single-3   = [5]", ""),
        ("single-4   = [6]", "single-4 = [3]"),
        ("[harness]", "[options]\nwatchdog_ms = 8000\n\n[harness]\nsingle-7 = [54]"),
    )  # fmt: skip
    expected = [
        ("height", 2, "unknown key"),
        ("lamps.supply_milliamp", ABSENT, "missing key"),
        ("harness.any-triple", [99], "beyond the chain"),
        ("harness.single-2[1]", "four", "valid integer"),
        ("harness.single-2", ["four", 98], "output 98 is beyond the chain"),
        ("harness.single-3", ABSENT, "zone without an output"),
        ("harness.single-4", [3], "already lights single-1"),
        ("options.watchdog_ms", 8000, "restates the default"),
        ("harness.single-7", [54], "unknown zone"),
    ]
    assert_exactly(problems_of(tmp_path, "tables", HC, text), expected)


def test_problems_of_table_controller_and_layout_come_together(tmp_path):
    controller = edited("controllers", "pico-hc595", ("entry = 14 ", "entry = 25 "))
    (tmp_path / "bad.toml").write_text(controller, encoding="utf-8")
    layout = edited("layouts", "nz-div9-appendix1", ("zone_count = 50", "zone_count = 51"))
    (tmp_path / "nz-div9-appendix1.toml").write_text(layout, encoding="utf-8")
    text = edited(
        "tables", HC,
        ('layout = "nz-div9-appendix1"', 'layout = "nz-div9-appendix1.toml"'),
        ('controller = "pico-hc595"', 'controller = "bad.toml"'),
        ("any-triple = [2]", "any-triple = [3]"),
    )  # fmt: skip
    (tmp_path / "mine.toml").write_text(text, encoding="utf-8")
    with pytest.raises(DataErrors) as caught:
        load_table(tmp_path / "mine.toml")
    found = {(one.file.rpartition("/")[2], one.key) for one in caught.value.problems}
    assert found == {
        ("nz-div9-appendix1.toml", "zone_count"),
        ("bad.toml", "keys.entry"),
        ("mine.toml", "harness.single-1"),
    }


def test_a_zone_stated_twice_is_named(tmp_path):
    text = edited("tables", HC, ("any-triple = [2]", "any-triple = [2]\nany-triple = [55]"))
    assert_exactly(problems_of(tmp_path, "tables", HC, text), [("any-triple", ..., "stated twice, keep one")])


def test_a_missing_file_and_an_unknown_id_are_answered(tmp_path):
    assert_exactly(problems_of_missing(tmp_path), [("(file)", ABSENT, "cannot be read")])
    with pytest.raises(DataErrors, match="no such table: use one of kr-pico-tpic6b595, nz-gazette-pico-hc595"):
        load_table("nz3-pico")


def problems_of_missing(folder):
    with pytest.raises(DataErrors) as caught:
        load_table(folder / "none.toml")
    return caught.value.problems


def test_a_table_file_anywhere_may_use_shipped_parts(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(text_of("tables", HC), encoding="utf-8")
    table = load_table(path)
    assert (table.id, table.layout.id, table.controller.id) == ("mine", "nz-div9-appendix1", "pico-hc595")
