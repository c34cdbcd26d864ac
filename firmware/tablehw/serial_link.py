"""The serial link's bytes: MicroPython's own console (USB CDC or UART), never waited for.

Every byte is moved only after a poll said that it can be: `read(n)` waits for all n bytes, and a longer write blocks up
to 500 ms on a USB port that is open but not read.
"""

import select
import sys


class SerialLink:
    """Moves bytes between the console and a receiver; both directions are bounded in each call."""

    def __init__(self):
        self._input = select.poll()
        self._input.register(sys.stdin, select.POLLIN)
        self._output = select.poll()
        self._output.register(sys.stdout, select.POLLOUT)
        self._reader = sys.stdin.buffer
        self._writer = sys.stdout.buffer
        self._byte = bytearray(1)

    def pump(self, receive, queue, limit):
        """Move at most `limit` bytes each way and return. True when a line was answered.

        `receive(byte)` takes one byte and tells whether it completed a line: then nothing more is moved in this call,
        so that one call never does more than one line's work. `queue` gives the bytes to send: len, peek, drop.
        """
        # Two functions, as one frame of more than 11 words would be put on the heap in each pass.
        if self._receive(receive, limit):
            return True
        self._send(queue, limit)
        return False

    def _receive(self, receive, limit):
        for _ in range(limit):
            if not _ready(self._input):
                break
            if self._reader.readinto(self._byte) != 1:  # unlike read(1), this leaves nothing behind
                break
            if receive(self._byte[0]):
                return True
        return False

    def _send(self, queue, limit):
        for _ in range(limit):
            if not len(queue) or not _ready(self._output):
                break
            self._byte[0] = queue.peek()
            if self._writer.write(self._byte) != 1:
                break
            queue.drop()


def _ready(poller):
    """True when the stream can move one byte now. Uses ipoll, which allocates nothing."""
    for _ in poller.ipoll(0):
        return True
    return False
