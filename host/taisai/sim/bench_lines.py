"""The wires between the controller's pins and the devices: who drives which level, and who is told of it."""

from collections.abc import Callable, Mapping

from taisai.boards.controller import Controller
from taisai.sim.contacts import Contact

Listener = Callable[[int], None]


class Lines:
    """Levels by pin. A listener hears the level of its pin once at the start and at every change."""

    def __init__(
        self, controller: Controller, listeners: list[Mapping[int, Listener]], contacts: Mapping[int, Contact]
    ):
        self._contacts = contacts
        self._listeners: dict[int, list[Listener]] = {}
        for pins in listeners:
            for pin, listener in pins.items():
                self._listeners.setdefault(pin, []).append(listener)
        # What a line shows while nobody drives it: low without a pull-up, as an RP2040's pads start with a pull-down.
        self._idle = dict.fromkeys(self._listeners, 0)
        self._idle[controller.chain.enable] = 1
        if controller.display.driver == "tm1637":
            self._idle[controller.display.clk] = self._idle[controller.display.dio] = 1
        self._driven: dict[int, int] = {}
        self._without_pull_up: set[int] = set()
        for pin, level in self._idle.items():
            self._tell(pin, level)

    def drive(self, pin: int, level: int | None, pull_up: bool) -> None:
        """The controller drives a level, or lets go (None) with or without its own pull-up."""
        self._without_pull_up.discard(pin)
        before = self.level(pin)
        if level is None:
            self._driven.pop(pin, None)
            if not pull_up:
                self._without_pull_up.add(pin)
        else:
            self._driven[pin] = level
        after = self.level(pin)
        if after != before:
            self._tell(pin, after)

    def release_all(self) -> None:
        """The controller lets go of every pin, the output enable first, as its pull-up is the fastest."""
        for pin in sorted(self._driven, key=lambda pin: not self._idle.get(pin, 0)):
            self.drive(pin, None, True)

    def level(self, pin: int) -> int:
        """Level of a line as the controller's side and the pull-ups make it; one that is not wired reads high."""
        return self._driven.get(pin, self._idle.get(pin, 1))

    def contact_level(self, pin: int) -> int:
        """Level at a key's pin. Without a pull-up it floats, which is taken for the worse: a key that is down."""
        return int(not self._contacts[pin].closed and pin not in self._without_pull_up)

    def contact_levels(self) -> dict[int, int]:
        return {pin: self.contact_level(pin) for pin in self._contacts}

    def contact_changes(self, end_us: int) -> list[tuple[int, int, int]]:
        """What the contacts are going to do before `end_us`, in order of time: (time, pin, level)."""
        changes = [
            (t_us, pin, int(not closed and pin not in self._without_pull_up))
            for pin, contact in self._contacts.items()
            for t_us, closed in contact.planned()
            if t_us < end_us
        ]
        return sorted(changes, key=lambda change: change[0])

    def is_contact(self, pin: int) -> bool:
        return pin in self._contacts

    def _tell(self, pin: int, level: int) -> None:
        for listener in self._listeners.get(pin, ()):
            listener(level)
