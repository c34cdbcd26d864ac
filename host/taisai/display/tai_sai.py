"""The display's view of Tai-Sai: three dice, their total, small or big, odd or even, triples."""

from collections import Counter
from collections.abc import Sequence

from taisai.boards.layout import Layout
from taisai.display.history import Game
from taisai.display.view import View, drawn, ranked
from taisai.drawing.dice import dice
from taisai.rules import FACES, call, evaluate

_GROUPS = "total-group"  # small, big, odd and even, as far as the cloth has them
_DIE_PX = 40


class TaiSai(View):
    """A throw is written as its dice in the order in which they were keyed, "361"."""

    words = {
        "en": {"title": "Tai-Sai results", "void": "Void", "ranking": "Numbers in the last {} games", "total": "Total"},
        "ko": {"title": "다이사이 게임 결과", "void": "무효", "ranking": "최근 {}게임의 숫자", "total": "합"},
    }

    def __init__(self, layout: Layout):
        super().__init__(layout)
        self._zones = {zone.id: zone for zone in layout.zones}

    def result(self, throw: str) -> dict:
        """The dice from the lowest to the highest, as rule 6.3 has them called."""
        faces = _dice(throw)
        won = (self._zones[each] for each in evaluate(self._layout, faces))
        return {
            "faces": sorted(throw),
            "total": sum(faces),
            "labels": [self.name(zone) for zone in won if zone.kind in (_GROUPS, "triple")],
            "call": call(faces, self._layout.language),
        }

    def counts(self, games: Sequence[Game]) -> list[dict]:
        """Small, big, odd, even and any triple."""
        won = Counter(zone for game in games if game.throw for zone in evaluate(self._layout, _dice(game.throw)))
        counted = [zone for zone in self._layout.zones if zone.kind in (_GROUPS, "any-triple")]
        return [{"name": self.name(zone), "count": won[zone.id]} for zone in counted]

    def ranking(self, games: Sequence[Game]) -> list[dict]:
        """How many dice have shown each number."""
        return ranked(Counter(face for game in games for face in game.throw or ""), {str(face): 1 for face in FACES})

    def pictures(self) -> dict[str, str]:
        """A die that shows each number."""
        found = {}
        for face in FACES:
            found[str(face)] = drawn(str(face), dice([face], 0, 0, _DIE_PX, _DIE_PX, _DIE_PX - 2), _DIE_PX)
        return found


def _dice(throw: str) -> list[int]:
    return [int(die) for die in throw]
