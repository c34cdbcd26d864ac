"""What the beeper plays. A pattern is a tuple of milliseconds: on, off, on ...

Patterns differ by rhythm and not by pitch, so that a beeper with one resonance, or one that only switches on and off,
tells them apart.
"""

from tablecore.ticks import add, diff

KEY = (60,)
DONE = (80, 80, 80)
ERROR = (120, 60, 120, 60, 120)
FAULT = (2000,)  # DESIGN: 1.5 s or more, and nothing cuts it short


class Tone:
    """Plays one pattern at a time at `hz`."""

    def __init__(self, hz):
        self._hz = hz
        self._pattern = None
        self._place = 0
        self._next = 0

    def start(self, pattern, now):
        """Play `pattern` from its beginning. A fault tone that still sounds is never replaced."""
        if self._pattern is FAULT:
            return
        self._pattern = pattern
        self._place = 0
        self._next = add(now, pattern[0])

    def step(self, now):
        """The frequency to sound now, 0 for silence."""
        pattern = self._pattern
        if pattern is None:
            return 0
        while diff(now, self._next) >= 0:
            self._place += 1
            if self._place == len(pattern):
                self._pattern = None
                return 0
            self._next = add(self._next, pattern[self._place])
        return 0 if self._place & 1 else self._hz
