"""Timers of the virtual board: at their exact bench time, blocked by the flash, and with a chip's own restrictions."""

import pytest
from prompt_board import board_with, run_to_prompt

from taisai.boards.table import load_table
from taisai.sim.board import VirtualBoard

PERIODIC = """
import time, machine
times = []
timer = machine.Timer(-1, period=5, callback=lambda timer: times.append(time.ticks_us()))
start = time.ticks_us()
%s
timer.deinit()
time.sleep_ms(50)
print([time.ticks_diff(at, start) for at in times])
"""
SLEEP = "time.sleep_ms(18)"
SHORT_SLEEPS = "while time.ticks_diff(time.ticks_us(), start) < 18000: time.sleep_us(130)"
POLL = "import select, sys; poll = select.poll(); poll.register(sys.stdin, select.POLLIN); poll.poll(18)"
SPI = "spi = machine.SPI(0, baudrate=100000)\nfor _ in range(18): spi.write_readinto(bytes(12), bytearray(12))"
WRITES = "spi = machine.SPI(0, baudrate=100000)\nfor _ in range(18): spi.write(bytes(12))"

SLOW_FLASH = """
import time, machine, os
times = []
timer = machine.Timer(-1, period=5, callback=lambda timer: times.append(time.ticks_ms()))
time.sleep_ms(7)
with open('/x', 'w') as file:
    file.write('x')
time.sleep_ms(22)
gaps = [time.ticks_diff(later, sooner) for sooner, later in zip(times, times[1:])]
print(max(gaps), gaps.count(0), gaps[-2:])
"""

ALLOCATES = """
import time, machine
calls = 0
def callback(timer):
    global calls
    calls += 1
    bytearray(100)
timer = machine.Timer(-1, period=5, callback=callback, hard=%s)
time.sleep_ms(100)
print('calls', calls)
"""

REFUSED = """
import machine
for options in ({'id': -1}, {'id': 0}, {'id': 3}, {'id': 4}, {'id': 0, 'hard': True}, {'id': -1, 'hard': True}):
    try:
        machine.Timer(options.pop('id'), period=5, callback=print, **options).deinit()
        print('taken')
    except ValueError:
        print('refused')
"""


@pytest.mark.parametrize("wait", [SLEEP, SHORT_SLEEPS, POLL, SPI, WRITES])
def test_callbacks_come_at_their_time_whatever_the_program_waits_for(wait):
    with board_with(PERIODIC % wait) as board:
        told = eval(run_to_prompt(board))
    # Reading the clock takes 1 us, before and in the callback.
    assert told == [5000, 10000, 15000]


def test_a_wait_takes_its_time_however_many_callbacks_interrupt_it():
    program = PERIODIC % "time.sleep_ms(18); print(time.ticks_diff(time.ticks_us(), start))"
    with board_with(program) as board:
        assert run_to_prompt(board).splitlines()[0] == b"18001"


def test_a_flash_operation_blocks_callbacks_and_they_come_right_after_it():
    with board_with(SLOW_FLASH) as board:
        board.bench.flash.slow_down(1)
        longest, at_once, last = run_to_prompt(board).split(b" ", 2)
    assert 400 <= int(longest) <= 450, "the slow operation, and perhaps one of usual length"
    assert int(at_once) >= 70, "one call is made up for each period of the operation"
    assert eval(last) == [5, 5]


@pytest.mark.parametrize("hard", [True, False])
def test_a_hard_callback_may_not_allocate_and_a_soft_one_may(hard):
    with board_with(ALLOCATES % hard) as board:
        told = run_to_prompt(board)
    if hard:
        assert b"MemoryError" in told and b"calls 1\n" in told, "stopped by its first error, as on a board"
    else:
        assert b"Error" not in told and b"calls 20\n" in told


@pytest.mark.parametrize(
    "table, taken",
    [
        ("nz1-pico-hc595", [True, False, False, False, False, True]),
        ("nz1-esp32-tpic6b595", [False, True, True, False, False, False]),
    ],
)
def test_each_chip_has_its_own_timers(table, taken):
    with VirtualBoard(load_table(table), files={"/main.py": REFUSED.encode()}) as board:
        told = run_to_prompt(board).split()
    assert told == [b"taken" if each else b"refused" for each in taken]
