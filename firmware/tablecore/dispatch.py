"""Requests in, replies out: bytes become lines, lines become calls of handlers, replies go into a bounded queue.

Nothing a sender does can raise here, make memory grow or take more than one line's work at a time. A reply that finds
no room is dropped whole; the sender repeats its request and gets the kept reply, so nothing is carried out twice.
"""

from tablecore import protocol

QUEUE_BYTES = 2048
# Answers to lines that cannot be trusted are only queued above this much room: noise cannot crowd out real replies.
_ROOM_FOR_REPLIES = 2 * (protocol.LINE_MAX + 1)
_LF = 10
_CR = 13


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


class Dispatcher:
    """The board's side of the link.

    `handlers` maps each verb's name to a function that takes the fields and returns the reply's fields; it may raise
    protocol.ProtocolError. `state` is a function that tells the present state, one of protocol.STATES.
    """

    def __init__(self, handlers, state):
        self.out = ByteQueue(QUEUE_BYTES)
        self._handlers = handlers
        self._state = state
        self._line = bytearray(protocol.LINE_MAX)
        self._length = 0
        self._dropping = False
        self._last_request = None
        self._last_reply = None

    def receive(self, byte):
        """Take one byte from the wire. True when it completed a line that was answered."""
        if byte == _LF or byte == _CR:
            length = self._length
            self._length = 0
            if self._dropping:
                self._dropping = False
                return False
            if length == 0:
                return False
            self._answer(bytes(self._line[:length]))
            return True
        if self._dropping:
            return False
        if self._length == protocol.LINE_MAX:
            self._dropping = True
            self._put_error(protocol.ProtocolError("long"))
            return True
        self._line[self._length] = byte
        self._length += 1
        return False

    def _answer(self, line):
        if line == self._last_request:
            self.out.put(self._last_reply)
            return
        try:
            id, name, fields = protocol.parse(line)
            reply = self._carry_out(id, name, fields)
        except protocol.ProtocolError as error:
            if error.id == protocol.NO_ID:
                self._put_error(error)
                return
            id = error.id
            reply = _error_line(error)
        if id == protocol.NO_ID:
            if self.out.room() >= _ROOM_FOR_REPLIES:
                self.out.put(reply)
            return
        # The whole line is kept, not only its id: a new host that happens to use the same id is not given an old reply.
        self._last_request = line
        self._last_reply = reply
        self.out.put(reply)

    def _carry_out(self, id, name, fields):
        state = self._state()
        verb = protocol.check(id, name, fields, state)
        if state == protocol.BOOTING:
            return protocol.encode(id, "ok", {"state": protocol.BOOTING})
        try:
            return protocol.encode(id, "ok", self._handlers[verb.name](fields))
        except protocol.ProtocolError as error:
            raise protocol.ProtocolError(error.code, id, error.text) from None

    def _put_error(self, error):
        if self.out.room() >= _ROOM_FOR_REPLIES:
            self.out.put(_error_line(error))


def _error_line(error):
    return protocol.encode(error.id, "error", {"code": error.code, "text": error.text})
