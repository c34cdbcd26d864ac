"""The shipped layouts against the zone lists of the rules, and what a bad layout file is told."""

import pytest
import rule_evaluator
from layout_edit import edit_class, replace_once, save, text_of
from pydantic import ValidationError

from taisai.boards.layout import list_layouts, load_layout
from taisai.errors import DataErrors
from taisai.rules import Zone

APPENDIX_1 = "nz-div9-appendix1"
SINGLES = "Individual Die Face Values"


@pytest.fixture(params=rule_evaluator.LAYOUTS)
def layout(request):
    return load_layout(request.param)


ZONE_COUNTS = {"nz-div9-appendix1": 50, "nz-div9-appendix2": 106, "nz-gazette-1994": 50, "kr-daisai": 106}


def test_zones_are_those_of_the_rules(layout):
    assert len(layout.zones) == ZONE_COUNTS[layout.id]
    assert set(layout.zone_ids) == rule_evaluator.all_zones(layout.id)


def test_zone_ids_are_unique_and_in_canonical_order():
    expected = ["small", "big", "odd", "even", "any-triple"]
    expected += [f"{word}-{number}" for word in ("single", "double", "triple") for number in range(1, 7)]
    expected += [f"total-{total}" for total in range(4, 18)]
    expected += [f"pair-{a}-{b}" for a in range(1, 7) for b in range(a + 1, 7)]
    expected += [f"three-{a}-{b}-{c}" for a in range(1, 7) for b in range(a, 7) for c in range(b, 7) if not a == b == c]
    expected += ["four-1-2-3-4", "four-2-3-4-5", "four-2-3-5-6", "four-3-4-5-6"]
    for layout_id in rule_evaluator.LAYOUTS:
        layout = load_layout(layout_id)
        assert list(layout.zone_ids) == [zone for zone in expected if zone in rule_evaluator.all_zones(layout_id)]


def test_every_zone_cites_its_clause(layout):
    assert all(zone.clause for zone in layout.zones)


def test_zone_of_each_sort_carries_its_data():
    zones = {zone.id: zone for zone in load_layout("nz-div9-appendix2").zones}
    assert zones["small"].values == (4, 5, 6, 7, 8, 9, 10)
    assert zones["small"].losing_triples == (2, 3)
    assert zones["single-4"].odds == (1, 2, 12)
    assert zones["three-1-1-2"] == Zone(
        "three-1-1-2", "three", (1, 1, 2), 60, "rule 4.1 Three Dice Combinations; odds rule 4.10", (1, 2, 3, 4, 5, 6)
    )


def test_layouts_cannot_be_changed_after_loading(layout):
    with pytest.raises(ValidationError):
        layout.version = 2
    with pytest.raises(ValidationError):
        layout.classes[0].odds = 99
    with pytest.raises(AttributeError):
        layout.zones[0].odds = 99


# The decisions on silent sources must be visible in the file itself.
NOTED = [
    ("nz-div9-appendix2", "Three Dice Combinations: three different", "slip"),
    ("nz-gazette-1994", "Small", "loses on any triple"),
    ("nz-gazette-1994", "Big", "loses on any triple"),
    ("nz-gazette-1994", "Doubles", "wins once"),
    ("kr-daisai", "Small (Big & Small number Bet)", "outside the range"),
    ("kr-daisai", "Big (Big & Small number Bet)", "outside the range"),
    ("kr-daisai", "Odd (Even & Odd number Bet)", "excludes no triple"),
    ("kr-daisai", "Even (Even & Odd number Bet)", "excludes no triple"),
    ("kr-daisai", "Pair Dice Bet", "a triple holds the pair"),
    ("kr-daisai", "Easy Combination Bet", "those of Division 9"),
]


@pytest.mark.parametrize(("layout_id", "name", "words"), NOTED)
def test_decisions_are_noted_at_their_class(layout_id, name, words):
    (part,) = [part for part in load_layout(layout_id).classes if part.name == name]
    assert words in part.note


def test_both_division_9_layouts_state_the_common_wagers_alike():
    first, second = load_layout(APPENDIX_1), load_layout("nz-div9-appendix2")
    assert [part for part in second.classes if part in first.classes] == list(first.classes)


def test_layout_loads_by_path(tmp_path):
    path = save(tmp_path, APPENDIX_1, text_of(APPENDIX_1))
    assert load_layout(path) == load_layout(str(path)) == load_layout(APPENDIX_1)


