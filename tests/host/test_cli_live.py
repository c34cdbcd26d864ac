"""`taisai simulate` in a terminal, as a person uses it: a real pseudo-terminal, the real firmware, keys typed."""

import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from fcntl import ioctl

import pytest

LINES, COLUMNS = 30, 100
PATIENCE_S = 60
ENTER, LEAVE, SHOW_CURSOR = b"\x1b[?1049h", b"\x1b[?1049l", b"\x1b[?25h"
CONTROL = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal:
    """The person's side: types, and reads the picture that is on the screen."""

    def __init__(self, *command, lines=LINES, columns=COLUMNS, term="xterm"):
        self.screen, slave = pty.openpty()
        self.resize(lines, columns)
        self.before = termios.tcgetattr(slave)
        self.slave = slave
        # A shell may have exported another size, which was true before the window was resized.
        environment = {**os.environ, "TERM": term, "COLUMNS": "80", "LINES": "24"}
        self.process = subprocess.Popen(
            command,
            stdin=slave, stdout=slave, stderr=slave, env=environment, start_new_session=True,
            # The terminal is its own, so that Ctrl-C typed there interrupts it.
            preexec_fn=lambda: ioctl(0, termios.TIOCSCTTY, 0),
        )  # fmt: skip
        self.all = b""
        self._seen = b""

    def resize(self, lines: int, columns: int) -> None:
        ioctl(self.screen, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def type(self, keys: str) -> None:
        os.write(self.screen, keys.encode())

    def lights(self) -> list[str]:
        """Press ENTRY until the board, which compares its files first, accepts it; the names of what lights."""
        for _ in range(PATIENCE_S):
            self.type("\r")
            try:
                lit = self.wait_for(lambda picture: "[10]" in picture and "quit" in picture, "a lit layout", 2)
                return re.findall(r"\[(\w+)\]", lit)
            except AssertionError as error:
                last = error
        raise last

    def wait_for(self, condition, what: str, patience_s: float = PATIENCE_S) -> str:
        """Read until the newest picture fulfils the condition; returns it. A picture begins with the table's name."""
        end = time.monotonic() + patience_s
        while time.monotonic() < end:
            picture = CONTROL.sub(b"", self._seen).decode(errors="replace").replace("\r", "")
            for newest in reversed(picture.split("nz1-pico-hc595: ")[-2:]):
                if condition(newest):
                    self._seen = b""
                    return newest
            if select.select([self.screen], [], [], 0.2)[0]:
                self._read()
        raise AssertionError(f"never seen: {what}\n{picture[-3000:]}")

    def end(self) -> int:
        """Wait for the process, reading on so that it cannot block."""
        end = time.monotonic() + PATIENCE_S
        while self.process.poll() is None and time.monotonic() < end:
            if select.select([self.screen], [], [], 0.1)[0]:
                self._read()
        return self.process.wait(timeout=1)

    def _read(self) -> None:
        data = os.read(self.screen, 65536)
        self.all += data
        self._seen = (self._seen + data)[-100_000:]

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.screen)
        os.close(self.slave)


def is_as_it_was(terminal: Terminal) -> bool:
    """The modes, the screen that was there before, and the cursor."""
    modes = termios.tcgetattr(terminal.slave) == terminal.before
    return modes and terminal.all.rfind(LEAVE) > terminal.all.rfind(ENTER) and SHOW_CURSOR in terminal.all


@pytest.fixture
def person(console_script):
    """A person at a terminal in which the simulation has been started."""
    one = Terminal(console_script, "simulate")
    yield one
    one.close()


def test_a_throw_is_keyed_seen_and_ended(person):
    # The digits come up with random segments, shown as ?, until the firmware has started.
    person.wait_for(lambda picture: "q quit" in picture and not set("[?_|") & set(picture), "dark lamps and digits")
    # Faster than a hand could: the keys are pressed one after the other all the same.
    person.type("136")
    assert person.lights() == ["SMALL", "10", "13", "16", "36", "1", "3", "6"]
    person.type("h\r")
    person.wait_for(lambda picture: "quit" in picture and "[" not in picture, "the end of the game: dark")
    person.type("q")
    assert person.end() == 0
    assert is_as_it_was(person)


