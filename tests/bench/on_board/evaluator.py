"""The evaluation of host/taisai/rules, line by line in the Python of the board: what the lamp table saves it from.

A zone is a tuple (id, kind, values, odds, losing triples) in place of the host's dataclass, which boards do not have.
"""

FACES = (1, 2, 3, 4, 5, 6)

ID, KIND, VALUES, ODDS, LOSING_TRIPLES = range(5)


def sorted_throw(dice):
    """The three values from the lowest to the highest; ValueError unless they are three numbers from 1 to 6."""
    if len(dice) != 3 or any(value not in FACES for value in dice):
        raise ValueError(f"a throw is three numbers from 1 to 6, not {list(dice)}")
    low, middle, high = sorted(dice)
    return low, middle, high


def triple_of(dice):
    """The face of a triple, or None when the three dice are not all alike."""
    return dice[0] if dice[0] == dice[1] == dice[2] else None


KINDS = {
    "total-group": lambda values, dice: sum(dice) in values,
    "total": lambda values, dice: sum(dice) in values,
    "any-triple": lambda values, dice: triple_of(dice) in values,
    "triple": lambda values, dice: triple_of(dice) in values,
    "double": lambda values, dice: dice.count(values[0]) >= 2,
    "single": lambda values, dice: values[0] in dice,
    "pair": lambda values, dice: set(values) <= set(dice),
    "three": lambda values, dice: dice == values,
    "four": lambda values, dice: len(set(dice)) == 3 and set(dice) <= set(values),
}


def wins(zone, dice):
    """Does the zone win on these sorted dice?"""
    return KINDS[zone[KIND]](zone[VALUES], dice) and triple_of(dice) not in zone[LOSING_TRIPLES]


def odds_on(zone, throw):
    """Odds that a winning zone pays on this throw."""
    if isinstance(zone[ODDS], tuple):
        return zone[ODDS][throw.count(zone[VALUES][0]) - 1]
    return zone[ODDS]


def evaluate(zones, dice):
    """Winning zones with their odds."""
    throw = sorted_throw(dice)
    return {zone[ID]: odds_on(zone, throw) for zone in zones if wins(zone, throw)}
