"""Runs at a board's prompt: starts the application through its loader, tells its heap, and how long its passes take.

A pass of the main loop is what lies between two calls for a reading of the keys, without the rest. Each of the two
reports ends with a line of its own. The loader's service mode has to have left the board at the prompt.
"""

import gc
import sys
import time

import micropython

SETTLED_PASSES = 100  # since the files were last looked at
WATCHED_PASSES = 400

sys.path.insert(0, "/" + open("/current").read().strip())
from tablecore import modules  # noqa: E402
from tablecore.integrity import Integrity  # noqa: E402
from tablehw.clock import Clock  # noqa: E402
from tablehw.keys import Keys  # noqa: E402

sys.path.pop(0)
step = Integrity.step
rest = Clock.rest
take = Keys.take
passes = longest = rested = last = 0


def report_heap():
    modules.collect()
    start = time.ticks_us()
    modules.collect()
    print("collection:", time.ticks_diff(time.ticks_us(), start))
    micropython.mem_info()
    print("END OF ANSWER")


def watched_step(self):
    global passes
    passes = 0
    step(self)


def watched_take(self):
    global passes, longest, rested, last
    longest = max(longest, time.ticks_diff(time.ticks_us(), last) - rested)
    passes += 1
    if passes == SETTLED_PASSES:
        report_heap()
        longest = 0
    elif passes == SETTLED_PASSES + WATCHED_PASSES:
        print("\npass:", longest)
        print("END OF ANSWER")
    rested = 0
    last = time.ticks_us()
    return take(self)


def watched_rest(self, ms):
    global rested
    start = time.ticks_us()
    rest(self, ms)
    rested += time.ticks_diff(time.ticks_us(), start)


gc.collect()
print("probe:", gc.mem_alloc())
Integrity.step = watched_step
Keys.take = watched_take
Clock.rest = watched_rest
execfile("/main.py")  # noqa: F821  (MicroPython has it)
