"""The drawings: every area of a cloth in its place, every wire of a harness, every pin of a controller."""

import re
from html.parser import HTMLParser
from itertools import product
from xml.etree import ElementTree

import pytest
import rule_evaluator
from typer.testing import CliRunner

from taisai.boards.cloth import load_cloth
from taisai.boards.controller import list_controllers, load_controller
from taisai.boards.headers import HEADERS, gpio_of
from taisai.boards.layout import list_layouts, load_layout
from taisai.boards.names import LANGUAGES, zone_name
from taisai.boards.table import list_tables, load_table
from taisai.cli import app
from taisai.drawing import cloth, harness, pinout
from taisai.drawing.sheet import wiring_sheet
from taisai.errors import DataErrors
from taisai.paths import boards_dir

SVG = "{http://www.w3.org/2000/svg}"


def drawn(layout_id, lit=()):
    layout = load_layout(layout_id)
    return cloth.draw(layout, load_cloth(layout), lit)


def groups(picture):
    return [each for each in ElementTree.fromstring(picture).iter(f"{SVG}g") if "data-zone" in each.attrib]


@pytest.mark.parametrize("layout_id", list_layouts())
def test_every_betting_area_of_the_rules_is_drawn_once(layout_id):
    zones = [each.attrib["data-zone"] for each in groups(drawn(layout_id))]
    assert len(zones) == len(set(zones)) and set(zones) == rule_evaluator.all_zones(layout_id)


@pytest.mark.parametrize("layout_id", list_layouts())
def test_what_wins_is_bright_and_nothing_else(layout_id):
    for dice in ((1, 3, 6), (2, 2, 2), (4, 4, 5)):
        winners = set(rule_evaluator.winners(layout_id, dice))
        found = groups(drawn(layout_id, winners))
        assert {each.attrib["data-zone"] for each in found if each.attrib["class"] == "zone lit"} == winners


def test_an_area_shows_its_dice_its_odds_and_its_name():
    found = {each.attrib["data-zone"]: each for each in groups(drawn("nz-div9-appendix2"))}

    def dice(zone):
        return sum(each.attrib["class"] == "die" for each in found[zone].iter(f"{SVG}rect"))

    def pips(zone):
        return sum(1 for _ in found[zone].iter(f"{SVG}circle"))

    def words(zone):
        return [each.text for each in found[zone].iter(f"{SVG}text")]

    assert (dice("single-6"), pips("single-6")) == (1, 6) and words("single-6") == ["1 to 1 / 2 to 1 / 12 to 1"]
    assert (dice("double-4"), pips("double-4")) == (2, 8) and words("double-4") == ["11 to 1"]
    assert (dice("triple-5"), pips("triple-5")) == (3, 15) and words("triple-5") == ["180 to 1"]
    assert (dice("pair-1-3"), pips("pair-1-3")) == (2, 4) and words("pair-1-3") == ["6 to 1"]
    assert (dice("three-1-1-2"), pips("three-1-1-2")) == (3, 4) and words("three-1-1-2") == ["60 to 1"]
    assert (dice("four-3-4-5-6"), pips("four-3-4-5-6")) == (4, 18) and words("four-3-4-5-6") == ["7 to 1"]
    assert dice("total-10") == 0 and sorted(words("total-10")) == ["10", "6 to 1"]
    assert sorted(words("small")) == sorted(["1 to 1", "Small", "小", "소"])
    assert found["small"].attrib["aria-label"] == "Small, 1 to 1"


def test_odds_that_the_source_does_not_state_are_not_drawn():
    assert " to 1" not in drawn("nz-gazette-1994")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_zone_has_a_name_of_its_own_in_every_language(language):
    for layout_id in list_layouts():
        zones = load_layout(layout_id).zones
        assert len({zone_name(zone, language) for zone in zones}) == len(zones)


