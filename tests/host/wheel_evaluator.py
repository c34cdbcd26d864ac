"""The money wheel written a second time, from the text of Division 10 alone.

Imports nothing of the product and reads no file: sections and odds were copied by hand from rules 2.3 and 3.8. The
product is compared with this, never the other way round.
"""

from fractions import Fraction

# Rule 2.2: "have its rim divided by means of spokes or pegs into 52 equally spaced sections".
SECTIONS = 52

# Rule 2.3: "24 sections exhibiting a particular symbol (referred to as 'Symbol A'); 12 ...; 8 ...; 4 ...; 2 ...; 1 ...;
# and 1 section exhibiting a seventh symbol ('Symbol G')".
EXHIBITED = {"A": 24, "B": 12, "C": 8, "D": 4, "E": 2, "F": 1, "G": 1}

# Rule 3.8, to 1.
ODDS = {
    "nz-div10-option1": {"A": 1, "B": 3, "C": 5, "D": 11, "E": 23, "F": 47, "G": 47},
    "nz-div10-option2": {"A": 1, "B": 3, "C": 5, "D": 10, "E": 20, "F": 47, "G": 47},
    "nz-div10-option3": {"A": 1, "B": 3, "C": 5, "D": 10, "E": 20, "F": 45, "G": 45},
}
LAYOUTS = tuple(ODDS)

# Rule 4.2: "At least 3 revolutions of the wheel shall be completed for the spin to be valid."
REVOLUTIONS = 3


def winners(layout: str, stops: str, stop: int) -> dict[str, int]:
    """Rule 3.1: a wager wins if that symbol is spun and loses if any other is. `stops`: the letters around the rim."""
    symbol = stops[stop]
    return {f"symbol-{symbol}": ODDS[layout][symbol]}


def is_wheel(stops: str) -> bool:
    """Rules 2.2 and 2.3: as many sections as they ask for, of each symbol."""
    return len(stops) == SECTIONS and all(stops.count(symbol) == count for symbol, count in EXHIBITED.items())


def house_edge(layout: str, symbol: str) -> Fraction:
    """What is kept of 52 units, one on each section's result: a win gives back the odds and the stake."""
    kept = Fraction(0)
    for other, count in EXHIBITED.items():
        kept += count * (1 if other != symbol else -ODDS[layout][symbol])
    return kept / SECTIONS
