"""`taisai display` as a person types it: what is wrong is said at once, what may come right is waited for."""

import json
import signal
import subprocess

import pytest

from taisai.cli import main


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--port", "x", "--last", "0"), "'--last': must be greater than or equal to 1"),
        (("--port", "x", "--last", "41"), "'--last': must be less than or equal to 40"),
        (("--port", "x", "--last", "many"), "'--last': must be a valid integer"),
        (("--port", "x", "--window", "0"), "'--window': must be greater than or equal to 1"),
        (("--port", "x", "--window", "1001"), "'--window': must be less than or equal to 1000"),
        (("--port", "x", "--table", "nowhere"), "no such table: use one of"),
        (("--port", "x", "--table", "nowhere.toml"), "nowhere.toml"),
        (("--port", "sim:nowhere"), "no such table"),
        (("--port", __file__), "this is no serial port"),
        (("--port", ""), "--port: the name of the port is empty"),
        (("--port", "nothing://there"), "nothing://there: this is no address of a serial port"),
        (("--port", "id:none", "--json"), "no board"),
        (("--port", "x", "--json", "--open"), "--json does without"),
        (("--port", "x", "--json", "--address", "127.0.0.1"), "--json does without"),
        (("--port", "x", "--address", "127.0.0.1:70000"), "is no address"),
        (("--port", "x", "--address", "192.0.2.1:0"), "cannot be served"),
    ],
)
def test_a_mistake_is_one_sentence_at_once(words, said, capsys, monkeypatch):
    monkeypatch.setattr("taisai.client.find.serial_ports", list)
    assert main(["display", *words]) == 2
    told = capsys.readouterr()
    assert told.out == "" and said in told.err and "Traceback" not in told.err


def test_a_port_that_is_not_there_yet_is_waited_for(console_script, tmp_path):
    """A display may be switched on before its table."""
    command = [console_script, "display", "--json", "--port", tmp_path / "port"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        told = json.loads(process.stdout.readline())
        assert not told["connected"] and told["results"] == [] and told["places"] == 20
        assert "no connection, still trying" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130


def test_json_is_one_picture_at_each_change(console_script):
    command = [console_script, "display", "--json", "--port", "sim:kr-pico-tpic6b595", "--last", "3"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        told = json.loads(process.stdout.readline())
        assert told["connected"] and told["language"] == "ko" and told["places"] == 3 and told["results"] == []
        assert [each["name"] for each in told["counts"]] == ["소", "대", "홀", "짝", "애니 트리플", "무효"]
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130


def test_nobody_who_reads_ends_it(console_script):
    command = [console_script, "display", "--json", "--port", "sim:kr-pico-tpic6b595"]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    assert done.returncode == 2 and "Traceback" not in done.stderr
