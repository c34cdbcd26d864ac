"""The server behind the page: pages that misbehave, several pages, late messages, and who may open it."""

import signal
import time
import urllib.error
import urllib.request

import pytest
import rule_evaluator
from pageless import HOLD_MS, KEY_MS, LIMIT_S, Page
from served import Served
from websockets.exceptions import ConnectionClosed, InvalidStatus

TABLE = "nz1-pico-hc595"
LAYOUT = "nz-div9-appendix1"
BLANK = "   "


@pytest.fixture(scope="module")
def served():
    given = Served(TABLE)
    yield given
    assert given.stop() == 130


@pytest.fixture
def page(served):
    given = Page(served.socket)
    given.wait_ready()
    given.wait_seen(display=BLANK, tone_hz=0, keys=[])
    yield given
    if given.told["seen"]["display"] != BLANK or given.told["seen"]["lit"]:
        given.clear()
    given.close()


MALFORMED = [
    "", "{", "null", "[]", '"key"', "{}", '{"do":"fly"}', '{"do":"key"}', '{"do":"key","key":"1","down":true}',
    '{"do":"key","key":"7","down":true,"at":1}', '{"do":"key","key":1,"down":true,"at":1}',
    '{"do":"key","key":"1","down":1,"at":1}', '{"do":"key","key":"1","down":true,"at":1,"x":1}',
    '{"do":"key","key":"1","down":true,"at":-1}', '{"do":"key","key":"1","down":true,"at":NaN}',
    '{"do":"key","key":"1","down":true,"at":1e999}', '{"do":"key","key":"1","down":true,"at":"1"}',
    '{"do":"bounce","ms":11}', '{"do":"bounce","ms":-1}', '{"do":"slow-flash","operations":0}',
    '{"do":"spin","revolutions":4}', '{"do":"spin","revolutions":0,"way":"clockwise","end":"free"}',
    '{"do":"spin","revolutions":"4","way":"clockwise","end":"free"}',
    '{"do":"spin","revolutions":4,"way":"up","end":"free"}', '{"do":"spin","revolutions":4,"way":"clockwise","end":""}',
    '{"do":"fault","word":""}', '{"do":"fault","word":"' + "x" * 81 + '"}', '{"do":"watch"}', "[" * 1000,
]  # fmt: skip


def test_a_malformed_message_is_refused_and_nothing_else_happens(page):
    before = page.told["seen"]
    for text in MALFORMED:
        assert page.say(text), text
        assert page.told["seen"] == before, text


def test_a_fault_that_this_table_cannot_have_is_refused_by_name(page):
    words = {"open:nowhere": "nowhere", "fly": "fly", "cut:99": "99", "stuck:0:2": "2", "key:9": "9"}
    for word, named in (words | {"sense:5": "sense"}).items():
        assert named in page.say({"do": "fault", "word": word})
    assert page.told["seen"]["faults"] == []


def test_a_spin_is_refused_where_there_is_no_wheel(page):
    assert "no money wheel" in page.say({"do": "spin", "revolutions": 4, "way": "clockwise", "end": "free"})


@pytest.mark.parametrize("name", ["../../etc/passwd", "nowhere", "boards/tables/nz1-pico-hc595.toml"])
def test_a_page_can_choose_shipped_tables_alone_and_the_other_goes_on(page, name):
    assert "there is no table" in page.say({"do": "table", "table": name})
    page.press("12")
    page.wait_seen(display=" 12")


@pytest.mark.parametrize("message", [b"\0\1\2", "x" * 5000])
def test_bytes_and_messages_that_are_too_long_end_the_page_alone(served, page, message):
    other = Page(served.socket)
    other.send(message)
    with pytest.raises(ConnectionClosed):
        while True:
            other.socket.recv(timeout=LIMIT_S)
    page.press("3")
    page.wait_seen(display="  3")


def test_presses_that_arrive_all_at_once_are_those_that_were_made(page):
    """As after a hold-up of the page, the network or the server: eight changes of keys in one burst, then a hold."""
    page.press("136E")
    page.wait(lambda told: set(told["seen"]["lit"]) == set(rule_evaluator.winners(LAYOUT, (1, 3, 6))))
    page.press("E", HOLD_MS)
    page.wait_seen(lit=[], display=BLANK)


def test_a_page_whose_clock_runs_away_or_back_only_harms_itself(served, page):
    other = Page(served.socket)
    for at in (0.0, 1e12, 5.0):
        other.clock_ms = at
        other.key("2", True)
        other.key("2", False)
    other.close()
    page.press_until("3", lambda told: told["seen"]["display"].endswith("3"))


def test_a_page_that_asks_for_too_much_is_told_so_and_the_others_are_served(served, page):
    other = Page(served.socket)
    for count in range(3000):
        other.send({"do": "bounce", "ms": count % 10})
    page.press("3")
    page.wait_seen(display="  3")
    other.wait(lambda told: "too much" in told.get("refused", {}).get("text", ""))
    other.close()


