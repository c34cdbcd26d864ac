"""Wrong layout files are caught: each mutation is refused by the loader or differs from the rules in the named zones.

A mutation is planted in the text of a shipped file. `differences` compares zone lists, and then winners and odds for
all 216 throws, with the evaluator written from the rule text. What a mutation must be caught by is stated, so that a
loader that refuses everything, or a comparison that always differs, fails here too.
"""

import random
import re

import pytest
import rule_evaluator
from layout_edit import edit_class, replace_once, save, text_of

from taisai.boards.layout import Layout, load_layout
from taisai.errors import DataErrors
from taisai.rules import evaluate

ALL_THROWS = [(a, b, c) for a in range(1, 7) for b in range(1, 7) for c in range(1, 7)]

NZ1, NZ2, GAZETTE, KOREA = "nz-div9-appendix1", "nz-div9-appendix2", "nz-gazette-1994", "kr-daisai"
SINGLES = "Individual Die Face Values"
TWO_ALIKE = "Three Dice Combinations: two alike and another"
DIFFERENT = "Three Dice Combinations: three different"
FOURS = "Four Number Combinations"
KOREAN_SMALL, KOREAN_BIG = "Small (Big & Small number Bet)", "Big (Big & Small number Bet)"
KOREAN_ODD, KOREAN_EVEN = "Odd (Even & Odd number Bet)", "Even (Even & Odd number Bet)"
DOUBLES = [f"double-{number}" for number in range(1, 7)]


def differences(layout: Layout) -> set[str]:
    """Zones in which a layout departs from the rules: missing, extra, or with another result or odds on some throw."""
    found = set(layout.zone_ids) ^ rule_evaluator.all_zones(layout.id)
    for dice in ALL_THROWS:
        product, rules = evaluate(layout, dice), rule_evaluator.winners(layout.id, dice)
        found |= {zone for zone in product.keys() | rules.keys() if product.get(zone, ()) != rules.get(zone, ())}
    return found


@pytest.mark.parametrize("layout_id", rule_evaluator.LAYOUTS)
def test_the_shipped_layouts_do_not_differ(layout_id):
    assert differences(load_layout(layout_id)) == set()


# (layout, class, text there, text put in its place, the zones that must differ from the rules)
CHANGED = [
    # odds
    (NZ1, "Triples", "odds = 180", "odds = 150", [f"triple-{number}" for number in range(1, 7)]),
    (NZ1, "Doubles", "odds = 11", "odds = 10", DOUBLES),
    (NZ1, "Any Triple", "odds = 31", "odds = 30", ["any-triple"]),
    (NZ1, "3 Dice Totals: 4 or 17", "odds = 62", "odds = 60", ["total-4", "total-17"]),
    (NZ1, "3 Dice Totals: 9 or 12", "odds = 7", "odds = 6", ["total-9", "total-12"]),
    (NZ1, "Dice Combinations", "odds = 6", "odds = 5", [f"pair-{a}-{b}" for a in range(1, 7) for b in range(a + 1, 7)]),
    (NZ1, SINGLES, "two_dice = 2", "two_dice = 1", [f"single-{number}" for number in range(1, 7)]),
    (NZ1, SINGLES, "three_dice = 12", "three_dice = 3", [f"single-{number}" for number in range(1, 7)]),
    (NZ1, "Small", "odds = 1", 'odds = "absent"', ["small"]),
    (NZ2, FOURS, "odds = 7", "odds = 6", ["four-1-2-3-4", "four-2-3-4-5", "four-2-3-5-6", "four-3-4-5-6"]),
    (KOREA, "Any Triple Bet", "odds = 24", "odds = 31", ["any-triple"]),
    (KOREA, "Total Number Bet: 4 or 17", "odds = 50", "odds = 62", ["total-4", "total-17"]),
    (GAZETTE, "Doubles", '"absent"', "11", DOUBLES),
    # what triples do
    (NZ1, "Small", "[2, 3] }", "[2] }", ["small"]),
    (NZ1, "Small", "[2, 3] }", "[3] }", ["small"]),
    (NZ1, "Big", "[4, 5] }", "[4, 6] }", ["big"]),
    (NZ1, "Doubles", '"win once"', '"lose"', DOUBLES),
    (NZ1, "3 Dice Totals: 9 or 12", '"win"', '"lose"', ["total-9", "total-12"]),
    (NZ2, "Odd", "[3, 5] }", "[3] }", ["odd"]),
    (NZ2, "Even", "[2, 4] }", "[4] }", ["even"]),
    (GAZETTE, "Small", "[1, 2, 3, 4, 5, 6] }", "[1, 2, 4, 5, 6] }", ["small"]),
    (GAZETTE, "Big", "[1, 2, 3, 4, 5, 6] }", "[] }", ["big"]),
    (GAZETTE, "Doubles", '"win once"', '"lose"', DOUBLES),
    (KOREA, KOREAN_SMALL, "[] }", "[2] }", ["small"]),
    (KOREA, KOREAN_BIG, "[] }", "[4, 5] }", ["big"]),
    (KOREA, "Pair Dice Bet", '"win once"', '"lose"', DOUBLES),
    # the totals of a zone
    (NZ1, "Small", "9, 10]", "9]", ["small"]),
    (NZ1, "Big", "[11, 12,", "[10, 12,", ["big"]),
    (NZ2, "Odd", "[5, 7,", "[4, 7,", ["odd"]),
    (NZ2, "Even", "8, 10, 12", "8, 12", ["even"]),
    # a zone that became another
    (NZ2, FOURS, "[2, 3, 5, 6],", "[2, 4, 5, 6],", ["four-2-3-5-6", "four-2-4-5-6"]),
    (NZ2, FOURS, "[1, 2, 3, 4],", "[1, 2, 3, 5],", ["four-1-2-3-4", "four-1-2-3-5"]),
]

