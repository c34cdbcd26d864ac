"""What an operator meets: scanned numbers, prompts with time-outs, the full screen, refusals before anything starts."""

import asyncio
import io

import pytest
from records_made import record

from taisai.accept import plain, serials
from taisai.accept.errors import Aborted
from taisai.accept.operator import Person, Prompt, Sight
from taisai.accept.screen import StationApp
from taisai.accept.station_loop import passed_before, scan
from taisai.cli import main
from taisai.errors import TaisaiError
from taisai.records.station import Station


@pytest.mark.parametrize("text", ["SN0001", "sn0001\r\n", "]C1SN0001\r", " SN 0001 ", "]d2sn0001\n"])
def test_what_a_scanner_adds_is_taken_away(text):
    assert serials.checked(text) == "SN0001"


@pytest.mark.parametrize("text", ["", "0001", "SN1", "SN0001X", "S/N0001"])
def test_what_is_no_serial_number_is_shown_and_refused(text):
    with pytest.raises(TaisaiError, match="has not the form"):
        serials.checked(text)


def test_a_pattern_of_ones_own_and_one_that_is_none():
    assert serials.checked("ab-7", r"AB-\d") == "AB-7"
    with pytest.raises(TaisaiError, match="is no pattern"):
        serials.checked("x", "[")


class Scripted:
    """A view that answers from a list, and remembers what was asked."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = []

    def ask(self, place, prompt):
        self.asked.append(prompt.text)
        return self.answers.pop(0)


def test_a_scan_goes_on_until_the_number_is_good_and_asks_about_one_that_has_passed(tmp_path):
    station = Station(tmp_path)
    station.ledger.append(record("SN0001"), station.key)
    view = Scripted("0001", "SN0002", "SN0001", "no", "SN0001", "yes")
    assert scan(view, 0, serials.PATTERN, ["SN0002"], passed_before(station)) == "SN0001"
    assert "'0001'" in view.asked[1] and "another port" in view.asked[2]
    assert view.asked[3] == "SN0001 has passed before. Test it once more?"
    assert scan(Scripted(None), 0, serials.PATTERN, [], set()) is None


def test_a_question_that_nobody_answers_aborts():
    person = Person(lambda prompt: None)
    with pytest.raises(Aborted, match="nobody answered within 60 s: Is it dark"):
        person.sees(Sight("Is it dark?"))
    assert Person(lambda prompt: "no").sees(Sight("Is it dark?")) is False


KINDS = [
    ("yes-no", "y\n", "yes"), ("yes-no", "what\nNO\n", "no"), ("text", "\nabc\n", "abc"), ("choice", "x\nbig\n", "big"),
    ("yes-no", "", None), ("info", "y\n", None),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "typed", "answer"), KINDS)
def test_every_kind_of_prompt_takes_its_answers_from_a_pipe(monkeypatch, kind, typed, answer):
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    assert plain.ask(Prompt("Well?", kind, choices=("small", "big"))) == answer


def test_a_plain_prompt_has_a_time_out(monkeypatch):
    class Silent:
        def readline(self):
            import threading

            threading.Event().wait(5)

    monkeypatch.setattr("sys.stdin", Silent())
    assert plain.ask(Prompt("Well?", "yes-no", timeout_s=0.05)) is None


def shown(app, name):
    return str(app.query_one(name).render())


def test_the_screen_shows_steps_asks_and_tells_the_verdict_in_words():
    seen = {}

    def work(view):
        view.event(0, "begin", {"serial_number": "SN0001"})
        view.event(0, "plan", {"plan": ["identify", "lamps"], "left_out": []})
        view.event(0, "step", {"name": "lamps", "attended": True})
        seen["answer"] = view.ask(0, Prompt("Is it dark?", "yes-no", timeout_s=20))
        seen["late"] = view.ask(0, Prompt("Still there?", "yes-no", timeout_s=0.05))
        view.event(0, "record", {"record": {"outcome": "FAIL", "reason": "lamps: lamp of small"}})
        seen["scan"] = view.ask(0, Prompt("Scan", "text", timeout_s=20))
        return ["done"]

    async def play():
        app = StationApp("Station", ["/dev/ttyACM0"], work)
        async with app.run_test(size=(120, 30)) as pilot:
            for _ in range(200):
                await pilot.pause(0.02)
                if app.prompt is not None and app.prompt.text == "Is it dark?":
                    break
            seen["prompt"], seen["line"] = shown(app, "#prompt"), shown(app, "#units")
            await pilot.press("x", "y")
            for _ in range(200):
                await pilot.pause(0.02)
                if app.prompt is not None and app.prompt.kind == "text":
                    break
            seen["verdict"] = shown(app, "#units")
            await pilot.press(*"SN0002", "enter")
            await pilot.pause(0.3)
        return app

    app = asyncio.run(play())
    assert app.error is None, repr(app.error)
    assert (seen["answer"], seen["late"], seen["scan"]) == ("yes", None, "SN0002")
    assert "Is it dark?" in seen["prompt"] and "yes" in seen["prompt"]
    assert "SN0001" in seen["line"] and "lamps" in seen["line"]
    assert "FAIL" in seen["verdict"] and "lamp of small" in seen["verdict"]
    assert app.return_value == ["done"] and app.error is None


BAD = [
    ((), "name the port of each unit"),
    (("--port", "/dev/x"), "without a terminal nobody can be asked: give --serial-number, --operator, --assume-yes"),
    (("--port", "sim:nz1-pico-hc595"), "nobody can look at a simulated unit: add --assume-yes"),
    (("--port", "/dev/x", "--port", "/dev/x"), "named once"),
    (("--port", "/dev/x", "--serial-number", "SN0001", "--serial-number", "SN0002"), "1 ports and 2 serial numbers"),
    (("--port", "/dev/x", "--serial-number", "7"), "has not the form"),
]


@pytest.mark.parametrize(("arguments", "words"), BAD)
def test_what_is_missing_is_said_before_anything_starts(arguments, words, capsys, tmp_path, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert main(["accept", *arguments, "--station", str(tmp_path / "none")]) == 2
    assert words in capsys.readouterr().err and not (tmp_path / "none").exists()
