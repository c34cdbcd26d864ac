"""The link as the PC sees it: every way in which a port can disappoint ends in time, in its own words."""

import time

import pytest
from fake_ports import DeafPort, FakePort, Table, prompt, raw_prompt

from taisai.client import Board, open_port
from taisai.client.errors import (
    AtPrompt,
    LinkLost,
    Mismatch,
    NotOurs,
    NotReading,
    Refused,
    Restarted,
    Silent,
    StillBooting,
)

DEADLINE_S = 1.5


def opened(fake, **options):
    transport = open_port(fake.path)
    try:
        return Board.identify(transport, **options)
    except BaseException:
        transport.close()
        raise


def ends(expected, words, exit_code, within_s, call, *arguments, **named):
    """The call ends with that error, in time."""
    start = time.monotonic()
    with pytest.raises(expected) as caught:
        call(*arguments, **named)
    assert type(caught.value) is expected, caught.value
    assert words in str(caught.value) and caught.value.exit_code == exit_code
    assert time.monotonic() - start < within_s
    return caught.value


def test_a_table_is_identified_asked_and_changed():
    with FakePort(Table()) as fake, opened(fake) as board:
        assert board.identity.board == "e6614103e7452d2f" and board.identity.table == "nz1-pico-hc595"
        assert board.state()["digits"] == ""
        assert board.set_settings({"brightness_percent": 42})["brightness_percent"] == 42
        assert board.settings()["brightness_percent"] == 42
        assert board.set_unit_identity({"model": "TS-2"})["model"] == "TS-2"
        assert board.files("/") == {"main.py": 9}


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda data: data, "comes back unchanged"),
        (lambda data: b"\xff\x00garbage\r\n" if data else b"", "not as a table does"),
        (lambda data: b"7 ok {} *00000000\n" if data else b"", "not as a table does"),
    ],
    ids=["echo", "garbage", "wrong crc"],
)
def test_what_answers_otherwise_is_not_ours(answer, words):
    with FakePort(answer) as fake:
        ends(NotOurs, words, 2, DEADLINE_S + 1, opened, fake, timeout_s=DEADLINE_S)


def test_a_flood_ends_at_once():
    with FakePort(always=b"all work and no play " * 200) as fake:
        ends(NotOurs, "without end", 2, 20, opened, fake, timeout_s=30)


def test_silence():
    with FakePort() as fake:
        ends(Silent, "nothing has come for 1.5 s", 3, DEADLINE_S + 1, opened, fake, timeout_s=DEADLINE_S)
        assert fake.heard.count(b"identify") == 2


def test_a_board_that_answers_two_seconds_late_is_understood():
    table = Table(late_s=2.0)
    with FakePort(table) as fake, opened(fake) as board:
        assert board.set_settings({"brightness_percent": 42})["brightness_percent"] == 42
        assert table.writes == 1
        # The replies to the repeats are still on their way; they are nobody's.
        assert board.settings()["brightness_percent"] == 42


def test_a_port_that_takes_nothing():
    with DeafPort() as fake:
        fake.fill()
        ends(NotReading, "takes no bytes", 3, 4, opened, fake)


def test_unplugged_before_and_in_the_middle_of_a_request():
    with FakePort(Table()) as fake:
        board = opened(fake)
        fake._answer = lambda data: fake.unplug() or b"" if data else b""
        ends(LinkLost, "the port has gone", 3, 2, board.state)
        ends(LinkLost, "the port has gone", 3, 2, board.state)
        board.close()
        board.close()


def test_a_board_that_falls_silent():
    with FakePort(Table()) as fake, opened(fake) as board:
        fake._answer = lambda data: b""
        ends(LinkLost, "answered before", 3, DEADLINE_S + 1, board.link.request, "state", timeout_s=DEADLINE_S)


def test_a_board_that_starts_anew_behind_a_port_that_stays():
    """As behind a USB-to-serial converter: asked for its state it answers that it is booting, and no more."""
    table = Table()
    with FakePort(table) as fake, opened(fake) as board:
        table.state = "booting"
        ends(Restarted, "the board has restarted", 3, 1, board.state)


@pytest.mark.parametrize("answer", [prompt])
def test_the_prompt_is_told_at_once(answer):
    with FakePort(answer) as fake:
        ends(AtPrompt, "MicroPython is at its prompt", 2, 1.5, opened, fake)


