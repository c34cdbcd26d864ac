"""Requests in, replies and events out: bytes become lines, lines become calls of handlers, replies go into a queue.

Nothing a sender does can raise here, make memory grow or take more than one line's work at a time. A reply that finds
no room is dropped whole; the sender repeats its request and gets the kept reply, so nothing is carried out twice.

A table never ends because a host asks for something while the free memory lies in pieces that are too small: then there
is no answer, and the sender repeats that too.
"""

from tablecore import framing, protocol
from tablecore.bytequeue import ByteQueue

QUEUE_BYTES = 2048
# Events, and answers to lines that cannot be trusted, are only queued above this much room: neither noise nor a host
# that has subscribed and does not read can crowd out real replies.
_ROOM_FOR_REPLIES = 2 * (protocol.LINE_MAX + 1)
_LF = 10
_CR = 13


class Dispatcher:
    """The board's side of the link.

    `handlers` maps each verb's name to a function that takes the fields and returns the reply's fields, or a job for
    longer work: its `step()` returns None until it returns the reply's fields. Both may raise protocol.ProtocolError.
    `state` is a function that tells the present state, one of protocol.STATES. `board` is this board's id.
    `permit(verb)` raises ProtocolError when whoever is at the other end may not do that now.
    """

    def __init__(self, handlers, state, board, permit):
        self.out = ByteQueue(QUEUE_BYTES)
        self._handlers = handlers
        self._state = state
        self._board = board
        self._permit = permit
        self._line = bytearray(protocol.LINE_MAX)
        self._length = 0
        self._dropping = False
        self._last_request = None
        self._last_reply = None
        self._job = None
        self._job_request = None
        self._job_id = protocol.NO_ID

    def receive(self, byte):
        """Take one byte from the wire. True when it completed a line that was answered or begun."""
        if byte == _LF or byte == _CR:
            length = self._length
            self._length = 0
            if self._dropping:
                self._dropping = False
                return False
            if length == 0:
                return False
            try:
                self._answer(bytes(self._line[:length]))
            except MemoryError:
                pass
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

    def step(self):
        """Let the job that is under way do one slice of its work. True when it ended and was answered."""
        return self._job is not None and self._step_job()

    def _step_job(self):  # apart from `step`, since its frame is too large for the stack and goes to the heap
        reply = None
        try:
            fields = self._job.step()
            if fields is not None:
                reply = _ok_line(self._job_id, fields)
        except protocol.ProtocolError as error:
            reply = _error_line(error, self._job_id)
        except MemoryError:
            self._job = self._job_request = None
        if reply is None:
            return False
        self._job = None
        self._put_reply(self._job_id, self._job_request, reply)
        self._job_request = None
        return True

    def event(self, name, fields):
        """Queue an event; False when there is no room for it."""
        try:
            line = framing.encode(framing.EVENT, name, fields)
        except MemoryError:
            return False
        return self.out.room() >= len(line) + _ROOM_FOR_REPLIES and self.out.put(line)

    def _answer(self, line):
        if line == self._last_request:
            self.out.put(self._last_reply)
            return
        if line == self._job_request:
            return  # its reply comes when the job is done
        id = protocol.NO_ID
        try:
            id, name, fields = framing.parse(line)
            reply = self._carry_out(line, id, name, fields)
        except protocol.ProtocolError as error:
            if id == protocol.NO_ID:
                id = error.id
            if id == protocol.NO_ID:
                self._put_error(error)
                return
            reply = _error_line(error, id)
            if error.code == "busy":
                self.out.put(reply)  # not kept: a repeat is to be carried out
                return
        if reply is not None:
            self._put_reply(id, line, reply)

    def _carry_out(self, line, id, name, fields):
        """The reply, or None when a job was begun."""
        state = self._state()
        verb = protocol.check(id, name, fields, state)
        if verb.access != protocol.READ and fields["board"] != self._board:
            raise protocol.ProtocolError("board")
        if state == protocol.BOOTING:
            return _ok_line(id, {"state": protocol.BOOTING})
        if self._job is not None:
            raise protocol.ProtocolError("busy")
        self._permit(verb)
        result = self._handlers[verb.name](fields)
        if isinstance(result, dict):
            return _ok_line(id, result)
        self._job = result
        self._job_id = id
        self._job_request = line
        return None

    def _put_reply(self, id, request, reply):
        if id == protocol.NO_ID:
            if self.out.room() >= _ROOM_FOR_REPLIES:
                self.out.put(reply)
            return
        # The whole line is kept, not only its id: a new host that happens to use the same id is not given an old reply.
        self._last_request = request
        self._last_reply = reply
        self.out.put(reply)

    def _put_error(self, error):
        if self.out.room() >= _ROOM_FOR_REPLIES:
            self.out.put(_error_line(error, protocol.NO_ID))


def _ok_line(id, fields):
    try:
        return framing.encode(id, "ok", fields)
    except ValueError:
        raise protocol.ProtocolError("failed", text="the answer is longer than a line may be") from None


def _error_line(error, id):
    return framing.encode(id, "error", {"code": error.code, "text": error.text})
