"""The piezo beeper, driven with a square wave."""

from machine import PWM, Pin

_HALF = 32768  # duty of 50 %: the loudest a square wave gets


class Beeper:
    """`pin` is the GPIO number, `frequency_hz` the pitch it is set up with, 20 Hz or more."""

    def __init__(self, pin, frequency_hz):
        self._pwm = PWM(Pin(pin), freq=frequency_hz, duty_u16=0)
        self._hz = 0

    def set(self, hz):
        """Sound `hz` from now on; 0 is silence. Repeating the present pitch does not disturb the wave."""
        if hz == self._hz:
            return
        self._hz = hz
        if hz:
            self._pwm.freq(hz)
            self._pwm.duty_u16(_HALF)
        else:
            self._pwm.duty_u16(0)
