"""How the page looks on every screen: whole, legible, usable by everybody, and as it looked before."""

from itertools import combinations

import pytest
import references
from axe_playwright_python.sync_playwright import Axe
from hands import end_game, key_throw
from served import SIZES
from test_page_play import TABLES, winners

LANGUAGES = ("en", "zh", "ko")
# A layout of 50 areas, and one of 106 with Korean calls: the others have the same cells. Every one has its reference.
TWO = ("nz1-pico-hc595", "kr-pico-tpic6b595")

# Every piece of visible text: its words and where they are drawn.
TEXTS = """() => [...document.querySelectorAll("h1, h2, label, button, select, p, th, td, #cloth text")]
  .filter((each) => each.checkVisibility() && each.textContent.trim() && each.getClientRects().length)
  .filter((each) => !each.matches("h1") || each.clientWidth > 1)
  .filter((each) => each.matches("text") || ![...each.children].some((child) => child.matches("select, input")))
  .map((each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    const box = each.matches("select") ? each.getBoundingClientRect() : range.getBoundingClientRect();
    const bed = each.closest(".zone")?.querySelector(".bed").getBoundingClientRect();
    return { words: each.textContent.trim(), x: box.left, y: box.top, right: box.right, bottom: box.bottom,
             clipped: each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0 && !each.matches("select"),
             out: bed !== undefined && (box.left < bed.left || box.right > bed.right
                                        || box.top < bed.top - 1 || box.bottom > bed.bottom + 1) };
  })"""


def flaws(page, width, height):
    """What is wrong with the texts of a page: beyond its edge, clipped, out of their area, over each other."""
    texts = page.evaluate(TEXTS)
    assert len(texts) > 30
    for each in texts:
        if each["x"] < 0 or each["right"] > width or each["y"] < 0 or each["bottom"] > height:
            yield "beyond the edge", each
        if each["clipped"] or each["out"]:
            yield "clipped", each
    for one, other in combinations(texts, 2):
        across = min(one["right"], other["right"]) - max(one["x"], other["x"])
        down = min(one["bottom"], other["bottom"]) - max(one["y"], other["y"])
        # Line boxes have room above and below their letters: they may touch.
        if across > 0.5 and down > 0.35 * min(one["bottom"] - one["y"], other["bottom"] - other["y"]):
            yield "over each other", one, other


def scroll_size(page):
    return page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")


@pytest.mark.parametrize("table", TWO)
def test_nothing_overlaps_is_clipped_or_needs_a_scroll_bar(open_page, table):
    """On every screen, in every language, with a result lit, which has the longest call of all."""
    page = open_page(table)
    key_throw(page, "455", winners(TABLES[table][0], "455"))
    for width, height in SIZES.values():
        page.set_viewport_size({"width": width, "height": height})
        for language in LANGUAGES:
            page.select_option("#language", language)
            assert scroll_size(page) == [width, height]
            assert list(flaws(page, width, height)) == []
    page.set_viewport_size({"width": 1280, "height": 720})
    end_game(page)


@pytest.mark.parametrize("size", SIZES)
def test_the_bench_leaves_the_page_whole(open_page, size):
    page = open_page("nz1-pico-hc595", size)
    width, height = SIZES[size]
    page.click("#open-bench")
    assert scroll_size(page) == [width, height]
    for view in ("parts", "chain", "why", "journal", "link"):
        page.click(f"#tab-{view}")
        # What is below the edge of a view that scrolls by itself is not on the screen.
        found = [flaw for flaw in flaws(page, width, 10 * height)]
        assert found == [], view
    page.click("#close-bench")


def test_the_check_of_the_texts_sees_each_flaw(open_page):
    page = open_page("nz1-pico-hc595")
    plants = {
        "beyond the edge": "#call { position: fixed; left: 1270px; width: 300px }",
        "clipped": "#title { width: 40px; flex: none }",
        "over each other": "#keys { margin-top: -50px }",
    }
    page.evaluate("document.querySelector('#call').textContent = 'Words'")
    for flaw, style in plants.items():
        tag = page.add_style_tag(content=style)
        assert flaw in {each[0] for each in flaws(page, 1280, 720)}
        tag.evaluate("(each) => each.remove()")


# Characters that the fonts at hand do not have: drawn as nothing, or as what stands for every missing one.
MISSING = """(words) => {
  const canvas = Object.assign(document.createElement("canvas"), { width: 80, height: 80 }).getContext("2d",
    { willReadFrequently: true });
  canvas.font = `40px ${getComputedStyle(document.body).fontFamily}`;
  const drawn = (character) => {
    canvas.clearRect(0, 0, 80, 80);
    canvas.fillText(character, 10, 60);
    return canvas.getImageData(0, 0, 80, 80).data.join();
  };
  const missing = new Set([drawn("\\u{10FFFE}"), drawn(" ")]);
  return [...new Set(words)].filter((character) => character.trim() && missing.has(drawn(character)));
}"""


@pytest.mark.parametrize("table", ["nz2-pico-tpic6b595", "kr-pico-tpic6b595"])
def test_no_character_of_the_page_is_a_missing_glyph_box(open_page, table):
    page = open_page(table)
    words = page.evaluate("document.documentElement.textContent")
    for language in LANGUAGES:
        page.select_option("#language", language)
        words += page.inner_text("#cloth") + page.evaluate("document.querySelector('#cloth').textContent")
        words += page.evaluate("[...document.querySelectorAll('#cloth .zone')].map((each) => each.ariaLabel).join()")
    words += "주사위의 합"  # of the Korean call
    assert set("大小單雙全圍대소홀짝") <= set(words)
    assert page.evaluate(MISSING, words) == [], "a font is missing: apt-get install fonts-noto-cjk"


def test_the_check_of_the_glyphs_sees_a_missing_one(open_page):
    """A character of the area for private use, which no font has, and one that no font may have."""
    page = open_page("nz1-pico-hc595")
    assert page.evaluate(MISSING, "A\ue7a3小\U0003fffd") == ["\ue7a3", "\U0003fffd"]


@pytest.mark.parametrize("table", TWO)
def test_axe_finds_no_violation(open_page, table):
    page = open_page(table)
    assert Axe().run(page).response["violations"] == []
    page.click("#open-bench")
    for view in ("parts", "chain", "why", "journal", "link"):
        page.click(f"#tab-{view}")
        assert Axe().run(page).response["violations"] == [], view
    page.click("#close-bench")


@pytest.mark.parametrize("table", TABLES)
def test_each_layout_looks_as_in_its_reference(open_page, table):
    """Lit for 4, 5, 5. Another layout, and the same one dark, are told apart from it."""
    layout = TABLES[table][0]
    page = open_page(table)
    dark = references.picture(page)
    key_throw(page, "455", winners(layout, "455"))
    found = references.picture(page)
    assert references.difference(page, found, layout) <= references.TOLERANCE
    assert references.difference(page, dark, layout) > references.TOLERANCE
    other = next(name for name, _ in TABLES.values() if name != layout)
    assert references.difference(page, found, other) > references.TOLERANCE
    end_game(page)
