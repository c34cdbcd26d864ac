"""Opening a port and finding the board that is meant: in use, closed to this user, missing; one, two or no board."""

import errno
import os
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest
import serial
from fake_ports import PICO, FakePort, Table, attach, prompt

from taisai.client import open_board, open_port
from taisai.client.errors import LinkLost, NoBoard, PortBusy, PortDenied, PortMissing, SeveralBoards
from taisai.client.ports import port_named, serial_ports
from taisai.client.transport import Transport
from taisai.errors import DataErrors

HOLD = "import serial, sys; p = serial.Serial(sys.argv[1], exclusive=True); print('held', flush=True); sys.stdin.read()"
NOBODY = 65534


def test_a_port_in_use_names_the_program():
    with FakePort(Table()) as fake:
        command = [sys.executable, "-c", HOLD, fake.path]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
            assert holder.stdout.readline() == "held\n"
            start = time.monotonic()
            with pytest.raises(PortBusy) as caught:
                open_board(fake.path)
            assert time.monotonic() - start < 1 and caught.value.exit_code == 2
            if sys.platform == "linux":
                assert f"(process {holder.pid})" in str(caught.value)
            holder.stdin.close()
        open_board(fake.path).close()


def test_a_holder_without_a_lock_is_noticed_where_the_system_tells(monkeypatch):
    monkeypatch.setattr("taisai.client.transport.holders", lambda spec: ["ampy (process 12)"])
    with FakePort(Table()) as fake:
        attach(monkeypatch, (fake.path, PICO))
        with pytest.raises(PortBusy, match=r"in use by ampy \(process 12\)"):
            open_port(fake.path)
        assert fake.heard == b""


def test_our_own_port_is_locked_while_it_is_open():
    with FakePort(Table()) as fake, open_board(fake.path), pytest.raises(serial.SerialException):
        serial.Serial(fake.path, exclusive=True)


# Everything is imported first: that user need not be able to read the folder that Python or the package lies in.
OPEN_AS_ANYBODY = """
import os, sys
import taisai.client
from taisai.cli import main
os.setuid(int(sys.argv[2]))
sys.exit(main(["monitor", "--port", sys.argv[1], "--for", "0"]))
"""


def test_a_port_closed_to_this_user(monkeypatch):
    with FakePort(Table()) as fake:
        real = os.open

        def refuse(path, flags, *rest, **named):
            if path == fake.path and flags & os.O_RDWR:
                raise PermissionError(errno.EACCES, "Permission denied", path)
            return real(path, flags, *rest, **named)

        monkeypatch.setattr("serial.serialposix.os.open", refuse)
        with pytest.raises(PortDenied, match="taisai doctor") as caught:
            open_board(fake.path)
        assert caught.value.exit_code == 2


