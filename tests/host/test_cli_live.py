"""`taisai simulate` in a terminal, as a person uses it: a real pseudo-terminal, the real firmware, keys typed."""

import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
from fcntl import ioctl

import pytest

LINES, COLUMNS = 30, 100
PATIENCE_S = 30
CONTROL = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal:
    """The person's side: types, and reads the picture that is on the screen."""

    def __init__(self, *command):
        self.screen, slave = pty.openpty()
        ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        self.before = termios.tcgetattr(slave)
        self.slave = slave
        environment = {**os.environ, "TERM": "xterm"}
        self.process = subprocess.Popen(
            command,
            stdin=slave, stdout=slave, stderr=slave, env=environment, start_new_session=True,
            # The terminal is its own, so that Ctrl-C typed there interrupts it.
            preexec_fn=lambda: ioctl(0, termios.TIOCSCTTY, 0),
        )  # fmt: skip
        self._seen = b""

    def type(self, keys: str) -> None:
        os.write(self.screen, keys.encode())

    def wait_for(self, condition, what: str) -> str:
        """Read until the newest picture fulfils the condition; returns it. A picture begins with the table's name."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            picture = CONTROL.sub(b"", self._seen).decode(errors="replace").replace("\r", "")
            for newest in reversed(picture.split("nz1-pico-hc595: ")[-2:]):
                if condition(newest):
                    self._seen = b""
                    return newest
            if select.select([self.screen], [], [], 0.2)[0]:
                self._seen = (self._seen + os.read(self.screen, 65536))[-100_000:]
        raise AssertionError(f"never seen: {what}\n{picture[-3000:]}")

    def end(self) -> int:
        """Wait for the process, reading on so that it cannot block."""
        end = time.monotonic() + PATIENCE_S
        while self.process.poll() is None and time.monotonic() < end:
            if select.select([self.screen], [], [], 0.1)[0]:
                self._seen += os.read(self.screen, 65536)
        return self.process.wait(timeout=1)


@pytest.fixture
def person(console_script):
    """A person at a terminal in which the simulation has been started."""
    one = Terminal(console_script, "simulate")
    yield one
    one.process.kill()
    one.process.wait()
    os.close(one.screen)
    os.close(one.slave)


def test_a_throw_is_keyed_seen_and_ended(person):
    # The digits come up with random segments, shown as ?, until the firmware has started.
    person.wait_for(lambda picture: "q quit" in picture and not set("[?_|") & set(picture), "dark lamps and digits")
    # Faster than a hand could: the keys are pressed one after the other all the same.
    person.type("136\r")
    lit = person.wait_for(lambda picture: "[10]" in picture and "quit" in picture, "a lit layout")
    assert re.findall(r"\[(\w+)\]", lit) == ["SMALL", "10", "13", "16", "36", "1", "3", "6"]
    person.type("h\r")
    person.wait_for(lambda picture: "quit" in picture and "[" not in picture, "the end of the game: dark")
    person.type("q")
    assert person.end() == 0
    assert termios.tcgetattr(person.slave) == person.before


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
    assert termios.tcgetattr(person.slave) == person.before