def test_unknown_layout_names_those_that_exist():
    with pytest.raises(DataErrors) as caught:
        load_layout("nz-div9-appendix3")
    (problem,) = caught.value.problems
    assert problem.value == "nz-div9-appendix3"
    assert all(layout_id in problem.text for layout_id in list_layouts())


def test_missing_file_names_its_path(tmp_path):
    with pytest.raises(DataErrors, match=r"gone\.toml: \(file\).*cannot be read"):
        load_layout(tmp_path / "gone.toml")


def problems_of(tmp_path, text, layout_id=APPENDIX_1):
    """What the loader says of an edited file: [(key, value, text)], every one naming the file."""
    path = save(tmp_path, layout_id, text)
    with pytest.raises(DataErrors) as caught:
        load_layout(path)
    assert all(problem.file == str(path) for problem in caught.value.problems)
    assert all(str(path) in line for line in str(caught.value).splitlines())
    return [(problem.key, problem.value, problem.text) for problem in caught.value.problems]


# (class or None for the head of the file, text there, what is put in its place, key, value as printed, words)
BAD = [
    (None, "version = 1", 'version = "1"', "version", "'1'", "valid integer"),
    (None, "version = 1", "version = 0", "version", "0", "greater than or equal to 1"),
    (None, "version = 1", "version = 1\nedition = 3", "edition", "3", "unknown key"),
    (None, "version = 1\n", "", "version", "(absent)", "missing key"),
    (None, "zone_count = 50", "zone_count = 49", "zone_count", "49", "hold 50 zones"),
    (None, 'language = "en"', 'language = "fr"', "language", "'fr'", "'en' or 'ko'"),
    (None, 'game = "tai-sai"', 'game = "craps"', "game", "'craps'", "tai-sai"),
    (None, 'id = "nz-div9-appendix1"', 'id = "other"', "id", "'other'", "name of the file"),
    (None, 'id = "nz-div9-appendix1"', 'id = "No Id"', "id", "'No Id'", "match pattern"),
    ("Big", "odds = 1", "odd = 1", "class[2].odd", "1", "unknown key"),
    ("Big", "odds = 1", "odd = 1", "class[2].odds", "(absent)", "missing key"),
    ("Big", "odds = 1", "odds = 1.0", "class[2].odds", "1.0", "valid integer"),
    ("Big", "odds = 1", "odds = 0", "class[2].odds", "0", "greater than or equal to 1"),
    ("Big", "odds = 1", "odds = true", "class[2].odds", "True", "valid integer"),
    ("Big", "odds = 1", 'odds = "none"', "class[2].odds", "'none'", "'absent'"),
    ("Big", '"total-group"', '"range"', "class[2].kind", "'range'", "must be one of"),
    ("Big", 'kind = "total-group"\n', "", "class[2].kind", "(absent)", "missing key"),
    ("Big", "{ lose = [4, 5] }", '"lose"', "class[2].triples", "'lose'", "must be a table"),
    ("Big", "lose = [4, 5]", "lose = [5, 4]", "class[2].triples.lose", "[5, 4]", "ascending"),
    ("Big", "lose = [4, 5]", "lose = [4, 7]", "class[2].triples.lose[2]", "7", "less than or equal to 6"),
    ("Triples", 'triples = "win"\n', "", "class[3].triples", "(absent)", "missing key"),
    ("Triples", 'triples = "win"', 'triples = "lose"', "class[3].triples", "'lose'", "should be 'win'"),
    ("Doubles", "odds = 11", "odds = 13", "class[4].odds", "13", "double-6 (-3.70%)"),
    ("Any Triple", "odds = 31", "odds = 36", "class[5].odds", "36", "any-triple (-2.78%)"),
    ("Any Triple", "odds = 31", "odds = 35", "class[5].zero_edge_note", "(absent)", "exactly zero"),
    ("Any Triple", "= 31", '= 31\nzero_edge_note = "x"', "class[5].zero_edge_note", "'x'", "remove the note"),
    ("3 Dice Totals: 4 or 17", "[4, 17]", "[3, 17]", "class[6].totals[1]", "3", "greater than or equal to 4"),
    ("3 Dice Totals: 5 or 16", "[5, 16]", "[4, 16]", "class[7]", "'total-4'", "first by class[6]"),
    ("Dice Combinations", "[1, 2],", "[2, 1],", "class[13].combinations[1]", "[2, 1]", "ascending"),
    ("Dice Combinations", "[1, 2],", "[1, 1],", "class[13].combinations[1]", "[1, 1]", "different numbers"),
    ("Dice Combinations", "[1, 3],", "[1, 2],", "class[13]", "'pair-1-2'", "stated twice: first by class[13]"),
    ("Dice Combinations", "[1, 2],", "[1],", "class[13].combinations[1][2]", "(absent)", "missing"),
    (SINGLES, ", three_dice = 12", "", "class[14].odds.three_dice", "(absent)", "missing key"),
    (SINGLES, "three_dice = 12", "three_dice = 30", "class[14].odds", "30", "single-1 (-4.63%)"),
]