@pytest.mark.skipif(os.getuid() != 0, reason="only the superuser can give a port away")
def test_a_read_only_port():
    with FakePort(Table()) as fake:
        os.chmod(fake.path, 0o444)
        command = [sys.executable, "-c", OPEN_AS_ANYBODY, fake.path, str(NOBODY)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert done.returncode == 2 and "this user may not open the port" in done.stderr, done.stderr


@pytest.mark.parametrize("spec", ["/dev/no-such-port", "COM77", "rfc2217://127.0.0.1:9", "nonsense://x", "/dev/null"])
def test_what_is_no_port(spec):
    with pytest.raises(PortMissing) as caught:
        open_board(spec)
    assert str(caught.value).startswith(spec) and caught.value.exit_code == 2


@pytest.mark.parametrize("spec", ["/dev/null", "/dev", __file__])
def test_a_file_or_a_folder_is_told_in_our_words(spec):
    with pytest.raises(PortMissing) as caught:
        open_board(spec)
    assert str(caught.value) == f"{spec}: this is no serial port: taisai devices lists those there are"


def test_a_simulated_table_that_does_not_exist():
    with pytest.raises(DataErrors, match="no such table"):
        open_board("sim:macau")


class Recorder:
    """A port in pyserial's form that only notes what was set before it was opened."""

    def __init__(self):
        self.set = {}

    def __setattr__(self, name, value):
        if name != "set":
            self.set[name] = value
        object.__setattr__(self, name, value)

    def open(self):
        self.lines = (self.set.get("dtr"), self.set.get("rts"))
        self.exclusively = self.set.get("exclusive")

    def close(self):
        raise OSError(errno.EIO, "Input/output error")


@pytest.mark.parametrize(("usb", "dtr"), [(PICO, True), ((0x10C4, 0xEA60), False), (None, False)])
def test_lines_are_set_before_the_port_is_opened_and_closing_never_fails(monkeypatch, usb, dtr):
    made = []

    def make(spec, **options):
        made.append(Recorder())
        assert options["do_not_open"]
        return made[-1]

    attach(monkeypatch, ("/dev/ttyX", usb))
    monkeypatch.setattr("taisai.client.transport.serial.serial_for_url", make)
    open_port("/dev/ttyX").close()
    # An ESP32 board with neither line low is held in reset or starts its loader; MicroPython's USB needs DTR to speak.
    assert made[0].lines == (dtr, False) and made[0].exclusively is True


class Failing:
    """A port that breaks as Windows and Linux break when a cable is pulled."""

    in_waiting = 0

    def __init__(self, error):
        self.error = error

    def read(self, size):
        raise self.error

    write = read


@pytest.mark.parametrize("number", [errno.EIO, errno.ENXIO, errno.EACCES, errno.ENODEV, errno.EINVAL, errno.EBADF])
def test_every_way_in_which_a_port_vanishes_is_a_lost_link(number):
    for error in (OSError(number, "gone"), serial.SerialException(number, "gone")):
        port = Transport(Failing(error), "COM3")
        for call in (lambda port=port: port.read(0.1), lambda port=port: port.write(b"x")):
            with pytest.raises(LinkLost, match="COM3: the port has gone"):
                call()


def test_a_port_with_two_names_is_one_port(monkeypatch, tmp_path):
    (tmp_path / "ttyACM0").write_bytes(b"")
    (tmp_path / "by-id").symlink_to(tmp_path / "ttyACM0")
    entries = [
        SimpleNamespace(device=str(tmp_path / "ttyACM0"), description="Board", vid=0x2E8A, pid=5),
        SimpleNamespace(device=str(tmp_path / "by-id"), description=None, vid=None, pid=None),
        SimpleNamespace(device="/dev/ttyS0", description="n/a", vid=None, pid=None),
    ]
    monkeypatch.setattr("taisai.client.ports.list_ports.comports", lambda: entries)
    found = {port.device: port.description for port in serial_ports()}
    assert list(found.items()) == [("/dev/ttyS0", ""), (str(tmp_path / "ttyACM0"), "Board")]
    assert port_named(str(tmp_path / "by-id")).needs_dtr and not port_named("/dev/ttyS0").needs_dtr


def test_the_only_board_is_found_and_others_are_left_alone(monkeypatch):
    with FakePort(Table()) as fake, FakePort(Table("0000000000000009")) as foreign, FakePort(prompt) as blank:
        attach(monkeypatch, (fake.path, PICO), (foreign.path, (0x1234, 0x5678)), (blank.path, PICO))
        with open_board() as board:
            assert board.port == fake.path
        assert foreign.heard == b"" and blank.heard
        open_board(foreign.path).close()


def test_two_boards_and_none_named(monkeypatch):
    with FakePort(Table("aaaaaaaaaaaaaaaa")) as one, FakePort(Table("bbbbbbbbbbbbbbbb")) as other:
        attach(monkeypatch, (one.path, PICO), (other.path, PICO))
        with pytest.raises(SeveralBoards) as caught:
            open_board()
        said = str(caught.value)
        assert caught.value.exit_code == 2 and "name one with --port" in said
        for text in (one.path, other.path, "aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb"):
            assert text in said
        # Both were let go again.
        for id, port in (("id:bbbbbbbbbbbbbbbb", other), ("id:AAAAAAAAAAAAAAAA", one), (one.path, one)):
            with open_board(id) as board:
                assert board.port == port.path
        with pytest.raises(NoBoard, match="board cccc is not attached") as caught:
            open_board("id:cccc")
        assert "aaaaaaaaaaaaaaaa" in str(caught.value)


def test_no_board(monkeypatch):
    attach(monkeypatch, ("/dev/ttyS0", None))
    with pytest.raises(NoBoard, match="name a port with --port") as caught:
        open_board()
    assert caught.value.exit_code == 2
    with FakePort(prompt) as blank:
        attach(monkeypatch, (blank.path, PICO))
        with pytest.raises(NoBoard, match="MicroPython is at its prompt"):
            open_board()
