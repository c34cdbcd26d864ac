"""The fault words of the simulator: parse `open:small`, `cut:3:noise`, ... and do it to the bench.

open:ZONE[:N]    a lamp of the zone is open: dark, no current. N counts its lamps from 1 in the order of the harness
short:ZONE[:N]   a lamp of the zone is shorted: dark, its driver carries the limit current
on:ZONE[:N]      the output stage of that lamp conducts always, even while the outputs are disabled
off:ZONE[:N]     the output stage of that lamp never conducts
stuck:BIT:0|1    the shift stage of output BIT (from 0 at the controller's end) always holds that value
cut:REGISTER[:0|1|noise]  the data line behind that register (from 1 at the controller; 0 = before the first; the last =
                 the line back) is broken and its far side reads 0 (when absent), 1 or noise
supply           the lamp supply is missing
display          the display is not plugged in
key:N            the contact of key 1 to 6 or E is closed for good
slow:N           the contact of that key bounces for 60 ms
switch:0|1       the key-switch stays open (0) or closed (1) whatever is done to it
segment:D:S      segment S, a to g, of digit D, 1 to 3 from the left, stays dark
beeper           the beeper is missing
sense:PERCENT    the current sense shows so many percent of the current
flash            the flash is worn: every write to it fails
pegs:S:0|1       the wheel's sensor S, a, b or index, always reads 0 or 1
pegs:swapped     the wheel's sensors a and b are on each other's wires
pegs:extra       the wheel's sensor a picks up a pulse each 1,000 pegs, while b moves
clear            repair everything
A zone with several lamps loses one of them, the first when N is absent: that is what a fault in a real table does.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from taisai.errors import TaisaiError, shown
from taisai.sim.chain import NOISE, ShiftChain
from taisai.sim.contacts import KEY_NAMES, Keys
from taisai.sim.lamps import Lamps
from taisai.sim.partfaults import EXTRA, SEGMENTS, SWAPPED, PartFaults
from taisai.sim.wheelsensors import BITS

ZONE_KINDS = ("open", "short", "on", "off")
_MOST_DIGITS = 9
KINDS = (
    *ZONE_KINDS, "stuck", "cut", "supply", "display", "key", "slow", "switch", "segment", "beeper",
    "sense", "flash", "pegs", "clear",
)  # fmt: skip
# How many values a kind takes, at least and at most; the others take 1 or 2.
_VALUES = {
    "supply": (0, 0), "display": (0, 0), "beeper": (0, 0), "flash": (0, 0), "clear": (0, 0), "key": (1, 1),
    "slow": (1, 1),
    "switch": (1, 1), "sense": (1, 1), "stuck": (2, 2), "segment": (2, 2),
}  # fmt: skip


class FaultWordError(TaisaiError):
    """A fault word that means nothing, or nothing on this table; the text names the part that is wrong."""


@dataclass(frozen=True)
class FaultWord:
    """A fault word taken apart. Unused fields are None; `level` is 0, 1 or NOISE."""

    text: str
    kind: str
    zone: str | None = None
    lamp: int | None = None
    number: int | None = None
    key: str | None = None
    level: int | str | None = None


def parse(text: str) -> FaultWord:
    """Take a fault word apart (without the `fault:` of scripts); FaultWordError names the part that is wrong."""
    kind, *parts = text.split(":")
    if kind not in KINDS:
        raise FaultWordError(f"fault {shown(text)}: no fault is called {shown(kind)}; there are {', '.join(KINDS)}")
    least, most = _VALUES.get(kind, (1, 2))
    if not least <= len(parts) <= most:
        wanted = f"{least}" if least == most else f"{least} or {most}"
        raise FaultWordError(f"fault {shown(text)}: {kind} takes {wanted} values after it, here are {len(parts)}")
    if kind in ZONE_KINDS:
        lamp = _number(text, "lamp", parts[1]) if len(parts) == 2 else 1
        return FaultWord(text, kind, zone=parts[0], lamp=lamp)
    if kind == "stuck":
        return FaultWord(text, kind, number=_number(text, "bit", parts[0]), level=_level(text, parts[1], ("0", "1")))
    if kind == "cut":
        level = _level(text, parts[1], ("0", "1", NOISE)) if len(parts) == 2 else 0
        return FaultWord(text, kind, number=_number(text, "register", parts[0]), level=level)
    if kind == "switch":
        return FaultWord(text, kind, level=_level(text, parts[0], ("0", "1")))
    if kind == "sense":
        return FaultWord(text, kind, number=_number(text, "percentage", parts[0]))
    if kind == "segment":
        if parts[0] not in ("1", "2", "3") or len(parts[1]) != 1 or parts[1] not in SEGMENTS:
            raise FaultWordError(f"fault {shown(text)}: name a digit, 1 to 3, and one of its segments, a to g")
        return FaultWord(text, kind, number=int(parts[0]), level=parts[1])
    if kind == "pegs":
        return _pegs(text, *parts)
    if kind in ("key", "slow"):
        if parts[0] not in KEY_NAMES:
            raise FaultWordError(f"fault {shown(text)}: no key {shown(parts[0])}; the keys are {', '.join(KEY_NAMES)}")
        return FaultWord(text, kind, key=parts[0])
    return FaultWord(text, kind)


class Faults:
    """The faults of one bench. `active` lists the words applied since the last `clear`.

    `changed` is called after each: the lamps may carry another current.
    """

    def __init__(
        self,
        harness: Mapping[str, Sequence[int]],
        chain: ShiftChain,
        lamps: Lamps,
        keys: Keys,
        parts: PartFaults,
        changed: Callable[[], None],
    ):
        self.active: list[str] = []
        self._harness = harness
        self._chain = chain
        self._lamps = lamps
        self._keys = keys
        self._parts = parts
        self._changed = changed

    def apply(self, text: str) -> None:
        """Do what a fault word says, now; FaultWordError when this table has no such zone, lamp, bit or register."""
        word = self.require(text)
        if word.kind == "clear":
            self.clear()
            return
        self._do(word)
        self.active.append(text)
        self._changed()

    def require(self, text: str) -> FaultWord:
        """The word, taken apart; nothing is done yet. The same errors as `apply`."""
        word = parse(text)
        chain = self._chain
        if word.kind in ZONE_KINDS:
            self._output(word)
        elif word.kind == "stuck" and word.number >= chain.bits:
            raise FaultWordError(f"fault {shown(text)}: no bit {word.number}; the bits are 0 to {chain.bits - 1}")
        elif word.kind == "cut" and word.number > chain.registers:
            last = chain.registers
            raise FaultWordError(f"fault {shown(text)}: no register {word.number}; the registers are 1 to {last}")
        elif word.kind == "sense" and self._parts.sense is None:
            raise FaultWordError(f"fault {shown(text)}: the controller of this table has no current sense")
        elif word.kind == "pegs" and not (self._parts.wheel and self._parts.wheel.pins):
            raise FaultWordError(f"fault {shown(text)}: this table has no wheel with sensors")
        return word

    def clear(self) -> None:
        """Repair everything. Keys open, bits already wrong in the chain stay so until they are shifted out."""
        self._chain.clear_faults()
        self._lamps.clear_faults()
        self._keys.clear_faults()
        self._parts.clear()
        self.active.clear()
        self._changed()

    def _do(self, word: FaultWord) -> None:
        if word.kind in ZONE_KINDS:
            self._lamps.fail(word.kind, self._output(word))
        elif word.kind == "stuck":
            self._chain.set_stuck(word.number, word.level)
        elif word.kind == "cut":
            self._chain.set_cut(word.number, word.level)
        elif word.kind == "supply":
            self._lamps.supply = False
        elif word.kind == "key":
            self._keys.stick(word.key)
        elif word.kind == "slow":
            self._keys[word.key].slow = True
        else:
            self._parts.apply(word.kind, word.number, word.level)

    def _output(self, word: FaultWord) -> int:
        outputs = self._harness.get(word.zone)
        if outputs is None:
            raise FaultWordError(f"fault {shown(word.text)}: this table has no zone {shown(word.zone)}")
        if not 1 <= word.lamp <= len(outputs):
            raise FaultWordError(f"fault {shown(word.text)}: no lamp {word.lamp}; {word.zone} has {len(outputs)}")
        return outputs[word.lamp - 1]


def _pegs(text: str, sensor: str, level: str | None = None) -> FaultWord:
    if sensor in BITS and level in ("0", "1"):
        return FaultWord(text, "pegs", number=int(level), level=sensor)
    if sensor in (SWAPPED, EXTRA) and level is None:
        return FaultWord(text, "pegs", level=sensor)
    wanted = f"a, b or index with 0 or 1 behind it, {SWAPPED} or {EXTRA}"
    raise FaultWordError(f"fault {shown(text)}: pegs takes {wanted}")


def _number(text: str, name: str, part: str) -> int:
    if not (part.isascii() and part.isdigit()):
        raise FaultWordError(f"fault {shown(text)}: the {name} {shown(part)} is not a whole number")
    if len(part) > _MOST_DIGITS:
        raise FaultWordError(f"fault {shown(text)}: the {name} {shown(part)} is too large")
    return int(part)


def _level(text: str, part: str, allowed: tuple[str, ...]) -> int | str:
    if part not in allowed:
        raise FaultWordError(f"fault {shown(text)}: the level {shown(part)} is not {' or '.join(allowed)}")
    return part if part == NOISE else int(part)
