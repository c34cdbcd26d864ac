"""Pictures of the layouts as they looked when somebody last looked at them, and how far a cloth is from them.

`python tests/web/references.py` makes them anew: look at every one before it is committed.
"""

import base64
from pathlib import Path

FOLDER = Path(__file__).with_name("references")
WIDTH, HEIGHT = 360, 246  # of a reference, in pixels
CELL = 6  # pixels; letters may be drawn a little otherwise by another version of the browser or of the fonts
TOLERANCE = 30  # of 255: how far the mean colour of one cell may be off

# A picture in the size of the references.
_SHRINK = """async ([url, width, height]) => {
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const context = canvas.getContext("2d");
  context.imageSmoothingQuality = "high";
  context.drawImage(image, 0, 0, width, height);
  return canvas.toDataURL("image/png");
}"""

# The largest difference between the mean colours of a cell in two pictures of the same size.
_COMPARE = """async ([one, other, width, height, cell]) => {
  const means = async (url) => {
    const image = new Image();
    image.src = url;
    await image.decode();
    const context = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d");
    context.drawImage(image, 0, 0);
    const found = [];
    for (let y = 0; y < height; y += cell) {
      for (let x = 0; x < width; x += cell) {
        const sums = [0, 0, 0];
        context.getImageData(x, y, cell, cell).data.forEach((value, at) => { if (at % 4 < 3) sums[at % 4] += value });
        found.push(...sums.map((sum) => sum / cell ** 2));
      }
    }
    return found;
  };
  const [here, there] = [await means(one), await means(other)];
  return Math.max(...here.map((value, at) => Math.abs(value - there[at])));
}"""


def picture(page) -> bytes:
    """The cloth as it is on a small screen, as a PNG in the size of the references."""
    whole = page.locator("#cloth").screenshot(animations="disabled")
    small = page.evaluate(_SHRINK, [_url(whole), WIDTH, HEIGHT])
    return base64.b64decode(small.partition(",")[2])


def difference(page, found: bytes, layout: str) -> float:
    """How far a picture is from a layout's reference: the mean colour of the cell that differs most, 0 to 255.

    `page`: any page, which works it out.
    """
    reference = (FOLDER / f"{layout}.png").read_bytes()
    return page.evaluate(_COMPARE, [_url(found), _url(reference), WIDTH, HEIGHT, CELL])


def _url(png: bytes) -> str:
    return "data:image/png;base64," + base64.b64encode(png).decode()


def _main() -> None:
    from conftest import CHROMIUM
    from hands import key_throw, wait_ready
    from playwright.sync_api import sync_playwright
    from served import SIZES, Served
    from test_page_play import TABLES, winners

    width, height = SIZES["small screen"]
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for table, (layout, _) in TABLES.items():
            served = Served(table)
            page = browser.new_page(viewport={"width": width, "height": height}, bypass_csp=True)
            page.goto(served.url)
            wait_ready(page)
            key_throw(page, "455", winners(layout, "455"))
            (FOLDER / f"{layout}.png").write_bytes(picture(page))
            page.close()
            served.stop()
        browser.close()


if __name__ == "__main__":
    _main()
