"""The lost-key way in, the door and the write-lock jumper, with the real firmware."""

import json

import pytest
from access_bench import KEY, accesses, change, code_of, keyed, lose_key, wait_checked
from link_bench import TABLE

from tablecore import servicekey, shelf
from taisai.boards.table import load_table
from taisai.build import application_files
from taisai.sim import script
from taisai.sim.board import VirtualBoard

GUARDED = "nz2-pico-tpic6b595"


def test_the_lost_key_way_in_removes_the_key_and_nothing_else(start):
    desk = keyed(start)
    desk.play()
    own = desk.files()
    del own[servicekey.PATH]
    lose_key(desk)
    assert desk.host.state()["faults"] == []
    kept = desk.files()
    assert kept.pop(shelf.TAIL).startswith(own.pop(shelf.TAIL))
    assert kept == own
    assert change(desk) is None
    assert "key gone" in accesses(desk)
    desk.play()


def test_held_too_short_the_key_stays(start):
    desk = keyed(start)
    lose_key(desk, ms=2500)
    assert change(desk) == "session" and desk.host.state()["faults"] == []


def test_other_keys_do_not_do_it(start):
    desk = keyed(start)
    lose_key(desk, keys="15")
    assert change(desk) == "session" and desk.host.state()["faults"] == ["E41", "E45"]


def test_without_the_jumper_no_file_is_written(start):
    desk = start(table=GUARDED, before=lambda bench: bench.write_lock.move(False))
    wait_checked(desk)
    before = desk.files()
    assert change(desk) == code_of(desk.host.set_unit_identity, {"model": "x"}) == "locked"
    assert code_of(desk.host.service) == code_of(desk.host.set_key, KEY) == "locked"
    assert desk.files() == before and desk.board.starts == ["power"]
    assert code_of(desk.host.restart) is None
    desk.bench.write_lock.move(True)
    desk.board.run_ms(1000)
    assert change(desk) is None


def test_the_lost_key_way_in_needs_the_jumper(start):
    files = {**application_files(load_table(GUARDED)), servicekey.PATH: servicekey.dump(KEY)}
    desk = start(files, table=GUARDED)
    desk.bench.write_lock.move(False)
    lose_key(desk)
    assert desk.files()[servicekey.PATH] == servicekey.dump(KEY) and change(desk) == "session"


def test_an_opened_door_is_seen_in_every_state_and_cleared_by_a_retest():
    with VirtualBoard(load_table(GUARDED)) as board:
        shown = script.run(board, script.parse("1 3 6 E D+ w2000"))
        assert shown["faults"] == ["E61"] and shown["state"] == "fault" and "total-10" in shown["lit"]
        shown = script.run(board, script.parse("E! w2000"))
        assert shown["lit"] == [] and shown["display"] == "E61"
        shown = script.run(board, script.parse("S+ 6! w2000"))
        assert shown["faults"] == ["E61"]
        shown = script.run(board, script.parse("D- 6! S- w2000"))
        assert shown["faults"] == [] and shown["state"] == "idle"


def test_a_door_that_is_open_at_power_up_is_told(start):
    desk = start(table=GUARDED, before=lambda bench: bench.door.move(False))
    desk.board.run_ms(500)
    assert desk.host.state()["faults"] == ["E61"] and accesses(desk) == ["door"]


def test_words_for_inputs_that_a_controller_lacks_are_refused():
    with VirtualBoard(load_table(TABLE)) as board:
        for word, what in (("D+", "no door contact"), ("J-", "no write-lock jumper")):
            with pytest.raises(script.ScriptError, match=what):
                script.run(board, script.parse(f"w10 {word}"))
    with VirtualBoard(load_table(GUARDED)) as board:
        assert json.dumps(script.run(board, script.parse("J- J+")))
