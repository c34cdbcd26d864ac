"""The evaluation of every throw on every shipped layout, against an evaluator written from the rule text alone."""

import ast
from collections import Counter
from fractions import Fraction
from itertools import permutations
from pathlib import Path

import pytest
import rule_evaluator

from taisai.boards.layout import list_layouts, load_layout
from taisai.rules import THROWS, call, evaluate, explain, house_edge

EVALUATOR = Path(rule_evaluator.__file__)
ALL_THROWS = [(a, b, c) for a in range(1, 7) for b in range(1, 7) for c in range(1, 7)]


@pytest.fixture(scope="module", params=rule_evaluator.LAYOUTS)
def layout(request):
    return load_layout(request.param)


def test_the_evaluator_stands_alone():
    tree = ast.parse(EVALUATOR.read_text(encoding="utf-8"))
    assert not [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id in ("open", "__import__")]


def test_every_shipped_layout_is_compared():
    assert list_layouts() == sorted(rule_evaluator.LAYOUTS)


def test_throws_are_in_index_order():
    assert list(THROWS) == ALL_THROWS
    assert all(THROWS[(a - 1) * 36 + (b - 1) * 6 + (c - 1)] == (a, b, c) for a, b, c in ALL_THROWS)


def test_zones_and_odds_equal_the_rules_for_all_216_throws(layout):
    for dice in ALL_THROWS:
        assert evaluate(layout, dice) == rule_evaluator.winners(layout.id, dice), dice


def test_winning_zones_come_in_canonical_order(layout):
    for dice in ALL_THROWS:
        won = list(evaluate(layout, dice))
        assert won == [zone for zone in layout.zone_ids if zone in won]


def test_key_order_never_matters(layout):
    for dice in ALL_THROWS:
        for keyed in permutations(dice):
            assert evaluate(layout, keyed) == evaluate(layout, dice)


# Zones lit by (different numbers shown): appendix 1 as counted from the rules; the triples by their face.
LIT = {
    "nz-div9-appendix1": {"three": {8}, "pair": {6}, "triple": {1: 4, 2: 5, 3: 5, 4: 5, 5: 5, 6: 4}},
    "nz-gazette-1994": {"three": {8}, "pair": {6}, "triple": {1: 4, 2: 5, 3: 5, 4: 5, 5: 5, 6: 4}},
    "nz-div9-appendix2": {"three": {10, 11, 12}, "pair": {8}, "triple": {1: 4, 2: 5, 3: 5, 4: 5, 5: 5, 6: 4}},
    # Odd or even wins on every triple, small or big on 2 to 5: one more on 1 and 6, two more on the others.
    "kr-daisai": {"three": {10, 11, 12}, "pair": {8}, "triple": {1: 5, 2: 7, 3: 7, 4: 7, 5: 7, 6: 5}},
}


def test_number_of_lit_zones(layout):
    lit = {"three": set(), "pair": set(), "triple": {}}
    for dice in ALL_THROWS:
        count = len(evaluate(layout, dice))
        if len(set(dice)) == 1:
            lit["triple"][dice[0]] = count
        else:
            lit["three" if len(set(dice)) == 3 else "pair"].add(count)
    assert lit == LIT[layout.id]


def test_56_results_give_56_patterns(layout):
    patterns = {tuple(evaluate(layout, dice)): tuple(sorted(dice)) for dice in ALL_THROWS}
    assert len(patterns) == 56
    assert len(set(patterns.values())) == 56


def test_every_zone_wins_sometime(layout):
    assert {zone for dice in ALL_THROWS for zone in evaluate(layout, dice)} == set(layout.zone_ids)


def test_house_edge_equals_that_of_the_rules(layout):
    """What a stake of 1 on each zone returns over 216 throws, paid by the rule evaluator."""
    returned, absent = Counter(), set()
    for dice in ALL_THROWS:
        for zone, odds in rule_evaluator.winners(layout.id, dice).items():
            if odds is None:
                absent.add(zone)
            else:
                returned[zone] += odds + 1
    expected = {zone: None if zone in absent else 1 - Fraction(returned[zone], 216) for zone in layout.zone_ids}
    assert house_edge(layout) == expected


