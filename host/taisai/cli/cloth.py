"""The layout as it lies on the table: zones in the rows of a real cloth, drawn with the lit ones bright.

From the dealer's side to the players': small and big at the two ends with doubles and triples between them, the
totals, the pairs, the three and four number combinations of the larger layout, and the single numbers nearest to the
players. A lit zone is also set in brackets, so that the picture does not depend on colour.
"""

from collections.abc import Collection, Iterable

from rich.text import Text

UNLIT, LIT, PARTIAL = "grey62", "bold black on bright_yellow", "bold white on red"

_NAMED = {"small": "SMALL", "even": "EVEN", "odd": "ODD", "big": "BIG", "any-triple": "ANY TRIPLE"}

# Most zones in one line of the picture: 15 pairs of five characters fit into 80 columns.
_LINE = 15


def label(zone: str) -> str:
    """What is printed on the cloth: SMALL, 22 for double 2, 222 for triple 2, 4 for total 4, 12 for the pair 1 2,
    A for symbol A.
    """
    if zone in _NAMED:
        return _NAMED[zone]
    kind, *numbers = zone.split("-")
    repeated = {"double": 2, "triple": 3}.get(kind, 1)
    return "".join(numbers) * repeated


def rows(zones: Iterable[str]) -> list[tuple[str, list[str]]]:
    """The zones of a layout in rows of (name of the row, zone ids from left to right), each at most one line long."""
    by_kind: dict[str, list[str]] = {}
    for zone in zones:
        by_kind.setdefault(zone if zone in _NAMED else zone.split("-")[0], []).append(zone)

    def take(*kinds: str) -> list[str]:
        return [zone for kind in kinds for zone in by_kind.get(kind, [])]

    doubles, triples, threes = take("double"), take("triple"), take("three")
    same = [zone for zone in threes if len(set(zone.split("-")[1:])) < 3]
    different = [zone for zone in threes if zone not in same]
    found = [
        ("", take("small", "even", "odd", "big")),
        ("doubles, triples", doubles[:3] + triples[:3] + take("any-triple") + triples[3:] + doubles[3:]),
        ("totals", take("total")),
        ("pairs", take("pair")),
        *(("three numbers", line) for line in _lines(same, _LINE) + _lines(different, 10)),
        ("four numbers", take("four")),
        ("single numbers", take("single")),
        ("symbols", take("symbol")),
    ]
    return [(name, line) for name, line in found if line]


def draw(zones: Iterable[str], lit: Collection[str], partial: Collection[str]) -> Text:
    """The cloth with its lit zones bright; `partial` zones have only some of their lamps on."""
    picture = Text()
    last = ""
    for name, line in rows(zones):
        if name and name != last:
            picture.append(f"{name}\n", style="dim italic")
        last = name
        # The row without a name holds the large areas, which lie far apart.
        gap = "" if name else " " * 8
        for position, zone in enumerate(line):
            picture.append(gap if position else "")
            picture.append(*_cell(zone, lit, partial))
        picture.append("\n")
    return picture


def _cell(zone: str, lit: Collection[str], partial: Collection[str]) -> tuple[str, str]:
    if zone in lit:
        return f"[{label(zone)}]", LIT
    if zone in partial:
        return f"({label(zone)})", PARTIAL
    return f" {label(zone)} ", UNLIT


def _lines(zones: list[str], size: int) -> list[list[str]]:
    return [zones[start : start + size] for start in range(0, len(zones), size)]
