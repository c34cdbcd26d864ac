"""From a rule to the winning zones: generic over the zones of a layout, which alone say what wins and what it pays.

Nothing here knows a particular layout, its odds or what triples do to it; all of that is in boards/layouts.
"""

from taisai.rules.calling import call
from taisai.rules.dice import FACES, THROWS
from taisai.rules.settle import Win, evaluate, explain, house_edge
from taisai.rules.zone import Odds, Zone, zone_id

__all__ = ["FACES", "THROWS", "Odds", "Win", "Zone", "call", "evaluate", "explain", "house_edge", "zone_id"]
