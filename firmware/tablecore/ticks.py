"""Millisecond clock arithmetic: times are 0 .. 2^30 - 1 and wrap, as `time.ticks_ms` does on a board (after about 12.4
days).

No intermediate value leaves -2^30 .. 2^30 - 1, the small integers of a 32-bit MicroPython, so nothing here allocates.
"""

PERIOD = 1 << 30
_HALF = 1 << 29


def diff(a, b):
    """Signed milliseconds from time `b` to time `a`; right while they lie less than 2^29 ms (6.2 days) apart."""
    d = a - b
    if d >= _HALF:
        return d - _HALF - _HALF
    if d < -_HALF:
        return d + _HALF + _HALF
    return d


def add(t, ms):
    """Time `t` moved by `ms` milliseconds, which lies within -2^29 < ms < 2^29."""
    s = t - _HALF + ms
    if s >= _HALF:
        return s - _HALF
    if s < -_HALF:
        return s + _HALF + _HALF + _HALF
    return s + _HALF
