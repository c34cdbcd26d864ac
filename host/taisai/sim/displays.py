"""What a person reads from the three LED digits. The glyph table is the observer's own and owes the firmware nothing.

A segment byte has bit 0 = a (top), b, c, d (bottom), e, f, bit 6 = g (middle) and bit 7 = the decimal point.
"""

from collections.abc import Callable
from random import Random

DIGITS = 3
DARK = bytes(DIGITS)
POINT = 0x80

# Segments as a person lists them, several spellings where digits are drawn in more than one way.
_GLYPHS = {
    " ": [""],
    "0": ["abcdef"],
    "1": ["bc", "ef"],
    "2": ["abdeg"],
    "3": ["abcdg"],
    "4": ["bcfg"],
    "5": ["acdfg"],
    "6": ["acdefg"],
    "7": ["abc", "abcf"],
    "8": ["abcdefg"],
    "9": ["abcdfg", "abcfg"],
    "-": ["g"],
    "_": ["d"],
    "A": ["abcefg"],
    "b": ["cdefg"],
    "C": ["adef"],
    "c": ["deg"],
    "d": ["bcdeg"],
    "E": ["adefg"],
    "F": ["aefg"],
    "G": ["acdef"],
    "H": ["bcefg"],
    "h": ["cefg"],
    "J": ["bcde"],
    "L": ["def"],
    "n": ["ceg"],
    "o": ["cdeg"],
    "P": ["abefg"],
    "r": ["eg"],
    "t": ["defg"],
    "U": ["bcdef"],
    "u": ["cde"],
    "y": ["bcdfg"],
}
_CHARACTERS = {
    sum(1 << "abcdefg".index(segment) for segment in segments): character
    for character, spellings in _GLYPHS.items()
    for segments in spellings
}
UNKNOWN = "?"


def character(segments: int) -> str:
    """The character that a person sees for a segment byte, without its point; `?` for a pattern that means nothing."""
    return _CHARACTERS.get(segments & 0x7F, UNKNOWN)


class Display:
    """Three digits behind some driver chip. A subclass decodes its chip's wires and says what the digits show.

    `pins` maps a controller pin to what the chip does when the level there changes. `present` False: not plugged in.
    """

    def __init__(self, pins: dict[int, Callable[[int], None]], rng: Random):
        self.pins = pins
        self._rng = rng
        self.present = True
        self.dead = DARK
        """Fault: segments that never light, as segment bytes."""
        self.powered = False

    def power_on(self, random_bits: bool) -> None:
        """Supply on; memory without a reset comes up random, or zero for a test that says so."""
        self.powered = True

    def power_off(self) -> None:
        self.powered = False

    def spi(self, data: bytes) -> None:
        """Bytes of an SPI transfer on the chip's clock and data pins, if it sits on an SPI unit."""

    def pulls_low(self, pin: int) -> bool:
        """Whether the chip pulls this pin low now, as only a display that can answer does."""
        return False

    @property
    def segments(self) -> bytes:
        """The three segment bytes as lit, left to right."""
        if not (self.powered and self.present):
            return DARK
        return bytes(lit & ~dead for lit, dead in zip(self._shown(), self.dead, strict=True))

    @property
    def text(self) -> str:
        """Three characters, left to right, blank as a space."""
        return "".join(character(segments) for segments in self.segments)

    @property
    def points(self) -> tuple[bool, ...]:
        """The three decimal points, left to right."""
        return tuple(bool(segments & POINT) for segments in self.segments)

    def _shown(self) -> bytes:
        raise NotImplementedError
