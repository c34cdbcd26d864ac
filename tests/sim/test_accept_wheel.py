"""The plan for a unit of the money wheel: a good one gets through; what fails is found by its step and named."""

import random

import pytest
from accept_bench import accept

from taisai.accept.bench_operator import BenchOperator

TABLE = "wheel1-pico-tpic6b595"
OF_THE_WHEEL = ["symbols", "sensors", "revolutions", "no-spin"]


# No spin of the factory's is a game: not one that was good either.
NO_GAMES = """
from taisai.accept import step
from taisai.journal.reading import newest

@step("no-games")
def test_no_games(unit):
    kinds = [entry["kind"] for entry in newest(unit.board, 50)]
    assert "access" in kinds and not set(kinds) & {"result", "void", "amend", "end"}, kinds
"""


def test_a_good_unit_gets_through_and_none_of_its_spins_is_a_game(tmp_path):
    steps = tmp_path / "own_steps.py"
    steps.write_text(NO_GAMES)
    only = ["identify", "display", "keys", "beeper", "lamps", *OF_THE_WHEEL, "no-games"]
    seen = accept(tmp_path, TABLE, only=only, step_files=[steps])
    assert seen.failed is None, seen.record.headline
    assert [step.name for step in seen.record.steps] == only and "throws" not in seen.record.left_out
    taken = {each.name: each.value for step in seen.record.steps for each in step.measurements}
    assert taken["symbols"] == 7
    # Turned until the same section is there again: 208 quarters, and less than a section to either side.
    assert abs(taken["one_revolution clockwise"] - 208) <= 4 and abs(taken["one_revolution anticlockwise"] - 208) <= 4
    # Thrown so that it turns 4.2 times.
    assert abs(taken["spin"] - 4.2) < 0.05


# (fault, what the part must say)
FAULTS = [
    ("pegs:a:0", "sensor A"), ("pegs:a:1", "sensor A"), ("pegs:b:0", "sensor B"), ("pegs:b:1", "sensor B"),
    ("pegs:index:0", "index"), ("pegs:index:1", "index"), ("pegs:swapped", "swapped"),
]  # fmt: skip
IN_CI = 1


@pytest.mark.soak
def test_a_sensor_that_fails_is_found_and_named(campaign, tmp_path):
    for fault, part in random.Random(7).sample(FAULTS, max(IN_CI, campaign(len(FAULTS)))):
        seen = accept(tmp_path / fault.replace(":", "-"), TABLE, faults=[fault], only=["identify", "sensors"])
        assert seen.failed is not None and seen.failed[0] == "sensors" and part in seen.failed[1], seen.record.headline
        assert (seen.record.outcome, seen.exit) == ("FAIL", 1)


class WrongMark(BenchOperator):
    """Somebody looks at a wheel whose index mark is a section away from where the drawing has it."""

    def __init__(self, board):
        super().__init__(board)
        stops = board.bench.wheel._stops
        board.bench.wheel._stops = stops[1:] + stops[:1]


def test_an_index_mark_at_another_section_is_found(tmp_path):
    seen = accept(tmp_path, TABLE, only=["identify", "sensors"], operator=WrongMark)
    assert seen.failed == ("sensors", "index sensor or its mark")


def test_the_lamp_of_a_symbol_that_stays_dark_is_found(tmp_path):
    seen = accept(tmp_path, "wheel1-pico-hc595", faults=["open:symbol-C"], only=["identify", "symbols"])
    assert seen.failed == ("symbols", "firmware or latch") and "symbol C" in seen.record.reason


def test_without_sensors_the_symbols_are_tried_and_nothing_is_turned(tmp_path):
    seen = accept(tmp_path, "wheel1-pico-hc595", only=["identify", *OF_THE_WHEEL])
    assert seen.failed is None and [step.name for step in seen.record.steps] == ["identify", *OF_THE_WHEEL]
    assert all("no sensors" in step.log[0] for step in seen.record.steps[2:])
