"""Calibration and the naming of dark lamps with the real firmware: the link, the command line, and a whole sweep."""

import pytest
from access_bench import code_of
from fault_matrix import AT_RESULT_MS

from tablecore import calibration
from taisai.boards.table import load_table
from taisai.build import application_files

TABLE = "nz2-pico-tpic6b595"
OTHER_SENSE = 1.03  # this unit's amplifier, against the declared one
# Spread over the cloth, since of zones in a row without any current the supply is to blame.
BROKEN = {"L03": "open:odd", "L08": "short:single-3", "L31": "off:total-11", "LA6": "open:four-3-4-5-6"}


def press(desk, *names, down_ms=60, after_ms=200):
    for name in names:
        desk.bench.keys.press(name, down_ms)
        desk.board.run_ms(down_ms + after_ms)


def test_a_retest_names_every_dark_lamp_and_nothing_else(start):
    desk = start(table=TABLE)
    for word in BROKEN.values():
        desk.bench.faults.apply(word)
    press(desk, "1", "3", "6", "E", after_ms=AT_RESULT_MS)
    assert desk.host.state()["faults"] == ["L00"]
    desk.bench.switch.turn(True)
    desk.board.run_ms(100)
    press(desk, "6", down_ms=1600, after_ms=25_000)
    assert set(desk.host.state()["faults"]) == set(BROKEN)
    assert desk.host.state()["lit"] == [1, 3, 6]


@pytest.mark.soak
def test_a_calibration_takes_the_place_of_the_declared_current(start):
    desk = start(table=TABLE)
    read = desk.bench.sense.read_u16
    desk.bench.sense.read_u16 = lambda t_us: min(int(read(t_us) * OTHER_SENSE), 65535)
    assert desk.host.calibrate() == 106
    press(desk, *"136E", after_ms=AT_RESULT_MS)
    assert desk.host.state()["faults"] == []
    desk.bench.faults.apply("open:single-3")
    press(desk, "E", down_ms=1600)
    press(desk, *"136E", after_ms=AT_RESULT_MS)
    assert desk.host.state()["faults"] == ["L00"]


def test_a_damaged_calibration_is_told_and_the_declared_current_stands_in(start):
    table = load_table(TABLE)
    files = {**application_files(table), calibration.PATH: b"TSLC" + bytes(100)}
    desk = start(files, table=TABLE)
    assert desk.host.state()["faults"] == ["E54"]
    press(desk, *"136E", after_ms=AT_RESULT_MS)
    told = desk.host.state()
    assert told["faults"] == ["E54"] and told["state"] == "result"


def test_a_table_without_a_sense_and_a_dark_lamp_are_refused(start):
    assert code_of(start().host.calibrate) == "failed"
    desk = start(table=TABLE)
    desk.bench.faults.apply("off:small")
    assert code_of(desk.host.calibrate) == "failed" and desk.host.state()["faults"] == []
    assert desk.bench.observe().lit == []
