"""The cloth of a layout: every betting area in its place, with its name, its dice or symbol, and its odds.

Each area is a group of the class `zone` with the zone's id in `data-zone`; with the class `lit` as well it is bright.
"""

from collections.abc import Collection
from html import escape

from taisai.boards.cloth import Area as Place
from taisai.boards.cloth import Cloth
from taisai.boards.layout import Layout
from taisai.boards.names import LANGUAGES, zone_name
from taisai.drawing import dice, svg
from taisai.rules import Area

UNIT = 20  # pixels
_EDGE = 10  # around the whole cloth
_PADDING = 4  # inside an area

STYLE = (
    ".cloth { fill: #0b3d2e } .bed { fill: #0f513d; stroke: #d9c27a; stroke-width: 1.5 } "
    ".zone text { fill: #fff } .zone .small { fill: #f0e6c0 } "
    ".lit .bed { fill: #ffd34d } .lit text, .lit .small { fill: #1a1a1a } " + dice.STYLE
)
# How many dice the numbers of an area stand for.
_ALIKE = {"single": 1, "double": 2, "triple": 3}


def draw(layout: Layout, cloth: Cloth, lit: Collection[str] = (), language: str = "en") -> str:
    """The cloth of the layout as an SVG document, with the zones in `lit` bright.

    `language`: the one of LANGUAGES in which names are largest.
    """
    return svg.document(*size(cloth), STYLE, marks(layout, cloth, lit, language), layout.title)


def size(cloth: Cloth) -> tuple[int, int]:
    """Width and height of the drawing in pixels."""
    width, height = (units * UNIT + 2 * _EDGE for units in cloth.size)
    return width, height


def marks(layout: Layout, cloth: Cloth, lit: Collection[str] = (), language: str = "en") -> list[str]:
    """What `draw` draws, to be part of a larger drawing."""
    zones = {zone.id: zone for zone in layout.zones}
    found = [svg.rectangle(0, 0, *size(cloth), "cloth", _EDGE)]
    for area in cloth.areas:
        zone = zones[area.zone]
        found += _zone(zone, zone_name(zone, language, layout.game), area, area.zone in lit, language)
    return found


def odds_words(zone: Area) -> str:
    """The odds as they stand on the cloth; nothing where the source states none."""
    if zone.odds is None:
        return ""
    if isinstance(zone.odds, tuple):
        return " / ".join(f"{step} to 1" for step in zone.odds)
    return f"{zone.odds} to 1"


def _zone(zone: Area, name: str, area: Place, lit: bool, language: str) -> list[str]:
    x, y = area.x * UNIT + _EDGE, area.y * UNIT + _EDGE
    width, height = area.width * UNIT, area.height * UNIT
    odds = odds_words(zone)
    label = f"{name}, {odds}" if odds else name
    kind = "zone lit" if lit else "zone"
    found = [
        f'<g class="{kind}" data-zone="{zone.id}" role="img" aria-label="{escape(label)}">',
        f"<title>{escape(label)}</title>",
        svg.rectangle(x, y, width, height, "bed"),
    ]
    inside = width - 2 * _PADDING
    bottom = y + height - _PADDING
    if odds:
        size = svg.fitting(odds, inside, 13)
        found.append(svg.text(x + width / 2, bottom - size * 0.25, size, odds, "small"))
        bottom -= size * 1.2
    found += _picture(zone, x + _PADDING, y + _PADDING, inside, bottom - y - _PADDING, language)
    return [*found, "</g>"]


def _picture(zone: Area, x: float, y: float, width: float, height: float, language: str) -> list[str]:
    """What fills an area above its odds: a number or letter, dice, or its name in every language."""
    if zone.kind in ("total", "symbol"):
        size = min(40, height * 0.8)
        return [svg.text(x + width / 2, y + height / 2 + size * 0.36, size, str(zone.values[0]), "number")]
    if zone.kind in ("total-group", "any-triple"):
        return _names(zone, x, y, width, height, language)
    faces = list(zone.values) * _ALIKE.get(zone.kind, 1)
    return dice.dice(faces, x, y, width, height, 48)


def _names(zone: Area, x: float, y: float, width: float, height: float, language: str) -> list[str]:
    """The name in `language` above, and below it, smaller, in the others."""
    tongues = [language, *(other for other in LANGUAGES if other != language)]
    words = [zone_name(zone, tongue) for tongue in tongues]
    sizes = [svg.fitting(words[0], width, 34), *(svg.fitting(each, width, 20) for each in words[1:])]
    shrink = min(1.0, height / (sum(sizes) * 1.25))
    sizes = [size * shrink for size in sizes]
    line = y + (height - sum(sizes) * 1.25) / 2
    found = []
    for tongue, each, size in zip(tongues, words, sizes, strict=True):
        found.append(svg.text(x + width / 2, line + size, size, each, "name", tongue))
        line += size * 1.25
    return found
