"""How every command line ends: the exit code, one plain line on stderr for a person's mistake, and no traceback."""

import signal
import socket
import subprocess
import time

import pytest

from taisai.cli import VERBS, main
from taisai.errors import TaisaiError

MISTAKES = [
    (["fly"], "fly"),
    (["explain", "1", "3", "6", "--colour"], "--colour"),
    (["explain"], "D1 D2 D3"),
    (["explain", "1", "3", "7"], "'7' is not the value of a die"),
    (["explain", "1", "3"], "three dice"),
    (["explain", "1", "3", "6", "2"], "three dice"),
    (["explain", "1", "3", "six"], "'six' is not the value of a die"),
    (["explain", "1", "3", "6", "--layout", "macau"], "nz-div9-appendix1"),
    (["layouts", "macau"], "nz-div9-appendix1"),
    (["layouts", "no/such/file.toml"], "no/such/file.toml"),
    (["tables", "macau"], "nz1-pico-hc595"),
    (["table", "--format", "xml"], "xml"),
    (["simulate", "--table", "macau"], "nz1-pico-hc595"),
    (["simulate", "--script", "1 3 6 E", "--link", "/tmp/never"], "--script and --link do not go together"),
    (["simulate", "--state", "/tmp/never"], "--state DIR belongs to --link PATH"),
    (["simulate", "--json"], "--json belongs to --script"),
    (["simulate", "--script", "1 3 9 E"], "script word 3 ('9', at character 5)"),
    (["simulate", "--script", "1 fault:open:nowhere"], "script word 2"),
    (["simulate", "--link", "/no/such/folder/board"], "there is no folder /no/such/folder: make it first"),
    (["simulate", "--link", "/"], "something is there already"),
    (["simulate", "--link", ""], "--link needs a path"),
    (["simulate", "--link", "/tmp/never", "--state", ""], "--state needs a path"),
    (["simulate"], "needs a terminal"),
    (["simulate", "--web", "--script", "1"], "--web goes with neither --script nor --link"),
    (["simulate", "--web", "--link", "/tmp/never"], "--web goes with neither --script nor --link"),
    (["simulate", "--web", "--json"], "--json belongs to --script"),
    (["simulate", "--address", "127.0.0.1"], "--address belongs to --web"),
    (["simulate", "--open"], "--open belongs to --web"),
    (["simulate", "--web", "--address", "127.0.0.1:65536"], "is no address: use HOST or HOST:PORT"),
    (["simulate", "--web", "--address", ""], "is no address"),
    (["simulate", "--web", "--address", ":80"], "is no address"),
    (["simulate", "--web", "--address", "192.0.2.1:0"], "192.0.2.1:0 cannot be served: this computer has no"),
    (["simulate", "--web", "--address", "no.such.host.invalid:0"], "invalid:0 cannot be served: this computer has no"),
    (["simulate", "--web", "--address", "..:0"], "this computer has no such address"),
    (["simulate", "--web", "--address", "\u0661..x"], "is no address"),
    (["simulate", "--web", "--address", "127.0.0.1\n:80"], "is no address"),
]


@pytest.mark.parametrize(("arguments", "named"), MISTAKES, ids=[" ".join(m[0]) or "none" for m in MISTAKES])
def test_a_mistake_is_named_and_ends_with_2(taisai, arguments, named):
    done = taisai(*arguments)
    assert done.returncode == 2, done.stderr
    assert named in done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]"])
def test_a_port_that_another_program_has_is_said_in_one_line(taisai, host):
    family = socket.AF_INET6 if "[" in host else socket.AF_INET
    with socket.create_server((host.strip("[]"), 0), family=family) as other:
        address = f"{host}:{other.getsockname()[1]}"
        done = taisai("simulate", "--web", "--address", address)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr == (
        f"taisai: {address} cannot be served: the port is in use: end the program that has it, or take a free one with "
        f"--address {host}:0\n"
    )


# The words of the library that checks the values are nothing that a person could act on.
INNER = ("Value error", "Input should", "unable to parse", "pydantic", "type=")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["table", "--format", "xml"], "'xml' is not one of 'json', 'csv', 'text'"),
        (["monitor", "--for", "abc"], "must be a valid number"),
        (["monitor", "--for", "-1"], "must be greater than or equal to 0"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_bad_value_is_told_in_our_words(taisai, arguments, words):
    said = taisai(*arguments).stderr
    assert words in said
    assert not [inner for inner in INNER if inner in said]


def test_all_bad_words_of_a_script_are_named(taisai):
    done = taisai("simulate", "--script", "1 9 fault:open:nowhere E fault:cut:8")
    assert done.returncode == 2
    assert [line.partition("script word ")[2][:1] for line in done.stderr.splitlines()] == ["2", "3", "5"]


def test_how_to_stop_a_board_is_said_only_once_it_runs(taisai):
    assert "Ctrl-C" not in taisai("simulate", "--link", "/no/such/folder/board").stderr


def test_an_unknown_option_says_where_the_help_is(taisai):
    assert "Try: taisai explain --help" in taisai("explain", "--colour").stderr


def test_no_arguments_shows_the_verbs(taisai):
    done = taisai()
    assert done.returncode == 2
    assert all(verb in done.stderr for verb in VERBS)


def test_help_names_every_verb_and_the_exit_codes(taisai):
    done = taisai("--help")
    assert done.returncode == 0
    assert all(verb in done.stdout for verb in VERBS)
    assert "130 interrupted" in done.stdout


def test_a_reader_that_leaves_early_is_no_error(console_script):
    process = subprocess.Popen([console_script, "table"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    process.stdout.read(10)
    process.stdout.close()
    assert process.stderr.read() == ""
    assert process.wait(timeout=60) == 0


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_a_served_board_runs_until_it_is_stopped(console_script, tmp_path, stop):
    """Stopping it is how it is meant to end, so that is a pass; the port is gone afterwards."""
    link = tmp_path / "board"
    process = subprocess.Popen(
        [console_script, "simulate", "--link", link], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    end = time.monotonic() + 60
    while not link.exists() and time.monotonic() < end:
        time.sleep(0.05)
    assert link.exists()
    process.send_signal(stop)
    result, said = process.communicate(timeout=60)
    assert process.returncode == 0
    assert (result, str(link) in said, "Traceback" in said) == ("", True, False)
    assert not link.is_symlink()


@pytest.mark.parametrize(
    ("error", "code"),
    [(TaisaiError("in words"), 2), (KeyboardInterrupt(), 130), (ZeroDivisionError("a defect"), 2)],
    ids=["mistake", "interrupt", "defect"],
)
def test_no_way_out_is_an_exception(monkeypatch, capsys, error, code):
    def fail(layout):
        raise error

    monkeypatch.setattr("taisai.cli.layouts.load_layout", fail)
    assert main(["layouts", "any"]) == code
    said = capsys.readouterr().err
    # A defect of ours shows where it happened, and does not accuse the unit (exit code 1).
    assert ("Traceback" in said) == isinstance(error, ZeroDivisionError)
