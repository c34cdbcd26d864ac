"""The layouts of the money wheel against the text of Division 10, and what a bad layout or wheel is told.

Every mutation of a shipped file is refused, with file and key, or differs from the rules where it must.
"""

import random
import re
import shutil
from fractions import Fraction
from pathlib import Path

import pytest
import wheel_evaluator as rules
from layout_edit import replace_once

from taisai.boards.layout import list_layouts, load_layout
from taisai.boards.wheel import load_wheel
from taisai.errors import DataErrors
from taisai.rules import MONEY_WHEEL

BOARDS = Path(__file__).resolve().parents[2] / "boards" / "money-wheel"
OPTION_1 = "nz-div10-option1"


@pytest.fixture(params=rules.LAYOUTS)
def layout(request):
    return load_layout(request.param)


def differences(layout) -> set[str]:
    """In what a layout departs from the rules: its wheel, its revolutions, and zones by result, odds or edge."""
    stops = "".join(layout.stops)
    found = set()
    if not rules.is_wheel(stops):
        found.add("wheel")
    if layout.minimum_revolutions != rules.REVOLUTIONS:
        found.add("revolutions")
    found |= set(layout.zone_ids) ^ {f"symbol-{symbol}" for symbol in rules.EXHIBITED}
    for stop in range(len(stops)):
        told, wanted = MONEY_WHEEL.evaluate(layout, stop), rules.winners(layout.id, stops, stop)
        found |= {zone for zone in told.keys() | wanted.keys() if told.get(zone) != wanted.get(zone)}
    edges = MONEY_WHEEL.house_edge(layout)
    wanted_edges = {f"symbol-{symbol}": rules.house_edge(layout.id, symbol) for symbol in rules.EXHIBITED}
    return found | {zone for zone in edges if edges[zone] != wanted_edges[zone]}


def test_the_three_payout_options_are_shipped_and_as_the_rules_say(layout):
    assert list_layouts(MONEY_WHEEL) == list(rules.LAYOUTS)
    assert differences(layout) == set()
    assert layout.zone_ids == tuple(f"symbol-{letter}" for letter in "ABCDEFG")
    assert all("3.8" in zone.clause for zone in layout.zones)


def test_option_1_keeps_a_thirteenth_of_every_wager():
    edges = MONEY_WHEEL.house_edge(load_layout(OPTION_1))
    assert set(edges.values()) == {Fraction(1, 13)} and len(edges) == 7
    assert f"{float(edges['symbol-A']):.2%}" == "7.69%"


@pytest.mark.parametrize(
    ("option", "edges"),
    [
        (2, ("1/13", "1/13", "1/13", "2/13", "5/26", "1/13", "1/13")),
        (3, ("1/13", "1/13", "1/13", "2/13", "5/26", "3/26", "3/26")),
    ],
)
def test_the_other_options_keep_what_their_odds_say(option, edges):
    """Worked by hand: 4 sections at 10 to 1 give back 44 of 52; 2 at 20 to 1, 42; 1 at 45 to 1, 46."""
    assert tuple(map(str, MONEY_WHEEL.house_edge(load_layout(f"nz-div10-option{option}")).values())) == edges


def test_equal_symbols_are_well_spread_on_the_shipped_wheel():
    """Each gap between two of a kind is within one section of the even one."""
    stops = load_layout(OPTION_1).stops
    for letter, count in rules.EXHIBITED.items():
        places = [stop for stop, other in enumerate(stops) if other == letter]
        gaps = [(then - now) % 52 or 52 for now, then in zip(places, places[1:] + places[:1], strict=True)]
        assert max(gaps) - min(gaps) <= 1 and sum(gaps) == 52 and len(gaps) == count
    assert (stops.index("F") - stops.index("G")) % 52 == 26


def test_the_file_says_that_it_stands_for_the_approved_drawing():
    assert any("stands for the approved drawing" in note for note in load_wheel("nz-div10").notes)
    assert all("not in the text at hand" in load_layout(name).notes[0] for name in rules.LAYOUTS)