@pytest.mark.parametrize(("name", "old", "new", "key", "value", "words"), BAD)
def test_bad_file_is_told_by_file_key_and_value(tmp_path, name, old, new, key, value, words):
    text = text_of(APPENDIX_1)
    text = edit_class(text, name, old, new) if name else replace_once(text, old, new)
    found = problems_of(tmp_path, text)
    assert [1 for k, v, t in found if k == key and value in repr(v) and words in t], found


# (what is put in place of the version's line, key on the line at fault, words)
BROKEN = [
    ("version = 1\nversion = 2\n", "version", "stated twice"),
    ("version =\n", "version", "line 7, column 10"),
    ("version 1\n", "version 1", "Expected '='"),
]


@pytest.mark.parametrize(("new", "key", "words"), BROKEN)
def test_what_is_no_toml_is_told_by_line(tmp_path, new, key, words):
    ((found_key, value, text),) = problems_of(tmp_path, replace_once(text_of(APPENDIX_1), "version = 1\n", new))
    assert found_key == key
    assert value == new.strip().splitlines()[-1]
    assert words in text


def test_key_restated_inside_a_class(tmp_path):
    text = edit_class(text_of(APPENDIX_1), "Doubles", "odds = 11", "odds = 11\nodds = 12")
    ((key, value, words),) = problems_of(tmp_path, text)
    assert (key, value) == ("odds", "odds = 12")
    assert "stated twice" in words


def test_every_truncation_is_refused(tmp_path):
    """A file cut anywhere before the end of its last value is not a layout: unparsable, or short of zones."""
    text = text_of(APPENDIX_1).rstrip()
    for length in range(0, len(text), 97):
        assert problems_of(tmp_path, text[:length])


def test_truncated_file_says_where(tmp_path):
    text = text_of(APPENDIX_1)
    ((key, value, words),) = problems_of(tmp_path, text[: text.index("6],  # 1 and 2")])
    assert value == "[1, 2], [1, 3], [1, 4], [1, 5], [1,"
    assert "is the file complete?" in words


def test_not_utf_8(tmp_path):
    path = tmp_path / "nz-div9-appendix1.toml"
    path.write_bytes(text_of(APPENDIX_1).encode().replace(b"New Zealand", b"New Z\xe9aland"))
    with pytest.raises(DataErrors, match="not UTF-8"):
        load_layout(path)


def test_all_problems_of_a_file_are_told_at_once(tmp_path):
    """Broken keys do not hide what is wrong in other classes, nor the other way round."""
    text = replace_once(text_of(APPENDIX_1), "version = 1", 'version = "one"\ncolour = "green"')
    text = edit_class(text, "Big", "odds = 1", "odds = -1")
    text = edit_class(text, "Doubles", "odds = 11", "odds = 20")
    text = edit_class(text, "3 Dice Totals: 5 or 16", "[5, 16]", "[4, 16]")
    keys = [key for key, _, _ in problems_of(tmp_path, text)]
    assert sorted(keys) == ["class[2].odds", "class[4].odds", "class[7]", "colour", "version"]


# (class or None for the head, text there, what is put in its place): each next to what is wrong elsewhere in the file
BESIDE = [
    (None, "version = 1", "version = 0"),
    ("Big", 'name = "Big"', "name = 3"),
    ("Big", "odds = 1", "odds = 0"),
    ("Big", "odds = 1", "odds = 1\ncolour = 7"),
    ("Big", 'kind = "total-group"', 'kind = "range"'),
    ("Big", "lose = [4, 5]", "lose = [5, 4]"),
    ("Doubles", "[1, 2, 3, 4, 5, 6]", "[1, 2, 3, 4, 5, 7]"),
    ("Doubles", 'triples = "win once"', 'triples = "win once"\nnote = ""'),
    (SINGLES, "three_dice = 12", "three_dice = 0"),
]


