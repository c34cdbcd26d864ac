"""The virtual board's volume: images both ways with littlefs-python, power cuts that keep it, boards found as left."""

import random

import pytest
from prompt_board import blank_board, board_with, printed, run_to_prompt

from taisai.build import volume_files, volume_image
from taisai.errors import TaisaiError

RECORDS = """
file = open('/kept', 'ab')
for number in range(40):
    file.write(bytes([number]) * 32)
    file.flush()
    print('acknowledged', number)
"""
SIZES = (0, 1, 511, 1024, 5000, 70_000)


def contents():
    source = random.Random(4)
    return {f"/folder-{size % 3}/deep/file-{size}": source.randbytes(size) for size in SIZES}


def test_an_image_is_the_same_each_time_and_reads_back():
    files = contents()
    image = volume_image(files, 352)
    assert image == volume_image(dict(reversed(files.items())), 352)
    assert len(image) == 352 * 4096
    assert volume_files(image) == files


def test_what_does_not_fit_and_what_is_no_volume_is_said():
    with pytest.raises(TaisaiError, match="volume of 65536 bytes"):
        volume_image({"/big": bytes(70_000)}, 16)
    with pytest.raises(TaisaiError, match="no littlefs volume"):
        volume_files(b"\xff" * 65536)


def test_the_interpreter_reads_our_image_and_we_read_what_it_writes():
    program = """
import hashlib, os
def walk(folder):
    for name, kind, *_ in os.ilistdir(folder):
        path = folder + name
        if kind == 0x4000:
            walk(path + '/')
        elif path != '/main.py':
            with open(path, 'rb') as file:
                data = file.read()
            with open(path, 'wb') as file:
                file.write(data + data[:7])
walk('/')
"""
    files = contents()
    with blank_board(files={**files, "/main.py": program.encode()}) as board:
        run_to_prompt(board)
        left = volume_files(bytes(board.bench.flash.content))
    del left["/main.py"]
    assert left == {path: content + content[:7] for path, content in files.items()}


def test_a_blank_board_formats_its_volume_and_reaches_the_prompt():
    with blank_board() as board:
        assert run_to_prompt(board) == b""
        assert volume_files(bytes(board.bench.flash.content)) == {}


def test_a_board_is_found_as_it_was_left(tmp_path):
    with blank_board(state_dir=tmp_path / "state") as board:
        run_to_prompt(board)
        board.serial.write(b"file = open('note', 'w'); file.write('left here'); file.close(); print('do' + 'ne')\r")
        printed(board, b"done")
    with blank_board(state_dir=tmp_path / "state") as board:
        assert volume_files(bytes(board.bench.flash.content)) == {"/note": b"left here"}


@pytest.mark.parametrize("part", [0.0, 0.4, 0.9])
@pytest.mark.parametrize("cut_at", [1, 4, 9, 20, 33])
def test_power_cut_in_a_flash_operation_keeps_every_acknowledged_record(cut_at, part):
    with board_with(RECORDS, seed=cut_at) as board:
        board.power_on()

        def cut(index, kind, address):
            if index == cut_at:
                length_us = 45_000 if kind == "erase" else 400
                board.bench.schedule(board.bench.now_us + round(length_us * part), board.power_off)

        board.port.on_flash = cut
        assert board.run_until(lambda: board.mode == "off", 20_000), "no operation was cut"
        acknowledged = board.serial.read().count(b"acknowledged")
        board.port.on_flash = None
        board.bench.schedule(board.bench.now_us, board.power_on)
        board.run_ms(1)
        board.serial.read()
        # A program that only writes 40 records and ends: the second run appends to what the first one left.
        printed(board, b">>> ")
        kept = volume_files(bytes(board.bench.flash.content))["/kept"]
    first = kept[: -40 * 32]
    assert len(first) % 32 == 0 and len(first) // 32 >= acknowledged
    assert first == b"".join(bytes([number]) * 32 for number in range(len(first) // 32))


def test_no_code_runs_and_no_key_is_sampled_during_a_flash_operation():
    program = """
import time, os
from machine import Pin
before = time.ticks_us()
with open('/x', 'w') as file:
    file.write('x')
print('took', time.ticks_diff(time.ticks_us(), before))
"""
    times = {}
    for slow in (0, 1):
        with board_with(program) as board:
            board.bench.flash.slow_down(slow)
            times[slow] = int(run_to_prompt(board).split()[1])
    # One operation of 400 ms instead of a page program (0.4 ms) or an erase (45 ms), whichever came first.
    assert times[1] - times[0] in (400_000 - 400, 400_000 - 45_000)