def written(folder, layout_edits=(), wheel_edits=()):
    """Option 1 and its wheel as files of one's own, edited; the path of the layout."""
    text = (BOARDS / "layouts" / f"{OPTION_1}.toml").read_text(encoding="utf-8")
    text = replace_once(text, 'wheel = "nz-div10"', 'wheel = "rim.toml"')
    for old, new in layout_edits:
        text = replace_once(text, old, new)
    rim = (BOARDS / "wheels" / "nz-div10.toml").read_text(encoding="utf-8")
    for old, new in wheel_edits:
        rim = replace_once(rim, old, new)
    path = folder / f"{OPTION_1}.toml"
    path.write_text(text, encoding="utf-8")
    (folder / "rim.toml").write_text(rim, encoding="utf-8")
    return path


def problems_of(path):
    with pytest.raises(DataErrors) as caught:
        load_layout(path)
    return [(Path(found.file).name, found.key, found.value, found.text) for found in caught.value.problems]


LAYOUT, RIM = f"{OPTION_1}.toml", "rim.toml"
# The first line of the stops: G at stop 0.
FIRST = '"G", "A", "C", "B",'
# (text of the layout, text put in its place, key, value as printed, words); all in the layout's file
BAD_LAYOUT = [
    ("A = { sections = 24, odds = 1 }\n", "", "symbols.A", "(absent)", "missing key"),
    ("odds = 11 }", "odds = 11 }\nH = { sections = 1, odds = 1 }", "symbols.H", "sections", "unknown key"),
    ("odds = 11 }", 'odds = "11" }', "symbols.D.odds", "'11'", "valid integer"),
    ("odds = 11 }", "odds = 0 }", "symbols.D.odds", "0", "greater than or equal to 1"),
    ("odds = 11 }", "odds = 13 }", "symbols.D.odds", "13", "the house would lose on symbol-D (-7.69%)"),
    ("odds = 11 }", "odds = 12 }", "symbols.D.zero_edge_note", "(absent)", "exactly zero"),
    ("odds = 11 }", 'odds = 11, zero_edge_note = "x" }', "symbols.D.zero_edge_note", "'x'", "remove the note"),
    ("odds = 11 }", "odds = 11, colour = 1 }", "symbols.D.colour", "1", "unknown key"),
    ("sections = 24,", "sections = 23,", "symbols", "51", "must be 52 in all"),
    ("sections = 24,", "sections = 23,", "symbols.A.sections", "23", "the wheel has 24 stops with A"),
    ("sections = 24,", "sections = 0,", "symbols.A.sections", "0", "greater than or equal to 1"),
    ("sections = 24, ", "", "symbols.A.sections", "(absent)", "missing key"),
    ("minimum_revolutions = 3 ", "minimum_revolutions = 2 ", "minimum_revolutions", "2", "greater than or equal to 3"),
    ("minimum_revolutions = 3 ", "minimum_revolutions = 3.5 ", "minimum_revolutions", "3.5", "valid integer"),
    ('wheel = "rim.toml"', 'wheel = "gone.toml"', None, "(absent)", "cannot be read"),
    ('wheel = "rim.toml"', 'wheel = "vegas"', "wheel", "'vegas'", "unknown wheel: use one of nz-div10"),
    ('wheel = "rim.toml"\n', "", "wheel", "(absent)", "missing key"),
    ('game = "money-wheel"', 'game = "tai-sai"', "class", "(absent)", "missing key"),
    ('game = "money-wheel"', 'game = "craps"', "game", "'craps'", "'tai-sai' or 'money-wheel'"),
    ('game = "money-wheel"', 'game = ["money-wheel"]', "game", "money-wheel", "'tai-sai' or 'money-wheel'"),
    (f'id = "{OPTION_1}"', 'id = "other"', "id", "'other'", "name of the file"),
    ("version = 1", "version = 0", "version", "0", "greater than or equal to 1"),
]
# The same for the file of the wheel.
BAD_WHEEL = [
    (FIRST, '"G", "A", "C", "H",', "stops[4]", "'H'", "should be 'A', 'B'"),
    (FIRST, '"G", "A", "C", "b",', "stops[4]", "'b'", "should be 'A', 'B'"),
    (FIRST, '"G", "A", "C", 2,', "stops[4]", "2", "should be 'A', 'B'"),
    (FIRST, '"G", "A", "C", ["B"],', "stops[4]", "B", "should be 'A', 'B'"),
    (FIRST, '"G", "A", "C",', "stops", "G", "51 stops are listed, and a wheel has 52"),
    (FIRST, '"G", "A", "C", "B", "C",', "stops", "G", "53 stops are listed, and a wheel has 52"),
    (FIRST, '"G", "A", "A", "B",', "stops[2]", "'A'", "stops[3] is alike"),
    (FIRST, '"A", "G", "C", "B",', "stops[52]", "'A'", "stops[1] is alike"),
    ("stops = [", 'neighbours_note = "x"\nstops = [', "neighbours_note", "'x'", "remove the note"),
    ("stops = [", "places = [", "stops", "(absent)", "missing key"),
    ("stops = [", "places = [", "places", "G", "unknown key"),
    ("stops = [", "stops = 3\nplaces = [", "stops", "3", "must be a list"),
    ("stops = [", "stops = []\nplaces = [", "stops", "[]", "0 stops are listed"),
    ("title =", "title = 3 #", "title", "3", "valid string"),
]


