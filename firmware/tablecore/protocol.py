"""The serial protocol as data: limits, verbs with the fields of their requests, error codes. Board and host import it.

framing.py has the form of the lines. replies.py has the other half, which the board need not know: replies, events and
what each verb is for. firmware/PROTOCOL.md is made from both (`make docs`).
"""

from collections import namedtuple

from tablecore import fields as kinds

VERSION = 1
LINE_MAX = 512  # bytes of one line without its end, requests, replies and events alike
ID_DIGITS = 9
NO_ID = "-"

READ = "read"  # changes nothing, allowed without an id
# The others need an id, so that a repeat can be recognised, and name the board that they are meant for.
OPEN = "open"  # leads to a session and needs none
CHANGE = "change"  # needs a session where a service key is set
WRITE = "write"  # the same, and writes files: needs the write-lock jumper too, where the controller has one
IN_SESSION = (CHANGE, WRITE)

BOOTING = "booting"  # self-tests are running: nothing else is told yet
IDLE = "idle"
RESULT = "result"
FAULT = "fault"
TEST = "test"  # a test run covers the game, whose digits and lit throw are told all the same
SPIN = "spin"  # the money wheel is turning
STATES = (BOOTING, IDLE, RESULT, FAULT, TEST, SPIN)
_BOOTED = (IDLE, RESULT, FAULT, TEST, SPIN)
_NO_GAME = (IDLE, FAULT)  # flash operations and restarts, which nobody may cause while a result is lit

# Whether the files are those of the manifest.
CHECKING = "checking"
GOOD = "good"
BAD = "bad"

NONCE_DIGITS = (16, 64)  # hex digits, two for each byte, of a nonce that the host makes
CHALLENGE_DIGITS = 32  # of one that the board makes
KEY_DIGITS = 64
PATH_MAX = 64
JOURNAL_PAGE = 10  # records in one reply, as base64: 428 characters
_NUMBER_MAX = 0xFFFFFFFF
MOST_FAULTS = 32  # that are told, the most severe ones: a table may have a dark lamp in every area

# lower and upper: the range, as fields.py has it for the kind; None = any.
Field = namedtuple("Field", ("name", "kind", "lower", "upper"))

Verb = namedtuple("Verb", ("name", "access", "states", "fields"))


def field(name, kind, lower=None, upper=None):
    return Field(name, kind, lower, upper)


_BOARD = field("board", "text", 1, 32)

VERBS = (
    Verb("identify", READ, STATES, ()),
    Verb("state", READ, STATES, ()),
    Verb("settings", READ, _BOOTED, ()),
    Verb("set-settings", WRITE, _NO_GAME, (_BOARD, field("values", "object", 1, 16))),
    Verb("identity", READ, _BOOTED, ()),
    Verb("set-identity", WRITE, _NO_GAME, (_BOARD, field("values", "object", 1, 16))),
    Verb("subscribe", READ, _BOOTED, ()),
    Verb("unsubscribe", READ, _BOOTED, ()),
    Verb("files", READ, _BOOTED, (field("folder", "text", 1, PATH_MAX), field("first", "integer", 0, 9999))),
    Verb(
        "hash",
        READ,
        _BOOTED,
        (field("nonce", "hex", NONCE_DIGITS[0], NONCE_DIGITS[1]), field("path", "text", 1, PATH_MAX)),
    ),
    Verb("integrity", READ, _BOOTED, ()),
    Verb("journal", READ, _BOOTED, (field("first", "integer", 1, _NUMBER_MAX),)),
    Verb("journal-state", READ, _BOOTED, ()),
    Verb("mark-exported", CHANGE, _NO_GAME, (_BOARD, field("upto", "integer", 1, _NUMBER_MAX))),
    Verb("set-time", CHANGE, _NO_GAME, (_BOARD, field("time", "integer", 1577836800, _NUMBER_MAX))),
    Verb("calibrate", WRITE, _NO_GAME, (_BOARD,)),
    Verb("restart", CHANGE, _NO_GAME, (_BOARD,)),
    Verb("service", WRITE, _NO_GAME, (_BOARD,)),
    Verb("session-start", OPEN, _BOOTED, (_BOARD,)),
    Verb("session-open", OPEN, _NO_GAME, (_BOARD, field("answer", "hex", 64, 64))),
    Verb("session-end", CHANGE, _BOOTED, (_BOARD,)),
    Verb("fixture", CHANGE, (IDLE, FAULT, TEST), (_BOARD, field("do", "text", 1, 8), field("data", "text", 0, 8))),
    Verb("set-key", WRITE, _NO_GAME, (_BOARD, field("key", "hex", KEY_DIGITS, KEY_DIGITS))),
)

ERRORS = (
    ("line", "not a message"),
    ("long", "line is longer than 512 bytes"),
    ("crc", "CRC is missing or wrong"),
    ("verb", "no such verb"),
    ("id", "this verb changes something and needs an id and a CRC"),
    ("field", "a field is missing, unknown or out of range"),
    ("state", "not allowed in the present state"),
    ("board", "meant for another board"),
    ("session", "needs a service session"),
    ("answer", "wrong answer"),
    ("wait", "a wrong answer came before: too early for another one"),
    ("locked", "the write-lock jumper is not fitted"),
    ("busy", "an earlier request is still being worked on"),
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


def check(id, name, values, state):
    """The verb's row when the request may be carried out now; else ProtocolError naming what forbids it."""
    verb = find_verb(name)
    if verb is None:
        raise ProtocolError("verb", id)
    if verb.access != READ and id == NO_ID:
        raise ProtocolError("id")
    text = fields_problem(verb.fields, values)
    if text:
        raise ProtocolError("field", id, text)
    if state not in verb.states:
        raise ProtocolError("state", id)
    return verb


def fields_problem(fields, values):
    """None when `values` are exactly these fields, each of its kind and in its range; else which is not, in words."""
    for field in fields:
        if field.name not in values:
            return f"{field.name} is missing"
        text = kinds.problem(field.kind, field.lower, field.upper, values[field.name])
        if text:
            return f"{field.name} {text}"
    if len(values) != len(fields):
        return "a field that this verb does not have"
    return None
