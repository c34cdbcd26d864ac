"""Fit the display that the controller file names to its pins."""

from random import Random

from taisai.boards.controller_model import Max7219Display, ShiftDisplay, Tm1637Display
from taisai.sim import displays_hc595, displays_max7219, displays_tm1637
from taisai.sim.displays import Display


def fit_display(wired: ShiftDisplay | Tm1637Display | Max7219Display, rng: Random) -> Display:
    """The simulated display on the pins of the controller file."""
    if wired.driver == "hc595":
        return displays_hc595.StaticDisplay(wired.sck, wired.mosi, wired.latch, rng)
    if wired.driver == "max7219":
        return displays_max7219.Max7219Display(wired.sck, wired.mosi, wired.cs, rng)
    return displays_tm1637.Tm1637Display(wired.clk, wired.dio, rng)
