"""The money wheel at the page: a wheel that turns, symbols that light, spins that were none, and sensors that fail."""

import sys
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from hands import (
    HOLD_MS,
    LIMIT_MS,
    press_keyboard,
    press_mouse,
    wait_bright,
    wait_digits,
    wait_ready,
    wait_words,
)
from served import SIZES, Served
from test_page_looks import flaws, scroll_size

SENSING, KEYED = "wheel1-pico-tpic6b595", "wheel1-pico-hc595"
LETTERS = "ABCDEFG"
BRAKED = (sys.executable, Path(__file__).with_name("braked.py"))

# The section that lies right below the indicator: its zone.
BELOW = """() => {
  const tip = document.querySelector("#rim .indicator").getBoundingClientRect();
  const rim = document.querySelector("#rim svg").getBoundingClientRect();
  const found = document.elementFromPoint(tip.left + tip.width / 2, tip.bottom + 0.02 * rim.height);
  return found.closest(".stop").dataset.zone;
}"""
# How far the wheel is turned, in degrees; it is not brought back to one revolution.
TURNED = "() => Number(/rotate\\(([-0-9.e]+)/.exec(document.querySelector('#rim .rim').getAttribute('transform'))[1])"

# Notes every place in which it is drawn.
RECORD = f"""() => {{
  window.places = [];
  const look = () => {{ window.places.push(({TURNED})()); requestAnimationFrame(look); }};
  look();
}}"""


@pytest.fixture(scope="module")
def served():
    """A server of its own, whose wheels do not turn for so long."""
    given = Served(KEYED, command=BRAKED)
    yield given
    given.stop()


def spin(page, revolutions):
    page.fill("#revolutions", str(revolutions))
    page.click("#clockwise")


def wait_letter(page, letters):
    """The display shows one of them: it may blink, and seven segments draw some as small letters."""
    page.wait_for_function(
        "(letters) => new RegExp(`^Display: [${letters}]$`, 'i').test(document.querySelector('#display').ariaLabel)",
        arg=letters, timeout=LIMIT_MS,
    )  # fmt: skip


def test_without_sensors_1_and_6_go_through_the_letters_and_entry_lights_one(open_page):
    page = open_page(KEYED)
    for key, letter in ("6", "A"), ("1", "G"), ("1", "F"):
        press_mouse(page, key)
        wait_letter(page, letter)
    wait_bright(page, set())
    press_mouse(page, "E")
    wait_bright(page, {"symbol-F"})
    wait_words(page, "#call", "^Symbol F$")
    assert page.is_hidden("#pegs")
    # Another table from the list: its wheel can be sensed.
    page.select_option("#picker", SENSING)
    wait_words(page, "#title", "TPIC6B595")
    wait_ready(page)
    wait_bright(page, set())
    assert page.locator("#rim .stop").count() == 52
    assert page.locator("#cloth .zone").count() == len(LETTERS)


def test_entry_lights_exactly_the_symbol_at_the_indicator_and_the_supervisor_voids_it(open_page):
    """While the wheel turns the page is looked at on every screen."""
    page = open_page(SENSING)
    start = page.evaluate(TURNED)
    page.evaluate(RECORD)
    spin(page, 3.1)
    for width, height in SIZES.values():
        page.set_viewport_size({"width": width, "height": height})
        assert scroll_size(page) == [width, height]
        assert list(flaws(page, width, height)) == []
    page.set_viewport_size({"width": 1280, "height": 720})
    wait_letter(page, LETTERS)
    places = page.evaluate("window.places")
    assert len(set(places)) > 10, "it jumps"
    assert min(places) == start and places[-1] - start == pytest.approx(3.1 * 360, abs=8)
    zone = page.evaluate(BELOW)
    letter = zone.removeprefix("symbol-")
    assert page.get_attribute("#rim svg", "aria-label") == f"Symbol {letter} at the indicator"
    wait_letter(page, letter)
    wait_bright(page, set())
    press_keyboard(page, "E")
    wait_bright(page, {zone})
    wait_words(page, "#call", f"^Symbol {letter}$")
    assert Axe().run(page).response["violations"] == []
    page.click("#switch")
    page.wait_for_selector("#switch[aria-pressed=true]")
    press_mouse(page, "1", HOLD_MS)  # rule 5.1
    wait_bright(page, set())
    page.click("#switch")
    page.wait_for_selector("#switch[aria-pressed=false]")


def test_a_spin_that_was_none_says_why_and_another_throw_has_to_wait(open_page):
    page = open_page(SENSING)
    start = page.evaluate(TURNED)
    page.fill("#revolutions", "0.3")
    page.evaluate("['anticlockwise', 'clockwise'].forEach((way) => document.getElementById(way).click())")
    wait_words(page, "#status", "the wheel is turning: let it come to rest first")
    wait_digits(page, "n-r")
    wait_words(page, "#call", "^No spin: fewer than 3 revolutions$")
    assert page.evaluate(TURNED) < start
    press_mouse(page, "E")
    wait_bright(page, set())


def test_each_sensor_fails_by_a_click_and_one_that_is_stuck_shows_its_code(open_page):
    page = open_page(SENSING)
    page.click("#open-bench")
    assert Axe().run(page).response["violations"] == []
    made = []
    for word in ("a:0", "a:1", "b:0", "b:1", "index:0", "index:1", "extra", "swapped"):
        page.click(f'[data-fault="pegs:{word}"]')
        made.append(f"pegs:{word}")
        wait_words(page, "#faults", f"^Faults: {', '.join(made)}$")
    page.click('[data-fault="clear"]')
    page.click('[data-fault="pegs:b:1"]')
    spin(page, 0.8)
    wait_words(page, "#status", "^E92: wheel: peg sensor B")
    wait_digits(page, "E92")
    wait_bright(page, set())
