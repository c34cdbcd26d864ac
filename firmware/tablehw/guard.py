"""The door contact and the write-lock jumper: inputs to ground with pull-ups, each absent where its pin is None."""

from machine import Pin


class GuardInputs:
    """`door`: a contact that is closed while the housing is. `write_lock`: a jumper, fitted = writing is allowed.

    A broken wire reads as an open door and as a missing jumper.
    """

    def __init__(self, door, write_lock):
        self._door = None if door is None else Pin(door, Pin.IN, Pin.PULL_UP)
        self._write_lock = None if write_lock is None else Pin(write_lock, Pin.IN, Pin.PULL_UP)

    def door_open(self):
        return self._door is not None and self._door.value() == 1

    def writing_allowed(self):
        return self._write_lock is None or self._write_lock.value() == 0
