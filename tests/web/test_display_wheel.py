"""The results display at a money wheel with the real firmware: a spun and confirmed symbol appears."""

from braked import BEARING
from played import Played
from test_display import SCREEN, Display, places, wait_connected, wait_places

ODDS = {"A": 1, "B": 3, "C": 5, "D": 11, "E": 23, "F": 47, "G": 47}  # rule 3.8, option one


def test_a_symbol_that_was_spun_and_confirmed_appears(tmp_path, browser):
    table = Played("wheel1-pico-tpic6b595", tmp_path / "port", ["C"])
    try:
        display = Display(table.path)
        page = browser.new_page(viewport=SCREEN, bypass_csp=True)
        page.goto(display.url)
        wait_connected(page)
        before = place("C")
        assert places(page)[:2] == [before, ""]
        symbol = table.spin(-3.1, BEARING)
        table.wait(lambda seen: seen.display.strip().upper() == symbol)
        assert places(page)[:2] == [before, ""]  # nobody has confirmed it
        table.key("E")
        assert table.wait(lambda seen: seen.lit).lit == [f"symbol-{symbol}"]
        wait_places(page, place(symbol), before, "")
        assert page.inner_text("#last .call") == f"Symbol {symbol}"
        page.close()
        assert display.stop() == 130
    finally:
        table.close()


def place(symbol):
    return f"{symbol} {symbol} {ODDS[symbol]} to 1"  # its picture, the letter in it, and what it pays