@pytest.mark.parametrize(("old", "new", "key", "value", "words"), BAD_LAYOUT)
def test_a_bad_layout_is_told_by_file_key_and_value(tmp_path, old, new, key, value, words):
    found = problems_of(written(tmp_path, [(old, new)]))
    wanted = (LAYOUT, key) if key else ("gone.toml", "(file)")
    assert [1 for file, k, v, text in found if (file, k) == wanted and value in repr(v) and words in text], found


@pytest.mark.parametrize(("old", "new", "key", "value", "words"), BAD_WHEEL)
def test_a_bad_wheel_is_told_by_file_key_and_value(tmp_path, old, new, key, value, words):
    found = problems_of(written(tmp_path, wheel_edits=[(old, new)]))
    assert [1 for file, k, v, text in found if (file, k) == (RIM, key) and value in repr(v) and words in text], found


def test_all_problems_of_both_files_are_told_at_once(tmp_path):
    layout_edits = [("version = 1", 'version = "one"'), ("odds = 11 }", "odds = 20 }"), ("odds = 23 }", "odds = -1 }")]
    found = problems_of(written(tmp_path, layout_edits, [(FIRST, '"G", "A", "A", "B",'), ("title =", "titel =")]))
    assert sorted((file, key) for file, key, _, _ in found) == [
        (LAYOUT, "symbols.D.odds"), (LAYOUT, "symbols.E.odds"), (LAYOUT, "version"),
        (RIM, "stops[2]"), (RIM, "titel"), (RIM, "title"),
    ]  # fmt: skip


def test_wrong_counts_are_told_of_each_symbol(tmp_path):
    found = problems_of(written(tmp_path, wheel_edits=[(FIRST, '"G", "A", "D", "B",')]))
    assert [(file, key) for file, key, _, _ in found] == [(LAYOUT, f"symbols.{letter}.sections") for letter in "CD"]


def test_equal_neighbours_that_are_meant_are_taken_with_a_reason(tmp_path):
    """Stop 2 and stop 51 change places: A is next to A, and the counts stay."""
    edits = [(FIRST, '"G", "A", "A", "B",'), ('"B", "A",  # 39 to 51', '"B", "C",  # 39 to 51')]
    path = written(tmp_path, wheel_edits=edits)
    assert [(file, key) for file, key, _, _ in problems_of(path)] == [(RIM, "stops[2]")]
    path = written(tmp_path, wheel_edits=[*edits, ("stops = [", 'neighbours_note = "as drawn"\nstops = [')])
    assert load_layout(path).stops[1:3] == ("A", "A") and differences(load_layout(path)) == set()


