"""Service sessions with the real firmware: what a key, a wrong key, a replayed answer and a damaged key file do."""

from dataclasses import replace

import pytest
from access_bench import KEY, accesses, answered, change, code_of, keyed, lose_key, restart, wait_checked
from link_bench import TABLE

from tablecore import servicekey
from taisai.boards.table import load_table
from taisai.build import application_files
from taisai.client.errors import Mismatch
from taisai.client.session import answer

WRONG = bytes(range(1, 33))
OTHER_BOARD = "0123456789abcdef"


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
