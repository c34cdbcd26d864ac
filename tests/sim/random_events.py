"""Random events at a virtual board, compared with the model after each of them: digits, points, lamps, latched frames,
sounds, brightness, and what a host is told.

Words: 1 to 6 and E press a key, with ! hold it, with ~ hold it until it is stuck; 12 presses two at once; S+ S- turn
the key-switch; w500 waits; P cuts the power for a moment, R resets the controller; x37:WORD does WORD and cuts the
power 37 ms after it began; cut:3:1 breaks the lamp chain, mend repairs it; ? has a host ask for the state.
"""

import copy
import json
from binascii import crc32
from random import Random

from design_model import ERROR, FAULT, SILENCE, Model
from design_views import DONE, KEY, Cloth

from taisai.boards.table import Table
from taisai.sim.board import VirtualBoard

PRESS_MS = 60
ZERO_MS = 3  # longer than all lamps are off for a measurement
HOLD_MS = 1600
STUCK_MS = 10_300
START_MS = 1300  # lit long before; the files have been compared with the manifest, so that ENTRY is accepted
# A sound is over, and what follows it on the display can be seen, this long after the word.
REST_MS = {SILENCE: 100, KEY: 120, DONE: 300, ERROR: 560, FAULT: 2200}
# Bursts as a person tells them apart: how many, and about how long.
SOUNDS = {SILENCE: (), KEY: (60,), DONE: (80, 80), ERROR: (120, 120, 120), FAULT: (2000,)}
_ABOUT_MS = 12


class Difference(AssertionError):
    """The table did something that the model does not allow."""


