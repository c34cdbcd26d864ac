"""The command `taisai` with a wheel whose bearing brakes harder, for tests that spin it in real time."""

import sys

from taisai.sim.wheel import Wheel
from taisai.start import main

BEARING = 150.0
"""Quarters for each second squared, ten times the usual: three revolutions take 3 seconds, and not 11."""

if __name__ == "__main__":
    bearing, indicator = Wheel.__init__.__defaults__
    Wheel.__init__.__defaults__ = (BEARING, indicator)
    sys.exit(main())
