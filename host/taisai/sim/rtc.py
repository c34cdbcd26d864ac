"""The real-time clock DS3231 with its battery: it goes on in bench time whether the controller has power or not.

Registers as in the datasheet (Analog Devices, 19-5170 rev 10, table 1); alarms, trimming and temperature are not
modelled and read 0.
"""

from datetime import datetime, timedelta

ADDRESS = 0x68
_TIME_REGISTERS = 7
_STATUS = 0x0F
_REGISTERS = 0x13
_STOPPED = 0x80


class Ds3231:
    """`fitted` False: the module is out of its socket, nothing answers."""

    def __init__(self) -> None:
        self.fitted = True
        self._status = _STOPPED
        self._written = bytes((0, 0, 0, 1, 1, 1, 0))
        self._written_us = 0

    def lose_battery(self) -> None:
        """The battery is empty and there is no supply: the oscillator stops, and that is remembered."""
        self._status |= _STOPPED

    def read(self, register: int, count: int, now_us: int) -> bytes:
        """Registers from this one on."""
        registers = bytearray(_REGISTERS)
        registers[:_TIME_REGISTERS] = self._time(now_us)
        registers[_STATUS] = self._status
        return bytes(registers[(register + place) % _REGISTERS] for place in range(count))

    def write(self, register: int, data: bytes, now_us: int) -> None:
        """Set registers from this one on: the time as a whole, or the status."""
        if register == 0 and len(data) == _TIME_REGISTERS:
            self._written, self._written_us = data, now_us
        elif register == _STATUS and len(data) == 1:
            self._status &= data[0] | ~_STOPPED  # the flag can only be cleared
        else:
            raise ValueError(f"nothing here writes {len(data)} registers from {register:#x} on")

    def _time(self, now_us: int) -> bytes:
        second, minute, hour, weekday, day, month, year = (int(f"{byte:02x}") for byte in self._written)
        then = datetime(2000 + year, month, day, hour, minute, second)
        now = then + timedelta(seconds=(now_us - self._written_us) // 1_000_000)
        weekday = (weekday - 1 + (now.date() - then.date()).days) % 7 + 1
        fields = (now.second, now.minute, now.hour, weekday, now.day, now.month, now.year % 100)
        return bytes(int(str(field), 16) for field in fields)
