"""Boards behind a serial port in real time: `taisai`, unmodified mpremote and ampy in turn, and boards side by side."""

import hashlib
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from deploy_tools import TABLE, blank, first, is_exactly, with_release

from taisai.client import open_board
from taisai.sim.linkpty import LinkPty

CONSOLE_SCRIPT = Path(sys.executable).with_name("taisai")
WATCHDOG_S = 8.4
# The issue asks for 30 s; the ordinary run shows that the watchdog is outlived.
COPY_S = 30 if os.environ.get("TAISAI_SOAK") else WATCHDOG_S + 3


class Served:
    """A board behind a port of its own, kept running by a thread."""

    def __init__(self, board, path):
        self.board, self.path = board, path
        self._stop = threading.Event()
        self._link = LinkPty(path)
        self._thread = threading.Thread(target=self._link.run, args=(board, self._stop.is_set))

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join()
        self._link.close()
        self.board.power_off()


def run(tool, *arguments, limit_s=120):
    done = subprocess.run(
        [CONSOLE_SCRIPT.with_name(tool), *map(str, arguments)],
        capture_output=True, text=True, timeout=limit_s, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert done.returncode == 0, (arguments, done.stdout, done.stderr)
    return done.stdout


def to_service(path):
    with open_board(str(path)) as board:
        board.service()
    time.sleep(1.5)


def test_flash_verify_and_then_mpremote_and_ampy_see_the_same_files(tmp_path):
    with Served(blank(), tmp_path / "port") as served:
        told = json.loads(run("taisai", "flash", "--table", TABLE, "--port", served.path, "--json"))["boards"][0]
        assert told["verdict"] == "pass" and told["backend"] == "mpremote" and told["state"] == "idle"
        report = json.loads(run("taisai", "verify", "--port", served.path, "--json"))
        assert report["verdict"] == "pass" and report["read_back"] == len(first().folder) + 2
        to_service(served.path)
        for path in ("app-1/wiring.mpy", "app-1/table.bin", "main.py"):
            content = first().volume()[f"/{path}"]
            shown = run("mpremote", "connect", served.path, "resume", "sha256sum", path)
            assert hashlib.sha256(content).hexdigest() in shown
            run("ampy", "--port", served.path, "get", path, tmp_path / "got")
            assert (tmp_path / "got").read_bytes() == content
        assert set(run("ampy", "--port", served.path, "ls", "/").split()) == {"/app-1", "/current", "/data", "/main.py"}
        # From whatever state the other tools have left it in.
        told = json.loads(run("taisai", "flash", "--table", TABLE, "--port", served.path, "--json"))["boards"][0]
        assert told["sent"] == [] and is_exactly(served.board, first())


def test_a_long_mpremote_copy_in_service_mode_is_not_cut_by_the_watchdog(tmp_path):
    with Served(with_release(first()), tmp_path / "port") as served:
        assert served.board.bench.watchdog.running
        to_service(served.path)
        starts = len(served.board.starts)
        file = tmp_path / "big"
        file.write_bytes(os.urandom(4096))
        end = time.monotonic() + COPY_S
        copies = 0
        while time.monotonic() < end:
            run("mpremote", "connect", served.path, "resume", "fs", "cp", "-f", file, f":copy-{copies % 4}")
            copies += 1
        assert copies >= 3
        assert len(served.board.starts) == starts and served.board.mode == "prompt"
        shown = run("mpremote", "connect", served.path, "resume", "sha256sum", f"copy-{(copies - 1) % 4}")
        assert hashlib.sha256(file.read_bytes()).hexdigest() in shown


def test_all_boards_side_by_side(tmp_path):
    with Served(blank(seed=1), tmp_path / "a") as one, Served(with_release(first(), seed=2), tmp_path / "b") as two:
        ports = ["--port", one.path, "--port", two.path]
        told = json.loads(run("taisai", "flash", "--table", TABLE, "--all", *ports, "--json"))["boards"]
        assert [each["verdict"] for each in told] == ["pass", "pass"]
        assert len(told[0]["sent"]) == len(first().folder) + 1 and told[1]["sent"] == []
        assert told[0]["board"] != told[1]["board"]
        assert is_exactly(one.board, first()) and is_exactly(two.board, first())
        lines = run("taisai", "flash", "--table", TABLE, "--all", *ports).splitlines()
        assert [line[:4] for line in lines] == ["PASS", "PASS"]


def test_what_is_foreign_is_only_removed_with_a_yes(tmp_path):
    with Served(blank(files={"/boot.py": b"pass\n"}), tmp_path / "port") as served:
        command = [CONSOLE_SCRIPT, "flash", "--table", TABLE, "--port", served.path]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
        assert done.returncode == 2 and "/boot.py" in done.stderr and "say --yes" in done.stderr
        assert "Traceback" not in done.stderr
        told = json.loads(run("taisai", "flash", "--table", TABLE, "--port", served.path, "--yes", "--json"))
        assert told["boards"][0]["removed"] == ["/boot.py"]
        assert is_exactly(served.board, first())


@pytest.mark.parametrize("signal_name", ["SIGINT", "SIGKILL"])
def test_a_program_that_is_stopped_leaves_a_board_that_can_be_flashed(tmp_path, signal_name):
    import signal

    with Served(blank(), tmp_path / "port") as served:
        command = [CONSOLE_SCRIPT, "flash", "--table", TABLE, "--port", str(served.path)]
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL)
        for line in process.stderr:
            if "writing" in line:
                break
        time.sleep(0.3)
        process.send_signal(getattr(signal, signal_name))
        rest = process.stderr.read()
        assert process.wait(20) == (130 if signal_name == "SIGINT" else -9), rest
        run("taisai", "flash", "--table", TABLE, "--port", served.path)
        assert is_exactly(served.board, first())
