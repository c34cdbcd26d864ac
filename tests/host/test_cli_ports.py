"""The verbs at ports that disappoint: in time, in one sentence, with the exit code; nothing waits for ever."""

import time

import pytest
import serial
from fake_ports import PICO, DeafPort, FakePort, Table, attach, prompt

from taisai.cli import main

VERBS = [["monitor", "--for", "0.2"], ["configure", "get"], ["configure", "set", "brightness_percent=42"]]


@pytest.fixture(params=VERBS, ids=["monitor", "get", "set"])
def run(request, capsys):
    """Run a verb at a port; returns (exit code, what it said) and checks that it ended in time."""

    def run(*port, within_s=8.0):
        start = time.monotonic()
        code = main([*request.param, *port])
        assert time.monotonic() - start < within_s
        printed = capsys.readouterr()
        assert "Traceback" not in printed.err
        assert code == 0 or (printed.out == "" and printed.err.startswith("taisai: "))
        return code, printed.err

    return run


@pytest.mark.parametrize(
    ("far_end", "code", "words"),
    [
        (lambda: FakePort(lambda data: data), 2, "comes back unchanged"),
        (lambda: FakePort(always=b"tick\r\n" * 500), 2, "sends without end"),
        (lambda: FakePort(), 3, "nothing has come for 5 s"),
        (lambda: FakePort(Table(late_s=2)), 0, ""),
        (lambda: FakePort(prompt), 2, "MicroPython is at its prompt"),
        (lambda: FakePort(Table(digest="0" * 16)), 2, "speaks another protocol"),
    ],
    ids=["echo", "flood", "silent", "late", "prompt", "other version"],
)
def test_what_may_be_at_a_port(run, far_end, code, words):
    with far_end() as port:
        ended, said = run("--port", port.path, within_s=20 if code == 0 else 8)
        assert ended == code and words in said


def test_a_port_that_takes_nothing(run):
    with DeafPort() as port:
        port.fill()
        ended, said = run("--port", port.path)
        assert ended == 3 and "takes no bytes" in said


def test_a_port_in_use(run):
    with FakePort(Table()) as port, serial.Serial(port.path, exclusive=True):
        ended, said = run("--port", port.path, within_s=2)
        assert ended == 2 and "is in use" in said


def test_a_port_that_this_user_may_not_write(run, monkeypatch):
    def denied(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("serial.Serial.open", denied)
    with FakePort(Table()) as port:
        ended, said = run("--port", port.path, within_s=2)
        assert ended == 2 and "may not open" in said and port.heard == b""


def test_two_boards_and_none_named(run, monkeypatch):
    with FakePort(Table("aaaaaaaaaaaaaaaa")) as one, FakePort(Table("bbbbbbbbbbbbbbbb")) as other:
        attach(monkeypatch, (one.path, PICO), (other.path, PICO))
        ended, said = run()
        assert ended == 2
        assert f"{one.path}: board aaaaaaaaaaaaaaaa" in said and f"{other.path}: board bbbbbbbbbbbbbbbb" in said
        assert run("--port", "id:bbbbbbbbbbbbbbbb")[0] == 0


def test_no_board_at_all(run, monkeypatch):
    attach(monkeypatch)
    ended, said = run(within_s=1)
    assert ended == 2 and "plug one in, or name a port" in said
