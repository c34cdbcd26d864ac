"""What the beeper plays. A pattern is a tuple of milliseconds: on, off, on ...

Patterns differ by rhythm and not by pitch, so that a beeper with one resonance, or one that only switches on and off,
tells them apart.
"""

KEY = (60,)
DONE = (80, 80, 80)
ERROR = (120, 60, 120, 60, 120)
FAULT = (2000,)  # 1.5 s at least, however a step is delayed; nothing cuts it short


class Tone:
    """Plays one pattern at a time. `hz` is what is to sound now: the beeper's frequency, or 0 for silence."""

    def __init__(self, hz):
        self.hz = 0
        self._on_hz = hz
        self._pattern = None
        self._place = 0
        self._left_ms = 0

    def start(self, pattern):
        """Play `pattern` from its beginning. A fault tone that still sounds is never replaced."""
        if self._pattern is FAULT:
            return
        self._pattern = pattern
        self._place = 0
        self._left_ms = pattern[0]
        self.hz = self._on_hz

    def step(self, elapsed):
        """Let `elapsed` ms pass."""
        if self._pattern is None:
            return
        self._left_ms -= elapsed
        while self._left_ms <= 0:
            self._place += 1
            if self._place == len(self._pattern):
                self._pattern = None
                self.hz = 0
                return
            self._left_ms += self._pattern[self._place]
        self.hz = 0 if self._place & 1 else self._on_hz
