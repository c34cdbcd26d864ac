"""What the board answers and tells, and what each verb is for: the half of the protocol that a board need not know.

This file is not deployed. Requests, states and error codes are in protocol.py; firmware/PROTOCOL.md is made from both.
"""

import binascii
import hashlib
from collections import namedtuple

from tablecore import protocol
from tablecore.protocol import CHALLENGE_DIGITS
from tablecore.protocol import field as _f

# `repeats`: the same line may be sent again when no reply came, even if the board has restarted in between.
Reply = namedtuple("Reply", ("verb", "repeats", "fields", "text"))

Event = namedtuple("Event", ("name", "fields", "text"))

_VALUES = (_f("values", "object"),)
_SNAPSHOT = (
    _f("state", "text"),
    _f("digits", "text"),
    _f("lit", "list?"),
    _f("faults", "list"),
    _f("switch", "flag"),
)

REPLIES = (
    Reply(
        "identify",
        True,
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
    Reply("state", True, _SNAPSHOT, "what the table is doing now"),
    Reply("settings", True, _VALUES, "every setting with its value"),
    Reply("set-settings", True, _VALUES, "change the settings named in values, all or none; replies as settings does"),
    Reply("identity", True, _VALUES, "what the factory wrote about this unit"),
    Reply(
        "set-identity",
        True,
        _VALUES,
        "change the identity fields named in values, all or none; replies as identity does",
    ),
    Reply(
        "subscribe",
        True,
        (_f("next", "integer"),),
        "send events from now on; next is the number that the next one will have",
    ),
    Reply("unsubscribe", True, (_f("next", "integer"),), "send no more events"),
    Reply(
        "files",
        True,
        (_f("names", "list"), _f("more", "flag")),
        "[name, bytes] of each thing in a folder, by name, from place `first` (0 at first) on; a folder has null bytes",
    ),
    Reply(
        "hash",
        True,
        (_f("size", "integer"), _f("sha256", "hex", 64, 64)),
        "SHA-256 over the bytes of nonce followed by those of the file; answered when it is worked out",
    ),
    Reply(
        "integrity",
        True,
        (_f("integrity", "text"), _f("path", "text?"), _f("reason", "text?")),
        "whether the files are exactly those of the manifest: checking, good, or bad with the first file that is not",
    ),
    Reply(
        "journal",
        True,
        (_f("records", "text"), _f("next", "integer")),
        (
            "up to 10 records of 32 bytes from sequence number `first` on, as base64, none when there are no more; "
            "next is the number that the next record will have"
        ),
    ),
    Reply(
        "journal-state",
        True,
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
        (
            "sequence numbers of the oldest record and of the next; up to which number it was exported; the last "
            "game; how many records it keeps at least; damaged files kept aside; damages and unreadable records "
            "found since the start; the time in Unix seconds (0 when unknown) and where it is from"
        ),
    ),
    Reply(
        "mark-exported",
        True,
        (_f("exported", "integer"),),
        "every record up to this sequence number has been exported; damaged files from before it are removed",
    ),
    Reply("set-time", True, (_f("time", "integer"),), "it is that time now, in Unix seconds (UTC)"),
    Reply(
        "calibrate",
        True,
        (_f("zones", "integer"),),
        "light each area alone and keep what it takes; answered at the end, after some 60 ms for each",
    ),
    Reply("restart", False, (_f("state", "text"),), "restart as after power-on"),
    Reply("service", False, (_f("state", "text"),), "restart into the MicroPython prompt, once"),
    Reply(
        "session-start",
        True,
        (_f("nonce", "hex", CHALLENGE_DIGITS, CHALLENGE_DIGITS), _f("needed", "flag"), _f("wait_s", "integer")),
        "a nonce to sign for session-open; needed is false where no key is set; answers are judged after wait_s",
    ),
    Reply(
        "session-open",
        True,
        (_f("idle_s", "integer"),),
        (
            "open a session: answer is the HMAC-SHA256 with the service key over the nonce and the board's id in "
            "ASCII; a session ends when nothing is changed for idle_s"
        ),
    ),
    Reply("session-end", True, (), "end the session"),
    Reply(
        "fixture",
        False,
        (_f("told", "object"),),
        (
            "for acceptance. do=keys presses keys in a test run, each for 40 ms; data has up to 8, 1 to 6, and E "
            "for ENTRY; told then are the frame as it fell out of the chain's far end and, where it is sensed, the "
            "lamps' current. do=light lights one output alone, data is its number; do=show displays three digits, with "
            "every lamp dark. do=wheel tells how a money wheel stands and what its last spin was. do=trace tells how "
            "the contacts moved, and with data=deaf keeps them from the terminal meanwhile; do=memory the free heap; "
            "do=hang stops the main loop, which the watchdog must end; "
            "do=end gives the keys back. Not while a result is lit"
        ),
    ),
    Reply(
        "set-key",
        True,
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


def reply_to(verb):
    """The row of a verb's reply. ValueError when there is no such verb."""
    for reply in REPLIES:
        if reply.verb == verb:
            return reply
    raise ValueError("no such verb")


def digest():
    """Identity of this protocol: both sides have the same verbs, fields, states, codes and limits when it is equal.

    The board's own is in digest.py, where `make docs` writes it.
    """
    whole = hashlib.sha256(f"{protocol.VERSION} {protocol.LINE_MAX} {protocol.ID_DIGITS}".encode())
    for verb in protocol.VERBS:
        reply = reply_to(verb.name)
        head = f"\n{verb.name} {verb.access} {reply.repeats} {' '.join(verb.states)}"
        whole.update(f"{head} ({_spell(verb.fields)}) ({_spell(reply.fields)})".encode())
    for event in EVENTS:
        whole.update(f"\n! {event.name} ({_spell(event.fields)})".encode())
    for code, _ in protocol.ERRORS:
        whole.update(f"\n{code}".encode())
    return binascii.hexlify(whole.digest()[:8]).decode()


def _spell(fields):
    return " ".join([f"{field.name}:{field.kind}:{field.lower}:{field.upper}" for field in fields])
