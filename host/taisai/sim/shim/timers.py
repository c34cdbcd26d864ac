"""Timers of `machine`: their callbacks run in bench time, while the program waits or its hardware takes time.

As on a board nothing runs during a flash operation; what was due meanwhile comes right after it, once for each period,
as the RP2040 port does it. At the prompt, where the interpreter itself waits for keys, nothing runs either.

A frame of more than 11 words goes to the heap and hastens the next collection: hence the small functions.
"""

import bus
import micropython
import sys

_timers = []
_hardware_timers = 0


def become(hardware_timers):
    """Be a chip whose timers have numbers from 0 on and take no hard callbacks; with 0, one of virtual timers."""
    global _hardware_timers
    _hardware_timers = hardware_timers
    bus.on_due = _run_due


class Timer:
    ONE_SHOT = 0
    PERIODIC = 1

    def __init__(self, id=-1, **options):
        if _hardware_timers:
            if not 0 <= id < _hardware_timers:
                raise ValueError("invalid Timer number")
        elif id != -1:
            raise ValueError("Timer doesn't exist")
        self.due = bus.NEVER
        if options:
            self.init(**options)

    def init(self, *, mode=PERIODIC, period, callback, hard=False):
        if hard and _hardware_timers:
            raise ValueError("hard Timers are not implemented")
        self._period_us = period * 1000 if mode == self.PERIODIC else 0
        self._callback = callback
        self._hard = hard
        self.due = bus.now + period * 1000
        if self not in _timers:
            _timers.append(self)
        _plan()

    def deinit(self):
        self.due = bus.NEVER
        if self in _timers:
            _timers.remove(self)
        _plan()

    def run(self):
        """The callback's moment has come. One that raises an exception is not called again."""
        self.due = self.due + self._period_us if self._period_us else bus.NEVER
        try:
            self._call()
        except Exception as error:
            self._end(error)

    def _end(self, error):
        print("Uncaught exception in IRQ callback handler")
        sys.print_exception(error)
        self.deinit()

    def _call(self):
        """A hard callback may not allocate, as on a board."""
        if not self._hard:
            self._callback(self)
            return
        micropython.heap_lock()
        try:
            self._callback(self)
        finally:
            micropython.heap_unlock()


def _plan():
    if bus.interrupt:
        return
    first = bus.NEVER
    for timer in _timers:
        if timer.due < first:
            first = timer.due
    bus.plan(first)


def _call_due():
    for timer in _timers:
        if timer.due <= bus.now:
            timer.run()


def _run_due():
    """Run what is due now. A callback is not interrupted by another."""
    bus.interrupt = True
    bus.plan(bus.NEVER)
    try:
        _call_due()
    finally:
        bus.interrupt = False
        _plan()
