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
    bus.announce_output()
    return True


class Poll:
    def __init__(self):
        self._input = 0  # events that are looked for on standard input, and on standard output
        self._output = 0
        self._others = None  # the interpreter's own poll, for any other stream
        self._ready = []

    def register(self, stream, mask=POLLIN | POLLOUT):
        if stream is sys.stdin:
            self._input = mask
        elif stream is sys.stdout:
            self._output = mask
        else:
            if self._others is None:
                self._others = uselect.poll()
            self._others.register(stream, mask)

    def unregister(self, stream):
        if stream is sys.stdin or stream is sys.stdout:
            self.register(stream, 0)
        elif self._others is not None:
            self._others.unregister(stream)

    def modify(self, stream, mask):
        if stream is sys.stdin or stream is sys.stdout:
            self.register(stream, mask)
        elif self._others is not None:
            self._others.modify(stream, mask)
        else:
            raise OSError(2)

    def poll(self, timeout_ms=-1):
        """List of (stream, events), empty after `timeout_ms`; -1 or None waits for ever."""
        return list(self.ipoll(timeout_ms))

    def ipoll(self, timeout_ms=-1, flags=0):
        """As `poll`, but what it returns is good until the next call. Nothing to tell makes no object, as on a board.

        So that it makes none, nothing here may have a frame of more than 11 words: a larger one goes to the heap.
        """
        self._look()
        if self._ready or timeout_ms == 0:
            return self._ready
        waits = timeout_ms is None or timeout_ms < 0
        start = time.ticks_ms()
        while not self._ready and (waits or time.ticks_diff(time.ticks_ms(), start) < timeout_ms):
            bus.spend(_STEP_US)
            self._look()
        return self._ready

    def _look(self):
        self._ready.clear()
        if self._others is not None:
            self._ready.extend(self._others.poll(0))
        if self._input:
            self._look_at(sys.stdin, self._input)
        if self._output:
            self._look_at(sys.stdout, self._output)

    def _look_at(self, stream, mask):
        events = 0
        if mask & POLLIN and _readable():
            events |= POLLIN
        if mask & POLLOUT and _writable():
            events |= POLLOUT
        if events:
            self._ready.append((stream, events))


poll = Poll
