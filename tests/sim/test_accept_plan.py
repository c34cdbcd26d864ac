"""The plan on good virtual boards, in part, with a customer's own steps, and by hand through pytest."""

import json
import subprocess
import sys
from xml.etree import ElementTree

import pytest
from accept_bench import SMALL, accept

from taisai.accept.operator import Nobody
from taisai.records.model import Outcome
from taisai.records.station import Station
from taisai.records.verify import verify

PORT = "sim:nz1-pico-hc595"


def test_a_good_unit_passes_the_whole_plan_from_the_command_line(taisai, tmp_path):
    arguments = ["accept", "--port", PORT, "--serial-number", "SN0001", "--operator", "Ana", "--assume-yes", "--json"]
    done = taisai(*arguments, "--station", str(tmp_path), timeout=600)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    record = told["record"]
    assert (record["outcome"], record["simulated"], record["reason"]) == ("PASS", True, None)
    assert {step["name"] for step in record["steps"]} == set(record["plan"]) and not record["left_out"]
    taken = {m["name"]: m["value"] for step in record["steps"] for m in step["measurements"]}
    assert taken["throws"] == 216 and taken["exchanges"] == 10_000
    station = Station(tmp_path)
    assert verify(station.ledger.path, [station.public_key]).problems == []
    (page,) = (tmp_path / "certificates").iterdir()
    text = page.read_text()
    assert "SN0001" in text and "PASS (simulated unit)" in text and told["hash"] in text
    assert text.count("data-zone=") == 50
    (xml,) = (tmp_path / "junit").iterdir()
    suite = ElementTree.parse(xml).getroot()
    assert (suite.get("failures"), suite.get("errors"), suite.get("skipped")) == ("0", "0", "0")
    assert len(suite.findall("testcase")) == len(record["steps"])
    again = taisai(*arguments, "--station", str(tmp_path))
    assert again.returncode == 2 and "SN0001 has passed before" in again.stderr


def test_lamps_and_throws_are_measured_where_the_current_is_sensed(tmp_path):
    seen = accept(tmp_path, "nz2-pico-tpic6b595", only=["identify", "lamps", "throws"])
    assert seen.failed is None and seen.record.outcome == Outcome.INCOMPLETE
    lamps, throws = (step for step in seen.record.steps if step.name in ("lamps", "throws"))
    currents = [each for each in lamps.measurements if each.name.startswith("current ")]
    assert len(currents) == 106 and all(each.good for each in currents)
    assert any(each.name == "current_error" and each.good for each in throws.measurements)


@pytest.mark.parametrize("chosen", [{"only": ["identify"]}, {"only": ["identify", "self-test"], "skip": ["self-test"]}])
def test_a_partial_run_never_reads_pass(tmp_path, chosen):
    seen = accept(tmp_path, **chosen)
    assert [step.name for step in seen.record.steps] == ["identify"]
    assert (seen.record.outcome, seen.exit) == (Outcome.INCOMPLETE, 2)
    assert "lamps" in seen.record.left_out and "left out" in seen.record.reason


def test_answers_that_nobody_gave_never_make_a_pass(tmp_path):
    seen = accept(tmp_path, only=["display"], operator=lambda board: Nobody(lambda text: None))
    assert seen.failed is None and seen.record.outcome == Outcome.INCOMPLETE
    assert len(seen.record.assumed) == 3


def test_a_customers_own_step_takes_part_and_its_limit_counts(tmp_path):
    steps = tmp_path / "own_steps.py"
    steps.write_text(
        "from taisai.accept import Limit, step\n"
        "@step('warmth', limits=[Limit('warm', 'C', upper=40)])\n"
        "def test_warmth(unit, measurements):\n"
        "    measurements.take('warm', 40.4, part='heater of the cloth')\n"
    )
    seen = accept(tmp_path, only=["identify", "warmth"], step_files=[steps])
    assert seen.failed == ("warmth", "heater of the cloth") and seen.exit == 1
    assert seen.record.reason == "warmth: heater of the cloth: warm is 40.4 C, and the limits are at most 40 C"


def test_a_technician_runs_a_step_with_pytest_itself(tmp_path):
    options = {"port": PORT, "serial-number": "SN0007", "operator": "Bo", "station": str(tmp_path / "station")}
    command = [sys.executable, "-m", "pytest", *(f"--taisai-{name}={value}" for name, value in options.items())]
    command += ["-k", "identify", f"--junit-xml={tmp_path / 'out.xml'}", "-p", "no:cacheprovider"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=tmp_path)
    assert done.returncode == 0 and "1 passed" in done.stdout, done.stdout + done.stderr
    suite = ElementTree.parse(tmp_path / "out.xml").getroot().find("testsuite")
    assert suite.get("tests") == "1" and suite.find("testcase").get("name") == "test_identify"
    (entry,) = Station(tmp_path / "station").ledger.entries()
    assert (entry.record.outcome, entry.record.unit.serial_number) == ("INCOMPLETE", "SN0007")


def test_an_unknown_step_is_refused_before_anything_is_tested(taisai, tmp_path):
    arguments = ["--port", PORT, "--serial-number", "SN0001", "--operator", "Ana", "--assume-yes", "--only", "lamp"]
    done = taisai("accept", *arguments, "--station", str(tmp_path))
    assert done.returncode == 2 and "no such step: lamp; the steps are flash, identify" in done.stdout + done.stderr
    assert list(Station(tmp_path).ledger.entries()) == []


def test_smaller_sizes_are_said_and_make_no_pass(tmp_path):
    seen = accept(tmp_path, only=["identify", "link"])
    assert SMALL.smaller == ("exchanges 50 of 10000", "throws 6 of 216")
    assert "exchanges 50 of 10000" in seen.record.reason
