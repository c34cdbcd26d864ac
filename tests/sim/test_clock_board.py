"""A board with a real-time clock: records carry its time from the start on, and say where a time came from."""

import pytest
from board_edit import edited
from journal_bench import end_game, host_of, key

from taisai.boards.table import load_table
from taisai.journal.reading import read
from taisai.sim.board import VirtualBoard

START_MS = 1000
NOON = 1_798_718_400  # 31/12/2026 12:00:00 UTC
CLOCK = ("[limits]", '[clock]\npart = "DS3231"\nscl = 27\nsda = 26\n\n[limits]')


@pytest.fixture
def board(tmp_path):
    (tmp_path / "clock.toml").write_text(edited("controllers", "pico-hc595", CLOCK))
    table = tmp_path / "nz1.toml"
    table.write_text(edited("tables", "nz1-pico-hc595", ('"pico-hc595"', '"clock.toml"')))
    with VirtualBoard(load_table(table)) as board:
        board.power_on()
        board.run_ms(START_MS)
        yield board


def _restart(board):
    board.power_off()
    board.run_ms(3_600_000)  # an hour without power
    board.power_on()
    board.run_ms(START_MS)
    return host_of(board)


def _newest(host):
    return list(read(host, host.journal_state()["next"] - 1))[0]


def test_a_clock_that_was_never_set_gives_no_time_and_a_host_sets_it(board):
    host = host_of(board)
    assert (host.journal_state()["time"], host.journal_state()["source"]) == (0, None)
    assert "time_utc" not in _newest(host)
    host.set_time(NOON)
    assert host.journal_state()["source"] == "host"
    host = _restart(board)
    boot = _newest(host)
    assert (boot["kind"], boot["time_source"], boot["time_utc"][:13]) == ("boot", "rtc", "31/12/2026 13")
    key(board, *"136E")
    end_game(board)
    assert _newest(host)["time_source"] == "rtc"
    # Half a year later, over the turn of the year and a month of 28 days.
    board.power_off()
    board.run_ms(181 * 86_400_000)
    board.power_on()
    board.run_ms(START_MS)
    assert _newest(host_of(board))["time_utc"][:13] == "30/06/2027 13"


def test_a_clock_that_has_stopped_or_does_not_answer_gives_no_time(board):
    host_of(board).set_time(NOON)
    board.bench.clock.lose_battery()
    host = _restart(board)
    assert "time_utc" not in _newest(host) and host.state()["faults"] == []
    host.set_time(NOON)
    board.bench.clock.fitted = False
    host = _restart(board)
    assert "time_utc" not in _newest(host) and host.state()["faults"] == []
    with pytest.raises(Exception, match="the clock on the board does not take it"):
        host.set_time(NOON)
    assert host.journal_state()["source"] == "host", "the table knows it all the same, until it is switched off"
    key(board, *"136E")
    assert board.bench.observe().lit and _newest(host)["time_source"] == "host"