def test_a_second_page_pressing_the_same_key_makes_one_press(served, page):
    other = Page(served.socket)
    page.key("4", True)
    page.wait_seen(keys=["4"])
    other.key("4", True)
    page.key("4", False)
    # Its answer shows that the key of the first page has been lifted before.
    page.say("{")
    page.send({"do": "bounce", "ms": 3})
    page.wait_seen(bounce_ms=3, keys=["4"])
    other.clock_ms += KEY_MS
    other.key("4", False)
    page.wait_seen(keys=[], display="  4")
    other.close()


def test_a_closed_tab_lets_go_of_its_keys(served, page):
    other = Page(served.socket)
    other.key("5", True)
    page.wait_seen(keys=["5"])
    other.close()
    page.wait_seen(keys=[])


def test_twenty_pages_see_the_same_result(served, page):
    others = [Page(served.socket) for _ in range(20)]
    page.press("225E")
    page.wait_seen(display="225")
    winners = set(rule_evaluator.winners(LAYOUT, (2, 2, 5)))
    for each in (page, *others):
        each.wait(lambda told: set(told.get("seen", {}).get("lit", ())) == winners)
    for each in others:
        each.close()


def test_another_table_can_be_chosen_and_starts_as_new():
    served = Served(TABLE)
    try:
        page = Page(served.socket)
        page.wait_ready()
        page.press("136E")
        page.wait_seen(display="136")
        page.send({"do": "table", "table": "kr-pico-tpic6b595"})
        page.wait(lambda told: told["table"]["table"] == "kr-pico-tpic6b595" and told["seen"]["display"] != "136")
        page.told.pop("told", None)
        page.wait_ready()
        page.press("111E")
        page.wait(lambda told: set(told["seen"]["lit"]) == set(rule_evaluator.winners("kr-daisai", (1, 1, 1))))
        page.close()
    finally:
        assert served.stop() == 130


def test_a_page_of_another_site_may_not_work_the_table(served):
    """By the origin that its browser tells, and by the name under which it came here."""
    for headers in ({"origin": "http://elsewhere.example"}, {"additional_headers": {"Host": "elsewhere.example:8216"}}):
        with pytest.raises((InvalidStatus, ConnectionClosed)):
            Page(served.socket, **headers).wait(lambda told: "table" in told)
    for name in ("elsewhere.example", "127.0.0.1.elsewhere.example", "[::1", "[elsewhere]:80", "a]b"):
        asked = urllib.request.Request(served.url, headers={"Host": name})
        with pytest.raises(urllib.error.HTTPError, match="401"):
            urllib.request.urlopen(asked)


@pytest.mark.parametrize("origin", ["null", "http://[::1", "http://[elsewhere]", "http://127.0.0.1", "http://localhost"])
def test_an_origin_that_is_not_this_page_is_refused_whatever_it_says(served, origin):
    with pytest.raises(InvalidStatus, match="403"):
        Page(served.socket, origin=origin)


def test_a_board_that_is_reset_without_end_is_still_the_table_afterwards(page):
    """Each reset breaks off whatever the firmware was just telling."""
    for _ in range(60):
        page.send({"do": "reset"})
        time.sleep(0.02)
    page.wait_seen(display="---")
    page.wait_seen(display=BLANK)
    page.press("3")
    page.wait_seen(display="  3")


def test_no_file_outside_the_pages_is_given(served):
    for path in ("static/../server.py", "static/%2e%2e/site.py", "static//etc/passwd", "static/", "etc/passwd"):
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(served.url + path)


def test_on_another_address_than_loopback_a_token_is_asked_for():
    served = Served(TABLE, "--address", "0.0.0.0:0")
    try:
        address, _, query = served.url.replace("0.0.0.0", "127.0.0.1").partition("?")
        assert query.startswith("token=") and len(query) > 20
        socket = address.replace("http", "ws") + "table"
        for wrong in ("", "?token=", "?token=wrong", "?token=%ff"):
            with pytest.raises(urllib.error.HTTPError, match="401"):
                urllib.request.urlopen(address + wrong)
            with pytest.raises((InvalidStatus, ConnectionClosed)):
                Page(socket + wrong).wait(lambda told: "table" in told)
        assert b"Entry terminal" in urllib.request.urlopen(f"{address}?{query}").read()
        page = Page(f"{socket}?{query}")
        page.wait(lambda told: "table" in told)
        page.close()
    finally:
        assert served.stop() == 130


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_request_to_end_puts_the_board_away_and_ends_with_130(number):
    """SIGHUP comes when the terminal that it was started in is closed."""
    served = Served(TABLE)
    page = Page(served.socket)
    page.wait(lambda told: "table" in told)
    served.process.send_signal(number)
    assert served.process.wait(30) == 130
    page.close()
    served.stop()
