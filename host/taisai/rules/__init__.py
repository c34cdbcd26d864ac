"""From a rule to the winning zones: generic over the zones of a layout, which alone say what wins and what it pays.

Nothing here knows a particular layout, its odds or what triples do to it; all of that is in boards/layouts.
`evaluate`, `explain`, `house_edge` and `call` are Tai-Sai's; what serves every game takes them from the layout's own
game, see game.py.
"""

from taisai.rules.calling import call
from taisai.rules.dice import FACES, THROWS
from taisai.rules.game import Area, Game, Outcome, Win
from taisai.rules.games import GAMES, MONEY_WHEEL, TAI_SAI
from taisai.rules.settle import evaluate, explain, house_edge
from taisai.rules.zone import Odds, Zone, zone_id

__all__ = [
    "FACES", "GAMES", "MONEY_WHEEL", "TAI_SAI", "THROWS", "Area", "Game", "Odds", "Outcome", "Win", "Zone",
    "call", "evaluate", "explain", "house_edge", "zone_id",
]  # fmt: skip
