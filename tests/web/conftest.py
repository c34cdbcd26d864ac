"""The table in a real browser: Debian's Chromium, without a screen, driven by Playwright."""

import shutil
import sys
from pathlib import Path

import pytest

# The evaluator written from the rules is shared with the tests of the host.
sys.path.append(str(Path(__file__).parents[1] / "host"))

from hands import wait_ready  # noqa: E402
from pageless import show  # noqa: E402
from served import SIZES, Served  # noqa: E402

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def pytest_collection_modifyitems(items):
    if CHROMIUM is None:
        reason = "NO BROWSER here, so nothing is proved about the page: apt-get install chromium fonts-noto-cjk"
        for item in items:
            if "browser" in getattr(item, "fixturenames", ()):
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        # Chromium's own sandbox needs rights that a container does not give; nothing but our page is opened.
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def served():
    """One server for every test with a browser: each test leaves its table idle, and may change to another."""
    given = Served("nz1-pico-hc595")
    yield given
    given.stop()


@pytest.fixture
def open_page(browser, served):
    """Opens a page of a table and waits until a throw can be keyed. Every page is closed afterwards, and may have said
    nothing bad and asked no other host for anything.
    """
    pages, complaints = [], []

    def open_one(table: str, size: str = "small screen"):
        show(served, table)
        width, height = SIZES[size]
        # Playwright waits by evaluating text, which the page's own policy forbids.
        page = browser.new_page(viewport={"width": width, "height": height}, bypass_csp=True)
        pages.append(page)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        page.on("request", lambda asked: None if asked.url.startswith(served.url) else complaints.append(asked.url))
        page.goto(served.url)
        wait_ready(page)
        return page

    yield open_one
    for page in pages:
        page.close()
    assert complaints == []