def test_another_arrangement_of_the_same_sections_is_taken(tmp_path):
    turned = replace_once((BOARDS / "wheels" / "nz-div10.toml").read_text(encoding="utf-8"), FIRST, '"A", "C", "B",')
    path = written(tmp_path)
    (tmp_path / "rim.toml").write_text(replace_once(turned, "  # 39 to 51", '  "G",'), encoding="utf-8")
    found = load_layout(path)
    assert found.stops[:3] == ("A", "C", "B") and found.stops[-1] == "G" and differences(found) == set()


def test_the_arrangement_is_in_the_digest_of_the_layout(tmp_path):
    """The manifest tells which wheel a board was built for: a wheel with two stops exchanged is another layout."""
    from taisai.build.manifest import layout_digest

    same = load_layout(written(tmp_path))
    other = load_layout(written(tmp_path, wheel_edits=[(FIRST, '"G", "A", "B", "C",')]))
    assert layout_digest(same) != layout_digest(other) == layout_digest(other)


def seeded_mutations() -> list[tuple[str, str]]:
    """40 of all the ways to change one letter, one number or one stop of both files, drawn with a fixed seed."""
    every = []
    text = (BOARDS / "layouts" / f"{OPTION_1}.toml").read_text(encoding="utf-8")
    for match in re.finditer(r"(?:sections|odds|revolutions) = (\d+)", text):
        value = int(match[1])
        every += [("layout", f"{match.start(1)} {match.end(1)} {new}") for new in (value - 1, value + 1, value * 10)]
    rim = (BOARDS / "wheels" / "nz-div10.toml").read_text(encoding="utf-8")
    for match in re.finditer(r'"([A-G])",', rim):
        every += [("rim", f"{match.start(1)} {match.end(1)} {new}") for new in "ABCDEFGH" if new != match[1]]
        every.append(("rim", f"{match.start()} {match.end()} "))
        every.append(("rim", f"{match.start()} {match.start()} {match[0]}"))
    drawn = random.Random(10)
    changes = [each for each in every if each[0] == "layout"]
    return drawn.sample(changes, 20) + drawn.sample([each for each in every if each[0] == "rim"], 20)


@pytest.mark.parametrize(("which", "change"), seeded_mutations())
def test_any_mutation_is_caught(tmp_path, which, change):
    path = written(tmp_path)
    file = path if which == "layout" else tmp_path / "rim.toml"
    shipped = BOARDS / ("layouts" if which == "layout" else "wheels")
    text = (shipped / f"{OPTION_1 if which == 'layout' else 'nz-div10'}.toml").read_text(encoding="utf-8")
    start, end, new = change.split(" ", 2)
    text = text[: int(start)] + new + text[int(end) :]
    file.write_text(text.replace('wheel = "nz-div10"', 'wheel = "rim.toml"'), encoding="utf-8")
    try:
        layout = load_layout(path)
    except DataErrors as refused:
        keys = {problem.key.partition("[")[0].partition(".")[0] for problem in refused.problems}
        assert keys <= {"symbols", "stops", "minimum_revolutions"}, refused
    else:
        assert differences(layout)


def test_a_wheel_of_the_shipped_names_may_be_named_from_any_folder(tmp_path):
    name = f"{OPTION_1}.toml"
    shutil.copy(BOARDS / "layouts" / name, tmp_path / name)
    assert load_layout(tmp_path / name) == load_layout(OPTION_1)


ABSURD = ["", "x = " + "[" * 5000, "stops = [", "\0", "[symbols]\nA = 1", "symbols = 3", "wheel = 1"]


@pytest.mark.parametrize("text", ABSURD, ids=[text[:12] for text in ABSURD])
def test_what_is_no_layout_at_all_ends_in_problems(tmp_path, text):
    path = tmp_path / f"{OPTION_1}.toml"
    path.write_text(f'game = "money-wheel"\n{text}', encoding="utf-8")
    assert problems_of(path)
