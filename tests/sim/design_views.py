"""The part of the model that covers the game while the key-switch is on: test run, recall, lamp test,
versions, brightness. Imports nothing of the product; see design_model.py.
"""

from dataclasses import dataclass

TURN_MS = 1500  # one fault code, one page, one group of lamps
ZONE_MS = 500
RECALL_GAMES = 20

KEY, DONE = "key", "done"
BLANK = "   "
NO_POINTS, ALL_POINTS = (False,) * 3, (True,) * 3


@dataclass(frozen=True)
class Cloth:
    """The printed layout as the model needs it. `zones` in the order of the sweep; `wins` maps three digits as text to
    the set of zones; `groups`: the sets of the lamp test; `pages`: (text, points) of the versions.
    """

    zones: list
    wins: dict
    groups: list
    pages: list


@dataclass
class View:
    """What covers the game: test, recall, lamps, versions, brightness. `since`: when it (or its sweep) began."""

    kind: str
    since: float
    sweeping: bool = False
    swept: bool = False
    thrown: bool = False
    shown: bool = False
    digits: str = ""
    place: int = 0
    percent: int = 0


class Views:
    """Base of the model: what is done with `view`, and what it shows."""

    def _open(self, key: str, t: float) -> None:
        kind = {"2": "recall", "3": "lamps", "4": "versions", "5": "brightness", "E": "test"}[key]
        needs_lamps = kind in ("lamps", "brightness", "test")
        if kind == "recall" and not self.games or needs_lamps and any(code[0] == "C" for code in self.faults):
            self._refuse(t)
            return
        self._leave()
        self.view = View(kind, t, sweeping=kind == "test", percent=self.percent)
        self._accept(KEY)

    def _leave(self) -> None:
        if self.view and self.view.kind == "brightness":
            self.percent = self.view.percent
        self.view = None

    def _press_in_view(self, key: str, t: float) -> None:
        view = self.view
        if view.kind == "test":
            self._press_in_test(key, t)
        elif key == "E":
            self._leave()
            self._accept(KEY)
        elif view.kind == "recall" and key in "12":
            place = view.place + (1 if key == "2" else -1)
            if 0 <= place < min(len(self.games), RECALL_GAMES):
                view.place = place
                self._accept(KEY)
            else:
                self._refuse(t)
        elif view.kind == "brightness" and key in "12":
            percent = view.percent + (10 if key == "2" else -10)
            if 10 <= percent <= 100:
                view.percent = percent
                self._accept(KEY)
            else:
                self._refuse(t)
        else:
            self._refuse(t)

    def _press_in_test(self, key: str, t: float) -> None:
        view = self.view
        if key != "E":
            if view.sweeping or view.shown:
                view.digits = ""
            view.sweeping = view.shown = False
            view.digits = (view.digits + key)[-3:]
            self._accept(KEY)
        elif view.sweeping or view.shown or len(view.digits) < 3:
            self._refuse(t)
        else:
            view.shown = view.thrown = True
            self._accept(KEY)

    def _hold_in_view(self, key: str, t: float) -> None:
        view = self.view
        if view.kind != "test" or key != "E" or view.sweeping:
            self._refuse(t)
        elif not view.swept:
            view.sweeping, view.shown, view.digits, view.since = True, False, "", t
            self._accept(KEY)
        elif not view.thrown or self.faults:
            self._refuse(t)
        else:
            self.tested = True
            self._leave()
            self._accept(DONE)

    def _length(self, view: View) -> float:
        """How long a view, or the sweep in it, lasts."""
        if view.kind == "test":
            return ZONE_MS * len(self.cloth.zones) if view.sweeping else float("inf")
        if view.kind == "lamps":
            return TURN_MS * len(self.cloth.groups)
        return TURN_MS * len(self.cloth.pages) if view.kind == "versions" else float("inf")

    def _view_at(self, t: float) -> View | None:
        view = self.view
        if view and view.kind != "test" and t >= view.since + self._length(view):
            return None
        return view

    def _areas_at(self, t: float) -> set:
        view = self._view_at(t)
        if view is None or view.kind in ("recall", "versions"):
            return {self._game_areas()}
        passed = max(0, t - view.since)
        if view.kind == "lamps":
            return {frozenset(self.cloth.groups[int(passed // TURN_MS)])}
        if view.kind == "brightness":
            return {self._game_areas() if self.lit else frozenset(self.cloth.groups[0])}
        if view.sweeping and passed < self._length(view):
            return {frozenset({self.cloth.zones[int(passed // ZONE_MS)]})}
        if view.shown:
            return {frozenset(self.cloth.wins[view.digits]), frozenset()}
        return {frozenset()}

    def _view_display(self, view: View, t: float) -> tuple:
        passed = max(0, t - view.since)
        if view.kind == "lamps":
            return "888", ALL_POINTS
        if view.kind == "versions":
            return self.cloth.pages[int(passed // TURN_MS)]
        if view.kind == "brightness":
            return str(view.percent).rjust(3), NO_POINTS
        if view.kind == "recall":
            digits, kind = self.games[-1 - view.place]
            return ("---", NO_POINTS) if kind == "void" else (digits, ALL_POINTS if kind == "amend" else NO_POINTS)
        if view.sweeping and passed < self._length(view):
            return str(int(passed // ZONE_MS) + 1).rjust(3), ALL_POINTS
        return (view.digits.rjust(3) if view.digits and not view.sweeping else "t5t"), ALL_POINTS
