"""The chip as MicroPython meets it when it starts: who it is, why it started, and how long that took."""

from random import Random

from taisai.boards.pins import Mcu
from taisai.sim import bus
from taisai.sim.bench import FLASH_BLOCKS
from taisai.sim.flash import BLOCK_BYTES

_TIMED_OUT = 0x80  # added to the cause: the watchdog was not fed, as an RP2040 tells beside it
BOOT_US = 100_000
"""From power to MicroPython's first line; pins float meanwhile. A typical figure, not a measured one."""

_ID_BYTES = {"rp2040": 8, "esp32": 6}
# What reset_cause() says: on the RP2040 port a reset by the program looks like the watchdog's and the reset pin like
# power; on the ESP32 port a reset by the program is a hard reset. None: a soft reset leaves it as it was.
_CAUSES = {
    "rp2040": {"power": 1, "pin": 1, "program": 3, "watchdog": 3, "soft": None},
    "esp32": {"power": 1, "pin": 1, "program": 2, "watchdog": 3, "soft": 5},
}


class Chip:
    """One chip, its id drawn from `seed`. `first_tick_ms`: what ticks_ms says at a hard reset."""

    def __init__(self, mcu: str, facts: Mcu, seed: int, first_tick_ms: int):
        self.boot_us = BOOT_US
        """From the start until MicroPython runs: nothing after a soft reset."""
        self._mcu = mcu
        self._facts = facts
        self._id = Random(seed).randbytes(_ID_BYTES[mcu])
        self._first_tick_ms = first_tick_ms
        self._cause = 0
        self._started_us = 0

    def start(self, reason: str, now_us: int) -> None:
        """It starts, because of "power", "pin", "program", "watchdog" or "soft"."""
        cause = _CAUSES[self._mcu][reason]
        if cause is not None:
            self._cause = cause | (_TIMED_OUT if reason == "watchdog" else 0)
        if reason == "soft":
            self.boot_us = 0
        else:
            self.boot_us = BOOT_US
            self._started_us = now_us

    def greeting(self, contacts: int) -> bytes:
        """What the interpreter is told when it asks which board it is. `contacts`: bit n for a contact on pin n."""
        return bus.greeting(
            self._cause,
            max(self._facts.gpio) + 1,
            contacts,
            self._facts.watchdog_max_ms or 0,
            self._facts.hardware_timers,
            FLASH_BLOCKS[self._mcu],
            BLOCK_BYTES,
            self._started_us,
            self._first_tick_ms,
            self._id,
        )
