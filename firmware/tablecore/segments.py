"""Seven-segment glyphs. Segment byte: bit 0 = a (top), clockwise to bit 5 = f, bit 6 = g (middle), bit 7 = decimal
point.
"""

POINT = 0x80

_DIGITS = b"\x3f\x06\x5b\x4f\x66\x6d\x7d\x07\x7f\x6f"
# a to z, capital or not: A b C d E F G H I J K L m n o P q r S t u v w X y Z, as near as seven segments come.
_LETTERS = b"\x77\x7c\x39\x5e\x79\x71\x3d\x76\x06\x1e\x76\x38\x54\x54\x5c\x73\x67\x50\x6d\x78\x1c\x1c\x1c\x76\x6e\x5b"
_SPACE = 0x00
_DASH = 0x40
_LOW_DASH = 0x08  # stands for any other character


def render(chars, points, out):
    """Write three ASCII codes into the three segment bytes `out`; bits 0 to 2 of `points` are the decimal points, from
    the left.
    """
    for place in range(3):
        out[place] = _glyph(chars[place]) | (POINT if points >> place & 1 else 0)


def _glyph(code):
    if 48 <= code <= 57:
        return _DIGITS[code - 48]
    letter = (code | 0x20) - 97
    if code >= 65 and 0 <= letter < 26:
        return _LETTERS[letter]
    if code == 32:
        return _SPACE
    return _DASH if code == 45 else _LOW_DASH
