"""Faults of the parts besides chain and lamps: key-switch, display, beeper, current sense, flash."""

from taisai.sim.beeper import Beeper
from taisai.sim.contacts import KeySwitch
from taisai.sim.displays import DARK, Display
from taisai.sim.flash import Flash
from taisai.sim.lamps import CurrentSense

SEGMENTS = "abcdefg"


class PartFaults:
    """The parts of one bench; `sense` None where there is none."""

    def __init__(self, switch: KeySwitch, display: Display, beeper: Beeper, sense: CurrentSense | None, flash: Flash):
        self.sense = sense
        self._switch = switch
        self._display = display
        self._beeper = beeper
        self._flash = flash

    def apply(self, kind: str, number: int | None, level: int | str | None) -> None:
        """Do it: switch, display, segment, beeper, sense or flash."""
        if kind == "switch":
            self._switch.stuck = bool(level)
        elif kind == "display":
            self._display.present = False
        elif kind == "segment":
            dead = bytearray(self._display.dead)
            dead[number - 1] |= 1 << SEGMENTS.index(level)
            self._display.dead = bytes(dead)
        elif kind == "beeper":
            self._beeper.fitted = False
        elif kind == "sense":
            self.sense.percent = number
        else:
            self._flash.worn = True

    def clear(self) -> None:
        """Repair all of them."""
        self._switch.stuck = None
        self._display.dead = DARK
        self._display.present = True
        self._beeper.fitted = True
        self._flash.worn = False
        if self.sense is not None:
            self.sense.percent = 100