# (layout, class, text there, text put in its place, the one zone that is then missing)
REMOVED = [
    (NZ1, "Doubles", "[1, 2, 3, 4, 5, 6]", "[1, 2, 3, 4, 6]", "double-5"),
    (NZ1, "3 Dice Totals: 6 or 15", "[6, 15]", "[6]", "total-15"),
    (NZ1, "Dice Combinations", "[3, 6],", "", "pair-3-6"),
    (NZ1, SINGLES, "[1, 2, 3, 4, 5, 6]", "[1, 2, 3, 4, 5]", "single-6"),
    (NZ2, TWO_ALIKE, "[1, 6, 6],", "", "three-1-6-6"),
    (NZ2, DIFFERENT, "[2, 5, 6],", "", "three-2-5-6"),
    (NZ2, FOURS, "[2, 3, 4, 5],", "", "four-2-3-4-5"),
    (GAZETTE, "Triples", "[1, 2, 3, 4, 5, 6]", "[2, 3, 4, 5, 6]", "triple-1"),
    (KOREA, "Total Number Bet: 9, 10, 11 or 12", "[9, 10, 11, 12]", "[9, 10, 11]", "total-12"),
    (KOREA, "Pair Plus Bet", "[5, 6, 6],", "", "three-5-6-6"),
]

# (layout, class, text there, text put in its place, words of the refusal)
REFUSED = [
    # the house would lose, or a fair bet is not stated as meant
    (NZ1, "Small", "odds = 1", "odds = 2", "small (-45.83%)"),
    (NZ1, "Triples", "odds = 180", "odds = 216", "triple-1 (-0.46%)"),
    (NZ1, "3 Dice Totals: 9 or 12", "odds = 7", "odds = 71", "total-9 (-733.33%)"),
    (NZ2, "Even", "odds = 1", "odds = 11", "even (-483.33%)"),
    (KOREA, "Single Dice Bet", "three_dice = 3", "three_dice = 33", "single-1 (-6.02%)"),
    (KOREA, KOREAN_ODD, "[3, 5,", "[5,", "no zone of this class has a house edge of zero"),
    (KOREA, KOREAN_EVEN, "[] }", "[2] }", "no zone of this class has a house edge of zero"),
    # a zone twice, or one under the odds of another class
    (NZ1, "3 Dice Totals: 9 or 12", "[9, 12]", "[10, 12]", "'total-10': zone stated twice"),
    (NZ2, TWO_ALIKE, "[2, 2, 3],", "[1, 2, 3],", "'three-1-2-3': zone stated twice"),
    (NZ2, "Odd", 'zone = "odd"', 'zone = "even"', "'even': zone stated twice"),
    # what no class of this kind may say
    (NZ1, "Triples", "odds = 180", "odds = 1800", "less than or equal to 1000"),
    (NZ1, "Triples", 'triples = "win"', 'triples = "lose"', "should be 'win'"),
    (NZ1, "Dice Combinations", 'triples = "lose"', 'triples = "win"', "should be 'lose'"),
    (NZ1, "Small", 'zone = "small"', 'zone = "tiny"', "'small', 'big', 'odd' or 'even'"),
    (NZ2, DIFFERENT, "[2, 5, 6],", "[2, 2, 2],", "is a triple"),
]


@pytest.mark.parametrize(("layout_id", "name", "old", "new", "zones"), CHANGED)
def test_changed_zone_differs_from_the_rules(tmp_path, layout_id, name, old, new, zones):
    path = save(tmp_path, layout_id, edit_class(text_of(layout_id), name, old, new))
    assert differences(load_layout(path)) == set(zones)


@pytest.mark.parametrize(("layout_id", "name", "old", "new", "zone"), REMOVED)
def test_removed_zone_fails_the_control_total_and_differs_from_the_rules(tmp_path, layout_id, name, old, new, zone):
    text = edit_class(text_of(layout_id), name, old, new)
    with pytest.raises(DataErrors, match="zone_count"):
        load_layout(save(tmp_path, layout_id, text))
    count = len(load_layout(layout_id).zones)
    recounted = replace_once(text, f"zone_count = {count}\n", f"zone_count = {count - 1}\n")
    assert differences(load_layout(save(tmp_path, layout_id, recounted))) == {zone}


@pytest.mark.parametrize(("layout_id", "name", "old", "new", "words"), REFUSED)
def test_mutation_is_refused(tmp_path, layout_id, name, old, new, words):
    with pytest.raises(DataErrors) as caught:
        load_layout(save(tmp_path, layout_id, edit_class(text_of(layout_id), name, old, new)))
    assert words in str(caught.value)


def odds_mutations() -> list[tuple[str, int, int]]:
    """40 of all the ways to change one odds figure of one file by 1 or by a factor of 10, drawn with a fixed seed."""
    every = []
    for layout_id in (NZ1, NZ2, KOREA):
        for match in re.finditer(r"(?:odds|die|dice) = (\d+)", text_of(layout_id)):
            odds = int(match[1])
            every += [(layout_id, match.start(1), new) for new in (odds - 1, odds + 1, odds * 10)]
    return random.Random(1994).sample(every, 40)


@pytest.mark.parametrize(("layout_id", "place", "new"), odds_mutations())
def test_any_change_of_odds_is_caught(tmp_path, layout_id, place, new):
    text = text_of(layout_id)
    old = re.compile(r"\d+").match(text, place)[0]
    path = save(tmp_path, layout_id, text[:place] + str(new) + text[place + len(old) :])
    try:
        layout = load_layout(path)
    except DataErrors as refused:
        assert "odds" in str(refused) or "zero_edge_note" in str(refused)
    else:
        assert differences(layout)
