"""`simulate --link --state`: a folder that cannot be used is refused before power-on; little is ever lost."""

import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest
from prompt_board import blank_board, printed, run_to_prompt

from taisai.boards.table import load_table
from taisai.build import volume_files
from taisai.errors import TaisaiError
from taisai.sim.board import VirtualBoard

WRITE = b"file = open('note', 'w'); file.write('left here'); file.close(); print('do' + 'ne')\r"
PATIENCE_S = 60


@pytest.fixture
def left(tmp_path):
    """A folder with the flash of an RP2040 that holds one file."""
    folder = tmp_path / "left"
    with blank_board(state_dir=folder) as board:
        run_to_prompt(board)
        board.serial.write(WRITE)
        printed(board, b"done")
    return folder


def refused(folder, table="nz1-pico-hc595"):
    with pytest.raises(TaisaiError) as caught:
        VirtualBoard(load_table(table), state_dir=folder, files={})
    assert "\n" not in str(caught.value) and str(folder) in str(caught.value)
    return str(caught.value)


def notes(folder):
    with VirtualBoard(load_table("nz1-pico-hc595"), state_dir=folder, files={}) as board:
        return volume_files(bytes(board.bench.flash.content))


def test_a_board_is_found_as_it_was_left_and_leaves_only_whole_files(left):
    assert notes(left) == {"/note": b"left here"}
    assert sorted(path.name for path in left.iterdir()) == ["flash.bin", "lock"]


def test_what_is_no_folder_or_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("mine")
    assert "no folder" in refused(tmp_path / "file")
    assert "Not a directory" in refused(tmp_path / "file" / "below")
    assert "File name too long" in refused(tmp_path / ("x" * 300))
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a folder in which nobody may write: /proc")
def test_a_folder_in_which_nobody_may_write():
    assert "cannot keep the board's flash in /proc" in refused(Path("/proc"))


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is closed to root")
def test_a_folder_that_is_closed(tmp_path):
    tmp_path.chmod(0o500)
    assert "Permission denied" in refused(tmp_path)


def test_a_folder_where_the_flash_should_be(tmp_path):
    (tmp_path / "flash.bin").mkdir()
    assert "Is a directory" in refused(tmp_path)


def test_every_kind_of_damage_is_refused(left):
    file = left / "flash.bin"
    good = file.read_bytes()
    flips = [0, 5000, len(good) // 2, *range(len(good) - 70, len(good))]
    damaged = [b"", b"x", good[:-1], good + b"x", good[:-64], bytes(len(good))]
    damaged += [good[:at] + bytes([good[at] ^ 4]) + good[at + 1 :] for at in flips]
    for data in damaged:
        file.write_bytes(data)
        assert "damaged" in refused(left)
        assert file.read_bytes() == data
    file.write_bytes(good)
    assert notes(left) == {"/note": b"left here"}


def test_the_flash_of_another_chip(left):
    text = refused(left, "nz1-esp32-tpic6b595")
    assert "rp2040" in text and "esp32" in text


def test_two_boards_do_not_share_a_folder(left):
    with VirtualBoard(load_table("nz1-pico-hc595"), state_dir=left, files={}):
        assert "another board" in refused(left)
    assert notes(left) == {"/note": b"left here"}


def test_a_simulation_that_is_killed_loses_little(console_script, tmp_path):
    port, folder = tmp_path / "port", tmp_path / "state"
    command = [console_script, "simulate", "--link", port, "--state", folder]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        process.stderr.readline()
        with open(port, "r+b", buffering=0) as serial:
            said = b""
            end = time.monotonic() + PATIENCE_S
            while b"done" not in said and time.monotonic() < end:
                if said.endswith(b">>> "):
                    serial.write(WRITE)
                said += serial.read(100)
            assert b"done" in said
            time.sleep(3)
            process.send_signal(signal.SIGKILL)
            process.wait()
    finally:
        process.kill()
        process.stderr.close()
    assert notes(folder) == {"/note": b"left here"}


def served_id(console_script, port, folder):
    """The id of the chip of a board that the command serves, as its prompt tells it."""
    ask = b"import machine; print('id', machine.unique_id().hex(), '.')\r"
    command = [console_script, "simulate", "--link", port, "--state", folder]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        process.stderr.readline()
        with open(port, "r+b", buffering=0) as serial:
            said = b""
            end = time.monotonic() + PATIENCE_S
            while not (found := re.search(rb"\nid ([0-9a-f]{16}) \.", said)) and time.monotonic() < end:
                if said.endswith(b">>> "):
                    serial.write(ask)
                said += serial.read(100)
        return found.group(1)
    finally:
        process.terminate()
        process.wait()
        process.stderr.close()


def test_each_folder_is_another_board_and_always_the_same(console_script, tmp_path):
    """Else nobody could try on simulated boards how a spare takes the place of another."""
    first = served_id(console_script, tmp_path / "port", tmp_path / "one")
    assert served_id(console_script, tmp_path / "other-port", tmp_path / "one") == first
    assert served_id(console_script, tmp_path / "port", tmp_path / "two") != first


@pytest.mark.parametrize("what", ["file", "damaged"])
def test_at_the_command_line_it_is_one_sentence_and_2(taisai, tmp_path, what):
    folder = tmp_path / "state"
    if what == "file":
        folder.write_text("mine")
    else:
        folder.mkdir()
        (folder / "flash.bin").write_bytes(b"damaged")
    done = taisai("simulate", "--link", str(tmp_path / "port"), "--state", str(folder))
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1 and str(folder) in done.stderr
    assert not (tmp_path / "port").is_symlink()
