"""The table on a page: from a key on the page to a lamp on the page, what of it is the firmware's, and many pages."""

import statistics
import sys
import time
from pathlib import Path

from figures import Figure

from taisai.boards.table import load_table
from taisai.sim.board import VirtualBoard

# Browser, server and hands are those of the tests.
sys.path.append(str(Path(__file__).parents[1] / "web"))

from conftest import CHROMIUM  # noqa: E402
from hands import HOLD_MS, press_keyboard, press_mouse, wait_ready  # noqa: E402
from pageless import Page  # noqa: E402
from served import Served  # noqa: E402

TABLE = "nz1-pico-hc595"
THROWS = 11
PAGES = 20
SECONDS = 5
LIMIT_MS = 150

# When ENTRY went down, and when the first lamp was drawn after it.
WATCH = """() => {
  let down = null;
  window.took = [];
  document.querySelector('#keys [data-key="E"]').addEventListener("pointerdown", (event) => { down = event.timeStamp });
  new MutationObserver(() => {
    if (down === null || !document.querySelector("#cloth .lit")) return;
    const since = down;
    down = null;
    requestAnimationFrame(() => window.took.push(performance.now() - since));
  }).observe(document.querySelector("#cloth"), { subtree: true, attributeFilter: ["class"] });
}"""


def measure() -> list[Figure]:
    """Figures of this computer, the page and its server on it together."""
    served = Served(TABLE)
    try:
        alone, crowded = _refreshes(served)
        figures = [Figure(f"page: lamp refreshes with {PAGES} pages", 100 * crowded / alone, "%", 95, at_least=True)]
        if CHROMIUM is not None:
            figures.append(Figure("page: key to lamp, median", _key_to_lamp_ms(served.url), "ms", LIMIT_MS))
            figures.append(Figure("page: of which firmware", _firmware_ms(), "ms"))
    finally:
        served.stop()
    return figures


def _key_to_lamp_ms(url: str) -> float:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(bypass_csp=True)
        page.goto(url)
        wait_ready(page)
        page.evaluate(WATCH)
        for throw in range(1, THROWS + 1):
            for key in "136":
                press_keyboard(page, key)
            press_mouse(page, "E")
            page.wait_for_function("(count) => window.took.length === count", arg=throw)
            press_keyboard(page, "E", HOLD_MS)
            page.wait_for_selector("#cloth:not(:has(.lit))")
        took = page.evaluate("window.took")
        browser.close()
    return statistics.median(took)


def _firmware_ms() -> float:
    """From the first closing of ENTRY's contact to the first lamp, in the board's own time."""
    with VirtualBoard(load_table(TABLE)) as board:
        board.power_on()
        board.run_ms(3000)
        for key in "136":
            board.bench.keys.press(key)
            board.run_ms(200)
        start_us = board.bench.now_us
        board.bench.keys.press("E")
        board.run_until(lambda: bool(board.bench.observe().lit), 1000)
        return (board.bench.now_us - start_us) / 1000


def _refreshes(served: Served) -> tuple[float, float]:
    """Refreshes of the lamps a second as the firmware makes them, with one page and with many more that watch too."""
    page = Page(served.socket)
    page.wait_ready()
    page.send({"do": "watch", "on": True})
    alone = _latches_a_second(page)
    others = [Page(served.socket) for _ in range(PAGES - 1)]
    for each in others:
        each.send({"do": "watch", "on": True})
    crowded = _latches_a_second(page)
    for each in (page, *others):
        each.close()
    return alone, crowded


def _latches_a_second(page: Page) -> float:
    page.told.pop("chain", None)
    first, start = page.wait(lambda told: "chain" in told)["chain"]["latches"], time.monotonic()
    last = first
    while time.monotonic() - start < SECONDS:
        page.told.pop("chain")
        last = page.wait(lambda told: "chain" in told)["chain"]["latches"]
    return (last - first) / (time.monotonic() - start)
