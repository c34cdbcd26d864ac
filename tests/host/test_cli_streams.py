"""The command's own streams: any encoding, full, closed, broken, and Ctrl-C while it is still loading."""

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

FULL = Path("/dev/full")
full = pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full: Linux")

# Title in Korean, blocks of the drawn digits, arguments that are no text at all.
UNICODE = [["layouts", "kr-daisai"], ["explain", "1", "3", "6", "--layout", "kr-daisai"], ["layouts", "다이사이"]]
ENCODINGS = [{"PYTHONIOENCODING": "cp1252"}, {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C"}]


def shell(console_script, words, redirect, **options):
    """The command with its streams as a shell redirects them."""
    command = f'exec "$0" {words} {redirect}'
    return subprocess.run(
        ["sh", "-c", command, console_script], capture_output=True, text=True, timeout=120, **options
    )


@pytest.mark.parametrize("arguments", UNICODE, ids=" ".join)
@pytest.mark.parametrize("encoding", ENCODINGS, ids=lambda encoding: "".join(encoding.values()))
def test_any_text_in_any_encoding(console_script, arguments, encoding):
    done = subprocess.run(
        [console_script, *arguments], capture_output=True, timeout=120, env={**os.environ, **encoding}
    )
    assert done.returncode == (2 if "다이사이" in arguments else 0), done.stderr
    assert b"Traceback" not in done.stderr
    assert b"\\u" in done.stdout + done.stderr


@pytest.mark.parametrize("encoding", ENCODINGS, ids=lambda encoding: "".join(encoding.values()))
def test_json_stays_json_in_any_encoding(console_script, encoding):
    command = [console_script, "layouts", "kr-daisai", "--json"]
    done = subprocess.run(command, capture_output=True, timeout=120, env={**os.environ, **encoding})
    assert "다이사이" in json.loads(done.stdout.decode("ascii"))["title"]


def test_an_argument_that_is_no_text(console_script):
    done = subprocess.run([console_script, "explain", b"\xff\xfe", "3", "6"], capture_output=True, timeout=120)
    assert done.returncode == 2 and b"Traceback" not in done.stderr and b"udcff" in done.stderr


# More than a buffer holds, less than one, and the help, which ends another way.
@pytest.mark.parametrize("words", ["table", "tables", "--help", "layouts --json"])
@pytest.mark.parametrize(
    ("redirect", "reason"),
    [pytest.param("> /dev/full", "No space left on device", marks=full), (">&-", "standard output is closed")],
)
def test_a_result_that_cannot_be_written_is_one_sentence_and_2(console_script, words, redirect, reason):
    done = shell(console_script, words, redirect)
    assert (done.returncode, done.stderr) == (2, f"taisai: the result cannot be written: {reason}\n")


@pytest.mark.parametrize("redirect", [pytest.param("2> /dev/full", marks=full), "2>&-", "<&- >&- 2>&-", "<&- 2>&-"])
def test_a_mistake_that_cannot_be_told_is_2_all_the_same(console_script, redirect):
    done = shell(console_script, "fly", redirect)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "")


@pytest.mark.parametrize("redirect", [pytest.param("2> /dev/full", marks=full), "2>&-", "<&-"])
def test_a_result_does_not_need_the_other_streams(console_script, redirect):
    done = shell(console_script, "tables", redirect)
    assert (done.returncode, done.stderr) == (0, "")
    assert "nz1-pico-hc595" in done.stdout


def test_a_file_never_takes_the_number_of_a_closed_stream(console_script, tmp_path):
    """Else what is printed would end in the file that is just being written."""
    made, plain = tmp_path / "made", tmp_path / "plain"
    build = "build --table nz1-pico-hc595 --output"
    assert shell(console_script, f"{build} {plain}", "").returncode == 0
    assert shell(console_script, f"{build} {made}", "<&- >&- 2>&-").returncode == 2
    assert made.read_bytes() == plain.read_bytes()


@pytest.mark.parametrize("module", ["typing", "typer"])  # among the first, and the command line's own
def test_ctrl_c_while_it_is_still_loading(console_script, tmp_path, module):
    slow = "import os, sys, time\nsys.path.remove(os.path.dirname(__file__))  # the real one the next time\n"
    slow += "print('loading', file=sys.stderr, flush=True)\ntime.sleep(60)\n"
    (tmp_path / f"{module}.py").write_text(slow)
    process = subprocess.Popen(
        [console_script, "tables"], stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(tmp_path)}
    )
    assert process.stderr.readline() == "loading\n"
    process.send_signal(signal.SIGINT)
    assert process.stderr.read() == "taisai: interrupted\n"
    process.stderr.close()
    assert process.wait(timeout=60) == 130
