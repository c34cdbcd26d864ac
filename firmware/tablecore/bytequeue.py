"""Bytes on their way out, in a buffer that never grows."""


class ByteQueue:
    """Ring of bytes with a fixed capacity; lines go in whole or not at all, bytes come out one at a time."""

    def __init__(self, capacity):
        self._buffer = bytearray(capacity)
        self._start = 0
        self._used = 0

    def __len__(self):
        return self._used

    def room(self):
        """Bytes that still fit."""
        return len(self._buffer) - self._used

    def put(self, data):
        """Append all of `data`, or nothing and False when it does not fit."""
        if len(data) > self.room():
            return False
        capacity = len(self._buffer)
        at = (self._start + self._used) % capacity
        first = min(len(data), capacity - at)
        self._buffer[at : at + first] = data[:first]
        self._buffer[: len(data) - first] = data[first:]
        self._used += len(data)
        return True

    def peek(self):
        """The oldest byte, 0 to 255. Only when not empty."""
        return self._buffer[self._start]

    def drop(self):
        """Remove the oldest byte. Only when not empty."""
        self._start = (self._start + 1) % len(self._buffer)
        self._used -= 1
