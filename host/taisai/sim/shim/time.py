"""`time` as on a board: the bench owns it, and ticks wrap at 2^30.

Reading ticks costs a microsecond of bench time. Nothing else that only computes does; but a loop that waits by reading
the clock has to end.
"""

import bus
import utime

PERIOD = 1 << 30
_HALF = PERIOD >> 1
_EPOCH_2021 = 1609459200  # where the clock of a board without a real-time clock starts

started_us = 0  # bench time of the last hard reset; ticks count from there
first_tick_ms = 0  # what ticks_ms says at that moment

gmtime = utime.gmtime
localtime = utime.localtime
mktime = utime.mktime


def _since_start_us():
    bus.spend(1)
    return bus.now - started_us


def ticks_ms():
    return (_since_start_us() // 1000 + first_tick_ms) & (PERIOD - 1)


def ticks_us():
    return (_since_start_us() + first_tick_ms * 1000) & (PERIOD - 1)


ticks_cpu = ticks_us


def ticks_add(ticks, delta):
    if not -_HALF < delta < _HALF:
        raise OverflowError("ticks interval overflow")
    return (ticks + delta) & (PERIOD - 1)


def ticks_diff(end, start):
    return ((end - start + _HALF) & (PERIOD - 1)) - _HALF


def sleep_us(us):
    if us > 0:
        bus.spend(us)


def sleep_ms(ms):
    if ms > 0:
        bus.spend(ms * 1000)


def sleep(seconds):
    sleep_us(int(seconds * 1000000))


def time():
    return _EPOCH_2021 + _since_start_us() // 1000000


def time_ns():
    return _EPOCH_2021 * 1000000000 + _since_start_us() * 1000
