"""The command line on a layout of the money wheel, and its drawing."""

import csv
import io
import json
import re
from math import hypot
from xml.etree import ElementTree

import pytest
import wheel_evaluator as rules
from test_money_wheel_build import STOPS
from typer.testing import CliRunner

from taisai.boards.layout import load_layout
from taisai.boards.names import LANGUAGES, zone_name
from taisai.cli import app
from taisai.cli import cloth as terminal
from taisai.cli.doctor_checks import OK, check_data
from taisai.drawing import wheel
from taisai.errors import TaisaiError

OPTION_2 = "nz-div10-option2"
SVG = "{http://www.w3.org/2000/svg}"


def run(*words):
    return CliRunner().invoke(app, list(words))


def told(*words):
    done = run(*words)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_layouts_lists_the_games_apart():
    listed = json.loads(told("layouts", "--json"))
    assert len(listed["layouts"]) == 4 and list(listed["other_games"]) == ["money-wheel"]
    assert {each["layout"]: each["zone_count"] for each in listed["other_games"]["money-wheel"]} == dict.fromkeys(
        rules.LAYOUTS, 7
    )
    text = told("layouts")
    assert all(re.search(rf"^money-wheel +{name} +7 ", text, flags=re.MULTILINE) for name in rules.LAYOUTS)


@pytest.mark.parametrize("name", rules.LAYOUTS)
def test_layouts_shows_odds_and_house_edge(name):
    shown = {zone["zone"]: zone for zone in json.loads(told("layouts", name, "--json"))["zones"]}
    for symbol, odds in rules.ODDS[name].items():
        zone = shown.pop(f"symbol-{symbol}")
        assert (zone["odds"], zone["house_edge"]) == (odds, str(rules.house_edge(name, symbol)))
    assert shown == {}
    assert f"{float(rules.house_edge(name, 'E')):.2%}" in told("layouts", name)


def test_tables_lists_the_games_apart():
    listed = json.loads(told("tables", "--json"))
    assert len(listed["tables"]) == 6 and len(listed["other_games"]["money-wheel"]) == 5
    assert "symbol-G  " in told("tables", "wheel2-pico-tpic6b595")


@pytest.mark.parametrize("name", rules.LAYOUTS)
def test_table_in_every_form_says_what_the_rules_say(name):
    wanted = [rules.winners(name, STOPS, stop) for stop in range(52)]
    made = json.loads(told("table", "--layout", name, "--format", "json"))
    assert list(made) == ["layout", "zones", "stops"] and len(made["zones"]) == 7
    assert [each["wins"] for each in made["stops"]] == wanted
    assert [(each["stop"], each["symbol"]) for each in made["stops"]] == list(enumerate(STOPS))
    rows = list(csv.DictReader(io.StringIO(told("table", "--layout", name, "--format", "csv"))))
    assert [{row["zone"]: int(row["odds"])} for row in rows] == wanted
    assert [(int(row["stop"]), row["symbol"]) for row in rows] == list(enumerate(STOPS))
    lines = told("table", "--layout", name).splitlines()
    assert [line.split()[:3] for line in lines] == [[str(n), s, f"symbol-{s}"] for n, s in enumerate(STOPS)]


@pytest.mark.parametrize(
    ("word", "symbol", "stops"), [("0", "G", [0]), ("9", "C", [9]), ("51", "A", [51]), ("26", "F", [26])]
)
def test_explain_a_stop(word, symbol, stops):
    made = json.loads(told("explain", word, "--layout", OPTION_2, "--json"))
    assert (made["symbol"], made["stops"], made["call"]) == (symbol, stops, f"Symbol {symbol}")
    assert {win["zone"]: win["odds"] for win in made["wins"]} == {f"symbol-{symbol}": rules.ODDS[OPTION_2][symbol]}
    assert all("3.8" in win["clause"] and win["reason"] for win in made["wins"])


@pytest.mark.parametrize("word", ["E", "e", "symbol-E", "Symbol-e"])
def test_explain_a_symbol(word):
    made = json.loads(told("explain", word, "--layout", OPTION_2, "--json"))
    assert made["stops"] == [stop for stop, symbol in enumerate(STOPS) if symbol == "E"]
    assert "20 to 1" in told("explain", word, "--layout", OPTION_2)


# (what is typed, layout, words of the refusal)
WRONG = [
    (["1", "3", "6"], OPTION_2, "a layout of money-wheel: it has no dice, and 3 words were given: name one stop"),
    (["52"], OPTION_2, "'52' is no stop and no symbol"),
    (["136"], OPTION_2, "'136' is no stop and no symbol"),
    (["-1"], OPTION_2, "No such option"),
    (["H"], OPTION_2, "'H' is no stop and no symbol"),
    (["AB"], OPTION_2, "'AB' is no stop and no symbol"),
    ([""], OPTION_2, "'' is no stop and no symbol"),
    (["\u0663"], OPTION_2, "is no stop and no symbol"),
    (["7" * 5000], OPTION_2, "is no stop and no symbol"),
    (["symbol-"], OPTION_2, "'symbol-' is no stop and no symbol"),
    (["B"], "nz-div9-appendix1", "a layout of tai-sai: 'B' is not the value of a die"),
    (["17"], "nz-div9-appendix1", "a layout of tai-sai: '17' is not the value of a die"),
]


