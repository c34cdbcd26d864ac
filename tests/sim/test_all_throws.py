"""All 216 throws, keyed on the virtual board of every table: the lamps seen are exactly the winners by the rules.

The expected zones come from the evaluator written from the rule text. Each throw is keyed in its own order and, where
the dice differ, in another one: the order must not matter (rule 6.3 calls them sorted, 6.4 does not ask for an order).
"""

from itertools import product

import pytest
import rule_evaluator

from taisai.boards.table import list_tables, load_table
from taisai.sim.board import VirtualBoard

DOWN_MS = 50
GAP_MS = 60
HOLD_MS = 1600
# An accepted press blanks the display for a moment; a record that opens a new journal segment erases flash first.
BLANK_MS = 400

THROWS = list(product(range(1, 7), repeat=3))


def another_order(dice):
    """The same dice in another key order; None for a triple."""
    first, second, third = dice
    for order in ((third, second, first), (second, third, first)):
        if order != dice:
            return order
    return None


def key(board, *names):
    for name in names:
        board.bench.keys.press(name, DOWN_MS)
        board.run_ms(DOWN_MS + GAP_MS)


def end_game(board):
    board.bench.keys.press("E", HOLD_MS)
    board.run_ms(HOLD_MS + GAP_MS)


@pytest.mark.parametrize("table_id", list_tables())
def test_every_throw_lights_exactly_the_winning_zones_in_two_key_orders(table_id):
    table = load_table(table_id)
    zones = rule_evaluator.all_zones(table.layout.id)
    games = 0
    with VirtualBoard(table, seed=216) as board:
        board.power_on()
        board.run_ms(1000)
        assert board.bench.first_lit_us is None, "a lamp was on before the first throw"
        for dice in THROWS:
            winners = set(rule_evaluator.winners(table.layout.id, dice))
            assert winners < zones
            for order in (dice, another_order(dice)):
                if order is None:
                    continue
                key(board, *order, "E")
                board.run_ms(BLANK_MS)
                seen = board.bench.observe()
                assert set(seen.lit) == winners, f"{dice} keyed as {order}"
                assert not seen.partial, f"{dice} keyed as {order}"
                assert seen.display == "".join(map(str, order))
                end_game(board)
                board.run_ms(BLANK_MS)
                seen = board.bench.observe()
                assert not seen.lit and not seen.partial, f"lamps after the end of {dice}"
                assert seen.display == "   "
                games += 1
    assert games == 216 + 210
