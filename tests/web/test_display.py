"""The results display in a browser, at a table with the real firmware: what the players see, and when it fails."""

import random
import re
import signal
import subprocess
import threading
import time

import pytest
import uvicorn
from axe_playwright_python.sync_playwright import Axe
from played import Played
from served import SIZES, TAISAI, Served

from taisai.boards.layout import load_layout
from taisai.display.history import Game
from taisai.display.picture import nothing, picture
from taisai.web.audience import Audience
from taisai.web.channel import serve_page
from taisai.web.site import site

SCREEN = {"width": 1280, "height": 720}
LIMIT_S = 60  # of a test that has failed


class Display(Served):
    """`taisai display` with six places at a port."""

    def __init__(self, port, address="127.0.0.1:0"):
        command = [TAISAI, "display", "--port", port, "--address", address, "--last", "6"]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        said = iter(self.process.stderr.readline, "")
        self.url = next(found[0] for line in said if (found := re.search(r"http://127\S+", line)))

    @property
    def address(self):
        """Where another one can take its place."""
        return self.url.removeprefix("http://").rstrip("/")

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stderr.close()


@pytest.fixture
def table(tmp_path):
    made = Played("nz2-pico-tpic6b595", tmp_path / "port", ["555", None])
    made.wait(lambda seen: seen.display == "   ")
    yield made
    made.close()


@pytest.fixture
def display(table):
    """[the display]; a test may put another one in its place."""
    made = [Display(table.path)]
    yield made
    assert made[0].stop() == 130


@pytest.fixture
def page(browser, display):
    """The page, which nobody touches from here to the end."""
    complaints = []
    opened = browser.new_page(viewport=SCREEN, bypass_csp=True)
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on("request", lambda asked: None if "//127.0.0.1:" in asked.url else complaints.append(asked.url))
    opened.goto(display[0].url)
    wait_connected(opened)
    yield opened
    opened.close()
    assert complaints == []


def places(page):
    """What each place shows, dice first: "1 3 6 10 Small Even"; "" for an empty one."""
    return page.evaluate("""() => [...document.querySelectorAll('#results li')].map((each) => {
      const faces = [...each.querySelectorAll('svg')].map((die) => die.ariaLabel);
      return [...faces, ...each.innerText.split(/\\s+/)].join(' ').trim();
    })""")


def large(page):
    return page.inner_text("#last").split()


def wait_places(page, *first):
    """Until the first places are so."""
    end = time.monotonic() + LIMIT_S
    while places(page)[: len(first)] != list(first):
        assert time.monotonic() < end, places(page)
        time.sleep(0.05)


def wait_connected(page):
    page.wait_for_selector("#screen:not(.lost)", timeout=LIMIT_S * 1000)


def wait_lost(page):
    """How soon that is, tests/sim measures in the time of the bench, and below for the page in its own."""
    page.wait_for_selector("#screen.lost", timeout=LIMIT_S * 1000)
    assert page.is_visible("text=No connection to the table")


def result(table, keys):
    """Key a throw; it lights."""
    table.key([*keys, "E"])
    return table.wait(lambda seen: seen.lit).lit


def end(table):
    table.key("E", hold=True)
    table.wait(lambda seen: not seen.lit)


def test_an_evening_at_a_table(table, page, display, browser):
    """One page, which nobody touches; each part begins with what the one before has left."""
    a_result_comes_as_it_is_entered_and_is_corrected_in_its_place(table, page)
    a_void_game_is_void_and_a_test_throw_is_not_there(table, page)
    a_display_that_hangs_disturbs_neither_the_table_nor_the_page(table, page, display)
    a_display_that_was_killed_and_started_again_shows_the_same_picture(table, page, display, browser)
    without_power_the_page_says_so_and_goes_on_by_itself(table, page)


