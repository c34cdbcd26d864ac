"""No frame of the scan path lies on the heap: MicroPython puts one there that takes more than 11 words.

Such frames are free again at once, but count as allocated: they bring on the next collection, in the middle of a scan.
A locked heap does not show them, since they then move to the stack. CPython has no such thing, and passes.
"""

import gc

from tablecore import dispatch, keys

CALLS = 500
LIMIT_BYTES = 16 * CALLS  # a frame on the heap takes far more than 16 bytes
ENTRY_DOWN = 0x40


def collects(call):
    """True when that many calls make MicroPython collect: what was left lying around is then gone."""
    if not hasattr(gc, "threshold"):
        return False
    call()
    gc.collect()
    before = gc.mem_alloc()
    gc.threshold(LIMIT_BYTES)
    try:
        bytearray(LIMIT_BYTES // 2)
        for _ in range(CALLS):
            call()
        return gc.mem_alloc() < before + LIMIT_BYTES // 4
    finally:
        gc.threshold(-1)


def wide(a, b, c, d, e, f):
    g = h = i = j = a + b + c + d + e + f
    return g + h + i + j


def test_a_larger_frame_is_noticed():
    assert collects(lambda: wide(1, 2, 3, 4, 5, 6)) == hasattr(gc, "threshold")


def test_a_key_that_is_held():
    scanner = keys.KeyScanner(0)
    now = 0

    def sample():
        nonlocal now
        now += 5
        scanner.sample(now, ENTRY_DOWN if now > 200 else 0)

    for _ in range(100):
        sample()
    assert not collects(sample)


def test_a_link_with_nothing_to_do():
    link = dispatch.Dispatcher({}, lambda: "idle", "", None)
    assert not collects(link.step)
