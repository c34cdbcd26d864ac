"""Requests and replies over a transport: ids, CRCs, one deadline per request, repeats of what is safe to repeat."""

import random
from collections import deque
from dataclasses import dataclass, field

from tablecore import framing, protocol, replies
from taisai.client.errors import AtPrompt, LinkError, LinkLost, Mismatch, NotOurs, Refused, Restarted, Silent
from taisai.client.transport import Transport

REPEAT_S = 1.0
"""A request without a reply is sent again after this time."""
BUSY_S = 0.1
_FLOOD_BYTES = 64 * 1024
_LONGEST_LINE = 4 * protocol.LINE_MAX
_KEPT_EVENTS = 1000
_PROMPT = b">>> "
_IDS = 10**protocol.ID_DIGITS


@dataclass
class _Heard:
    """What has come since a request was sent, for the words that say why there was no reply."""

    count: int = 0
    first: bytes = b""
    echoed: bool = False
    prompt: bool = False
    messages: int = 0
    replies: list[tuple[str, str, dict]] = field(default_factory=list)


class Link:
    """`events` keeps what the board told without being asked: (name, fields), the newest thousand."""

    def __init__(self, transport: Transport):
        self.transport = transport
        self.events: deque[tuple[str, dict]] = deque(maxlen=_KEPT_EVENTS)
        self.answered = False
        # A board answers a line that it has just answered with the reply it kept: another program's ids must differ.
        self._id = random.randrange(_IDS)
        self._partial = b""
        self._fresh = True

    def request(self, verb: str, fields: dict | None = None, timeout_s: float = 5.0) -> dict:
        """The reply's fields. Refused, or whatever says best why there was no reply, within `timeout_s`."""
        row = replies.reply_to(verb)
        self._id = (self._id + 1) % _IDS
        id = str(self._id)
        line = framing.encode(id, verb, fields or {})
        clock = self.transport.now
        end = clock() + timeout_s
        heard = _Heard()
        send_at = clock()
        while (now := clock()) < end:
            if send_at is not None and now >= send_at:
                self._send(line)
                send_at = now + REPEAT_S if row.repeats else None
            self._listen(min(end, send_at or end) - now, line, heard)
            for replied, word, values in heard.replies:
                if replied != id:
                    continue
                if word == "ok":
                    return self._checked(row, values)
                if values.get("code") != "busy":
                    raise self._refusal(values)
                send_at = clock() + BUSY_S
            heard.replies.clear()
            if not heard.messages and (heard.prompt or heard.count > _FLOOD_BYTES):
                break
        raise self._why(heard, timeout_s)

    def next_event(self, timeout_s: float) -> tuple[str, dict] | None:
        """The oldest event not yet taken, waited for up to `timeout_s`; None when there is none."""
        end = self.transport.now() + timeout_s
        while not self.events and (left := end - self.transport.now()) > 0:
            self._listen(left, b"", _Heard())
        return self.events.popleft() if self.events else None

    def wait(self, seconds: float) -> None:
        """Let time pass; events that come meanwhile are kept."""
        end = self.transport.now() + seconds
        while (left := end - self.transport.now()) > 0:
            self._listen(left, b"", _Heard())

    def _send(self, line: bytes) -> None:
        """The line; before the first one of this link, an end for whatever another program left unfinished."""
        self.transport.write((b"\n" if self._fresh else b"") + line)
        self._fresh = False

    def _listen(self, timeout_s: float, sent: bytes, heard: _Heard) -> None:
        """Take in what comes within the time, until the first message; a little goes a long way."""
        data = self.transport.read(max(0.0, timeout_s))
        heard.count += len(data)
        heard.first = (heard.first + data)[:40]
        *lines, self._partial = (self._partial + data).replace(b"\r", b"\n").split(b"\n")
        heard.prompt = heard.prompt or self._partial.endswith(_PROMPT)
        self._partial = self._partial[-_LONGEST_LINE:]
        for line in lines:
            if not line:
                continue
            heard.echoed = heard.echoed or line == sent.rstrip()
            message = _message(line)
            if message is None:
                continue
            heard.messages += 1
            id, word, fields = message
            if id == framing.EVENT:
                self.events.append((word, fields))
            else:
                heard.replies.append(message)

    def _checked(self, row: replies.Reply, values: dict) -> dict:
        """A reply as the table of replies has it. Restarted when the board tells only that it is booting."""
        self.answered = True
        if row.verb == "identify":
            return values  # for the caller to judge: it says which protocol is spoken, and waits while it is booting
        if values == {"state": protocol.BOOTING}:
            raise Restarted(self.transport.name)
        problem = protocol.fields_problem(row.fields, values)
        if problem:
            raise Mismatch(self.transport.name, f"the reply to {row.verb} is not as expected: {problem}")
        return values

    def _refusal(self, values: dict) -> LinkError:
        self.answered = True
        code, text = str(values.get("code")), str(values.get("text"))
        if code == "board":
            return Mismatch(self.transport.name, "another board is on this port now: nothing was changed")
        return Refused(self.transport.name, code, text)

    def _why(self, heard: _Heard, timeout_s: float) -> LinkError:
        name = self.transport.name
        if heard.prompt:
            return AtPrompt(name)
        if self.answered:
            return LinkLost(name, f"the board answered before and has not for {timeout_s:g} s: check the cable")
        if heard.count > _FLOOD_BYTES and not heard.messages:
            return NotOurs(name, "something sends without end and does not answer: no table is there")
        if heard.echoed:
            return NotOurs(name, "what is sent comes back unchanged: no table is there, or the cable is a loop")
        if heard.count:
            return NotOurs(name, f"something answers, but not as a table does; it began with {heard.first!r}")
        return Silent(name, f"nothing has come for {timeout_s:g} s: is the board powered, is it this port?")


def _message(line: bytes) -> tuple[str, str, dict] | None:
    """(id, "-" or "!"; word; fields) of a reply or an event whose CRC is right; None for anything else."""
    try:
        head, checked = framing.unseal(line)
        id, _, rest = head.partition(" ")
        word, _, text = rest.partition(" ")
        known = word in ("ok", "error") if id != framing.EVENT else bool(word)
        return (id, word, framing.parse_fields(text, id)) if checked and known else None
    except protocol.ProtocolError:
        return None
