"""Start, service and crash of the real firmware on the virtual board: what is lit, what is told, what comes back."""

import binascii
import json

import pytest
from altered import altered_files
from deploy_tools import volume

from taisai.boards.table import load_table
from taisai.build import application_files
from taisai.paths import firmware_dir
from taisai.sim.board import VirtualBoard

TABLE = "nz1-pico-hc595"
START_MS = 800
# Wins of 1, 3, 6 by rule 4.1: total 10 is small, three single numbers, the total, three pairs.
WINS_136 = {"small", "single-1", "single-3", "single-6", "total-10", "pair-1-3", "pair-1-6", "pair-3-6"}

# The keys' driver with a condition on which it raises an error.
CRASHING_KEYS = (
    (firmware_dir() / "tablehw/keys.py").read_bytes()
    + b"""
import time
class Keys(Keys):
    def take(self):
        if %s:
            raise OSError(5)
        return super().take()
"""
)


class Bench:
    """A running virtual board with a person and a host at it."""

    def __init__(self, board):
        self.board = board
        board.power_on()
        board.run_ms(START_MS)

    def key(self, keys, down_ms=80):
        for each in keys:
            self.board.bench.keys.press(each, down_ms)
            self.board.run_ms(down_ms + 150)

    def ask(self, head, ms=200):
        """The words after the id of the reply to a request, as (word, fields)."""
        line = head.encode()
        self.board.serial.read(0)
        self.board.serial.write(line + b" *%08x\n" % binascii.crc32(line))
        self.board.run_ms(ms)
        reply = self.board.serial.read(0).split(b"\n")[0]
        text, _, seal = reply.rpartition(b" *")
        assert seal == b"%08x" % binascii.crc32(text), reply
        id, word, fields = text.decode().split(" ", 2)
        assert id == head.split(" ")[0]
        return word, json.loads(fields)

    def service(self, id, board_id):
        """Ask for service mode, and give the board time to restart."""
        return self.ask(f"{id} service " + json.dumps({"board": board_id}), 1000)

    @property
    def lit(self):
        seen = self.board.bench.observe()
        assert not seen.partial
        return set(seen.lit)

    @property
    def display(self):
        return self.board.bench.observe().display


@pytest.fixture
def start():
    """Starts a board; `change` maps a file of the volume to other content, or to None for a missing one."""
    boards = []

    def make(change=None):
        boards.append(VirtualBoard(load_table(TABLE), files=altered_files(TABLE, change)))
        return Bench(boards[-1])

    yield make
    for board in boards:
        board.power_off()


def _damaged(path, at):
    content = bytearray(application_files(load_table(TABLE))[path])
    content[at] ^= 0x10
    return bytes(content)


def test_a_throw_is_lit_and_told(start):
    bench = start()
    assert bench.board.bench.first_lit_us is None
    bench.key("136E")
    assert bench.lit == WINS_136 and bench.display == "136"
    assert bench.ask("1 state {}") == (
        "ok",
        {"state": "result", "digits": "136", "lit": [1, 3, 6], "faults": [], "switch": False},
    )
    word, identity = bench.ask("2 identify {}")
    files = application_files(load_table(TABLE))
    assert word == "ok" and identity["table"] == TABLE and identity["mcu"] == "rp2040"
    assert identity["table_digest"] == files["/app-1/table.bin"][44:76].hex()


@pytest.mark.parametrize("content, code", [(None, "E11"), (b"", "E12"), ("flipped", "E12"), ("other layout", "E12")])
def test_without_a_good_table_file_a_code_is_shown_and_nothing_lights(start, content, code):
    if content == "flipped":
        content = _damaged("/app-1/table.bin", 700)
    elif content == "other layout":
        content = application_files(load_table("nz-gazette-pico-hc595"))["/app-1/table.bin"]
    bench = start({"/app-1/table.bin": content})
    bench.key("136E")
    assert bench.display == code and bench.lit == set()
    assert bench.board.bench.first_lit_us is None
    assert bench.ask("1 state {}")[1]["faults"] == [code]


# One bit each: another latch pin, a pin with two jobs, no pin of the chip, a chain at 0 bits per second.
FLIPS = [
    (b'"latch": 17', b'"latch": 16'),
    (b'"enable": 20', b'"enable": 21'),
    (b'"enable": 20', b'"enable": 60'),
    (b'"baud": 1000000', b'"baud": 0000000'),
]