def a_result_comes_as_it_is_entered_and_is_corrected_in_its_place(table, page):
    assert places(page) == ["Void", "5 5 5 15 Triple 5", "", "", "", ""]
    result(table, "613")
    wait_places(page, "1 3 6 10 Small Even", "Void", "5 5 5 15 Triple 5", "")
    assert large(page) == "Total 10 Small Even 1, 3, 6, Total 10".split()
    table.turn(True)
    table.key([*"623", "E"])  # rule 7.2
    wait_places(page, "2 3 6 11 Big Odd", "Void", "5 5 5 15 Triple 5", "")
    assert large(page) == "Total 11 Big Odd 2, 3, 6, Total 11 Corrected".split()


def a_void_game_is_void_and_a_test_throw_is_not_there(table, page):
    table.key("1", hold=True)  # rule 7.1
    wait_places(page, "Void", "Void", "5 5 5 15 Triple 5", "")
    assert large(page) == ["Void"]
    table.key("E", hold=True)  # a test run (rule 5.1), with a throw of its own
    table.key("222E")
    table.wait(lambda seen: "triple-2" in seen.lit)
    table.turn(False)
    result(table, "661")
    wait_places(page, "1 6 6 13 Big Odd", "Void", "Void", "5 5 5 15 Triple 5", "")


def a_display_that_hangs_disturbs_neither_the_table_nor_the_page(table, page, display):
    display[0].process.send_signal(signal.SIGSTOP)
    wait_lost(page)
    end(table)
    assert "total-4" in result(table, "211")
    display[0].process.send_signal(signal.SIGCONT)
    wait_connected(page)
    wait_places(page, "1 1 2 4 Small Even", "1 6 6 13 Big Odd", "Void")


def a_display_that_was_killed_and_started_again_shows_the_same_picture(table, page, display, browser):
    shown = page.inner_html("main")
    display[0].kill()
    wait_lost(page)
    display[0] = Display(table.path, display[0].address)
    fresh = browser.new_page(viewport=SCREEN, bypass_csp=True)
    fresh.goto(display[0].url)
    wait_connected(fresh)
    wait_connected(page)
    assert fresh.inner_html("main") == page.inner_html("main") == shown
    fresh.close()


def without_power_the_page_says_so_and_goes_on_by_itself(table, page):
    shown = page.inner_html("main")
    table.power(False)
    wait_lost(page)
    table.power(True)
    wait_connected(page)
    assert page.inner_html("main") == shown
    table.wait(lambda seen: "total-4" in seen.lit)


# --- how it looks: pictures without a table ---

# What is in a box and leaves it, and what lies over something else: [what, text] of each.
OUTSIDE = """() => [...document.querySelectorAll('h1, h2, p, b, span, dt, dd, svg, ol, dl')].filter((each) => {
  const inner = each.getBoundingClientRect(), outer = each.closest('li, section, header').getBoundingClientRect();
  return inner.width && (inner.left < outer.left - 1 || inner.right > outer.right + 1 || inner.top < outer.top - 1 ||
    inner.bottom > outer.bottom + 1);
}).map((each) => [each.tagName, each.textContent])"""
OVERLAPPING = """() => {
  const kinds = 'h1, h2, svg, .outcome span, .call, .void, .labels span, b, dt, dd, .heat';
  const parts = [...document.querySelectorAll(kinds)]
    .map((each) => [each, each.getBoundingClientRect()]).filter(([each, box]) => box.width && box.height);
  const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  return parts.flatMap(([a, box], at) => parts.slice(at + 1).filter(([b, other]) => over(box, other))
    .map(([b]) => [a.textContent || a.ariaLabel, b.textContent || b.ariaLabel]));
}"""
TOO_LARGE = """() => [document.body, document.querySelector('main')].some((each) =>
  each.scrollWidth > each.clientWidth || each.scrollHeight > each.clientHeight)"""
# A character that no font has looks like one that none can have.
BOXES = """() => {
  const drawn = (text) => {
    const canvas = new OffscreenCanvas(40, 40), pen = canvas.getContext('2d');
    pen.font = `30px ${getComputedStyle(document.body).fontFamily}`;
    pen.fillText(text, 2, 32);
    return pen.getImageData(0, 0, 40, 40).data.join();
  };
  const box = drawn('\uFFFE');
  return [...new Set(document.body.innerText.replace(/\\s/g, ''))].filter((each) => drawn(each) === box);
}"""


