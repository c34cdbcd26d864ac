"""Seven-segment glyphs. Segment byte: bit 0 = a (top), clockwise to bit 5 = f, bit 6 = g (middle), bit 7 = decimal
point.
"""

POINT = 0x80

_GLYPHS = {
    ord(" "): 0x00,
    ord("-"): 0x40,
    ord("0"): 0x3F,
    ord("1"): 0x06,
    ord("2"): 0x5B,
    ord("3"): 0x4F,
    ord("4"): 0x66,
    ord("5"): 0x6D,
    ord("6"): 0x7D,
    ord("7"): 0x07,
    ord("8"): 0x7F,
    ord("9"): 0x6F,
    ord("C"): 0x39,
    ord("E"): 0x79,
}


def render(chars, points, out):
    """Write three ASCII codes into the three segment bytes `out`; `points` is POINT for all decimal points on, or 0.

    A character without a glyph is a KeyError: every text that reaches the display is written in this firmware.
    """
    out[0] = _GLYPHS[chars[0]] | points
    out[1] = _GLYPHS[chars[1]] | points
    out[2] = _GLYPHS[chars[2]] | points
