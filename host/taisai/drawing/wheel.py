"""The rim of a money wheel as the players see it: 52 sections with their symbols and odds, the pegs between them, and
the indicator above.

Each section is a group of the class `stop` with its number in `data-stop` and its zone in `data-zone`. The group `rim`
holds all that turns: a page that shows the wheel in motion turns that alone, a fourth of a pitch for each quarter.
"""

from html import escape
from math import cos, pi, sin

from taisai.boards.wheel_layout import WheelLayout
from taisai.drawing import svg

SIZE = 640  # pixels, of the square that the wheel lies in
_MIDDLE = SIZE / 2
_OUTER, _INNER = 290.0, 205.0  # radii of the sections
_PEG = 292.0  # and of the circle of the pegs
_QUARTERS = 4  # of one pitch
# At rest in the middle of its section, so that the number of a stop and the section below the indicator agree.
_AT_REST = 2

STYLE = (
    ".stop path { stroke: #1a1a1a; stroke-width: 1 } .stop text { fill: #fff } .letter { font-weight: bold } "
    ".symbol-A path { fill: #14532d } .symbol-B path { fill: #1e3a8a } .symbol-C path { fill: #7c2d12 } "
    ".symbol-D path { fill: #581c87 } .symbol-E path { fill: #155e75 } .symbol-F path { fill: #9f1239 } "
    ".symbol-G path { fill: #3f3f46 } .peg { fill: #d9c27a; stroke: #1a1a1a } .hub { fill: #3b2f1e } "
    ".indicator { fill: #dc2626; stroke: #fff }"
)


def marks(layout: WheelLayout, quarters: float = _AT_REST) -> list[str]:
    """The wheel in a square of SIZE pixels, turned clockwise by so many quarters of a pitch from where the index is."""
    zones = {zone.letter: zone for zone in layout.zones}
    stops = layout.stops
    turned = quarters * 360 / (len(stops) * _QUARTERS)
    found = [f'<g class="rim" transform="rotate({turned:.5g} {_MIDDLE:g} {_MIDDLE:g})">']
    found.append(f'<circle class="hub" cx="{_MIDDLE:g}" cy="{_MIDDLE:g}" r="{_INNER:g}"/>')
    for number, letter in enumerate(stops):
        found += _section(number, len(stops), zones[letter].id, letter, f"{zones[letter].odds} to 1")
    for number in range(len(stops)):
        x, y = _point(number, len(stops), _PEG)
        found.append(f'<circle class="peg" cx="{x:.2f}" cy="{y:.2f}" r="4"/>')
    top = _MIDDLE - _PEG
    return [
        *found,
        "</g>",
        f'<path class="indicator" d="M{_MIDDLE:g} {top + 14:g} l-9 -34 h18 z"><title>indicator</title></path>',
    ]


def _section(number: int, count: int, zone: str, letter: str, odds: str) -> list[str]:
    """While the wheel turns clockwise the sections behind come from the left: their numbers count anticlockwise."""
    corners = [_point(number, count, _OUTER), _point(number + 1, count, _OUTER)]
    corners += [_point(number + 1, count, _INNER), _point(number, count, _INNER)]
    (a, b), (c, d), (e, f), (g, h) = ((f"{x:.2f}", f"{y:.2f}") for x, y in corners)
    outline = f"M{a} {b} A{_OUTER:g} {_OUTER:g} 0 0 0 {c} {d} L{e} {f} A{_INNER:g} {_INNER:g} 0 0 1 {g} {h} Z"
    turned = -(number + 0.5) * 360 / count
    width = 2 * pi * _INNER / count
    top = _MIDDLE - _OUTER
    return [
        f'<g class="stop {zone}" data-stop="{number}" data-zone="{zone}">',
        f"<title>{escape(f'stop {number}: symbol {letter}, {odds}')}</title>",
        f'<path d="{outline}"/>',
        f'<g transform="rotate({turned:.5g} {_MIDDLE:g} {_MIDDLE:g})">',
        svg.text(_MIDDLE, top + 34, 24, letter, "letter"),
        svg.text(_MIDDLE, top + 62, svg.fitting(odds, width * 0.95, 11), odds, "odds"),
        "</g></g>",
    ]


def _point(pegs: float, count: int, radius: float) -> tuple[float, float]:
    """Where the peg in front of section `pegs` is while the index is active."""
    angle = -2 * pi * pegs / count
    return _MIDDLE + radius * sin(angle), _MIDDLE - radius * cos(angle)
