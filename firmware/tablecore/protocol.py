"""The serial protocol: its framing, limits, error codes and verbs. The board and the host import this one definition.

One line of printable ASCII is one message, at most LINE_MAX bytes, ended by CR or LF:

    request   7 identify {} *a0e420d5         the CRC-32 (8 hex digits) covers everything before " *"
    reply     7 ok {"state":"idle"} *646bb034
              7 error {"code":"verb","text":"no such verb"} *0675a228
    by hand   identify                        no id, no CRC: may only read; answered with "-" as the id

An id is 1 to 9 decimal digits, chosen by the host, new for every request and the same when a request is repeated
because its reply was lost. A line whose CRC does not match has no id that could be trusted, so its error says "-".
"""

import binascii
import hashlib
import json
from collections import namedtuple

VERSION = 1
LINE_MAX = 512  # bytes of one line without its end, requests and replies alike
ID_DIGITS = 9
NO_ID = "-"

READ = "read"  # changes nothing, allowed without an id
CHANGE = "change"  # needs an id, so that a repeat can be recognised

BOOTING = "booting"  # self-tests are running: nothing else is told yet
IDLE = "idle"
RESULT = "result"
FAULT = "fault"
STATES = (BOOTING, IDLE, RESULT, FAULT)

# A field is (name, kind). A kind ending in "?" may also be null.
_KINDS = {"text": str, "integer": int, "flag": bool, "list": list}

Verb = namedtuple("Verb", ("name", "access", "states", "fields", "reply", "text"))

VERBS = (
    Verb(
        "identify",
        READ,
        STATES,
        (),
        (
            ("firmware", "text"),
            ("protocol", "integer"),
            ("digest", "text"),
            ("table", "text?"),
            ("table_digest", "text?"),
            ("board", "text"),
            ("mcu", "text"),
            ("micropython", "text"),
            ("reset", "text"),
            ("state", "text"),
        ),
        "who this board is; digest is that of this protocol, table_digest that of its lamp table",
    ),
    Verb(
        "state",
        READ,
        STATES,
        (),
        (("state", "text"), ("digits", "text"), ("lit", "list?"), ("faults", "list"), ("switch", "flag")),
        "what the table is doing now",
    ),
    Verb(
        "service",
        CHANGE,
        (IDLE, FAULT),
        (("board", "text"),),
        (("state", "text"),),
        "restart into the MicroPython prompt, once; board must be this board's id. Refused while a result is lit",
    ),
)

ERRORS = (
    ("line", "not a message"),
    ("long", "line is longer than 512 bytes"),
    ("crc", "CRC is missing or wrong"),
    ("verb", "no such verb"),
    ("id", "this verb changes something and needs an id and a CRC"),
    ("field", "a field is missing, unknown or of the wrong kind"),
    ("state", "not allowed in the present state"),
    ("board", "meant for another board"),
    ("failed", "could not be done"),
)


class ProtocolError(Exception):
    """A request that gets an error reply: `code` is one of ERRORS, `id` is NO_ID where the line cannot be trusted."""

    def __init__(self, code, id=NO_ID, text=None):
        super().__init__(code)
        self.code = code
        self.id = id
        self.text = text or error_text(code)


def error_text(code):
    """The plain words of an error code."""
    for known, text in ERRORS:
        if known == code:
            return text
    raise ValueError("no such error code")


def find_verb(name):
    """The row of a verb, or None."""
    for verb in VERBS:
        if verb.name == name:
            return verb
    return None


def crc(data):
    """CRC-32 of the bytes as on the wire: 8 lower-case hex digits."""
    return f"{binascii.crc32(data) & 0xFFFFFFFF:08x}"


def encode(id, word, fields):
    """One message with its CRC and line end. `word` is a verb, "ok" or "error"; ValueError when it is too long."""
    text = json.dumps(fields, separators=(",", ":"))
    head = f"{id} {word} {text}".encode()
    line = head + b" *" + crc(head).encode()
    if len(line) > LINE_MAX:
        raise ValueError("message is longer than a line may be")
    return line + b"\n"


def _is_crc(text):
    """True for exactly 8 lower-case hex digits."""
    if len(text) != 8:
        return False
    for character in text:
        if character not in "0123456789abcdef":
            return False
    return True


def parse(line):
    """Take a request line (bytes, without its end) apart: (id or NO_ID, verb name, fields).

    Raises ProtocolError "line" or "crc". The verb and its fields are judged by `check`.
    """
    if not line or min(line) < 0x20 or max(line) > 0x7E:
        raise ProtocolError("line")
    text = line.decode()
    head, mark, tail = text.rpartition(" *")
    if mark and _is_crc(tail):
        if crc(head.encode()) != tail:
            raise ProtocolError("crc")
        checked = True
    else:
        head = text
        checked = False
    first, _, rest = head.partition(" ")
    id = NO_ID
    if first.isdigit():
        if not checked:
            raise ProtocolError("crc")
        if len(first) > ID_DIGITS:
            raise ProtocolError("line")
        id = first
        first, _, rest = rest.partition(" ")
    return id, first, _fields(rest, id)


def _fields(text, id):
    """The JSON object after the verb; nothing at all stands for no fields."""
    text = text.strip()
    if not text:
        return {}
    try:
        fields = json.loads(text)
    except (ValueError, RuntimeError):  # RuntimeError: nested deeper than the parser's stack
        raise ProtocolError("line", id) from None
    if not isinstance(fields, dict):
        raise ProtocolError("line", id)
    return fields


def check(id, name, fields, state):
    """The verb's row when the request may be carried out now; else ProtocolError naming what forbids it."""
    verb = find_verb(name)
    if verb is None:
        raise ProtocolError("verb", id)
    if verb.access == CHANGE and id == NO_ID:
        raise ProtocolError("id")
    if len(fields) != len(verb.fields):
        raise ProtocolError("field", id)
    for field, kind in verb.fields:
        if not fits(fields.get(field), kind):
            raise ProtocolError("field", id)
    if state not in verb.states:
        raise ProtocolError("state", id)
    return verb


def fits(value, kind):
    """True when a value is of a field's kind."""
    if kind.endswith("?"):
        return value is None or fits(value, kind[:-1])
    return type(value) is _KINDS[kind]


def digest():
    """Identity of this protocol: both sides have the same verbs, fields, states, codes and limits when it is equal."""
    whole = hashlib.sha256(f"{VERSION} {LINE_MAX} {ID_DIGITS}".encode())
    for verb in VERBS:
        fields = " ".join(f"{name}:{kind}" for name, kind in verb.fields)
        reply = " ".join(f"{name}:{kind}" for name, kind in verb.reply)
        states = " ".join(verb.states)
        whole.update(f"\n{verb.name} {verb.access} ({states}) ({fields}) ({reply})".encode())
    for code, _ in ERRORS:
        whole.update(f"\n{code}".encode())
    return binascii.hexlify(whole.digest()[:8]).decode()
