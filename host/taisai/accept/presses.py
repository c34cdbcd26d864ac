"""Keys that are put in before the unit's scanner, by the verb `fixture`."""

from collections.abc import Sequence

from tablecore.fixture import DOWN, SETTLE, UP
from tablecore.keys import SAMPLE_MS


def presses(keys: Sequence[str]) -> str:
    """`keys`: 1 to 6 and ENTRY, in order."""
    return "".join(keys)


def settle_s(keys: int) -> float:
    """Declared time that so many keys take, in seconds: no link can make it shorter."""
    return ((keys - 1) * (DOWN + UP) + DOWN + SETTLE) * SAMPLE_MS / 1000
