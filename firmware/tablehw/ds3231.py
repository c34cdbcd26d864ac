"""The real-time clock DS3231 (Analog Devices, 19-5170 rev 10), which keeps the time (UTC) on a battery.

Registers 0x00 to 0x06: seconds, minutes, hours, day of the week, date, month, year, in BCD; bit 7 of the month is the
century, which it counts from year 00 on. Bit 7 of the status register 0x0F: the oscillator has stopped at some time, so
that the time is wrong.
"""

from machine import Pin, SoftI2C

from tablecore.calendar import calendar_of, seconds_of

_ADDRESS = 0x68
_TIME = 0x00
_MONTH = 0x05
_CENTURY = 0x80
_STATUS = 0x0F
_STOPPED = 0x80
_HZ = 100000


class RealTimeClock:
    """On any two pins: the processor makes the signals itself."""

    def __init__(self, scl, sda):
        self._bus = SoftI2C(scl=Pin(scl), sda=Pin(sda), freq=_HZ)

    def read(self):
        """Unix seconds; 0 when the clock was never set, has stopped, or does not answer."""
        found = bytearray(_STATUS + 1)
        try:
            self._bus.readfrom_mem_into(_ADDRESS, _TIME, found)
        except OSError:
            return 0
        if found[_STATUS] & _STOPPED:
            return 0
        found[_MONTH] &= ~_CENTURY
        second, minute, hour, _, day, month, year = [_binary(byte) for byte in found[:7]]
        return seconds_of(2000 + year, month, day, hour, minute, second)

    def set(self, seconds):
        """Set it, in Unix seconds. OSError when it does not answer."""
        year, month, day, hour, minute, second = calendar_of(seconds)
        fields = (second, minute, hour, 1, day, month, year - 2000)
        self._bus.writeto_mem(_ADDRESS, _TIME, bytes([_decimal(field) for field in fields]))
        self._bus.writeto_mem(_ADDRESS, _STATUS, b"\x00")


def _binary(bcd):
    return (bcd >> 4) * 10 + (bcd & 15)


def _decimal(number):
    return number // 10 << 4 | number % 10
