"""Files against the manifest, sessions, the lost-key way in, the door and the jumper: the real firmware's answers."""

import json
from dataclasses import replace

import pytest
from altered import altered_files
from link_bench import TABLE, LinkBench

from tablecore import records, servicekey, shelf
from taisai.boards.table import load_table
from taisai.build import application_files
from taisai.client import Board
from taisai.client.errors import Mismatch, Refused
from taisai.client.session import answer
from taisai.client.transport import Transport
from taisai.sim import script
from taisai.sim.board import VirtualBoard

GUARDED = "nz2-pico-tpic6b595"
KEY = bytes(range(32))
WRONG = bytes(range(1, 33))
OTHER_BOARD = "0123456789abcdef"
TIDY_MS = 32_000


@pytest.fixture
def start():
    """Starts a board of `table` with this on its volume, and a host on its link."""
    desks = []

    def make(files=None, table=TABLE, before=lambda bench: None):
        desk = LinkBench()
        desks.append(desk)
        desk.port.close()
        board = VirtualBoard(load_table(table), files=application_files(load_table(table)) if files is None else files)
        before(board.bench)
        board.power_on()
        desk.port.board, desk.board, desk.bench, desk.serial = board, board, board.bench, board.serial
        return desk.__enter__()

    yield make
    for desk in desks:
        desk.port.close()


def restart(desk):
    """Off and on again; returns the host's new view of the board."""
    desk.board.power_off()
    desk.board.power_on()
    desk.host = Board.identify(Transport(desk.port, "the virtual board", desk.port.now))
    return desk.host


def wait_checked(desk):
    assert desk.board.run_until(lambda: desk.host.integrity()[0] != "checking", 5000)
    return desk.host.integrity()


def key(desk, keys):
    for each in keys:
        desk.press(each)


# --- the manifest ---


def test_files_as_in_the_manifest_are_good_within_a_second_and_games_can_be_played(start):
    desk = start()
    assert wait_checked(desk) == ("good", None, None)
    assert desk.bench.now_us < 1_500_000
    desk.play()


@pytest.mark.parametrize(
    "path, content, reason",
    [
        ("/app-1/tablecore/game.mpy", "altered", "altered"),
        ("/app-1/manifest.json", None, "missing"),
        ("/app-1/manifest.json", "altered", "damaged"),
        ("/app-1/tablehw/display_tm1637.mpy", None, "missing"),
        ("/main.py", "longer", "wrong size"),
        ("/app-1/tablecore/extra.py", b"pass\n", "not in the manifest"),
        ("/boot.py", b"pass\n", "not in the manifest"),
        ("/lib/x/y.py", b"pass\n", "not in the manifest"),
    ],
)
def test_a_file_that_differs_is_named_and_no_game_begins(start, path, content, reason):
    files = application_files(load_table(TABLE))
    if content is None:
        del files[path]
    elif content == "longer":
        files[path] += b"# x\n"
    elif content == "altered":
        # In the last text of the file, so that the module still loads.
        at = max(files[path].rfind(name) for name in (b"_key", b'"version"'))
        files[path] = files[path][:at] + bytes([files[path][at] ^ 1]) + files[path][at + 1 :]
    else:
        files[path] = content
    desk = start(files)
    named = path if not path.startswith("/lib") else "/lib"
    assert wait_checked(desk) == ("bad", named, reason)
    assert desk.host.state()["faults"] == ["E14"] and desk.host.state()["state"] == "fault"
    key(desk, "136E")
    assert desk.bench.observe().lit == [] and desk.bench.observe().display == "E14"


def test_no_entry_counts_before_the_comparison_has_ended(start):
    """With many files more it takes a while; meanwhile digits are taken and ENTRY is not."""
    more = {f"/app-1/x/{n:02d}.bin": bytes(16_000) for n in range(66)}
    desk = start(altered_files(TABLE, more))
    for each in "136E":
        desk.bench.keys.press(each, 50, 0)
        desk.board.run_ms(100)
    assert desk.host.integrity()[0] == "checking"
    assert desk.bench.observe().lit == [] and desk.bench.observe().display == "136"
    assert wait_checked(desk)[0] == "good"
    key(desk, "E")
    assert "total-10" in desk.bench.observe().lit


def test_what_an_update_left_behind_is_removed_when_the_table_is_idle(start):
    files = application_files(load_table(TABLE))
    left = {"/app-2/wiring.mpy": b"x", "/app-2/tablecore/game.mpy": b"y" * 5000, "/current.new": b"app-2"}
    desk = start({**files, **left})
    assert wait_checked(desk) == ("good", None, None)
    key(desk, "136E")
    desk.board.run_ms(TIDY_MS)
    assert "/app-2/wiring.mpy" in desk.files()  # a result is lit
    desk.press("E", 1600)
    desk.board.run_ms(1000)
    assert {path for path in desk.files() if not path.startswith("/data")} == set(files)
    assert accesses(desk) == ["-app-2", "-current"]
    assert wait_checked(desk) == ("good", None, None)
    assert restart(desk).state()["faults"] == []


# --- sessions ---


def keyed(start, **options):
    """A board that has a key."""
    desk = start({**application_files(load_table(TABLE)), servicekey.PATH: servicekey.dump(KEY)}, **options)
    wait_checked(desk)
    return desk


def answered(desk, key, board=None):
    """The error code of an answer to a new nonce, None when it opened a session."""
    nonce = bytes.fromhex(desk.host.session_start()["nonce"])
    return code_of(desk.host.session_open, answer(key, nonce, board or desk.host.identity.board))


