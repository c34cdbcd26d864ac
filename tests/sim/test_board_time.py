"""Bench time on the virtual board: exact, the same every time, wrapping as on a board, guarded by the watchdog."""

import time

import pytest
from prompt_board import board_with, printed, run_to_prompt

from taisai.boards.table import load_table
from taisai.errors import TaisaiError
from taisai.sim.board import BOOT_US, VirtualBoard
from taisai.sim.script import parse, run

TABLE = "nz1-pico-hc595"
LIMIT_S = 20

TICKS_ACROSS_THE_WRAP = """
import time
before = time.ticks_ms()
time.sleep_ms(100)
after = time.ticks_ms()
print(before > after, time.ticks_diff(after, before), time.ticks_diff(before, after))
print(time.ticks_add(before, 100) == after, 0 <= after < 2**30)
us = time.ticks_us()
time.sleep_us(250)
print(time.ticks_diff(time.ticks_us(), us))
"""


def test_ticks_wrap_at_two_to_the_thirty():
    with board_with(TICKS_ACROSS_THE_WRAP, first_tick_ms=(1 << 30) - 50 - BOOT_US // 1000) as board:
        first, second, third = run_to_prompt(board).splitlines()[:3]
    assert first == b"True 100 -100"
    assert second == b"True True"
    # 250 us of sleep and the microsecond that reading the clock takes.
    assert third == b"251"


def test_time_moves_only_as_far_as_asked_and_waits_take_exactly_their_time():
    program = "import time\nwhile True:\n    time.sleep_ms(5)\n    print(time.ticks_ms())\n"
    with board_with(program) as board:
        board.power_on()
        board.run_ms(BOOT_US / 1000 + 100)
        assert board.bench.now_us == BOOT_US + 100_000
        board.run_ms(1000)
        assert board.bench.now_us == BOOT_US + 1_100_000
        shown = [int(number) for number in board.serial.read().split()]
    assert shown[:100] == [BOOT_US // 1000 + 5 * count for count in range(1, 101)]


def test_a_loop_that_waits_by_reading_the_clock_ends():
    program = (
        "import time\nstart = time.ticks_ms()\nwhile time.ticks_diff(time.ticks_ms(), start) < 20: pass\nprint('over')"
    )
    with board_with(program) as board:
        assert b"over" in run_to_prompt(board)


def test_the_watchdog_resets_a_program_that_stops_feeding_it():
    program = """
import machine, time
print('cause', machine.reset_cause())
watchdog = machine.WDT(timeout=500)
for _ in range(10):
    time.sleep_ms(400)
    watchdog.feed()
time.sleep_ms(60000)
"""
    with board_with(program) as board:
        board.power_on()
        assert board.run_until(lambda: len(board.starts) > 1, 60_000)
        assert board.starts == ["power", "watchdog"]
        assert board.bench.now_us == BOOT_US + 10 * 400_000 + 500_000
        board.run_ms(200)
        assert b"cause 1" in (text := board.serial.read(10)), text
        assert b"cause 3" in text


def test_a_press_counts_although_this_computer_was_busy_with_something_else_meanwhile():
    """In step with the wall: the bench is held up for longer than the whole press, twice."""
    with VirtualBoard(load_table(TABLE)) as board:
        board.power_on()
        board.run_ms(800)
        bench = board.bench
        for at_us in (0, 40_000):
            bench.schedule(bench.now_us + at_us, lambda: time.sleep(0.15))
        bench.keys.press(4, down_ms=60, bounce_ms=0, at_us=bench.now_us + 10_000)
        board.run_real(LIMIT_S, until=lambda: bench.observe().display == "  4")
        assert bench.observe().display == "  4"


def test_a_program_that_hangs_is_reset_in_step_with_the_wall_too():
    program = "import machine\nif machine.reset_cause() == 1:\n    machine.WDT(timeout=500)\n    while True: pass\n"
    with board_with(program) as board:
        board.power_on()
        board.run_real(LIMIT_S, until=lambda: len(board.starts) > 1)
        assert board.starts == ["power", "watchdog"]


def test_the_watchdog_outlives_a_soft_reset():
    program = "import machine\nif machine.reset_cause() == 1: machine.WDT(timeout=1000)\n"
    with board_with(program) as board:
        run_to_prompt(board)
        board.serial.write(b"\x04")
        printed(board, b">>> ")
        assert board.starts == ["power", "soft"]
        printed(board, b">>> ")
        assert board.starts == ["power", "soft", "watchdog"]


def test_the_watchdog_ends_a_program_that_never_waits(monkeypatch):
    monkeypatch.setattr("taisai.sim.pace._HUNG_S", 0.5)
    busy = "while True: pass"
    with board_with(
        f"import machine\nif machine.reset_cause() == 1:\n    machine.WDT(timeout=1000)\n    {busy}"
    ) as board:
        board.power_on()
        board.run_ms(2000)
        assert board.starts == ["power", "watchdog"]
    with board_with(busy) as board:
        board.power_on()
        with pytest.raises(TaisaiError, match="real time"):
            board.run_ms(2000)


def test_what_the_chip_refuses_is_refused():
    program = """
import machine
for make in (lambda: machine.WDT(timeout=8389), lambda: machine.Pin(30, machine.Pin.OUT)):
    try:
        make()
        print('taken')
    except ValueError:
        print('refused')
"""
    with board_with(program) as board:
        assert run_to_prompt(board).split() == [b"refused", b"refused"]


class Log:
    """Every call at the bench's port side, with its time."""

    NAMES = ("pin_output", "spi", "pwm", "wdt")

    def __init__(self, bench):
        self.lines = []
        for name in self.NAMES:
            setattr(bench, name, self._record(name, getattr(bench, name)))

    def _record(self, name, call):
        def recorded(*arguments):
            answer = call(*arguments)
            self.lines.append((name, arguments, answer))
            return answer

        return recorded


def _logged(text):
    with VirtualBoard(load_table(TABLE), seed=7) as board:
        log = Log(board.bench)
        seen = run(board, parse(text))
    return seen, log.lines


def test_the_same_script_gives_the_same_result_and_the_same_signals():
    text = "1 3 6 E w700 12 4 E E! fault:cut:3:noise w1500 fault:clear P- P+ 2 2 2 E"
    first, second = _logged(text), _logged(text)
    assert len(first[1]) > 200
    assert first == second


def _games(let_pass):
    """Keys with long bounces, two of them at once, in steps of time that end in the middle of them."""
    with VirtualBoard(load_table(TABLE), seed=3) as board:
        board.power_on()
        let_pass(board, 1000)
        log = Log(board.bench)
        for moment, key in enumerate("136E25E"):
            board.bench.keys.press(key, 60, 10)
            board.bench.keys.press("4", 55, 10, at_us=board.bench.now_us + 3000 * moment)
            let_pass(board, 63)
            let_pass(board, 70)
        board.bench.keys["2"].trace([(board.bench.now_us + 900 * step, step % 2 == 0) for step in range(150)])
        board.bench.schedule(board.bench.now_us + 20_000, lambda: board.bench.keys.stick(5))
        let_pass(board, 400)
        # Feeds of the watchdog are told with the next message, the last one only.
        return board.bench.observe(), [line for line in log.lines if line[0] != "wdt"]


def test_what_the_program_sees_does_not_depend_on_whether_somebody_watches():
    alone = _games(lambda board, ms: board.run_ms(ms))
    watched = _games(lambda board, ms: board.run_until(lambda: False, ms))
    assert len(alone[1]) > 50
    assert alone == watched


def test_whoever_watches_can_act_when_a_contact_moves():
    keys = load_table(TABLE).controller.keys.digits[:2]
    program = f"""
import machine, time
pins = [machine.Pin(number, machine.Pin.IN, machine.Pin.PULL_UP) for number in {keys}]
while True:
    time.sleep_ms(1)
    print(time.ticks_ms(), *[pin.value() for pin in pins])
"""
    with board_with(program) as board:
        board.power_on()
        board.run_ms(200)
        start_us = board.bench.now_us
        board.bench.keys.press(1, 50, 0, at_us=start_us + 10_500)
        assert board.run_until(lambda: board.bench.keys[1].closed, 100)
        assert board.bench.now_us == start_us + 10_500
        board.bench.keys.press(2, 50, 0)
        board.serial.read()
        board.run_ms(20)
        seen = [tuple(map(int, line.split())) for line in board.serial.read().splitlines()[1:-1]]
    assert len(seen) > 10
    assert {line[1:] for line in seen} == {(0, 0)}
