"""`taisai explain`, `table` and `layouts`, against numbers read from the rule text of Division 9."""

import csv
import io
import json
from itertools import product

import pytest

# What wins on 1 3 6 under rules 4.1 and 4.10 with the layout of Appendix 1: total 10 is a small total at 6 to 1,
# three numbers on one die each at 1 to 1, three pairs at 6 to 1.
WINS_136 = {
    "small": 1, "single-1": 1, "single-3": 1, "single-6": 1, "total-10": 6, "pair-1-3": 6, "pair-1-6": 6, "pair-3-6": 6,
}  # fmt: skip

# Number of wagers in each layout, counted in rule 4.1.
ZONES = {"nz-div9-appendix1": 50, "nz-div9-appendix2": 106, "nz-gazette-1994": 50, "kr-daisai": 106}


def test_explain_as_json(taisai):
    done = taisai("explain", "3", "6", "1", "--layout", "nz-div9-appendix1", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["layout"] == "nz-div9-appendix1"
    assert told["dice"] == [3, 6, 1]
    assert told["call"] == "1, 3, 6, Total 10"
    assert {win["zone"]: win["odds"] for win in told["wins"]} == WINS_136
    assert all("4.1" in win["clause"] and win["reason"] for win in told["wins"])


@pytest.mark.parametrize(
    ("dice", "announced"),
    [("1 3 6", "1, 3, 6, Total 10"), ("4 3 3", "double 3, 4, Total 10"), ("5 5 5", "triple 5, Total 15")],
)
def test_explain_calls_as_rule_6_3(taisai, dice, announced):
    assert announced in taisai("explain", *dice.split()).stdout


def test_explain_takes_the_dice_in_one_word(taisai):
    assert taisai("explain", "136").stdout == taisai("explain", "1", "3", "6").stdout


def test_explain_names_the_clause_of_each_zone(taisai):
    lines = taisai("explain", "1", "3", "6").stdout.splitlines()
    small = next(line for line in lines if line.startswith("small"))
    assert "1 to 1" in small
    assert "rule 4.1 Small" in small


@pytest.fixture(scope="module")
def table_136(taisai):
    return json.loads(taisai("table", "--layout", "nz-div9-appendix1", "--format", "json").stdout)


def test_table_as_json(table_136):
    assert list(table_136) == ["layout", "zones", "throws"]
    assert table_136["layout"] == "nz-div9-appendix1"
    assert len(set(table_136["zones"])) == 50
    assert [throw["dice"] for throw in table_136["throws"]] == [list(dice) for dice in product(range(1, 7), repeat=3)]
    wins = {tuple(throw["dice"]): throw["wins"] for throw in table_136["throws"]}
    assert wins[1, 3, 6] == wins[6, 1, 3] == WINS_136
    assert wins[1, 1, 1]["single-1"] == 12
    assert wins[1, 1, 1]["triple-1"] == 180


def test_table_as_csv_says_the_same(taisai, table_136):
    lines = csv.DictReader(io.StringIO(taisai("table", "--format", "csv").stdout))
    told: dict[tuple, dict] = {}
    for line in lines:
        dice = tuple(int(line[f"die{number}"]) for number in (1, 2, 3))
        told.setdefault(dice, {})[line["zone"]] = int(line["odds"])
    assert told == {tuple(throw["dice"]): throw["wins"] for throw in table_136["throws"]}


def test_table_as_text_has_a_line_for_each_throw(taisai):
    lines = taisai("table").stdout.splitlines()
    assert len(lines) == 216
    assert lines[17].startswith("1 3 6  ")
    assert "total-10 6" in lines[17]


def test_absent_odds_stay_absent(taisai):
    """The pages of the 1994 Gazette at hand state no odds: null in JSON, empty in CSV, never a number."""
    told = json.loads(taisai("table", "--layout", "nz-gazette-1994", "--format", "json").stdout)
    assert {odds for throw in told["throws"] for odds in throw["wins"].values()} == {None}
    lines = csv.DictReader(io.StringIO(taisai("table", "--layout", "nz-gazette-1994", "--format", "csv").stdout))
    assert {line["odds"] for line in lines} == {""}
    assert "not stated" in taisai("explain", "1", "3", "6", "--layout", "nz-gazette-1994").stdout


def test_layouts_lists_all_four(taisai):
    told = json.loads(taisai("layouts", "--json").stdout)
    assert {layout["layout"]: layout["zone_count"] for layout in told["layouts"]} == ZONES
    text = taisai("layouts").stdout
    assert all(name in text for name in ZONES)


def test_layouts_shows_one(taisai):
    told = json.loads(taisai("layouts", "nz-div9-appendix1", "--json").stdout)
    zones = {zone["zone"]: zone for zone in told["zones"]}
    assert len(zones) == 50
    assert zones["single-4"]["odds"] == [1, 2, 12]
    assert zones["total-4"]["odds"] == 62
    # Small at 1 to 1 wins on 105 of 216 throws: 107 totals of 4 to 10, less triples 2 and 3. The house keeps 6 of 216.
    assert zones["small"]["house_edge"] == "1/36"
    text = taisai("layouts", "nz-div9-appendix1").stdout
    assert "2.78%" in text
    assert "1, 2, 12 to 1" in text


def test_a_layout_file_of_ones_own_is_checked(taisai, tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('id = "mine"\nflavour = 1\n')
    done = taisai("layouts", str(file))
    assert done.returncode == 2
    lines = done.stderr.splitlines()
    assert any("mine.toml" in line and "flavour" in line for line in lines)
    assert len(lines) > 1, "every problem of the file is named"