def code_of(call, *arguments):
    try:
        call(*arguments)
    except Refused as error:
        return error.code
    return None


def accesses(desk):
    """What the journal has of accesses, oldest first, read from the flash itself."""
    tail = memoryview(desk.files()[shelf.TAIL])
    found = [records.unpack(tail, at) for at in range(0, len(tail), records.RECORD_BYTES)]
    return [each[records.DETAIL].rstrip(b"\0").decode() for each in found if each[records.KIND] == records.ACCESS]


def change(desk):
    return code_of(desk.host.set_settings, {"brightness_percent": 60})


def test_a_board_with_a_key_changes_nothing_without_a_session(start):
    desk = keyed(start)
    before = desk.files()
    assert change(desk) == code_of(desk.host.set_unit_identity, {"model": "x"}) == "session"
    assert code_of(desk.host.service) == code_of(desk.host.restart) == code_of(desk.host.set_key, WRONG) == "session"
    assert desk.files() == before and desk.board.starts == ["power"]
    assert answered(desk, KEY) is None and change(desk) is None
    desk.host.session_end()
    assert change(desk) == "session"
    assert accesses(desk) == ["opened", "ended"]
    desk.play()


def test_a_hundred_wrong_keys_without_a_pause(start):
    desk = keyed(start)
    begun = desk.bench.now_us
    codes = [answered(desk, WRONG) for _ in range(100)]
    seconds = (desk.bench.now_us - begun) / 1e6
    assert codes[0] == "answer" and set(codes) == {"answer", "wait"}
    # One at the start, one after 2 s more, one after 4 s more, and so on.
    assert codes.count("answer") == sum(seconds > 2**n - 2 for n in range(1, 10))
    assert accesses(desk) == [f"wrong{n}" for n in range(1, codes.count("answer") + 1)]
    assert answered(desk, KEY) == "wait" and change(desk) == "session"
    desk.host.link.wait(desk.host.session_start()["wait_s"])
    assert answered(desk, KEY) is None and change(desk) is None
    desk.play()


def test_an_answer_replayed_or_for_another_board_opens_nothing(start):
    desk = keyed(start)
    nonce = bytes.fromhex(desk.host.session_start()["nonce"])
    own = desk.host.identity.board
    right = answer(KEY, nonce, own)
    assert code_of(desk.host.session_open, right) is None
    desk.host.session_end()
    assert code_of(desk.host.session_open, right) == "answer" and change(desk) == "session"
    desk.host.link.wait(desk.host.session_start()["wait_s"])
    assert answered(desk, KEY, OTHER_BOARD) == "answer" and change(desk) == "session"
    # Sent to another board: not even judged.
    desk.host.identity = replace(desk.host.identity, board=OTHER_BOARD)
    with pytest.raises(Mismatch):
        desk.host.session_open(right)
    desk.host.identity = replace(desk.host.identity, board=own)
    desk.host.link.wait(10)
    assert answered(desk, KEY) is None
    assert accesses(desk) == ["opened", "ended", "wrong1", "wrong2", "opened"]


def test_no_two_nonces_are_equal(start):
    desk = keyed(start)
    nonces = {desk.host.session_start()["nonce"] for _ in range(20)}
    for _ in range(3):
        nonces.add(restart(desk).session_start()["nonce"])
    assert len(nonces) == 23


def test_a_session_is_over_after_a_restart_and_after_ten_idle_minutes(start):
    desk = keyed(start)
    assert answered(desk, KEY) is None
    restart(desk)
    assert change(desk) == "session" and answered(desk, KEY) is None
    desk.board.run_ms(601_000)
    assert change(desk) == "session"


def test_another_key_replaces_the_first(start):
    desk = start()
    wait_checked(desk)
    assert change(desk) is None
    desk.host.set_key(KEY)
    assert change(desk) == "session" and answered(desk, KEY) is None
    desk.host.set_key(WRONG)
    assert answered(desk, KEY) == "answer"
    restart(desk)
    wait_checked(desk)
    assert answered(desk, KEY) == "answer"
    desk.host.link.wait(2)
    assert answered(desk, WRONG) is None and change(desk) is None


@pytest.mark.parametrize("content", [b"", b"\xff" * 40, servicekey.dump(KEY)[:-1], bytes(40)])
def test_a_damaged_key_file_opens_nothing_is_reported_and_can_be_removed(start, content):
    desk = start({**application_files(load_table(TABLE)), servicekey.PATH: content})
    wait_checked(desk)
    assert desk.host.state()["faults"] == ["E53"] and desk.host.state()["state"] == "idle"
    assert change(desk) == "session" and answered(desk, KEY) == "failed"
    desk.play()
    lose_key(desk)
    assert desk.host.state()["faults"] == [] and change(desk) is None


# --- the lost-key way in ---


def lose_key(desk, ms=3500, keys="16"):
    """Off, and on again with keys held and the switch on."""
    desk.board.power_off()
    desk.bench.switch.turn(True)
    for each in keys:
        desk.bench.keys[each].move(True)
    desk.bench.advance(desk.bench.now_us + 20_000)
    desk.board.power_on()
    desk.board.run_ms(ms)
    for each in keys:
        desk.bench.keys[each].move(False)
    desk.bench.switch.turn(False)
    desk.board.run_ms(300)
    desk.host = Board.identify(Transport(desk.port, "the virtual board", desk.port.now))


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


# --- the door and the jumper ---


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
