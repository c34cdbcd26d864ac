"""The three-digit LED display as text: three lines of bars, the form that the digits have on the terminal."""

# Segments of what the firmware shows, by the letters a to g of a seven-segment digit: a top, b and c right, d bottom,
# e and f left, g middle.
_SEGMENTS = {
    "0": "abcdef", "1": "bc", "2": "abdeg", "3": "abcdg", "4": "bcfg", "5": "acdfg", "6": "acdefg", "7": "abc",
    "8": "abcdefg", "9": "abcdfg", "-": "g", "_": "d", " ": "",
    "A": "abcefg", "b": "cdefg", "C": "adef", "c": "deg", "d": "bcdeg", "E": "adefg", "F": "aefg", "H": "bcefg",
    "h": "cefg", "i": "c", "J": "bcd", "L": "def", "n": "ceg", "o": "cdeg", "P": "abefg", "r": "eg", "t": "defg",
    "U": "bcdef", "u": "cde", "y": "bcdfg",
}  # fmt: skip

# Where each segment is drawn, line by line: the segment's letter, or a blank place.
_PLACES = (" a ", "fgb", "edc")
_BARS = {"a": "_", "g": "_", "d": "_", "b": "|", "c": "|", "e": "|", "f": "|"}


def draw_digits(display: str, points: tuple[bool, ...]) -> list[str]:
    """Three lines of text for three characters and their decimal points; a character without a form is shown as ?."""
    lines = []
    for number, places in enumerate(_PLACES):
        cells = []
        for character, point in zip(display, points, strict=True):
            segments = _SEGMENTS.get(character)
            if segments is None:
                cells.append(("   ", " ? ", "   ")[number] + " ")
                continue
            bars = "".join(_BARS[place] if place in segments else " " for place in places)
            cells.append(bars + ("." if point and number == 2 else " "))
        lines.append(" ".join(cells))
    return lines