@pytest.mark.parametrize("layout_id", list_layouts())
def test_what_an_area_shows_lies_within_it(layout_id):
    for group in groups(drawn(layout_id)):
        bed = next(group.iter(f"{SVG}rect")).attrib
        left, right = float(bed["x"]), float(bed["x"]) + float(bed["width"])
        top, bottom = float(bed["y"]), float(bed["y"]) + float(bed["height"])
        for words in group.iter(f"{SVG}text"):
            assert left < float(words.attrib["x"]) < right
            assert top + float(words.attrib["font-size"]) * 0.7 <= float(words.attrib["y"]) < bottom
        for die in group.iter(f"{SVG}rect"):
            assert left <= float(die.attrib["x"]) and float(die.attrib["x"]) + float(die.attrib["width"]) <= right
            assert top <= float(die.attrib["y"]) and float(die.attrib["y"]) + float(die.attrib["height"]) <= bottom


LAYOUT = "nz-div9-appendix1"
BLOCK = '[[block]]\nzones = ["small"]\nat = [0, 0]\ncell = [9, 12]\ncolumns = 1\n'
# (what stands in the shipped cloth, what is put in its place, key, value, words)
BAD = [
    (f'layout = "{LAYOUT}"', 'layout = "other"', "layout", "other", "must be"),
    ('zones = ["small"]', 'zones = ["smal"]', "block[1].zones", "smal", "no such zone"),
    ('zones = ["small"]', 'zones = ["smal"]', "block", "small", "no place"),
    ('zones = ["small"]', 'zones = ["big"]', "block[7].zones", "big", "has a place already"),
    ("at = [0, 0]", "at = [1, 0]", "block", "small", "overlaps double-1"),
    ("at = [51, 0]", "at = [52, 0]", "block[7].at", "(52, 0)", "beyond the cloth"),
    ("size = [60, 36]", "size = [60, 35]", "block[10].at", "(0, 29)", "beyond the cloth"),
    (BLOCK, "", "block", "small", "no place"),
    ("columns = 14", "columns = 0", "block[8].columns", "0", "greater"),
    ("columns = 14", "rows = 14", "block[8].rows", "14", "unknown key"),
]


@pytest.mark.parametrize(("old", "new", "key", "value", "words"), BAD)
def test_a_bad_cloth_is_told_by_file_key_and_value(tmp_path, old, new, key, value, words):
    text = (boards_dir() / "cloths" / f"{LAYOUT}.toml").read_text(encoding="utf-8")
    assert text.count(old) == 1
    path = tmp_path / "mine.cloth.toml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(DataErrors) as caught:
        load_cloth(load_layout(LAYOUT), tmp_path / "mine.toml")
    found = [(each.key, str(each.value).strip("'"), each.text) for each in caught.value.problems]
    assert [1 for k, v, t in found if (k, v) == (key, value) and words in t], found
    assert all(each.file == str(path) for each in caught.value.problems)


