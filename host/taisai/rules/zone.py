"""A zone: one betting area of a layout, with what it needs from the dice and what it pays."""

from dataclasses import dataclass

# Odds "to 1": one number; three numbers for a single-die zone (number on one, two, three dice); None where the
# source at hand states none.
Odds = int | tuple[int, int, int] | None

# Zones of the kind "total-group" are known by their names, in this order before all others.
GROUP_ZONES = ("small", "big", "odd", "even")

# The other kinds in canonical order, with the word their ids begin with.
_ID_WORD = {
    "any-triple": "any-triple",
    "single": "single",
    "double": "double",
    "triple": "triple",
    "total": "total",
    "pair": "pair",
    "three": "three",
    "four": "four",
}
_KIND_ORDER = ("total-group", *_ID_WORD)


@dataclass(frozen=True)
class Zone:
    """One betting area.

    `values` is what the kind matches against: the winning totals of a total-group or total, else the numbers of the
    combination in ascending order (all six for any-triple). `losing_triples` lists the triples, by face, on which
    the zone loses even where its values match. `clause` is the place in the rule text.
    """

    id: str
    kind: str
    values: tuple[int, ...]
    odds: Odds
    clause: str
    losing_triples: tuple[int, ...]

    @property
    def order(self) -> tuple:
        """Sort key of the canonical order: small big odd even, any triple, singles ... fours, ascending."""
        group = GROUP_ZONES.index(self.id) if self.id in GROUP_ZONES else 0
        return _KIND_ORDER.index(self.kind), group, self.values


def zone_id(kind: str, values: tuple[int, ...]) -> str:
    """Id of a zone that is known by its numbers: `pair-1-2`, `total-10`; any-triple has no numbers in its id."""
    word = _ID_WORD[kind]
    return word if kind == "any-triple" else "-".join([word, *map(str, values)])