def test_switch_and_power(person):
    person.wait_for(lambda picture: "key-switch off" in picture, "the switch off")
    person.type("s")
    person.wait_for(lambda picture: "key-switch on" in picture, "the switch on")
    person.type("p")
    person.wait_for(lambda picture: "power off" in picture, "the power off")
    person.type("p")
    person.wait_for(lambda picture: "power on" in picture, "the power on")
    # Ctrl-C leaves too, and the terminal is as it was.
    person.type("\x03")
    assert person.end() == 130
    assert is_as_it_was(person)


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGHUP])
def test_a_request_to_end_gives_the_terminal_back(person, stop):
    person.wait_for(lambda picture: "q quit" in picture, "the picture")
    person.process.send_signal(stop)
    assert person.end() == 130
    assert is_as_it_was(person)


def test_ctrl_z_gives_the_terminal_back_until_it_is_continued(console_script):
    """Under a shell with job control, as a person has it."""
    script = 'set -m; "$0" simulate; stty -a; echo "stopped"; read line; fg; echo "ended $?"'
    person = Terminal("sh", "-c", script, str(console_script))
    try:
        person.wait_for(lambda picture: "q quit" in picture, "the picture")
        person.type("s")
        person.wait_for(lambda picture: "key-switch on" in picture, "the switch on")
        person.type("\x1a")
        shell = person.wait_for(lambda picture: "stopped" in picture, "the shell")
        assert " icanon" in shell and " echo" in shell
        assert person.all.rfind(LEAVE) > person.all.rfind(ENTER)
        person.type("\n")
        person.wait_for(lambda picture: "q quit" in picture and "key-switch on" in picture, "the picture as it was")
        person.type("q")
        person.wait_for(lambda picture: "ended 0" in picture, "the shell again")
        assert is_as_it_was(person)
    finally:
        person.close()


def test_it_draws_anew_after_it_was_stopped_from_outside(person):
    person.wait_for(lambda picture: "q quit" in picture, "the picture")
    person.process.send_signal(signal.SIGSTOP)
    termios.tcsetattr(person.slave, termios.TCSANOW, person.before)  # as a shell does
    person.process.send_signal(signal.SIGCONT)
    person.wait_for(lambda picture: "q quit" in picture, "the picture, drawn anew")
    person.type("q")  # without Enter
    assert person.end() == 0
    assert is_as_it_was(person)


# As xterm, rxvt and the Linux console send them: F1, F5, F12, Ctrl-Up, Home, Delete, Alt-1, a paste, an answer, Esc.
SEQUENCES = [
    "\x1bOP", "\x1b[15~", "\x1b[24~", "\x1b[1;5A", "\x1b[1~", "\x1b[3~", "\x1b1", "\x1b[200~", "\x1b]11;rgb:1/2/3\x07",
    "\x1b[[E", "\x1bO5P", "\x1b\x1b[A", "\x1b",
]  # fmt: skip


def test_keys_without_a_character_are_no_digits(person):
    person.wait_for(lambda picture: "q quit" in picture and not set("[?_|") & set(picture), "dark lamps and digits")
    for sequence in SEQUENCES:
        person.type(sequence)
        time.sleep(0.2)
    # Slowly, as over a bad line: the parts belong together all the same.
    for part in ("\x1b", "[1", "5~"):
        person.type(part)
        time.sleep(0.02)
    time.sleep(0.3)
    person.type("136")
    assert person.lights() == ["SMALL", "10", "13", "16", "36", "1", "3", "6"]


def test_a_terminal_that_is_too_small_says_so_until_it_is_made_larger(console_script):
    person = Terminal(console_script, "simulate", lines=10, columns=60)
    try:
        person.wait_for(lambda picture: "needs 75 and 17" in " ".join(picture.split()), "what is too small")
        person.resize(17, 75)
        person.wait_for(lambda picture: "q quit" in picture, "the picture")
        person.resize(17, 74)
        person.wait_for(lambda picture: "has 74 columns and 17 lines" in " ".join(picture.split()), "too small again")
        person.type("q")
        assert person.end() == 0
        assert is_as_it_was(person)
    finally:
        person.close()


@pytest.mark.parametrize("term", ["dumb", "unknown", ""])
def test_a_terminal_that_cannot_draw(console_script, term):
    person = Terminal(console_script, "simulate", term=term)
    try:
        assert person.end() == 2
        said = person.all.decode()
        assert "needs a terminal that can draw" in said and "\x1b" not in said and "--script" in said
    finally:
        person.close()


def test_a_terminal_that_is_gone(console_script):
    person = Terminal(console_script, "simulate")
    person.wait_for(lambda picture: "q quit" in picture, "the picture")
    os.close(person.slave)
    os.close(person.screen)
    assert person.process.wait(timeout=PATIENCE_S) in (2, 130)
