"""The tests of the firmware use the evaluator that the tests of the rules use."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "host"))
