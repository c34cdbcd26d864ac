"""Unmodified mpremote and ampy at the serial port of a virtual board, each as its own process."""

import hashlib
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from prompt_board import blank_board

from taisai.errors import TaisaiError
from taisai.sim.linkpty import LinkPty

TIMEOUT_S = 40
ALL_BYTES = bytes(range(256)) * 12


class Port:
    """A blank board behind a serial port, kept running by a thread, and the clients that are started at it."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.path = folder / "port"
        self.board = blank_board()
        self._link = LinkPty(self.path)
        self._stopped = threading.Event()
        self._failure = []
        self._thread = threading.Thread(target=self._run)

    def __enter__(self):
        self.board.power_on()
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stopped.set()
        self._thread.join()
        self._link.close()
        self.board.power_off()
        assert not self._failure, self._failure

    def _run(self):
        try:
            self._link.run(self.board, self._stopped.is_set)
        except Exception as error:
            self._failure.append(error)
            raise

    def _client(self, *command: str) -> str:
        tool = Path(sys.executable).with_name(command[0])
        done = subprocess.run(
            [tool, *command[1:]],
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
        )
        assert done.returncode == 0, (command, done.stdout, done.stderr)
        return done.stdout

    def mpremote(self, *arguments: str) -> str:
        return self._client("mpremote", "connect", str(self.path), *arguments)

    def ampy(self, *arguments: str) -> str:
        return self._client("ampy", "--port", str(self.path), "--delay", "0.2", *arguments)


@pytest.fixture
def port(tmp_path):
    with Port(tmp_path) as port:
        yield port


def test_mpremote_runs_code_and_copies_both_ways(port):
    assert port.mpremote("exec", "print(6 * 7)").strip() == "42"
    (port.folder / "sent").write_bytes(ALL_BYTES)
    port.mpremote("fs", "cp", "sent", ":kept")
    assert f"{len(ALL_BYTES)} kept" in port.mpremote("fs", "ls")
    assert hashlib.sha256(ALL_BYTES).hexdigest() in port.mpremote("fs", "sha256sum", "kept")
    port.mpremote("fs", "cp", ":kept", "back")
    assert (port.folder / "back").read_bytes() == ALL_BYTES
    assert "Up to date" in port.mpremote("fs", "cp", "sent", ":kept")


def test_mpremote_resets_softly_and_hard(port):
    port.mpremote("exec", "file = open('main.py', 'w'); file.write('started = 1'); file.close()")
    assert port.mpremote("exec", "print('started' in globals())").strip() == "False"
    port.mpremote("soft-reset")
    assert port.board.starts[-1] == "soft"
    port.mpremote("reset")
    deadline = time.monotonic() + TIMEOUT_S
    while port.board.starts[-1] != "program" or port.board.mode != "prompt":
        assert time.monotonic() < deadline, port.board.starts
        time.sleep(0.05)
    assert port.mpremote("resume", "exec", "print(started)").strip() == "1"
    # On the RP2040 port a reset by the program goes through the watchdog and is told so.
    assert port.mpremote("resume", "exec", "import machine; print(machine.reset_cause())").strip() == "3"


def test_mpremote_interrupts_a_program_that_never_ends(port):
    (port.folder / "forever.py").write_text("import time\nwhile True:\n    time.sleep_ms(10)\n")
    port.mpremote("run", "--no-follow", "forever.py")
    assert port.mpremote("exec", "print('back')").strip() == "back"


def test_ampy_lists_puts_gets_runs_and_resets(port):
    (port.folder / "hello.py").write_text("print('hello', 6 * 7)\n")
    assert port.ampy("ls").strip() == ""
    port.ampy("put", "hello.py")
    assert port.ampy("ls").strip() == "/hello.py"
    assert port.ampy("get", "hello.py").strip() == "print('hello', 6 * 7)"
    assert port.ampy("run", "hello.py").strip() == "hello 42"
    port.ampy("reset")
    assert port.board.starts[-1] == "soft"
    assert port.ampy("ls").strip() == "/hello.py"


def test_output_without_a_client_is_lost_and_an_unread_client_stops_the_board_for_a_moment_only(port):
    port.mpremote("exec", "--no-follow", "for i in range(5000): print('lost' * 10)")
    assert port.mpremote("exec", "print('after')").strip() == "after"
    holder = os.open(port.path, os.O_RDWR | os.O_NOCTTY)
    try:
        os.write(holder, b"\x02for i in range(20000): print('unread' * 10)\r\r")
        time.sleep(2)
        os.write(holder, b"\x03")
    finally:
        os.close(holder)
    assert port.mpremote("exec", "print('after')").strip() == "after"


def test_a_port_that_exists_is_not_overwritten_and_a_stale_one_is(tmp_path):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(TaisaiError, match="file"):
        LinkPty(tmp_path / "file")
    assert (tmp_path / "file").read_text() == "mine"
    (tmp_path / "stale").symlink_to("/dev/pts/99999")
    link = LinkPty(tmp_path / "stale")
    with pytest.raises(TaisaiError, match="stale"):
        LinkPty(tmp_path / "stale")
    link.close()
    assert not (tmp_path / "stale").is_symlink()


def test_what_is_not_ours_stays(tmp_path):
    port = tmp_path / "port"
    for target in (tmp_path / "not mounted now", "/dev/serial/by-id/unplugged", "gone", "/dev/pts/99999x"):
        port.symlink_to(target)
        with pytest.raises(TaisaiError, match="port"):
            LinkPty(port)
        assert os.readlink(port) == str(target)
        port.unlink()
    link = LinkPty(port)
    port.unlink()
    port.symlink_to("somewhere else")
    link.close()
    assert os.readlink(port) == "somewhere else"


def test_a_path_that_cannot_be_is_one_sentence(tmp_path):
    for path in (tmp_path / ("x" * 300), tmp_path / "no" / "folder", Path()):
        with pytest.raises(TaisaiError, match="cannot make the serial port"):
            LinkPty(path)
