"""The plan follows the game: what only another game's units have is neither done nor left out."""

from accept_bench import accept

OWN = """
from taisai.accept import step

@step("spin", game="money-wheel")
def test_spin(unit):
    raise AssertionError("not this unit's")

@step("dice", game="tai-sai")
def test_dice(unit):
    pass
"""


def test_a_step_of_another_game_is_not_in_the_plan(tmp_path):
    steps = tmp_path / "own_steps.py"
    steps.write_text(OWN)
    seen = accept(tmp_path, only=["identify", "spin", "dice"], step_files=[steps])
    assert [step.name for step in seen.record.steps] == ["identify", "dice"] == list(seen.record.plan)
    assert seen.failed is None and "throws" in seen.record.left_out and "spin" not in seen.record.left_out
    plans = [values["plan"] for name, values in seen.events if name == "plan"]
    assert plans == [["identify", "spin", "dice"], ["identify", "dice"]]


def test_a_unit_of_the_money_wheel_has_no_throws(tmp_path):
    seen = accept(tmp_path, "wheel1-pico-hc595", only=["identify", "throws"])
    assert list(seen.record.plan) == ["identify"] and seen.failed is None
    assert "throws" not in seen.record.left_out and "lamps" in seen.record.left_out
