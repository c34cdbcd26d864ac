"""A game at the page, as a person plays and sees it, in a real browser, against the rules."""

import json

import pytest
import rule_evaluator
from hands import (
    LIMIT_MS,
    end_game,
    enter,
    key_throw,
    press_keyboard,
    press_mouse,
    press_touch,
    wait_bright,
    wait_digits,
    wait_ready,
    wait_words,
)

# A table of each layout, and ten throws that have among them triples, doubles and three different dice.
TABLES = {
    "nz1-pico-hc595": ("nz-div9-appendix1", ["136", "222", "654"]),
    "nz2-pico-tpic6b595": ("nz-div9-appendix2", ["136", "445", "333"]),
    "nz-gazette-pico-hc595": ("nz-gazette-1994", ["116", "555"]),
    "kr-pico-tpic6b595": ("kr-daisai", ["111", "623"]),
}
TABLE = "nz1-pico-hc595"


def winners(layout, keys):
    return set(rule_evaluator.winners(layout, tuple(map(int, keys))))


@pytest.mark.parametrize("table", TABLES)
def test_exactly_the_winning_areas_look_lit_and_holding_entry_darkens_them(open_page, table):
    layout, throws = TABLES[table]
    page = open_page(table)
    for keys in throws:
        key_throw(page, keys, winners(layout, keys))
        wait_digits(page, keys)
        end_game(page)


def test_a_throw_is_keyed_on_the_keyboard(open_page):
    page = open_page(TABLE)
    key_throw(page, "136", winners("nz-div9-appendix1", "136"), press_keyboard)
    end_game(page, press_keyboard)


def test_a_throw_is_keyed_with_a_finger_on_a_phone(open_page):
    page = open_page(TABLE, "phone")
    key_throw(page, "136", winners("nz-div9-appendix1", "136"), press_touch)
    end_game(page, press_touch)


def test_enter_is_entry_also_after_a_click_on_another_button(open_page):
    """A button that kept the focus would take the power or the sound away."""
    page = open_page(TABLE)
    page.click("#sound")
    page.click("#sound")
    key_throw(page, "225", winners("nz-div9-appendix1", "225"), press_keyboard)
    assert page.get_attribute("#sound", "aria-pressed") == "true"
    end_game(page, press_keyboard)


def test_a_press_carries_the_times_at_which_it_really_happened(open_page):
    page = open_page(TABLE)
    sent = []
    # A page opened before would not tell what its socket sends.
    page.on("websocket", lambda socket: socket.on("framesent", lambda text: sent.append(json.loads(text))))
    page.reload()
    wait_ready(page)
    press_mouse(page, "3", 250)
    wait_digits(page, "3")
    down, up = (each["at"] for each in sent if each["do"] == "key")
    assert 250 <= up - down < 1500
    press_mouse(page, "E", 1700)
    wait_digits(page, "dark")


def test_a_power_cut_darkens_the_table_and_its_return_brings_the_result_back(open_page):
    page = open_page(TABLE)
    lit = winners("nz-div9-appendix1", "136")
    key_throw(page, "136", lit)
    page.click("#power")
    wait_bright(page, set())
    wait_digits(page, "dark")
    wait_words(page, "#status", "No power")
    page.click("#power")
    wait_bright(page, lit)
    wait_digits(page, "136")
    wait_ready(page)
    end_game(page)


@pytest.mark.parametrize(
    ("table", "words"), [(TABLE, "double 3, 4, Total 10"), ("kr-pico-tpic6b595", "3, 3, 4, 주사위의 합 10")]
)
def test_the_call_of_the_result_is_shown_in_the_layouts_language(open_page, table, words):
    page = open_page(table)
    enter(page, "343")
    page.wait_for_function("(words) => document.querySelector('#call').textContent === words", arg=words)
    end_game(page)
    page.wait_for_function("document.querySelector('#call').textContent === ''", timeout=LIMIT_MS)


def test_an_amended_result_is_corrected_on_the_page(open_page):
    page = open_page(TABLE)
    key_throw(page, "136", winners("nz-div9-appendix1", "136"))
    page.click("#switch")
    page.wait_for_selector("#switch[aria-pressed=true]")
    key_throw(page, "225", winners("nz-div9-appendix1", "225"))
    wait_words(page, "#call", "^double 2, 5, Total 9$")
    page.click("#switch")
    page.wait_for_selector("#switch[aria-pressed=false]")
    end_game(page)


# Notes every tone that starts, and lets none be heard.
LISTEN = """
window.tones = [];
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function () { window.tones.push(this.frequency.value); return start.call(this); };
"""


def test_the_beeper_is_heard_until_the_sound_is_switched_off(open_page):
    page = open_page(TABLE)
    page.add_init_script(LISTEN)
    page.reload()
    wait_ready(page)
    press_mouse(page, "E")  # fewer than three digits: the error beep
    page.wait_for_function("window.tones.length > 0", timeout=LIMIT_MS)
    assert set(page.evaluate("window.tones")) == {2700}
    page.click("#sound")
    heard = page.evaluate("window.tones.length")
    press_mouse(page, "1")
    wait_digits(page, "1")
    assert page.evaluate("window.tones.length") == heard
    press_mouse(page, "E", 1700)
    wait_digits(page, "dark")


@pytest.mark.parametrize(("language", "small"), [("en", "Small"), ("zh", "小"), ("ko", "소")])
def test_the_names_are_shown_in_the_language_that_is_chosen(open_page, language, small):
    page = open_page("nz2-pico-tpic6b595")
    page.select_option("#language", language)
    largest = """() => [...document.querySelectorAll('#cloth [data-zone="small"] .name')]
      .sort((one, other) => other.getBBox().height - one.getBBox().height)[0].textContent"""
    assert page.evaluate(largest) == small
    assert page.locator('#cloth [data-zone="small"] .name').count() == 3
    assert page.get_attribute('#cloth [data-zone="small"]', "aria-label").startswith(small)


def test_another_table_can_be_picked(open_page):
    page = open_page(TABLE)
    page.select_option("#picker", "nz2-double-pico-tpic6b595")
    page.wait_for_function("document.querySelectorAll('#cloth .zone').length === 106", timeout=LIMIT_MS)
    wait_ready(page)
    key_throw(page, "225", winners("nz-div9-appendix2", "225"), press_keyboard)
    end_game(page)
