"""The bench beside the page: every fault of the simulator by a click, contacts, flash, power, and the views inside."""

import pytest
import rule_evaluator
from hands import (
    HOLD_MS,
    LIMIT_MS,
    end_game,
    enter,
    key_throw,
    press_mouse,
    wait_bright,
    wait_digits,
    wait_ready,
    wait_words,
)
from pageless import show

from taisai.sim.faultwords import KINDS

TABLE = "nz1-pico-hc595"
LAYOUT = "nz-div9-appendix1"
SENSING, SENSING_LAYOUT = "nz2-pico-tpic6b595", "nz-div9-appendix2"


@pytest.fixture
def bench(open_page, served):
    """Opens the bench of a table; afterwards the table is as new."""
    opened = []

    def open_bench(table):
        page = open_page(table)
        opened.append(table)
        page.click("#open-bench")
        return page

    yield open_bench
    for table in opened:
        show(served, table, anew=True)


def faults(page, *words):
    wait_words(page, "#faults", "^Faults: " + ", ".join(words).replace("?", r"\?") + "$")


def repair(page):
    page.click("#tab-parts")
    page.click('[data-fault="clear"]')
    wait_words(page, "#faults", "^No faults.$")


def use(page, tool):
    page.select_option("#tool", tool)


def on_zone(page):
    page.click('#cloth [data-zone="total-9"]')


def on_output(number):
    return lambda page: page.click(f'#bits [title^="Output {number}:"]')


def on_register(number):
    return lambda page: page.click(f'#bits [aria-label="Register {number}"]')


# What is chosen, what is clicked, and the fault that this is to the simulator.
CLICKS = [
    ("open", on_zone, "open:total-9"), ("short", on_zone, "short:total-9"), ("on", on_zone, "on:total-9"),
    ("off", on_zone, "off:total-9"), ("stuck 0", on_output(12), "stuck:12:0"), ("stuck 1", on_output(0), "stuck:0:1"),
    ("cut 0", on_register(2), "cut:2:0"), ("cut 1", on_register(7), "cut:7:1"),
    ("cut noise", lambda page: page.click('#bits [aria-label="Data line from the controller"]'), "cut:0:noise"),
    ("key", lambda page: page.click('#keys [data-key="3"]'), "key:3"),
    ("slow", lambda page: page.click('#keys [data-key="E"]'), "slow:E"),
    ("segment", lambda page: page.click('#display [data-segment="2:g"]'), "segment:2:g"),
]  # fmt: skip


def test_every_fault_of_the_simulator_can_be_made_by_a_click(bench):
    page = bench(SENSING)
    made = []
    for tool, click, word in CLICKS:
        use(page, tool)
        click(page)
        made.append(word)
        faults(page, *made)
    use(page, "")
    page.click("#tab-parts")
    for word in ("supply", "display", "beeper", "flash", "switch:0", "switch:1"):
        page.click(f'[data-fault="{word}"]')
        made.append(word)
        faults(page, *made)
    page.fill("#percent", "50")
    page.click("#set-sense")
    faults(page, *made, "sense:50")
    kinds = {word.partition(":")[0] for word in (*made, "sense:50", "clear")}
    assert kinds == set(KINDS) - {"pegs"}  # which is a wheel's: test_page_wheel.py


def test_an_output_of_the_chain_stands_for_its_own_lamp_of_an_area(bench):
    """On a cloth that is printed twice, one wing goes dark and the area is lit in part."""
    page = bench("nz2-double-pico-tpic6b595")
    use(page, "open")
    page.click("#tab-chain")
    page.click('#bits [title$=": Small"] >> nth=1')
    faults(page, "open:small:2")
    assert page.get_attribute("#sense", "hidden") is None  # this table measures its lamps
    enter(page, "136")
    page.wait_for_selector('#cloth .partial[data-zone="small"]', timeout=LIMIT_MS)