class Run:
    """One board from its first power-on. `play` does words one by one; Difference names the first that went wrong."""

    def __init__(self, table: Table, cloth: Cloth, seed: int, opening_test: bool = False):
        self.board = VirtualBoard(table, seed=seed)
        self.bench = self.board.bench
        self._harness = {zone: frozenset(outputs) for zone, outputs in table.harness.items()}
        self._rng = Random(seed)
        self._models = [Model(cloth, percent=table.options.brightness_percent)]
        self._latched: set[int] = set()
        self._asked = 0
        self._tail = 0
        self._watch_latches(table.controller.chain.latch)
        self.board.power_on()
        self.board.run_ms(START_MS)
        self._board_id = self._ask("identify", {})["board"]
        if opening_test:
            self._ask("set-settings", {"board": self._board_id, "values": {"opening_test": True}})
            self._models[0].opening_test = True

    def close(self) -> None:
        self.board.power_off()

    def play(self, word: str) -> None:
        self._stay_clear(word)
        frames = set().union(*(self._allowed_frames(model) for model in self._models))
        blinking = [model for model in self._models if model.view and model.view.shown]
        self._latched.clear()
        tones = len(self.bench.beeper.tones)
        cut = word.startswith("x") or word in ("P", "R")
        self._do(word, self._now)
        self.board.run_ms(max(REST_MS[model.sound] for model in self._models))
        while any(model.changes_near(self._now, 150) for model in self._models):
            self.board.run_ms(100)
        if not self.bench.observe().enabled and not any(model.broken for model in self._models):
            self.board.run_ms(ZERO_MS)  # it may be the moment in which the sense measures with the lamps off
        if word in ("w1200", "w3000") and len(blinking) == len(self._models) and len(self._latched) != 2:
            raise Difference(f"a test throw does not blink: {len(self._latched)} frames were latched")
        sound = None if cut or "~" in word else self._heard(tones)
        reply = self._ask("state", {}) if word == "?" else None
        matching, reasons = [], []
        for model in self._models:
            # A key that gets stuck may have begun a sweep and ended it.
            reason = self._compare(model, sound, reply, None if cut or "~" in word else frames)
            if reason:
                reasons.append(reason)
            else:
                matching.append(model)
        if not matching:
            raise Difference("; or ".join(reasons))
        self._models = matching[:1] if all(model == matching[0] for model in matching) else matching

    # --- words ---

    @property
    def _now(self) -> float:
        return self.bench.now_us / 1000

    def _acts_ms(self, word: str) -> list[float]:
        """When, from its beginning, a word may make a key count."""
        word = word.rpartition(":")[2] if word.startswith("x") else word
        if word[-1] == "!":
            return [40, 1505]
        if word[-1] == "~":
            return [40, 1505, 10_000]
        return [40, 90]

    def _stay_clear(self, word: str) -> None:
        """Wait while something is about to change by itself just when the word acts."""
        while any(
            model.changes_near(self._now + act, 250) for model in self._models for act in self._acts_ms(word)
        ):
            self.board.run_ms(100)

    def _do(self, word: str, t: float) -> None:
        models = self._models
        if word[0] == "w":
            self._each(lambda model: model._pass(self._now))
            self.board.run_ms(int(word[1:]))
            self._each(lambda model: model._pass(self._now))
        elif word == "?":
            self._each(lambda model: model._pass(t))
        elif word == "P":
            self.board.power_off()
            self._restart()
        elif word == "R":
            self.board.hard_reset()
            self.board.run_ms(START_MS)
            self._each(lambda model: model.power_cycle(self._now))
        elif word[0] == "x":
            ms, _, inner = word[1:].partition(":")
            undone = copy.deepcopy(models)
            self._contacts(inner)
            self._each(lambda model: self._model_contacts(model, inner, t))
            self.board.run_ms(int(ms))
            # What can be seen when the power fails is on record; what is on record may not be seen yet.
            glow = self._glowing()
            for model in undone:
                model.switch = models[0].switch
            self._models = models + [model for model in undone if glow in self._lamp_sets(model)]
            self.board.power_off()
            self.board.run_ms(HOLD_MS + 2 * PRESS_MS)
            self._restart()
        elif word.startswith("cut:"):
            _, register, level = word.split(":")
            self.bench.faults.apply(word)
            self._each(lambda model: model.break_chain(int(register), t))
            self.board.run_ms(300)
        elif word == "mend":
            self.bench.faults.clear()
            self.board.run_ms(500)
            self._each(lambda model: model.mend(self._now))
        else:
            self._contacts(word)
            self._each(lambda model: self._model_contacts(model, word, t))
            length = {"!": HOLD_MS, "~": STUCK_MS}.get(word[-1], PRESS_MS)
            self.board.run_ms(length + PRESS_MS)

    def _restart(self) -> None:
        self.board.run_ms(50)
        self.board.power_on()
        self.board.run_ms(START_MS)
        self._each(lambda model: model.power_cycle(self._now))

    def _each(self, change) -> None:
        for model in self._models:
            change(model)

    def _contacts(self, word: str) -> None:
        """Move the contacts as a person does."""
        if word[0] == "S":
            self.bench.switch.turn(word[1] == "+")
        elif word[-1] in "!~":
            self.bench.keys.press(word[0], HOLD_MS if word[-1] == "!" else STUCK_MS)
        else:
            for key in word:
                self.bench.keys.press(key, PRESS_MS, bounce_ms=self._rng.uniform(0, 5))

    def _model_contacts(self, model: Model, word: str, t: float) -> None:
        if word[0] == "S":
            model.turn(word[1] == "+", t + 30)
        elif len(word) == 2 and word[1] not in "!~":
            model.chord(t + 40)
        elif word[-1] == "!":
            model.hold(word[0], t + 1505)
        elif word[-1] == "~":
            model.hold(word[0], t + 1505)
            model.stuck(word[0], t + 10_030)
        else:
            model.press(word, t + (90 if model.supervised else 45))

    # --- what is compared ---

    def _compare(self, model: Model, sound, reply, frames_before) -> str | None:
        now = self._now
        seen = self.bench.observe()
        shown = (seen.display, seen.points)
        if sound is not None and sound != model.sound:
            return f"heard {sound}, not {model.sound}"
        if shown not in model.displays(now):
            return f"display shows {shown}, not one of {sorted(model.displays(now))}"
        glow = self._glowing()
        if glow not in self._lamp_sets(model):
            return f"lamps {sorted(glow)} are lit, for {[sorted(areas) for areas in model.areas(now)]}"
        if set(seen.partial) or frozenset(seen.lit) not in model.areas(now):
            return f"areas {seen.lit} are lit and {seen.partial} partly, not one of {model.areas(now)}"
        model.saw(frozenset(seen.lit))
        if seen.enabled and round(self.bench.enable.share * 100) != model.brightness():
            return f"brightness is {self.bench.enable.share:.2f}, not {model.brightness()} %"
        if not seen.enabled and not model.broken:
            return "the outputs are off"
        if frames_before is not None and not model.broken:
            stray = self._latched - frames_before - self._allowed_frames(model)
            if stray:
                return f"frames {[hex(frame) for frame in stray]} were latched on the way"
        if reply is not None:
            told = (reply["state"], reply["digits"], reply["lit"], reply["switch"])
            if told not in model.told(now) or set(reply["faults"]) != model.faults:
                return f"a host is told {reply}, not {model.told(now)} and {model.faults}"
        return None

    def _heard(self, first: int) -> str:
        """What the beeper played since its tone number `first`, by name where it has one."""
        tones = self.bench.beeper.tones
        bursts = [((tone.end_us or self.bench.now_us) - tone.start_us) / 1000 for tone in list(tones)[first:]]
        if len(tones) > 3000:
            tones.clear()
        for sound, pattern in SOUNDS.items():
            if len(pattern) == len(bursts) and all(
                abs(ms - burst) <= _ABOUT_MS for ms, burst in zip(pattern, bursts, strict=True)
            ):
                return sound
        return f"bursts of {bursts} ms"

    def _glowing(self) -> frozenset:
        """Outputs of the chain that are on and enabled."""
        output = self.bench.chain.output if self.bench.enable.share else 0
        return frozenset(number for number in range(self.bench.chain.bits) if output >> number & 1)

    def _outputs(self, areas) -> frozenset:
        return frozenset().union(*(self._harness[zone] for zone in areas))

    def _lamp_sets(self, model: Model) -> set:
        return {self._outputs(areas) for areas in model.areas(self._now)}

    def _allowed_frames(self, model: Model) -> set:
        """Frames that may be latched in the model's present state; a sweep and a lamp test go through all of theirs."""
        frames = {0, sum(1 << output for output in self._outputs(model._game_areas()))}
        wanted = list(model.areas(self._now))
        if model.view and model.view.sweeping:
            wanted += [{zone} for zone in model.cloth.zones]
        if model.view and model.view.kind == "lamps":
            wanted += model.cloth.groups
        return frames | {sum(1 << output for output in self._outputs(areas)) for areas in wanted}

    def _watch_latches(self, latch_pin: int) -> None:
        pin_output = self.bench.pin_output

        def watched(pin, level, *rest, **named):
            pin_output(pin, level, *rest, **named)
            if pin == latch_pin and level:
                self._latched.add(self.bench.chain.output)

        self.bench.pin_output = watched

    def _ask(self, verb: str, fields: dict) -> dict:
        """A host's request; the fields of its reply."""
        self._asked += 1
        head = f"{self._asked} {verb} {json.dumps(fields)}".encode()
        self.board.serial.read(0)
        self.board.serial.write(head + b" *%08x\n" % crc32(head))
        line = b""
        for _ in range(30):
            self.board.run_ms(20)
            line += self.board.serial.read(0)
            if line.endswith(b"\n"):
                break
        line = line.rstrip(b"\n")
        text, _, seal = line.rpartition(b" *")
        number, word, reply = (text.decode().split(" ", 2) + ["", ""])[:3]
        if seal != b"%08x" % crc32(text) or number != str(self._asked) or word != "ok":
            raise Difference(f"a host asked for {verb} and got {line!r}")
        return json.loads(reply)
