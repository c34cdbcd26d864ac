"""Three dice: every throw there is, and the check that something is one."""

from collections.abc import Sequence
from itertools import product

FACES = (1, 2, 3, 4, 5, 6)

# All 216 throws in table order: THROWS[(d1 - 1) * 36 + (d2 - 1) * 6 + (d3 - 1)] is (d1, d2, d3).
THROWS: tuple[tuple[int, int, int], ...] = tuple(product(FACES, repeat=3))


def sorted_throw(dice: Sequence[int]) -> tuple[int, int, int]:
    """The three values from the lowest to the highest; ValueError unless they are three numbers from 1 to 6."""
    if len(dice) != 3 or any(value not in FACES for value in dice):
        raise ValueError(f"a throw is three numbers from 1 to 6, not {list(dice)}")
    low, middle, high = sorted(dice)
    return low, middle, high


def triple_of(dice: Sequence[int]) -> int | None:
    """The face of a triple, or None when the three dice are not all alike."""
    return dice[0] if dice[0] == dice[1] == dice[2] else None