@pytest.mark.parametrize(("name", "old", "new"), BESIDE)
@pytest.mark.parametrize("also", ["id", "zone_count", "odds", "twice"])
def test_one_problem_never_hides_another(tmp_path, name, old, new, also):
    def edited(text):
        return edit_class(text, name, old, new) if name else replace_once(text, old, new)

    others = {
        "id": lambda text: replace_once(text, 'id = "nz-div9-appendix1"', 'id = "other"'),
        "zone_count": lambda text: replace_once(text, "zone_count = 50", "zone_count = 20"),
        "odds": lambda text: edit_class(text, "Doubles", "odds = 11", "odds = 20"),
        "twice": lambda text: edit_class(text, "Dice Combinations", "[1, 3],", "[1, 2],"),
    }
    first = problems_of(tmp_path, edited(text_of(APPENDIX_1)))
    second = problems_of(tmp_path, others[also](text_of(APPENDIX_1)))
    both = problems_of(tmp_path, others[also](edited(text_of(APPENDIX_1))))
    assert {key for key, _, _ in both} == {key for key, _, _ in first + second}


def test_zones_that_cannot_be_read_are_not_counted(tmp_path):
    text = edit_class(text_of(APPENDIX_1), "Doubles", "[1, 2, 3, 4, 5, 6]", "[1, 2, 3, 4, 5, 7]")
    assert [key for key, _, _ in problems_of(tmp_path, text)] == ["class[4].numbers[6]"]


def test_a_class_with_its_odds_and_a_name_wrong(tmp_path):
    text = edit_class(text_of(APPENDIX_1), "Doubles", 'name = "Doubles"', "name = 3")
    text = edit_class(text, "Any Triple", "odds = 31", "odds = 36\ncolour = 7")
    text = text.replace("name = 3\n", "name = 3\ncolour = 7\n").replace("odds = 11", "odds = 20")
    keys = [key for key, _, _ in problems_of(tmp_path, text)]
    assert sorted(keys) == ["class[4].colour", "class[4].name", "class[4].odds", "class[5].colour", "class[5].odds"]


# (what the file becomes, words): what no editor of a data file writes, and what must not end in a traceback either
ABSURD = [
    ("x = " + "[" * 5000, "nested too deeply"),
    ("x = " + "[" * 60 + "]" * 60, "nested too deeply"),
    (".".join("a" * 5000) + " = 1", "nested too deeply"),
    ("[" + ".".join("a" * 5000) + "]", "nested too deeply"),
    ("version = " + "9" * 5000, "too long"),
    ("version = 0x" + "f" * 5000, "too long"),
    ("version = 9223372036854775808", "too long"),
    ("zone_count = [-9223372036854775809]", "too long"),
]


@pytest.mark.parametrize(("text", "words"), ABSURD, ids=[f"{text[:30]} {len(text)}" for text, _ in ABSURD])
def test_what_would_overwhelm_the_checks_is_refused(tmp_path, text, words):
    ((_, _, said),) = problems_of(tmp_path, text)
    assert words in said


def test_an_absurdly_long_value_is_cut_short(tmp_path):
    path = save(tmp_path, APPENDIX_1, replace_once(text_of(APPENDIX_1), "version = 1", f'version = "{"9" * 9000}"'))
    with pytest.raises(DataErrors, match=r"999\.\.\. \(9,002 characters\)") as caught:
        load_layout(path)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize("name", ["x" * 300 + ".toml", "zero\0byte.toml"])
def test_a_path_that_cannot_be(tmp_path, name):
    with pytest.raises(DataErrors, match=r"\(file\)"):
        load_layout(tmp_path / name)


def test_a_byte_order_mark_and_capitals_in_the_ending_are_no_mistake(tmp_path):
    path = tmp_path / f"{APPENDIX_1}.TOML"
    path.write_bytes(b"\xef\xbb\xbf" + text_of(APPENDIX_1).encode())
    assert load_layout(path) == load_layout(APPENDIX_1)
    path.write_bytes(b"\xef\xbb\xbf\xef\xbb\xbf" + text_of(APPENDIX_1).encode())
    with pytest.raises(DataErrors, match="not valid TOML"):
        load_layout(path)


def test_no_classes_at_all(tmp_path):
    head = text_of(APPENDIX_1).partition("[[class]]")[0]
    assert [key for key, _, _ in problems_of(tmp_path, head)] == ["class"]
    assert [key for key, _, _ in problems_of(tmp_path, head + "class = 5\n")] == ["class"]
