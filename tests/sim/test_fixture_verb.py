"""The verb `fixture`: keys that acceptance puts in go the way of every key, into a test run; a person comes first."""

import pytest
from access_bench import identified, keyed
from link_bench import TABLE, LinkBench

from taisai.boards.table import load_table
from taisai.build import application_files
from taisai.client.errors import LinkLost, Refused
from taisai.journal.reading import newest

THROW_136 = "136E"
ZONES_136 = {"small", "total-10", "pair-1-3", "pair-1-6", "pair-3-6", "single-1", "single-3", "single-6"}


@pytest.fixture
def desk():
    with LinkBench() as made:
        made.board.run_ms(2000)
        yield made


def refused(desk, do, data=""):
    with pytest.raises(Refused) as caught:
        desk.host.fixture(do, data)
    return caught.value.code


def test_a_throw_is_keyed_latched_read_back_and_on_record_as_a_test(desk):
    told = desk.host.fixture("keys", THROW_136)
    assert set(desk.bench.observe().lit) == ZONES_136
    assert told == {"frame": desk.bench.observe().frame}
    assert desk.bench.beeper.tones, "every accepted press beeps"
    desk.host.fixture("end")
    desk.board.run_ms(400)
    assert not desk.bench.observe().lit and desk.host.state()["state"] == "idle"
    kinds = [entry["kind"] for entry in newest(desk.host, 3)]
    assert kinds == ["boot", "access", "test"]
    assert desk.host.journal_state()["game"] == 0


def test_it_is_refused_while_a_result_is_lit_and_below_a_test_run_too(desk):
    for key in "136E":
        desk.press(key)
    assert refused(desk, "keys", THROW_136) == "state"
    desk.bench.switch.turn(True)
    desk.board.run_ms(200)
    desk.press("E", 1600)
    assert desk.host.state()["state"] == "test"
    for do in ("keys", "trace", "memory", "hang", "end"):
        assert refused(desk, do, THROW_136) == "state"


def test_a_key_at_the_table_ends_it_and_is_not_lost_in_it(desk):
    desk.host.fixture("keys", THROW_136)
    desk.bench.keys.press("5", 80)
    desk.board.run_ms(300)
    state = desk.host.state()
    assert (state["state"], state["switch"], state["lit"]) == ("idle", False, None)
    assert not desk.bench.observe().lit
    assert desk.press("2")[-1] == "2"


def test_a_station_that_went_away_leaves_a_table_that_can_be_used(desk):
    desk.host.fixture("keys", THROW_136)
    desk.board.run_ms(31_000)
    assert desk.host.state()["state"] == "idle"
    for key in "136E":
        desk.press(key)
    desk.board.run_ms(400)
    assert desk.host.state()["lit"] == [1, 3, 6]


@pytest.mark.parametrize("data", ["", "7", "1 3", "e", "0"])
def test_what_is_no_key_is_refused(desk, data):
    assert refused(desk, "keys", data) == "field"
    assert desk.host.state()["state"] == "idle"


def test_an_unknown_word_is_refused(desk):
    assert refused(desk, "flash") == "field"


def test_the_trace_tells_how_the_contacts_moved(desk):
    desk.host.fixture("trace")
    desk.bench.keys.press("3", 80, bounce_ms=0)
    desk.board.run_ms(300)
    (down, bits), (up, none) = desk.host.fixture("trace")["trace"][-2:]
    assert (bits, none) == (1 << 2, 0) and 75 <= up - down <= 85
    assert desk.bench.observe().display == "  3", "the key still does what it does"


def test_a_table_that_hangs_is_restarted_by_its_watchdog(desk):
    with pytest.raises(LinkLost):
        desk.host.fixture("hang", timeout_s=0.5)
    assert desk.board.run_until(lambda: desk.board.starts[-1] == "watchdog", 10_000)
    assert identified(desk).identity.reset == "watchdog"


def test_it_needs_a_service_session_where_a_key_is_set(start):
    desk = keyed(start)
    assert refused(desk, "keys", THROW_136) == "session"


def test_a_table_without_keys_has_none_that_acceptance_could_press(start):
    files = application_files(load_table(TABLE))
    desk = start({**files, "/app-1/hardware.json": b"{}"})
    assert refused(desk, "keys", THROW_136) == "state"
