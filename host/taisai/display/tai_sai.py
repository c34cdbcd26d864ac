"""All of the display that depends on the game: what a result of three dice shows, and what is counted of many."""

from collections import Counter
from collections.abc import Sequence

from taisai.boards.layout import Layout
from taisai.boards.names import zone_name
from taisai.display.history import Game
from taisai.drawing.dice import dice
from taisai.rules import FACES, Zone, call, evaluate

_GROUPS = "total-group"  # small, big, odd and even, as far as the cloth has them
_DIE_PX = 40


class TaiSai:
    """The view of one layout: its rules say what triples do to small and big, its language is that of the players."""

    def __init__(self, layout: Layout):
        self._layout = layout
        self._zones = {zone.id: zone for zone in layout.zones}

    def result(self, throw: str) -> dict:
        """One result: the dice from the lowest to the highest, their total, what it is called, and the call of 6.3."""
        faces = _faces(throw)
        won = (self._zones[each] for each in evaluate(self._layout, faces))
        return {
            "faces": sorted(faces),
            "total": sum(faces),
            "names": [self._name(zone) for zone in won if zone.kind in (_GROUPS, "triple")],
            "call": call(faces, self._layout.language),
        }

    def counts(self, games: Sequence[Game]) -> list[dict]:
        """How many of the games small, big, odd, even and any triple have won."""
        won = Counter(zone for game in games if game.throw for zone in evaluate(self._layout, _faces(game.throw)))
        counted = [zone for zone in self._layout.zones if zone.kind in (_GROUPS, "any-triple")]
        return [{"name": self._name(zone), "count": won[zone.id]} for zone in counted]

    def numbers(self, games: Sequence[Game]) -> list[dict]:
        """How many dice have shown each number. Those shown most are hot and those shown least cold, unless all are
        alike.
        """
        seen = Counter(face for game in games if game.throw for face in _faces(game.throw))
        counts = [seen[face] for face in FACES]
        heat = {} if min(counts) == max(counts) else {max(counts): "hot", min(counts): "cold"}
        return [{"face": face, "count": seen[face], "heat": heat.get(seen[face])} for face in FACES]

    def _name(self, zone: Zone) -> str:
        return zone_name(zone, self._layout.language)


def pictures() -> dict[int, str]:
    """Each face as SVG."""
    found = {}
    for face in FACES:
        marks = "".join(dice([face], 0, 0, _DIE_PX, _DIE_PX, _DIE_PX - 2))
        found[face] = f'<svg viewBox="0 0 {_DIE_PX} {_DIE_PX}" role="img" aria-label="{face}">{marks}</svg>'
    return found


def _faces(throw: str) -> list[int]:
    return [int(die) for die in throw]