def random_games(count, *newest):
    """So many games, the newest ones as given."""
    rng = random.Random(count)
    throws = [*newest, *("".join(rng.choices("123456", k=3)) for _ in range(count - len(newest)))]
    return [Game(count - at, throw, amended=at == 0 and throw is not None) for at, throw in enumerate(throws)]


def random_wheel(count):
    symbols = random.Random(count).choices("ABCDEFG", weights=(24, 12, 8, 4, 2, 1, 1), k=count)
    return [Game(count - at, None if symbol == "E" else symbol) for at, symbol in enumerate(symbols)]


KOREA, NEW_ZEALAND = load_layout("kr-daisai"), load_layout("nz-div9-appendix2")
LOOKS = {
    # The most that there can be: in Korea a triple can be small and even too.
    "korean, all full": (True, picture(KOREA, random_games(1000, "222", None, "333"), 40, 1000)),
    "korean, void": (True, picture(KOREA, random_games(1, None), 20, 100)),
    "english, as delivered": (True, picture(NEW_ZEALAND, random_games(200, "244", None, "666"), 20, 100)),
    "money wheel": (True, picture(load_layout("nz-div10-option1"), random_wheel(60), 20, 100)),
    "before the first table": (False, nothing(20)),
}


@pytest.fixture(scope="module")
def showing():
    """(address, tell) of a page that shows whatever it is told."""
    audience = Audience()

    async def talk(socket):
        await serve_page(socket, audience)

    config = uvicorn.Config(site("display.html", talk, None), port=0, log_level="warning")
    listening = config.bind_socket()
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}/", audience.tell
    server.should_exit = True
    thread.join()


def test_a_page_that_hears_nothing_more_says_so_within_3_s(showing, browser):
    address, tell = showing
    page = browser.new_page(viewport=SCREEN, bypass_csp=True)
    page.clock.install()
    page.goto(address)
    tell({"type": "picture", "connected": True, **LOOKS["korean, void"][1]})
    page.wait_for_selector("#screen:not(.lost)")
    page.clock.fast_forward(1500)  # longer than a server that has a table is silent
    assert not page.is_visible("#lost")
    page.clock.fast_forward(1500)
    assert page.is_visible("text=테이블 연결 없음")
    page.close()


@pytest.mark.parametrize("look", LOOKS)
def test_the_page_fits_every_screen_and_can_be_read_by_everybody(look, showing, browser):
    address, tell = showing
    connected, picture = LOOKS[look]
    page = browser.new_page(bypass_csp=True)
    for width, height in SIZES.values():
        page.set_viewport_size({"width": width, "height": height})
        page.goto(address)
        tell({"type": "picture", "connected": connected, **picture})
        page.wait_for_function(f"document.querySelectorAll('#results li').length === {picture['places']}")
        page.wait_for_function("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert page.is_visible("#lost") != connected
        assert [page.evaluate(each) for each in (OUTSIDE, OVERLAPPING, TOO_LARGE, BOXES)] == [[], [], False, []]
    assert Axe().run(page).violations_count == 0
    page.close()


def test_what_does_not_fit_is_found(showing, browser):
    address, tell = showing
    page = browser.new_page(viewport=SCREEN, bypass_csp=True)
    page.goto(address)
    told = picture(NEW_ZEALAND, random_games(3), 20, 100)
    told["results"][2]["labels"] = ["A name that is far too long for its place"]
    told["words"]["title"] = "\u0378"  # which is no character
    tell({"type": "picture", "connected": True, **told})
    page.wait_for_selector("text=far too long")
    assert [text for _, text in page.evaluate(OUTSIDE)] == ["A name that is far too long for its place"] * 2
    assert page.evaluate(BOXES) == ["\u0378"]
    assert "far too long" in page.evaluate(OVERLAPPING)[0][1]
    told["results"][2]["labels"] = ["Small"]
    tell({"type": "picture", "connected": True, **told})
    page.wait_for_selector("text=far too long", state="detached")
    assert not page.evaluate(TOO_LARGE)
    page.add_style_tag(content="#screen { height: 110% }")
    assert page.evaluate(TOO_LARGE)
    page.close()
