"""Keys that are put in before the unit's scanner, in the form of the verb `fixture`."""

from collections.abc import Sequence

from taisai.accept.operator import ENTRY

READING_MS = 5
DOWN = UP = 8
"""Readings that a key is down and up: 40 ms, more than the window in which two presses would be a chord."""
SETTLE = 30
"""Readings after the last key, for the record to be written and the lamps to be latched and measured."""


def presses(keys: Sequence[str], settle: int = SETTLE) -> str:
    """`keys`: 1 to 6 and ENTRY, in order."""
    bits = [1 << 6 if key == ENTRY else 1 << int(key) - 1 for key in keys]
    ups = [UP] * (len(bits) - 1) + [settle]
    return "".join(f"{bit:02x}{DOWN:02x}{up:02x}" for bit, up in zip(bits, ups, strict=True))


def settle_s(keys: int, settle: int = SETTLE) -> float:
    """Declared time that so many keys take, in seconds: no link can make it shorter."""
    return ((keys - 1) * (DOWN + UP) + DOWN + settle) * READING_MS / 1000