def test_raw_repl_is_silent():
    with FakePort(raw_prompt()) as fake:
        ends(Silent, "nothing has come", 3, 2, opened, fake, timeout_s=1)


def test_another_protocol():
    with FakePort(Table(digest="0" * 16)) as fake:
        ends(Mismatch, "speaks another protocol", 2, 1.5, opened, fake)
        with opened(fake, any_protocol=True) as board:
            assert board.identity.board == "e6614103e7452d2f"


def test_self_tests_are_waited_for():
    table = Table()
    table.state = "booting"
    with FakePort(table) as fake:
        ends(StillBooting, "self-tests have not ended", 1, DEADLINE_S + 1, opened, fake, timeout_s=DEADLINE_S)
        asked = fake.heard.count(b"identify")
        assert 3 < asked < 20
        table.state = "idle"
        opened(fake).close()


def test_a_refusal_has_its_code_and_whose_fault_it_is():
    table = Table()
    with FakePort(table) as fake, opened(fake) as board:
        error = ends(Refused, "brightness_percent must be", 2, 1, board.set_settings, {"brightness_percent": 1})
        assert error.code == "field" and table.writes == 0
        table.state = "result"
        assert ends(Refused, "present state", 2, 1, board.restart).code == "state"
        table.state = "idle"
        ends(Refused, "no such file", 1, 1, board.file_hash, "/none", b"12345678")


def test_another_board_on_the_same_port():
    first, second = Table(), Table(board="0000000000000002")
    with FakePort(first) as fake, opened(fake) as board:
        fake._answer = second
        ends(Mismatch, "another board", 2, 1, board.set_settings, {"brightness_percent": 50})
        assert first.writes == second.writes == 0


def test_a_lost_reply_is_asked_for_again_and_nothing_is_done_twice():
    lost = []

    def lose_every_other(number, line):
        return lost.append(line) or b"" if number % 2 == 0 else line

    table = Table(spoil=lose_every_other)
    with FakePort(table) as fake, opened(fake) as board:
        assert board.set_settings({"brightness_percent": 42})["brightness_percent"] == 42
        assert table.writes == 1 and len(lost) == 2


@pytest.mark.parametrize("bit", range(8))
def test_a_reply_with_a_flipped_bit_is_no_reply(bit):
    def flip(number, line):
        return bytes([line[0], line[1], line[2] ^ 1 << bit]) + line[3:] if number == 1 else line

    table = Table(spoil=flip)
    with FakePort(table) as fake, opened(fake) as board:
        assert board.set_settings({"brightness_percent": 42})["brightness_percent"] == 42
        assert table.writes == 1


def test_a_restart_is_asked_for_once():
    with FakePort(Table(spoil=lambda number, line: b"" if number == 1 else line)) as fake, opened(fake) as board:
        ends(LinkLost, "answered before", 3, 4, board.link.request, "restart", {"board": board.identity.board}, 2.5)
        assert fake.heard.count(b"restart") == 1


def test_bytes_that_another_program_left_do_no_harm():
    with FakePort(Table()) as fake:
        with open_port(fake.path) as transport:
            transport.write(b"41 set-settings {")
        with opened(fake) as board:
            assert board.state()["state"] == "idle"


def test_two_programs_one_after_the_other_get_their_own_replies():
    table = Table()
    with FakePort(table) as fake:
        for digits in ("1", "13", "136"):
            table.digits = digits
            with opened(fake) as board:
                assert board.state()["digits"] == digits


def test_events_come_between_replies_and_are_kept():
    table = Table()
    with FakePort(table) as fake, opened(fake) as board:
        following = board.subscribe()
        for digits in ("1", "13", "136"):
            table.digits = digits
            time.sleep(0.15)
            assert board.state()["digits"] == digits
        events = [board.link.next_event(0.5) for _ in range(3)]
        assert [fields["seq"] for _, fields in events] == [following, following + 1, following + 2]
        assert [fields["digits"] for _, fields in events] == ["1", "13", "136"]
        assert board.link.next_event(0.2) is None
        board.unsubscribe()
        table.digits = ""
        assert board.link.next_event(0.3) is None