@pytest.mark.parametrize("content", [None, b"", b"{}", *FLIPS])
def test_without_a_good_wiring_file_no_pin_is_touched_and_the_link_tells_it(start, content):
    if isinstance(content, tuple):
        whole = application_files(load_table(TABLE))["/app-1/hardware.json"]
        assert content[0] in whole
        content = whole.replace(*content)
    bench = start({"/app-1/hardware.json": content})
    bench.key("136E")
    seen = bench.board.bench.observe()
    assert not seen.enabled and bench.board.bench.first_lit_us is None
    assert bench.ask("1 state {}")[1]["faults"] == ["E13"]
    word, identity = bench.ask("2 identify {}")
    assert word == "ok" and identity["state"] == "fault" and identity["table"] is None


@pytest.mark.parametrize("content", [None, b"", b"app-2", b"data", b"\xff\xfe"])
def test_without_an_application_the_board_explains_itself_at_the_prompt(start, content):
    bench = start({"/current": content})
    assert bench.board.mode == "prompt"
    assert b"no application to start" in bench.board.serial.read(0)
    assert not bench.board.bench.observe().enabled


def test_service_mode_is_for_one_start_and_without_the_watchdog(start):
    bench = start()
    board_id = bench.ask("1 identify {}")[1]["board"]
    assert bench.service(2, board_id + "0") == (
        "error",
        {"code": "board", "text": "meant for another board"},
    )
    assert bench.service(3, board_id)[0] == "ok"
    assert bench.board.mode == "prompt" and not bench.board.bench.observe().enabled
    bench.board.run_ms(20000)
    assert bench.board.starts == ["power", "program"]
    bench.board.hard_reset()
    bench.board.run_ms(START_MS)
    bench.key("136E")
    assert bench.lit == WINS_136


def test_service_is_refused_while_a_result_is_lit(start):
    bench = start()
    board_id = bench.ask("1 identify {}")[1]["board"]
    bench.key("136E")
    assert bench.service(2, board_id)[1]["code"] == "state"
    bench.board.run_ms(1000)
    assert bench.board.starts == ["power"] and bench.lit == WINS_136
    bench.key("E", 1700)
    assert bench.service(3, board_id)[0] == "ok"


def test_a_crash_keeps_the_lamps_until_the_watchdog_restarts_the_board(start):
    bench = start(
        {"/app-1/tablehw/keys.mpy": None, "/app-1/tablehw/keys.py": CRASHING_KEYS % b"time.ticks_ms() > 3000"}
    )
    bench.key("136E")
    assert bench.lit == WINS_136
    bench.board.run_ms(2000)
    assert bench.board.mode == "prompt" and b"OSError" in bench.board.serial.read(0)
    for _ in range(6):
        assert bench.lit == WINS_136 and bench.display == "136" and not bench.board.bench.observe().tone_hz
        bench.board.run_ms(1000)
    bench.board.run_ms(3000)
    assert bench.board.starts == ["power", "watchdog"]


@pytest.mark.parametrize("module", ["tablecore/service", "tablecore/dispatch", "tablecore/mainloop", "tablehw/keys"])
def test_what_is_lit_again_goes_dark_where_the_rest_cannot_start(start, module):
    """No lamp stays lit without a firmware, or a watchdog that brings it back; not even by what the journal proves."""
    bench = start()
    bench.key("136E")
    assert bench.lit == WINS_136
    records = {path: content for path, content in volume(bench.board).items() if path.startswith("/data/")}
    path = f"/app-1/{module}"
    change = {f"{path}.mpy": b"no module"}
    if module == "tablehw/keys":
        change = {f"{path}.mpy": None, f"{path}.py": CRASHING_KEYS % b"True"}
    again = start({**records, **change})
    again.board.run_ms(3000)
    assert again.board.bench.first_lit_us is not None, "it was dark all the time, so that this proves nothing"
    assert again.board.mode == "prompt" and again.lit == set() and not again.board.bench.observe().enabled


def test_a_version_that_cannot_start_ends_in_the_prompt_and_stays_there(start):
    bench = start({"/app-1/tablehw/keys.mpy": None, "/app-1/tablehw/keys.py": CRASHING_KEYS % b"True"})
    bench.board.run_ms(20000)
    assert bench.board.mode == "prompt" and bench.board.starts == ["power"]
    assert bench.board.bench.first_lit_us is None


def test_ctrl_c_and_noise_do_not_stop_the_table(start):
    bench = start()
    for round, key in enumerate("136E"):
        bench.board.serial.write(b"\x03\x04\x01" + bytes(range(256)) * 8)
        bench.key(key)
        bench.board.run_ms(600)  # until the link, with its 3 kB/s, is through with it
        bench.board.serial.read(0)
        bench.board.serial.write(b"\n")
        bench.board.run_ms(50)
        assert bench.ask(f"{round} state {{}}")[0] == "ok"
    assert bench.lit == WINS_136 and bench.board.starts == ["power"]
