"""The serial protocol as data: limits, verbs with their fields, events, error codes. Board and host import this file.

framing.py has the form of the lines. firmware/PROTOCOL.md is made from this file (`make docs`).
"""

import binascii
import hashlib
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
STATES = (BOOTING, IDLE, RESULT, FAULT, TEST)
_BOOTED = (IDLE, RESULT, FAULT, TEST)
_NO_GAME = (IDLE, FAULT)  # flash operations and restarts, which nobody may cause while a result is lit

NONCE_DIGITS = (16, 64)  # hex digits, two for each byte, of a nonce that the host makes
CHALLENGE_DIGITS = 32  # of one that the board makes
KEY_DIGITS = 64
PATH_MAX = 64
JOURNAL_PAGE = 10  # records in one reply, as base64: 428 characters
_NUMBER_MAX = 0xFFFFFFFF

# lower and upper: the range, as fields.py has it for the kind; None = any.
Field = namedtuple("Field", ("name", "kind", "lower", "upper"))

# `repeats`: the same line may be sent again when no reply came, even if the board has restarted in between.
Verb = namedtuple("Verb", ("name", "access", "states", "repeats", "fields", "reply", "text"))

Event = namedtuple("Event", ("name", "fields", "text"))


def _f(name, kind, lower=None, upper=None):
    return Field(name, kind, lower, upper)


_BOARD = _f("board", "text", 1, 32)
_VALUES = (_f("values", "object"),)
_SNAPSHOT = (
    _f("state", "text"),
    _f("digits", "text"),
    _f("lit", "list?"),
    _f("faults", "list"),
    _f("switch", "flag"),
)

