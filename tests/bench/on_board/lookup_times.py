"""Runs in MicroPython: microseconds for one table lookup and for one evaluation, each the mean over all 216 throws.

Arguments: the folder that holds tablecore, and a folder with zones.json and table.bin. Prints one JSON object.
"""

import gc
import json
import sys
import time

sys.path.insert(0, sys.argv[1])

from evaluator import FACES, evaluate  # noqa: E402  (the path must be set first)

from tablecore import tablefile  # noqa: E402

TRIES = 7
LOOKUP_ROUNDS = 50
EVALUATE_ROUNDS = 5
THROWS = [(a, b, c) for a in FACES for b in FACES for c in FACES]


def frozen(value):
    """Lists of a JSON text as the tuples that they stand for."""
    return tuple(frozen(item) for item in value) if isinstance(value, list) else value


def best_mean_us(rounds, work):
    """Mean time of one call of work(dice), the best of several tries, with the loop around it and the call itself."""
    best = None
    for _ in range(TRIES):
        gc.collect()
        start = time.ticks_us()
        for _ in range(rounds):
            for dice in THROWS:
                work(dice)
        taken = time.ticks_diff(time.ticks_us(), start)
        best = taken if best is None else min(best, taken)
    return best / (rounds * len(THROWS))


with open(sys.argv[2] + "/zones.json") as file:
    zones = frozen(json.load(file))
with open(sys.argv[2] + "/table.bin", "rb") as file:
    table = tablefile.load(file.read())

# What the loop and an empty call cost is the same for both sides and belongs to neither.
empty_us = best_mean_us(LOOKUP_ROUNDS, lambda dice: None)
told = {
    # With plain arguments, as the firmware calls it; unpacking them would cost more than the lookup.
    "lookup_us": best_mean_us(LOOKUP_ROUNDS, lambda dice: table.frame(dice[0], dice[1], dice[2])) - empty_us,
    "evaluate_us": best_mean_us(EVALUATE_ROUNDS, lambda dice: evaluate(zones, dice)) - empty_us,
    "wins": [evaluate(zones, dice) for dice in THROWS],
}
print(json.dumps(told))
