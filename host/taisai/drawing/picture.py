"""What belongs to a layout in one picture: its cloth, and above it the wheel where the game has one."""

from taisai.boards.cloth import Cloth
from taisai.boards.layout import Layout
from taisai.boards.wheel_layout import WheelLayout
from taisai.drawing import cloth, svg, wheel


def draw(layout: Layout, places: Cloth) -> str:
    """The picture as an SVG document, with nothing lit. `places`: where the areas of the cloth lie."""
    if not isinstance(layout, WheelLayout):
        return cloth.draw(layout, places)
    width, height = cloth.size(places)
    whole = max(width, wheel.SIZE)
    body = [
        f'<g transform="translate({(whole - wheel.SIZE) / 2:g} 0)">',
        *wheel.marks(layout),
        f'</g><g transform="translate({(whole - width) / 2:g} {wheel.SIZE})">',
        *cloth.marks(layout, places),
        "</g>",
    ]
    return svg.document(whole, wheel.SIZE + height, f"{cloth.STYLE} {wheel.STYLE}", body, layout.title)