VERBS = (
    Verb(
        "identify",
        READ,
        STATES,
        True,
        (),
        (
            _f("firmware", "text"),
            _f("application", "text"),
            _f("protocol", "integer"),
            _f("digest", "text"),
            _f("table", "text?"),
            _f("table_digest", "text?"),
            _f("board", "text"),
            _f("mcu", "text"),
            _f("micropython", "text"),
            _f("reset", "text"),
            _f("serial_number", "text?"),
            _f("model", "text?"),
            _f("hardware_revision", "text?"),
            _f("manufactured", "date?"),
            _f("state", "text"),
        ),
        "who this board is; digest is that of this protocol, table_digest that of its lamp table",
    ),
    Verb("state", READ, STATES, True, (), _SNAPSHOT, "what the table is doing now"),
    Verb("settings", READ, _BOOTED, True, (), _VALUES, "every setting with its value"),
    Verb(
        "set-settings",
        WRITE,
        _NO_GAME,
        True,
        (_BOARD, _f("values", "object", 1, 16)),
        _VALUES,
        "change the settings named in values, all or none; replies as settings does",
    ),
    Verb("identity", READ, _BOOTED, True, (), _VALUES, "what the factory wrote about this unit"),
    Verb(
        "set-identity",
        WRITE,
        _NO_GAME,
        True,
        (_BOARD, _f("values", "object", 1, 16)),
        _VALUES,
        "change the identity fields named in values, all or none; replies as identity does",
    ),
    Verb(
        "subscribe",
        READ,
        _BOOTED,
        True,
        (),
        (_f("next", "integer"),),
        "send events from now on; next is the number that the next one will have",
    ),
    Verb("unsubscribe", READ, _BOOTED, True, (), (_f("next", "integer"),), "send no more events"),
    Verb(
        "files",
        READ,
        _BOOTED,
        True,
        (_f("folder", "text", 1, PATH_MAX), _f("first", "integer", 0, 9999)),
        (_f("names", "list"), _f("more", "flag")),
        "[name, bytes] of each thing in a folder, by name, from place `first` (0 at first) on; a folder has null bytes",
    ),
    Verb(
        "hash",
        READ,
        _BOOTED,
        True,
        (_f("nonce", "hex", NONCE_DIGITS[0], NONCE_DIGITS[1]), _f("path", "text", 1, PATH_MAX)),
        (_f("size", "integer"), _f("sha256", "hex", 64, 64)),
        "SHA-256 over the bytes of nonce followed by those of the file; answered when it is worked out",
    ),
    Verb(
        "integrity",
        READ,
        _BOOTED,
        True,
        (),
        (_f("integrity", "text"), _f("path", "text?"), _f("reason", "text?")),
        "whether the files are exactly those of the manifest: checking, good, or bad with the first file that is not",
    ),
    Verb(
        "journal",
        READ,
        _BOOTED,
        True,
        (_f("first", "integer", 1, _NUMBER_MAX),),
        (_f("records", "text"), _f("next", "integer")),
        "up to 10 records of 32 bytes from sequence number `first` on, as base64, none when there are no more; next is "
        "the number that the next record will have",
    ),
    Verb(
        "journal-state",
        READ,
        _BOOTED,
        True,
        (),
        (
            _f("oldest", "integer"),
            _f("next", "integer"),
            _f("exported", "integer"),
            _f("game", "integer"),
            _f("keeps", "integer"),
            _f("aside", "integer"),
            _f("damaged", "integer"),
            _f("dropped", "integer"),
            _f("failed", "flag"),
            _f("export_due", "flag"),
            _f("low_storage", "flag"),
            _f("time", "integer"),
            _f("source", "text?"),
            _f("uptime", "integer"),
        ),
        "sequence numbers of the oldest record and of the next; up to which number it was exported; the last game; how "
        "many records it keeps at least; damaged files kept aside; damages and unreadable records found since the "
        "start; the time in Unix seconds (0 when unknown) and where it is from",
    ),
    Verb(
        "mark-exported",
        CHANGE,
        _NO_GAME,
        True,
        (_BOARD, _f("upto", "integer", 1, _NUMBER_MAX)),
        (_f("exported", "integer"),),
        "every record up to this sequence number has been exported; damaged files from before it are removed",
    ),
    Verb(
        "set-time",
        CHANGE,
        _NO_GAME,
        True,
        (_BOARD, _f("time", "integer", 1577836800, _NUMBER_MAX)),
        (_f("time", "integer"),),
        "it is that time now, in Unix seconds (UTC)",
    ),
    Verb(
        "restart",
        CHANGE,
        _NO_GAME,
        False,
        (_BOARD,),
        (_f("state", "text"),),
        "restart as after power-on",
    ),
    Verb(
        "service",
        WRITE,
        _NO_GAME,
        False,
        (_BOARD,),
        (_f("state", "text"),),
        "restart into the MicroPython prompt, once",
    ),
    Verb(
        "session-start",
        OPEN,
        _BOOTED,
        True,
        (_BOARD,),
        (_f("nonce", "hex", CHALLENGE_DIGITS, CHALLENGE_DIGITS), _f("needed", "flag"), _f("wait_s", "integer")),
        "a nonce to sign for session-open; needed is false where no key is set; answers are judged after wait_s",
    ),
    Verb(
        "session-open",
        OPEN,
        _NO_GAME,
        True,
        (_BOARD, _f("answer", "hex", 64, 64)),
        (_f("idle_s", "integer"),),
        "open a session: answer is the HMAC-SHA256 with the service key over the nonce and the board's id in ASCII; "
        "a session ends when nothing is changed for idle_s",
    ),
    Verb("session-end", CHANGE, _BOOTED, True, (_BOARD,), (), "end the session"),
    Verb(
        "set-key",
        WRITE,
        _NO_GAME,
        True,
        (_BOARD, _f("key", "hex", KEY_DIGITS, KEY_DIGITS)),
        (_f("bytes", "integer"),),
        "set the service key, or another one; ends the session, and the old key opens none any more",
    ),
)

EVENTS = (
    Event(
        "state",
        (_f("seq", "integer"),) + _SNAPSHOT,
        "what the table is doing has changed; seq counts every event, also one that found no room and was not sent",
    ),
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


def digest():
    """Identity of this protocol: both sides have the same verbs, fields, states, codes and limits when it is equal."""
    whole = hashlib.sha256(f"{VERSION} {LINE_MAX} {ID_DIGITS}".encode())
    for verb in VERBS:
        head = f"\n{verb.name} {verb.access} {verb.repeats} {' '.join(verb.states)}"
        whole.update(f"{head} ({_spell(verb.fields)}) ({_spell(verb.reply)})".encode())
    for event in EVENTS:
        whole.update(f"\n! {event.name} ({_spell(event.fields)})".encode())
    for code, _ in ERRORS:
        whole.update(f"\n{code}".encode())
    return binascii.hexlify(whole.digest()[:8]).decode()


def _spell(fields):
    return " ".join([f"{field.name}:{field.kind}:{field.lower}:{field.upper}" for field in fields])
