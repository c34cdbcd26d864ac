"""`taisai configure`: a bad value changes nothing and is named; what is exported can be imported again."""

import json
import time

import pytest
from fake_ports import FakePort, Table, attach

from taisai.cli import main


@pytest.fixture
def table():
    return Table()


@pytest.fixture
def run(table, capsys):
    """Run the verb against the table; returns (exit code, what it printed, what it said)."""
    with FakePort(table) as fake:

        def run(*arguments):
            code = main(["configure", *arguments, "--port", fake.path])
            printed = capsys.readouterr()
            return code, printed.out, printed.err

        run.fake = fake
        yield run


DELIVERED = {"brightness_percent": 100, "opening_test": False, "day_begins_hour_utc": 18}
NEVER_SET = {"serial_number": None, "model": None, "hardware_revision": None, "manufactured": None}


def test_get(run):
    code, printed, _ = run("get", "--json")
    assert code == 0 and json.loads(printed) == {"settings": DELIVERED, "identity": NEVER_SET}
    code, printed, _ = run("get", "model", "brightness_percent", "--json")
    assert json.loads(printed) == {"settings": {"brightness_percent": 100}, "identity": {"model": None}}
    assert run("get", "model")[1].splitlines() == ["key    value", "model  -"]


def test_what_get_shows_is_what_set_takes(run):
    assert run("set", "opening_test=True")[0] == 0
    key, value = run("get", "opening_test")[1].splitlines()[1].split()
    assert (key, value) == ("opening_test", "true")
    assert run("set", f"{key}={value}")[0] == 0


def test_set_and_take_away(run, table):
    code, printed, _ = run("set", "brightness_percent=42", "model=TS-2", "manufactured=29/02/2024", "--json")
    assert code == 0
    assert json.loads(printed) == {
        "settings": {"brightness_percent": 42},
        "identity": {"model": "TS-2", "manufactured": "29/02/2024"},
    }
    assert run("set", "model=")[0] == 0
    assert json.loads(run("get", "--json")[1])["identity"] == {**NEVER_SET, "manufactured": "29/02/2024"}
    assert table.writes == 3


def test_a_change_tells_the_time_and_does_not_depend_on_it(run, table):
    before = int(time.time())
    assert run("set", "model=TS-2")[0] == 0
    assert len(table.times) == 1 and before <= table.times[0] <= time.time()
    table.clock_fails = True
    code, _, said = run("set", "model=TS-3")
    assert code == 0 and "the clock does not take it" in said and table.files["/data/identity.json"].count(b"TS-3") == 1
    run("get")
    assert len(table.times) == 1, "reading tells nothing"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["set", "brightness_percent=5", "model=X"], "brightness_percent = 5: must be a whole number from 10 to 100"),
        (["set", "brightness_percent=bright"], "brightness_percent = 'bright': must be a whole number from 10 to 100"),
        (["set", "brightness_percent="], "brightness_percent = '': must be a whole number from 10 to 100"),
        (["set", "brightness_percent=50", "manufactured=31/02/2024"], "manufactured = '31/02/2024': must be a date"),
        (["set", f"model={'x' * 25}"], "must be 1 to 24 characters"),
        (["set", "colour=red"], "colour: no such key; the keys are brightness_percent, opening_test"),
        (["set", "model"], "give KEY=VALUE"),
        (["set"], "nothing to set"),
        (["get", "colour"], "colour: no such key"),
        (["import"], "give one file"),
        (["import", "/no/such/file.json"], "/no/such/file.json: cannot be read: No such file"),
        (["export", "/no/such/folder/file.json"], "/no/such/folder/file.json: cannot be written: No such file"),
        (["export", "one", "two"], "give one file"),
        (["erase"], "the actions are get, set, export, import"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)
def test_a_mistake_is_named_and_changes_nothing(run, table, arguments, words):
    code, printed, said = run(*arguments)
    assert (code, printed) == (2, "") and words in said and "Traceback" not in said
    assert table.writes == 0


def test_wrong_values_are_all_named_and_nothing_is_sent(run):
    _, _, said = run("set", "brightness_percent=5", "manufactured=today")
    assert len(said.splitlines()) == 2 and run.fake.heard == b""


def test_what_is_exported_can_be_imported(run, table, tmp_path):
    run("set", "brightness_percent=42", "serial_number=TS-000123")
    file = tmp_path / "unit.json"
    code, printed, said = run("export", str(file))
    assert (code, printed) == (0, "") and str(file) in said
    content = json.loads(file.read_text())
    assert content["board"] == "e6614103e7452d2f" and content["identity"]["serial_number"] == "TS-000123"
    run("set", "brightness_percent=80", "serial_number=")
    assert run("import", str(file))[0] == 0
    assert json.loads(run("export")[1]) == content


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("{", "is not JSON"),
        ("[]", "is no export"),
        ('{"format": 2}', "is no export"),
        ('{"format": 1}', "nothing to set"),
        ('{"format": 1, "settings": [1]}', "settings = [1]: must be an object"),
        ('{"format": 1, "settings": {"brightness_percent": 5}, "identity": {"model": "X"}}', "from 10 to 100"),
        ('{"format": 1, "settings": {"colour": "red"}}', "colour = 'red': no such name"),
    ],
)
def test_a_bad_file_changes_nothing(run, table, tmp_path, content, words):
    file = tmp_path / "unit.json"
    file.write_text(content)
    code, printed, said = run("import", str(file))
    assert (code, printed) == (2, "") and words in said
    assert table.writes == 0


def test_a_table_with_a_lit_result_is_not_changed(run, table):
    table.state = "result"
    code, printed, said = run("set", "brightness_percent=42")
    assert (code, printed) == (2, "") and "not allowed in the present state" in said and table.writes == 0


def test_a_full_volume_is_the_units_fault(run, table):
    def full(path, data):
        raise OSError(28, "ENOSPC")

    table.replace = full
    code, printed, said = run("set", "brightness_percent=42")
    assert (code, printed) == (1, "") and "nothing has changed" in said
    assert json.loads(run("get", "--json")[1])["settings"] == DELIVERED


def test_without_a_port_the_only_board_is_meant(monkeypatch, capsys):
    attach(monkeypatch)
    assert main(["configure", "get"]) == 2
    assert "no serial port is one that boards have" in capsys.readouterr().err
