"""What a person does at the page, and how the areas of the cloth look to them."""

KEY_MS, BETWEEN_MS, HOLD_MS = 60, 80, 1700
LIMIT_MS = 30_000
POLL_MS = 100

# Zones whose bed looks bright: relative luminance (WCAG 2) of the colour that the browser has worked out.
BRIGHT = """() => {
  const part = (byte) => { const c = byte / 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4 };
  const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 })
    .getContext("2d", { willReadFrequently: true });
  return [...document.querySelectorAll("#cloth .zone")].filter((zone) => {
    canvas.fillStyle = getComputedStyle(zone.querySelector(".bed")).fill;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue] = [...canvas.getImageData(0, 0, 1, 1).data].map(part);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.25;
  }).map((zone) => zone.dataset.zone).sort();
}"""


def press_mouse(page, key: str, ms: int = KEY_MS) -> None:
    page.click(f'#keys [data-key="{key}"]', delay=ms)
    page.wait_for_timeout(BETWEEN_MS)


def press_keyboard(page, key: str, ms: int = KEY_MS) -> None:
    page.keyboard.press("Enter" if key == "E" else key, delay=ms)
    page.wait_for_timeout(BETWEEN_MS)


def press_touch(page, key: str, ms: int = KEY_MS) -> None:
    box = page.locator(f'#keys [data-key="{key}"]').bounding_box()
    finger = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    browser = page.context.new_cdp_session(page)
    browser.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [finger]})
    page.wait_for_timeout(ms)
    browser.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_timeout(BETWEEN_MS)
    browser.detach()


def key_throw(page, keys: str, winners: set[str], press=press_mouse) -> None:
    """Key a throw and wait until exactly the areas that win look lit."""
    enter(page, keys, press)
    wait_bright(page, winners)


def enter(page, keys: str, press=press_mouse) -> None:
    """Press the keys of a throw, each when the one before is shown, and ENTRY."""
    for count, key in enumerate(keys, 1):
        press(page, key)
        wait_digits(page, keys[:count])
    press(page, "E")


def end_game(page, press=press_mouse) -> None:
    press(page, "E", HOLD_MS)
    wait_bright(page, set())
    wait_digits(page, "dark")


def wait_bright(page, zones: set[str]) -> None:
    """Exactly these areas look lit, within the limit."""
    page.wait_for_function(
        f"(wanted) => ({BRIGHT})().join() === wanted", arg=",".join(sorted(zones)), timeout=LIMIT_MS, polling=POLL_MS
    )


def wait_digits(page, text: str) -> None:
    page.wait_for_function(
        "(text) => document.querySelector('#display').ariaLabel === `Display: ${text}`", arg=text, timeout=LIMIT_MS
    )


def wait_words(page, place: str, words: str) -> None:
    """`words`, a regular expression, stand somewhere in the text of an element."""
    page.wait_for_function(
        "([place, words]) => new RegExp(words).test(document.querySelector(place).innerText)",
        arg=[place, words], timeout=LIMIT_MS,
    )  # fmt: skip


def wait_ready(page, ready: bool = True) -> None:
    page.wait_for_selector(f"body[data-ready={str(ready).lower()}]", timeout=LIMIT_MS)
