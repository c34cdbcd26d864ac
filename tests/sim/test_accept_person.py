"""The plan with a person: prompts are followed by hands at the bench, questions answered by mouth, or by nobody."""

import re

import pytest
from accept_bench import accept

from taisai.accept import operator as operators
from taisai.accept.operator import Person
from taisai.boards.table import load_table
from taisai.build.bundle import build_bundle
from taisai.records.model import Outcome

TABLE = "nz1-pico-hc595"
ATTENDED = ["identify", "key-switch", "display", "keys", "beeper", "lamps", "throws", "power"]


class Hands:
    """Does what a prompt says, and says yes to everything but `no`; answers nothing from the prompt `deaf` on."""

    def __init__(self, board, no=None, deaf=None):
        self.board = board
        self.asked = []
        self._no = no
        self._deaf = deaf

    def __call__(self, prompt):
        if prompt.kind != "info":
            self.asked.append(prompt.text)
            if self._deaf and self._deaf in prompt.text:
                return None
            return "no" if self._no and self._no in prompt.text else "yes"
        bench, text = self.board.bench, prompt.text
        if found := re.fullmatch(r"(Press key|Hold) (\d|ENTRY) (?:once|for two seconds).*", text):
            key = found[2].replace("ENTRY", "E")
            bench.keys.press(key, 80 if found[1] == "Press key" else 1800)
        elif text == "Press keys 1 and 6 at once":
            bench.keys.chord("16", 200, skew_ms=4)
        elif found := re.fullmatch(r"Turn the key-switch (on|off)", text):
            bench.switch.turn(found[1] == "on")
        elif text.startswith("Unplug"):
            self.board.power_off()
        elif text.startswith("Plug it in"):
            self.board.power_on()
        else:
            assert text == "" or text.startswith("Watch the layout"), text
        return None


@pytest.fixture
def hands(monkeypatch):
    monkeypatch.setattr(operators, "WALK_S", 0)
    made = []

    def make(**options):
        def operator(board):
            made.append(Hands(board, **options))
            return Person(made[-1])

        return operator

    make.made = made
    return make


def test_a_person_who_does_and_sees_everything_gets_every_attended_step_through(tmp_path, hands):
    seen = accept(tmp_path, only=ATTENDED, operator=hands())
    assert seen.failed is None and [step.name for step in seen.record.steps] == ATTENDED
    assert seen.record.assumed == () and seen.record.outcome == Outcome.INCOMPLETE
    asked = hands.made[0].asked
    assert asked.count("Did every lamp light, one after the other and alone?") == 1, "one question for the whole walk"
    assert len(asked) < 30


def test_a_no_names_the_part(tmp_path, hands):
    assert accept(tmp_path, only=["beeper"], operator=hands(no="Did it beep?")).failed == ("beeper", "beeper")


@pytest.mark.parametrize("deaf", ["show 6 6 6", "Did every lamp"])
def test_a_question_that_nobody_answers_aborts_the_run_on_record(tmp_path, hands, deaf):
    seen = accept(tmp_path, only=["display", "lamps"], operator=hands(deaf=deaf))
    assert (seen.record.outcome, seen.exit) == (Outcome.ABORTED, 130)
    assert "nobody answered within 60 s" in seen.record.reason


def test_a_key_that_nobody_pressed_is_the_units_fault_only_if_somebody_says_so(tmp_path, hands):
    def broken(board):
        board.bench.keys["1"].move = lambda *_, **__: 0
        return hands()(board)

    seen = accept(tmp_path, only=["keys"], operator=broken)
    assert seen.failed == ("keys", "key 1")


def test_a_blank_unit_is_flashed_and_then_tested(tmp_path):
    seen = accept(tmp_path, files={}, bundle=build_bundle(load_table(TABLE)), only=["flash", "identify", "files"])
    assert seen.failed is None
    flash = seen.record.steps[0]
    assert any("flashed with nz1-pico-hc595" in line for line in flash.log), flash.log
    assert seen.record.unit.table == TABLE


def test_a_blank_unit_without_an_order_is_no_failure_of_the_unit(tmp_path):
    seen = accept(tmp_path, files={}, only=["flash"])
    assert (seen.record.outcome, seen.exit) == (Outcome.ERROR, 2)
    assert "the unit is blank: name its table (--table)" in seen.record.reason
