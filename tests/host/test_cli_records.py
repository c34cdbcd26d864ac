"""`taisai records` as a person runs it."""

import csv
import io
import json

import pytest
from records_made import record, tamper

from taisai.cli import main
from taisai.records.model import Outcome
from taisai.records.station import Station


@pytest.fixture
def station(tmp_path, monkeypatch):
    monkeypatch.setenv("TAISAI_STATION", str(tmp_path / "station"))
    monkeypatch.delenv("TAISAI_DATABASE", raising=False)
    return Station(tmp_path / "station")


def add(station, *made):
    return [station.ledger.append(each, station.key) for each in made]


def told(capsys, *arguments, code=0):
    assert main(["records", *arguments]) == code
    return capsys.readouterr().out


def test_list_and_show_name_the_failed_measurement(station, capsys):
    add(station, record("SN0001"), record("SN0002", Outcome.FAIL, failed="lamps"))
    assert "SN0002" in told(capsys, "list") and "SN0001" in told(capsys, "list")
    shown = told(capsys, "show", "SN0002")
    assert shown.splitlines()[1] == "FAIL SN0002: lamps: small draws 0 mA"
    assert "current: 0 mA (18 to 22): BAD" in shown
    assert json.loads(told(capsys, "show", "2", "--json"))[0]["unit"]["serial_number"] == "SN0002"
    told(capsys, "show", "SN0003", code=2)


def test_a_station_where_nothing_was_tested_is_not_a_bad_one_and_a_ledger_that_is_gone_is(station, capsys):
    assert main(["records", "verify"]) == 2
    assert "no unit was tested at this station yet" in capsys.readouterr().err
    add(station, record("SN0001"))
    station.ledger.path.unlink()
    assert "there is no ledger" in told(capsys, "verify", code=1)


def test_every_outcome_is_exported_in_both_forms(station, capsys):
    add(station, *(record(f"SN{n}", outcome, steps=()) for n, outcome in enumerate(Outcome)), record("SN9"))
    rows = list(csv.DictReader(io.StringIO(told(capsys, "export"))))
    assert [row["outcome"] for row in rows] == [*Outcome, "PASS", "PASS"]
    assert (rows[-1]["measurement"], rows[-1]["value"], rows[-1]["upper"]) == ("current", "20.5", "22.0")
    whole = json.loads(told(capsys, "export", "--format", "json"))
    assert [each["outcome"] for each in whole] == [*Outcome, "PASS"]
    told(capsys, "export", "--format", "xml", code=2)


def test_yield_and_pareto_count_units_that_were_judged_alone(station, capsys):
    add(
        station,
        record("A"),
        record("B", Outcome.FAIL, failed="lamps"),
        record("B"),
        record("C", Outcome.FAIL, failed="keys"),
        record("C", Outcome.FAIL, failed="lamps"),
        record("D", Outcome.ABORTED),
        record("D", Outcome.ERROR),
        record("D", Outcome.INCOMPLETE),
        record("E", Outcome.FAIL, failed="power", simulated=True),
    )
    counted = json.loads(told(capsys, "yield", "--json"))
    assert counted == {"units": 3, "first_pass": 1, "passed": 2, "percent": 33.3}
    assert told(capsys, "yield") == "3 units, 1 passed at their first run (33.3 %), 2 in the end\n"
    rows = json.loads(told(capsys, "pareto", "--json"))
    assert rows == [
        {"step": "lamps", "failures": 2, "percent_up_to_here": 66.7},
        {"step": "keys", "failures": 1, "percent_up_to_here": 100.0},
    ]
    assert json.loads(told(capsys, "pareto", "--simulated", "--json"))[0]["step"] == "power"


def test_verify_passes_an_untouched_file_and_fails_a_tampered_one(station, capsys):
    add(station, record("A"), record("B"))
    key = str(station.folder / "station.pub.pem")
    assert "good: station bench-1, 2 records" in told(capsys, "verify", "--key", key)
    assert "NOT GOOD" not in told(capsys, "verify")
    tamper(station.ledger, lambda entries: entries[:1])
    assert "NOT GOOD" in told(capsys, "verify", "--key", key, code=1)


def test_send_is_repeated_without_doubles_and_the_database_bears_witness(station, capsys, tmp_path):
    add(station, record("A"), record("B"))
    assert told(capsys, "send").startswith("2 records sent to sqlite:///")
    assert told(capsys, "send").startswith("0 records sent")
    url = f"sqlite:///{station.folder / 'records.sqlite'}"
    assert len(json.loads(told(capsys, "list", "--database", url, "--json"))) == 2
    assert "2 records" in told(capsys, "verify", "--database", url)
    station.ledger.path.unlink()
    station.ledger.seal_path.unlink()
    add(station, record("A"))
    told(capsys, "verify", "--database", url, code=1)


@pytest.mark.parametrize("arguments", [("burn",), ("show",), ("list", "3"), ("send", "--database", "nonsense")])
def test_bad_usage_is_one_sentence(station, capsys, arguments):
    assert main(["records", *arguments]) == 2
    assert capsys.readouterr().err.count("\n") == 1
