"""Why the board started. Asked once: dropped with what puts the table together."""

import machine

WATCHDOG = "watchdog"

# RP2040, watchdog scratch register 4. An RP2040 does `reset()` through its watchdog too; the SDK's watchdog_enable
# leaves this number there, its watchdog_reboot another (pico-sdk, hardware_watchdog/watchdog.c).
_SCRATCH_4 = 0x4005801C
_TIMED_OUT = 0x6AB73121


def reset_cause(mcu):
    """Why a board with this microcontroller started: "power", "watchdog" or "other".

    Neither chip's port of MicroPython tells a brown-out from power-on: both are "power".
    """
    cause = machine.reset_cause()
    if cause == machine.PWRON_RESET:
        return "power"
    if cause == machine.WDT_RESET and (mcu != "rp2040" or machine.mem32[_SCRATCH_4] == _TIMED_OUT):
        return WATCHDOG
    return "other"
