"""Pictures of dice, as they are printed on a cloth."""

from collections.abc import Sequence

from taisai.drawing.svg import rectangle

# Where the pips of each face lie, in quarters of a side.
_PIPS = {
    1: [(2, 2)],
    2: [(1, 1), (3, 3)],
    3: [(1, 1), (2, 2), (3, 3)],
    4: [(1, 1), (1, 3), (3, 1), (3, 3)],
    5: [(1, 1), (1, 3), (2, 2), (3, 1), (3, 3)],
    6: [(1, 1), (1, 2), (1, 3), (3, 1), (3, 2), (3, 3)],
}
_GAP = 0.15  # between two dice, in parts of a side

STYLE = ".die { fill: #fffdf5; stroke: #222; stroke-width: 1 } .pip { fill: #222 }"


def dice(faces: Sequence[int], x: float, y: float, width: float, height: float, most: float) -> list[str]:
    """Dice in a row or a column, whichever lets them be larger, in the middle of a box; a side is at most `most`."""
    count = len(faces)
    length = count + _GAP * (count - 1)
    in_row, in_column = min(width / length, height), min(width, height / length)
    side = min(max(in_row, in_column), most)
    step = side * (1 + _GAP)
    across, down = (step, 0.0) if in_row >= in_column else (0.0, step)
    left = x + (width - side - across * (count - 1)) / 2
    top = y + (height - side - down * (count - 1)) / 2
    found = []
    for number, face in enumerate(faces):
        found += _die(face, left + across * number, top + down * number, side)
    return found


def _die(face: int, x: float, y: float, side: float) -> list[str]:
    quarter = side / 4
    pips = [
        f'<circle class="pip" cx="{x + quarter * across:.4g}" cy="{y + quarter * down:.4g}" r="{side * 0.09:.3g}"/>'
        for across, down in _PIPS[face]
    ]
    return [rectangle(round(x, 2), round(y, 2), round(side, 2), round(side, 2), "die", round(side * 0.15, 2)), *pips]