@pytest.mark.parametrize(
    ("layout_id", "zone", "edge"),
    [
        # Figures known to the trade for these odds.
        ("nz-div9-appendix1", "small", "2.78%"),
        ("nz-div9-appendix1", "big", "2.78%"),
        ("nz-div9-appendix1", "pair-1-2", "2.78%"),
        ("nz-div9-appendix1", "single-6", "3.70%"),
        ("nz-div9-appendix1", "triple-1", "16.20%"),
        ("nz-div9-appendix1", "any-triple", "11.11%"),
        ("nz-div9-appendix2", "odd", "2.78%"),
        ("kr-daisai", "small", "0.93%"),
        ("kr-daisai", "even", "0.00%"),
        ("kr-daisai", "odd", "0.00%"),
    ],
)
def test_house_edge_figures(layout_id, zone, edge):
    assert f"{float(house_edge(load_layout(layout_id))[zone]):.2%}" == edge


def test_house_edge_is_unknown_where_odds_are_absent():
    assert set(house_edge(load_layout("nz-gazette-1994")).values()) == {None}


def test_explain_names_the_same_zones_and_odds_with_clause_and_reason(layout):
    for dice in ALL_THROWS:
        wins = explain(layout, dice)
        assert {win.zone: win.odds for win in wins} == evaluate(layout, dice)
        assert all(win.clause and win.reason for win in wins)


def test_explain_says_why():
    wins = {win.zone: win for win in explain(load_layout("nz-div9-appendix2"), (6, 3, 3))}
    assert wins["big"].reason == "the total 12 is one of its totals"
    assert wins["double-3"].reason == "3 is on two dice"
    assert wins["single-6"].reason == "6 is on one die"
    assert wins["pair-3-6"].reason == "3 and 6 are both shown"
    assert wins["three-3-3-6"].reason == "the three dice show 3, 3 and 6"
    assert wins["total-12"].clause == "rule 4.1 3 Dice Totals; odds rule 4.10"
    four = {win.zone: win for win in explain(load_layout("nz-div9-appendix2"), (6, 3, 5))}["four-3-4-5-6"]
    assert four.reason == "3, 5 and 6 are three of 3, 4, 5 and 6"


# Rule 6.3: the three examples of the text, then each form with the lone die on either side.
@pytest.mark.parametrize(
    ("dice", "words"),
    [
        ((1, 3, 6), "1, 3, 6, Total 10"),
        ((3, 3, 4), "double 3, 4, Total 10"),
        ((5, 5, 5), "triple 5, Total 15"),
        ((3, 4, 4), "3, double 4, Total 11"),
        ((1, 1, 1), "triple 1, Total 3"),
        ((6, 6, 1), "1, double 6, Total 13"),
        ((2, 5, 6), "2, 5, 6, Total 13"),
    ],
)
def test_call_in_any_key_order(dice, words):
    assert {call(keyed) for keyed in permutations(dice)} == {words}


def test_calls_of_different_results_differ():
    assert len({call(dice) for dice in ALL_THROWS}) == 56
    assert len({call(dice, "ko") for dice in ALL_THROWS}) == 56


def test_korean_call_announces_each_die():
    assert {call(keyed, "ko") for keyed in permutations((4, 3, 3))} == {"3, 3, 4, 주사위의 합 10"}


def test_layouts_name_a_language_that_can_be_called(layout):
    assert call((1, 3, 6), layout.language)


@pytest.mark.parametrize("dice", [(), (1, 2), (1, 2, 3, 4), (0, 1, 2), (1, 2, 7), ("1", "2", "3")])
def test_what_is_no_throw_is_refused(dice):
    for function in (evaluate, explain):
        with pytest.raises(ValueError, match="three numbers from 1 to 6"):
            function(load_layout("nz-div9-appendix1"), dice)
    with pytest.raises(ValueError, match="three numbers from 1 to 6"):
        call(dice)


def test_unknown_language_is_refused():
    with pytest.raises(ValueError, match="'fr'"):
        call((1, 2, 3), "fr")
