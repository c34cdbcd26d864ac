"""`time` as on a board: the bench owns it, and ticks wrap at 2^30.

Reading ticks costs a microsecond of bench time. Nothing else that only computes does; but a loop that waits by reading
the clock has to end.
"""

import utime
from bus import spend
from micropython import const

_PERIOD = const(1 << 30)
_HALF = const(1 << 29)
_EPOCH_2021 = const(1609459200)  # where the clock of a board without a real-time clock starts

_started_us = 0  # bench time of the last hard reset
_tick_zero_us = 0  # bench time at which ticks were 0, or would have been: before it when they start with more

gmtime = utime.gmtime
localtime = utime.localtime
mktime = utime.mktime


def start(started_us, first_tick_ms):
    """Count from a hard reset at `started_us` of bench time, when ticks_ms was `first_tick_ms`."""
    global _started_us, _tick_zero_us
    _started_us = started_us
    _tick_zero_us = started_us - first_tick_ms * 1000


def ticks_ms():
    return (spend(1) - _tick_zero_us) // 1000 & (_PERIOD - 1)


def ticks_us():
    return spend(1) - _tick_zero_us & (_PERIOD - 1)


ticks_cpu = ticks_us


def ticks_add(ticks, delta):
    if not -_HALF < delta < _HALF:
        raise OverflowError("ticks interval overflow")
    return (ticks + delta) & (_PERIOD - 1)


def ticks_diff(end, start):
    return ((end - start + _HALF) & (_PERIOD - 1)) - _HALF


def sleep_us(us):
    if us > 0:
        spend(us)


def sleep_ms(ms):
    if ms > 0:
        spend(ms * 1000)


def sleep(seconds):
    sleep_us(int(seconds * 1000000))


def time():
    return _EPOCH_2021 + (spend(1) - _started_us) // 1000000


def time_ns():
    return _EPOCH_2021 * 1000000000 + (spend(1) - _started_us) * 1000
