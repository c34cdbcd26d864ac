"""`select` as on a board, for standard input and output over the bench's serial port; anything else is polled for real.

Off real time the answers depend on bench time alone, so that a script gives the same result every time: input is
readable while the bench has delivered more than was announced, output is writable while the port has room.
"""

import bus
import sys
import time
import uselect

POLLIN = uselect.POLLIN
POLLOUT = uselect.POLLOUT
POLLERR = uselect.POLLERR
POLLHUP = uselect.POLLHUP

_STEP_US = 1000  # a poll that waits looks again every millisecond
_ARRIVAL_MS = 1000  # delivered bytes are in the terminal's queue within this real time, or were read elsewhere

_stdin = uselect.poll()
_stdin.register(sys.stdin, POLLIN)


def _readable():
    if bus.real_time:
        return bool(_stdin.poll(0))
    if bus.delivered == bus.consumed:
        return False
    bus.consumed += 1
    return bool(_stdin.poll(_ARRIVAL_MS))


def _writable():
    if bus.writable >= bus.credit:
        return False
    bus.writable += 1
    return True


class Poll:
    def __init__(self):
        self._masks = {}
        self._others = None  # the interpreter's own poll, for streams other than the serial port

    def register(self, stream, mask=POLLIN | POLLOUT):
        if stream is sys.stdin or stream is sys.stdout:
            self._masks[stream] = mask
            return
        if self._others is None:
            self._others = uselect.poll()
        self._others.register(stream, mask)

    def unregister(self, stream):
        if self._masks.pop(stream, None) is None and self._others is not None:
            self._others.unregister(stream)

    def modify(self, stream, mask):
        if stream in self._masks:
            self._masks[stream] = mask
        elif self._others is not None:
            self._others.modify(stream, mask)
        else:
            raise OSError(2)

    def poll(self, timeout_ms=-1):
        """List of (stream, events), empty after `timeout_ms`; -1 or None waits for ever."""
        ready = self._now()
        if ready or timeout_ms == 0:
            return ready
        waits = timeout_ms is None or timeout_ms < 0
        start = time.ticks_ms()
        while not ready and (waits or time.ticks_diff(time.ticks_ms(), start) < timeout_ms):
            bus.spend(_STEP_US)
            ready = self._now()
        return ready

    def ipoll(self, timeout_ms=-1, flags=0):
        return iter(self.poll(timeout_ms))

    def _now(self):
        ready = [] if self._others is None else self._others.poll(0)
        for stream, mask in self._masks.items():
            events = 0
            if mask & POLLIN and _readable():
                events |= POLLIN
            if mask & POLLOUT and _writable():
                events |= POLLOUT
            if events:
                ready.append((stream, events))
        return ready


poll = Poll