def test_a_cut_data_line_shows_its_code_and_the_words_for_it(bench):
    page = bench(TABLE)
    use(page, "cut 0")
    page.click('#bits [aria-label="Register 2"]')
    wait_words(page, "#status", "^C0[23]: .*register")
    wait_digits(page, page.inner_text("#status")[:3])
    repair(page)
    page.click("#switch")
    page.wait_for_selector("#switch[aria-pressed=true]")
    press_mouse(page, "6", HOLD_MS)  # the re-test
    wait_digits(page, "dark")
    page.click("#switch")
    page.wait_for_selector("#switch[aria-pressed=false]")


def test_a_clicked_lamp_that_is_open_shows_its_code_where_the_lamps_are_measured(bench):
    page = bench(SENSING)
    use(page, "open")
    page.click('#cloth [data-zone="single-1"]')
    use(page, "")
    # A triple, for few lamps: before calibration one of ten is within what the others may differ.
    key_throw(page, "111", set(rule_evaluator.winners(SENSING_LAYOUT, (1, 1, 1))) - {"single-1"})
    wait_words(page, "#status", "^L00: .*lamp")


def test_a_stuck_output_glows_at_full_brightness_and_goes_dark_when_repaired(bench):
    page = bench(TABLE)
    use(page, "on")
    page.click('#cloth [data-zone="total-9"]')
    wait_bright(page, {"total-9"})
    repair(page)
    wait_bright(page, set())


def test_a_power_cut_of_a_second_brings_the_result_back(bench):
    page = bench(TABLE)
    lit = set(rule_evaluator.winners(LAYOUT, (1, 3, 6)))
    key_throw(page, "136", lit)
    page.click("#cut-power")
    wait_bright(page, set())
    wait_bright(page, lit)
    wait_ready(page)
    end_game(page)


def test_a_throw_counts_with_bouncing_keys_and_a_slow_flash(bench):
    page = bench(TABLE)
    page.fill("#bounce", "10")
    wait_words(page, "#bounce-ms", "^10 ms$")
    page.fill("#operations", "3")
    page.click("#slow")
    key_throw(page, "225", set(rule_evaluator.winners(LAYOUT, (2, 2, 5))))
    page.fill("#bounce", "2")
    wait_words(page, "#bounce-ms", "^2 ms$")
    end_game(page)


def test_a_number_that_is_none_is_refused_in_words(bench):
    page = bench(TABLE)
    page.fill("#operations", "0")
    page.click("#slow")
    wait_words(page, "#status", "operations: .*greater than or equal to 1")


def test_the_bench_shows_why_each_area_wins_the_journal_the_link_and_the_chain(bench):
    page = bench(TABLE)
    winners = rule_evaluator.winners(LAYOUT, (1, 3, 6))
    key_throw(page, "136", set(winners))
    page.click("#tab-why")
    page.wait_for_function("(count) => document.querySelectorAll('#wins tr').length === count", arg=len(winners))
    told = {row.split("\t")[0]: row.split("\t")[1:] for row in page.locator("#wins tr").all_inner_texts()}
    assert len(told) == len(winners)
    odds, clause, reason = told["Total 10"]
    assert odds == "6 to 1" and "4.10" in clause and "10" in reason  # rule 4.10
    page.select_option("#language", "ko")
    wait_words(page, "#wins", "합 10")
    page.click("#tab-journal")
    page.wait_for_function(
        """() => [...document.querySelectorAll('#records tr')]
          .some((row) => row.cells[1].textContent === 'result' && row.cells[3].textContent === '136')""",
        timeout=LIMIT_MS,
    )
    page.click("#tab-link")
    wait_words(page, "#lines", r"> \d+ state")
    wait_words(page, "#lines", "< ! state")
    page.click("#tab-chain")
    high = "document.querySelectorAll('#bits .high').length"
    page.wait_for_function(f"(count) => {high} === count", arg=len(winners), timeout=LIMIT_MS)
    end_game(page)
    page.wait_for_function(f"{high} === 0", timeout=LIMIT_MS)
