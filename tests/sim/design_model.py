"""What a dealer, a supervisor and a host may expect of a table, as a small model: "States and gestures" of
firmware/README.md.

Imports nothing of the product and knows no bits: keys go in; digits, lit areas, sounds and the host's view come out.
Times are milliseconds. The caller stays away from moments at which the model changes by itself (`changes_near`); within
NEAR_MS of one, either side is right.
"""

from dataclasses import dataclass, field

from design_views import ALL_POINTS, BLANK, DONE, KEY, NO_POINTS, TURN_MS, Cloth, View, Views

NEAR_MS = 100
PENDING_MS = 10_000

SILENCE, ERROR, FAULT = "silence", "error", "fault"


@dataclass
class Model(Views):
    cloth: Cloth
    opening_test: bool = False
    percent: int = 100
    lit: str = ""
    digits: str = ""
    pending: str = ""
    pending_until: float = 0
    switch: bool = False
    armed: bool = True  # the switch is off when the table is first switched on
    keyed_under_switch: bool = False
    tested: bool = False
    games: list = field(default_factory=list)  # (digits, "result" | "amend" | "void"), oldest first
    faults: set = field(default_factory=set)
    broken: bool = False  # the lamp chain passes no data now
    kept: set = field(default_factory=set)  # what the lamps may still show while it is broken, frozensets of zones
    view: View | None = None
    codes_until: float = -1
    notice_until: float = -1
    sound: str = SILENCE

    # --- what happens ---

    def power_cycle(self, t: float) -> None:
        """What the journal and the settings prove, and nothing else."""
        self.digits = self.pending = ""
        self.digits = self.lit
        self.armed = not self.switch
        self.keyed_under_switch = self.tested = False
        self.faults = set()
        self.view = None
        self.codes_until = self.notice_until = -1
        self.sound = SILENCE

    def turn(self, on: bool, t: float) -> None:
        self._pass(t)
        if on == self.switch:
            return
        if self.supervised:
            self._leave()
            self.pending = ""
            if not self.lit and self.keyed_under_switch:
                self._drop()
        self.switch = on
        self.armed = self.armed or not on

    def chord(self, t: float) -> None:
        self._pass(t)
        self._refuse(t)

    def press(self, key: str, t: float) -> None:
        """A short press."""
        self._pass(t)
        if self.supervised and self.view:
            self._press_in_view(key, t)
        elif self.faults:
            self._refuse(t)
        elif key != "E":
            self._digit(key, t)
        elif self.lit:
            self._amend(t)
        elif len(self.digits) < 3:
            self._refuse(t)
        elif self.opening_test and not self.tested:
            self._refuse(t)
            self.notice_until = t + TURN_MS
        else:
            self.lit = self.digits
            self.games.append((self.lit, "result"))
            self._accept(KEY)

    def hold(self, key: str, t: float) -> None:
        """A hold whose time is up at `t`. With the switch off a key that acts on the press has done so before."""
        if not self.supervised:
            if key != "E" or not self.lit and len(self.digits) == 3:
                self.press(key, t - 1450)
                return
            self._pass(t)
            if self.lit:
                self._close()
                self._accept(KEY)
            elif self.digits:
                self._drop()
                self._accept(KEY)
            else:
                self._refuse(t)
            return
        self._pass(t)
        if self.view and (self.view.kind == "test" or key != "E"):
            self._hold_in_view(key, t)
        elif key == "1":
            self.games = self.games[:-1] if self.lit else self.games
            self.games.append(("", "void"))
            self._close()
            self._accept(DONE)
        elif key == "6":
            if not self.broken:
                self.faults = {code for code in self.faults if code[0] != "C"}
            self.faults = {code for code in self.faults if code[:2] != "E4"}
            if self.faults:
                self.sound = FAULT
            else:
                self._accept(DONE)
        else:
            self._open(key, t)

    def stuck(self, key: str, t: float) -> None:
        """The key has been down for ten seconds."""
        self._pass(t)
        self._fault("E4" + ("7" if key == "E" else key))

    def break_chain(self, register: int, t: float) -> None:
        self._pass(t)
        shown = self._shown_areas(t)
        self.broken = True
        if not any(code[0] == "C" for code in self.faults):  # behind a break that is known nothing more can be seen
            self._fault(f"C{register:02}")
        wanted = self._game_areas()
        self.kept = {wanted if self.lit and wanted in shown else frozenset()}
        if self.lit and wanted in shown and len(shown) > 1:
            self.kept.add(frozenset())  # a test throw of the same dice: it blinks

    def mend(self, t: float) -> None:
        self._pass(t)
        self.broken = False

    # --- what is to be seen ---

    @property
    def supervised(self) -> bool:
        return self.switch and self.armed

    def displays(self, t: float) -> set:
        """(text, points) that a person may read at `t`."""
        return self._display(t - NEAR_MS) | self._display(t + NEAR_MS)

    def areas(self, t: float) -> set:
        """Sets of areas that may be lit at `t`."""
        if self.broken:  # what is not the settlement any more goes off, for it cannot be changed
            return {areas if areas == self._game_areas() else frozenset() for areas in self.kept}
        return self._shown_areas(t)

    def brightness(self) -> int:
        return self.view.percent if self.view and self.view.kind == "brightness" else self.percent

    def told(self, t: float) -> list:
        """What a host may be told, except the faults: (state, digits, lit, switch)."""
        found = []
        for moment in (t - NEAR_MS, t + NEAR_MS):
            view = self._view_at(moment)
            state = "test" if view and view.kind == "test" else "fault" if self.faults else ""
            state = state or ("result" if self.lit else "idle")
            lit = [int(digit) for digit in self.lit] if self.lit else None
            found.append((state, self.lit or self.digits, lit, self.switch))
        return found

    def saw(self, areas: frozenset) -> None:
        """Of what may be kept on a broken chain, this is what is."""
        if self.broken:
            self.kept = {areas}

    def changes_near(self, t: float, margin: float) -> bool:
        """Something that matters to a key changes by itself within `margin` of `t`."""
        moments = [self.pending_until] if self.pending else []
        if self.view:
            moments += [self.view.since + self._length(self.view)]
        return any(abs(t - moment) < margin for moment in moments)

    # --- inside ---

    def _pass(self, t: float) -> None:
        """What has changed by itself up to `t`."""
        self.sound = SILENCE
        if self.pending and t >= self.pending_until:
            self.pending = ""
        view = self.view
        if view and t >= view.since + self._length(view):
            if view.kind == "test":
                view.sweeping = False
                view.swept = True
            else:
                self.view = None

    def _accept(self, sound: str) -> None:
        self.sound = sound
        self.notice_until = -1

    def _refuse(self, t: float) -> None:
        self.sound = ERROR
        if self.faults:
            self.codes_until = t + TURN_MS * len(self.faults)

    def _fault(self, code: str) -> None:
        if code in self.faults:
            return
        self.faults.add(code)
        self._leave()
        self._drop()
        self.sound = FAULT

    def _drop(self) -> None:
        self.pending = ""
        if not self.lit:
            self.digits = ""
            self.keyed_under_switch = False

    def _close(self) -> None:
        self.lit = ""
        self._drop()

    def _digit(self, key: str, t: float) -> None:
        if self.lit:
            self.pending = (self.pending + key)[-3:]
            self.pending_until = t + PENDING_MS
        else:
            self.digits = (self.digits + key)[-3:]
            self.keyed_under_switch = self.keyed_under_switch or self.supervised
        self._accept(KEY)

    def _amend(self, t: float) -> None:
        if not self.supervised or len(self.pending) < 3 or sorted(self.pending) == sorted(self.lit):
            self._refuse(t)
            return
        self.lit = self.digits = self.pending
        self.pending = ""
        self.games[-1] = (self.lit, "amend")
        self._accept(KEY)

    def _game_areas(self) -> frozenset:
        return frozenset(self.cloth.wins[self.lit] if self.lit else ())

    def _shown_areas(self, t: float) -> set:
        """What a chain that passes data shows."""
        return self._areas_at(t - NEAR_MS) | self._areas_at(t + NEAR_MS)

    def _display(self, t: float) -> set:
        view = self._view_at(t)
        if self.faults and (t < self.codes_until or not view and not self.lit):
            return {(code, NO_POINTS) for code in self.faults}
        if t < self.notice_until:
            return {("t5t", NO_POINTS)}
        if view:
            return {self._view_display(view, t)}
        if self.pending and t < self.pending_until:
            return {(self.pending.rjust(3), NO_POINTS), (BLANK, NO_POINTS)}
        digits = (self.lit or self.digits).rjust(3)
        return {(digits, NO_POINTS), (digits, ALL_POINTS)} if self.faults else {(digits, NO_POINTS)}
