"""The seven dealer keys and the supervisor key-switch: direct inputs to ground with pull-ups."""

from machine import Pin


class Keys:
    """Reads all contacts as one number; bounce is still in it.

    `keys` are the GPIO numbers of keys 1 to 6 and ENTRY, `switch` that of the key-switch.
    """

    def __init__(self, keys, switch):
        self._pins = [Pin(number, Pin.IN, Pin.PULL_UP) for number in list(keys) + [switch]]

    def read(self):
        """Contacts as bits, 1 = pressed or on: bits 0 to 5 are keys 1 to 6, bit 6 is ENTRY, bit 7 the key-switch.

        Takes some 20 us on an RP2040 and allocates nothing.
        """
        bits = 0
        mask = 1
        for pin in self._pins:
            if not pin.value():
                bits |= mask
            mask <<= 1
        return bits
