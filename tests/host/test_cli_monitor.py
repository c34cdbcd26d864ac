"""`taisai monitor`: the present state, then every change; gaps are told; it ends when it should."""

import json
import signal
import subprocess
import threading
import time

import pytest
from fake_ports import FakePort, Table

from taisai.cli import main


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


def later(*steps):
    """Do each step 0.3 s after the one before, beside the test."""

    def work():
        for step in steps:
            time.sleep(0.3)
            step()

    thread = threading.Thread(target=work)
    thread.start()
    return thread


def test_changes_as_they_happen(capsys):
    table = Table()
    with FakePort(table) as fake:
        thread = later(*(lambda text=text: setattr(table, "digits", text) for text in ("1", "13", "136")))
        start = time.monotonic()
        assert main(["monitor", "--port", fake.path, "--for", "1.5", "--json"]) == 0
        assert 1.4 < time.monotonic() - start < 3
        thread.join()
    seen = lines(capsys.readouterr().out)
    assert [each["digits"] for each in seen] == ["", "1", "13", "136"]
    assert seen[0]["state"] == "idle" and [each["seconds"] for each in seen] == sorted(each["seconds"] for each in seen)
    assert not table.verbs.feed.listening


def test_lost_events_are_told(capsys, monkeypatch):
    table = Table(spoil=lambda number, line: b"" if line.startswith(b'! state {"') and b'"seq":1,' in line else line)
    with FakePort(table) as fake:
        thread = later(*(lambda text=text: setattr(table, "digits", text) for text in ("1", "13")))
        assert main(["monitor", "--port", fake.path, "--for", "1", "--json"]) == 0
        thread.join()
    seen = lines(capsys.readouterr().out)
    assert [each.get("missed") or each["digits"] for each in seen] == ["", 1, "13"]


def test_a_lost_last_event_is_told_too(capsys, monkeypatch):
    monkeypatch.setattr("taisai.cli.monitor._CHECK_S", 0.8)
    table = Table(spoil=lambda number, line: b"" if line.startswith(b"!") else line)
    with FakePort(table) as fake:
        thread = later(lambda: setattr(table, "digits", "6"))
        assert main(["monitor", "--port", fake.path, "--for", "1.5"]) == 0
        thread.join()
    shown = capsys.readouterr().out.splitlines()
    assert len(shown) == 3 and "1 changes were missed" in shown[1] and "digits 6" in shown[2]


def test_pulling_the_cable_ends_it_with_3(capsys):
    with FakePort(Table()) as fake:
        thread = later(lambda: setattr(fake, "_answer", lambda data: fake.unplug() or b""))
        assert main(["monitor", "--port", fake.path, "--for", "20"]) == 3
        thread.join()
    assert "the port has gone" in capsys.readouterr().err


@pytest.mark.parametrize("as_json", [[], ["--json"]])
def test_ctrl_c_ends_it_with_130(console_script, as_json):
    with FakePort(Table()) as fake:
        command = [console_script, "monitor", "--port", fake.path, *as_json]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            assert "idle" in process.stdout.readline()
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=20) == 130
            assert "Traceback" not in process.stderr.read()