@pytest.mark.parametrize("table_id", list_tables())
def test_a_wire_for_every_output_and_the_zone_that_the_table_file_says(table_id):
    table = load_table(table_id)
    wires = harness.wires(table)
    assert [wire.number for wire in wires] == list(range(1, table.registers * 8 + 1))
    assert [wire.register for wire in wires] == [number // 8 + 1 for number in range(table.registers * 8)]
    for zone, outputs in table.harness.items():
        assert {wire.number - 1 for wire in wires if wire.zone == zone} == set(outputs)
    words = [each.text for each in ElementTree.fromstring(harness.draw(table)).iter(f"{SVG}text")]
    assert words.count("not connected") == sum(wire.zone is None for wire in wires)
    assert {wire.name for wire in wires if wire.zone} <= set(words)


def test_terminals_are_called_as_in_the_datasheets():
    shift = [wire.terminal for wire in harness.wires(load_table("nz1-pico-hc595"))[:8]]
    assert shift == ["QA", "QB", "QC", "QD", "QE", "QF", "QG", "QH"]
    power = [wire.terminal for wire in harness.wires(load_table("nz1-esp32-tpic6b595"))[:8]]
    assert power == [f"DRAIN{number}" for number in range(8)]


@pytest.mark.parametrize("controller_id", list_controllers())
def test_every_pin_that_has_a_job_is_drawn_with_it(controller_id):
    controller = load_controller(controller_id)
    sides = HEADERS[controller.board]
    assert {gpio_of(label) for side in sides for label in side} - {None} == controller.mcu_facts.header
    words = [each.text for each in ElementTree.fromstring(pinout.draw(controller)).iter(f"{SVG}text")]
    for digit in range(1, 7):
        assert f"key {digit}" in words
    jobs = [word for word in words if word.startswith(("key", "lamps", "display", "beeper", "sense", "guard"))]
    assert len(jobs) == len(controller.jobs())


class Cells(HTMLParser):
    def __init__(self):
        super().__init__()
        self.rows = []

    def handle_starttag(self, tag, attributes):
        if tag == "tr":
            self.rows.append([])

    def handle_data(self, data):
        if self.rows and self.lasttag == "td":
            self.rows[-1].append(data)


def test_the_wiring_sheet_lists_every_wire():
    table = load_table("nz2-double-pico-tpic6b595")
    page = wiring_sheet(table)
    cells = Cells()
    cells.feed(page)
    rows = [row for row in cells.rows if row]
    assert len(rows) == 27 * 8 and page.count("<svg") == 2
    assert re.search(r"(?:src|href)\s*=|url\(", page) is None, "it is complete in itself"


def run(*words):
    return CliRunner().invoke(app, list(words))


def test_layouts_draws_and_writes_the_same_picture(tmp_path):
    printed = run("layouts", "--svg", LAYOUT)
    assert run("layouts", LAYOUT, "--svg").output == printed.output
    assert printed.exit_code == 0 and printed.stdout == drawn(LAYOUT)
    path = tmp_path / "cloth.svg"
    assert run("layouts", "--svg", LAYOUT, "--output", str(path)).exit_code == 0
    assert path.read_text(encoding="utf-8") == printed.stdout


def test_a_layout_of_ones_own_has_its_cloth_beside_it(tmp_path):
    for folder, ending in (("layouts", ".toml"), ("cloths", ".cloth.toml")):
        text = (boards_dir() / folder / f"{LAYOUT}.toml").read_text(encoding="utf-8").replace(LAYOUT, "mine")
        (tmp_path / f"mine{ending}").write_text(text, encoding="utf-8")
    found = run("layouts", "--svg", str(tmp_path / "mine.toml"))
    assert found.exit_code == 0 and found.stdout == drawn(LAYOUT)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--svg", LAYOUT, "--json"), "leave out"),
        (("--svg",), "needs a LAYOUT: one of kr-daisai"),
        (("--svg", LAYOUT, LAYOUT), "unexpected extra argument"),
        (("--output", "x.svg"), "goes with --svg"),
        (("--svg", "nowhere"), "no such layout"),
        (("--svg", LAYOUT, "--output", "/nowhere/x.svg"), "cannot be written"),
    ],
)
def test_what_cannot_be_drawn_is_told(words, told):
    found = run("layouts", *words)
    assert found.exit_code != 0
    assert told in found.output + str(found.exception)


def test_dice_never_leave_their_box():
    from taisai.drawing.dice import dice

    for count, width, height in product((1, 2, 3, 4), (20, 60, 300), (20, 60, 300)):
        for mark in dice([6] * count, 5, 7, width, height, 48):
            place = dict(re.findall(r'(\w+)="([\d.]+)"', mark))
            if "width" in place:
                assert 5 - 0.02 <= float(place["x"]) and float(place["x"]) + float(place["width"]) <= 5 + width + 0.02
                assert 7 - 0.02 <= float(place["y"]) and float(place["y"]) + float(place["height"]) <= 7 + height + 0.02