@pytest.mark.parametrize(("words", "layout", "refusal"), WRONG, ids=[str(each[0])[:20] for each in WRONG])
def test_words_of_another_game_are_refused_with_what_to_give(words, layout, refusal):
    done = run("explain", *words, "--layout", layout)
    assert done.exit_code != 0
    said = done.output + str(done.exception)
    assert refusal in said and len(said) < 6000
    assert done.exception is None or isinstance(done.exception, TaisaiError | SystemExit)


def test_doctor_checks_the_data_of_every_game():
    check = check_data()
    assert check.state == OK
    assert check.text.startswith("1 wheels, 7 layouts, 5 controllers, 11 tables")


def test_every_symbol_has_a_name_of_its_own_in_every_language():
    layout = load_layout(OPTION_2)
    for language in LANGUAGES:
        names = {zone_name(zone, language, layout.game) for zone in layout.zones}
        assert len(names) == 7 and all(name[-1] in "ABCDEFG" for name in names)


def test_the_terminal_draws_every_symbol():
    zones = load_layout(OPTION_2).zone_ids
    assert [zone for _, row in terminal.rows(zones) for zone in row] == list(zones)
    assert "[C]" in terminal.draw(zones, lit=["symbol-C"], partial=()).plain


@pytest.fixture(scope="module", params=rules.LAYOUTS)
def picture(request):
    return request.param, ElementTree.fromstring(told("layouts", "--svg", request.param))


def parts(picture, key):
    return [each for each in picture.iter(f"{SVG}g") if key in each.attrib]


def test_the_cloth_shows_seven_areas_with_their_odds(picture):
    name, drawn = picture
    areas = [each for each in parts(drawn, "data-zone") if each.attrib["class"] == "zone"]
    shown = {each.attrib["data-zone"]: sorted(word.text for word in each.iter(f"{SVG}text")) for each in areas}
    assert shown == {f"symbol-{s}": sorted([s, f"{odds} to 1"]) for s, odds in rules.ODDS[name].items()}
    assert all(each.attrib["aria-label"].startswith("Symbol ") for each in areas)


def test_the_rim_shows_52_sections_with_symbol_and_odds(picture):
    name, drawn = picture
    sections = {int(each.attrib["data-stop"]): each for each in parts(drawn, "data-stop")}
    assert sorted(sections) == list(range(52))
    for stop, section in sections.items():
        assert section.attrib["data-zone"] == f"symbol-{STOPS[stop]}"
        words = [word.text for word in section.iter(f"{SVG}text")]
        assert words == [STOPS[stop], f"{rules.ODDS[name][STOPS[stop]]} to 1"]
    assert sum(each.attrib.get("class") == "peg" for each in drawn.iter(f"{SVG}circle")) == 52


def angle_of(section) -> float:
    """By how many degrees clockwise from the top the words of a section are turned within the rim."""
    return float(re.match(r"rotate\((-?[\d.]+) ", section.find(f"{SVG}g").attrib["transform"])[1])


def test_turning_the_rim_clockwise_brings_stop_after_stop_to_the_indicator():
    """At quarter 4 s + 2 the middle of section s is at the top, for a wheel of 52 pegs and four quarters to a pitch."""
    for stop in (0, 1, 25, 51):
        body = "".join(wheel.marks(load_layout(OPTION_2), 4 * stop + 2))
        drawn = ElementTree.fromstring(f'<svg xmlns="http://www.w3.org/2000/svg">{body}</svg>')
        (rim,) = [each for each in drawn.iter(f"{SVG}g") if each.attrib.get("class") == "rim"]
        turned = float(re.match(r"rotate\(([\d.]+) ", rim.attrib["transform"])[1])
        away = {int(each.attrib["data-stop"]): (angle_of(each) + turned) % 360 for each in parts(rim, "data-stop")}
        assert min(away[stop], 360 - away[stop]) < 0.05
        assert abs(away[(stop + 1) % 52] - (360 - 360 / 52)) < 0.1, "the next one comes from the left"


def test_the_marks_of_the_wheel_lie_in_its_square(picture):
    _, drawn = picture
    centre = wheel.SIZE / 2
    for peg in drawn.iter(f"{SVG}circle"):
        if peg.attrib["class"] == "peg":
            assert hypot(float(peg.attrib["cx"]) - centre, float(peg.attrib["cy"]) - centre) + 4 < centre
