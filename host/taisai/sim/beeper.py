"""The beeper: a piezo disc that sounds at the frequency of the PWM on its pin, and is silent at a steady level."""

from collections import deque
from dataclasses import dataclass

_REMEMBERED = 4096


@dataclass(frozen=True)
class Tone:
    """One sounding from `start_us` to `end_us` (None while it sounds) at `hz`."""

    start_us: int
    end_us: int | None
    hz: int


class Beeper:
    """What could be heard. `tones` holds the last few thousand tones in order."""

    def __init__(self) -> None:
        self.fitted = True
        """Fault when False: nothing is heard."""
        self.tones: deque[Tone] = deque(maxlen=_REMEMBERED)

    @property
    def tone_hz(self) -> int:
        """Frequency sounding now, 0 when silent."""
        return self.tones[-1].hz if self.tones and self.tones[-1].end_us is None else 0

    def drive_pwm(self, freq_hz: int, duty_u16: int, t_us: int) -> None:
        """PWM on the pin; a duty of 0 or 65535 is a steady level and makes no sound."""
        self._sound(freq_hz if 0 < duty_u16 < 65535 else 0, t_us)

    def silence(self, t_us: int) -> None:
        """The PWM ended: a steady level on the pin, or none."""
        self._sound(0, t_us)

    def _sound(self, hz: int, t_us: int) -> None:
        hz = hz if self.fitted else 0
        if hz == self.tone_hz:
            return
        if self.tone_hz:
            last = self.tones.pop()
            self.tones.append(Tone(last.start_us, t_us, last.hz))
        if hz:
            self.tones.append(Tone(t_us, None, hz))
