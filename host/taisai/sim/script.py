"""Scripts for a virtual board: words that press keys, turn the switch, cut the power and break things.

1 to 6, E    press a key (E is ENTRY): down 60 ms, up 60 ms
1! E!        hold it 1.6 s
12 E1        two keys at once
S+ S-        supervisor key-switch on, off
D+ D-        door of the housing opened, closed
J+ J-        write-lock jumper fitted, removed
P+ P-        power on, off
R            hard reset
w500         wait 500 ms
fault:...    a fault of taisai.sim.faultwords
"""

import re
from dataclasses import dataclass

from tablecore import framing
from taisai.errors import TaisaiError
from taisai.sim import faultwords
from taisai.sim.board import FIRMWARE, OFF, VirtualBoard

PRESS_MS = 60
HOLD_MS = 1600
BOUNCE_MS = 5
"""Most bounce of a scripted press. With 60 ms down, more than 40 ms of quiet contact remain, which is a clean press."""
SETTLE_MS = 400
"""After the last word: two refreshes of the lamps, so that what is seen has been shifted, compared and latched."""
POWER_UP_MS = 1000
_REPLY_MS = 1000
_LONGEST_WAIT_MS = 86_400_000

_KEY = "[1-6E]"
_WORD = re.compile(
    rf"(?P<keys>{_KEY}{_KEY}?)|(?P<hold>{_KEY})!|S(?P<switch>[+-])"
    r"|D(?P<door>[+-])|J(?P<jumper>[+-])|P(?P<power>[+-])|(?P<reset>R)|w(?P<wait>[0-9]+)"
)
_FAULT = "fault:"


class ScriptError(TaisaiError):
    """A word that is none, or that this table cannot do; the text names the word and where it stands."""


@dataclass(frozen=True)
class Word:
    """One word. kind: press, hold, chord, switch, door, jumper, power, reset, wait, fault; value: keys, + or -,
    milliseconds, fault.

    number and column say where it stands, both from 1.
    """

    text: str
    number: int
    column: int
    kind: str
    value: str


def parse(text: str) -> list[Word]:
    """Take a script apart; ScriptError names the first word that is none."""
    found = enumerate(re.finditer(r"\S+", text), 1)
    return [_word(word.group(), number, word.start() + 1) for number, word in found]


def _word(text: str, number: int, column: int) -> Word:
    if text.startswith(_FAULT):
        fault = text.removeprefix(_FAULT)
        try:
            faultwords.parse(fault)
        except faultwords.FaultWordError as error:
            raise _error(text, number, column, str(error)) from error
        return Word(text, number, column, "fault", fault)
    found = _WORD.fullmatch(text)
    if found is None:
        reason = (
            "the words are 1 to 6, E, 1! (hold), 12 (both at once), S+ S- D+ D- J+ J- P+ P- R, w500 (wait ms) "
            "and fault:..."
        )
        raise _error(text, number, column, reason)
    kind, value = next((kind, value) for kind, value in found.groupdict().items() if value is not None)
    if kind == "keys":
        kind = "press" if len(value) == 1 else "chord"
        if kind == "chord" and value[0] == value[1]:
            raise _error(text, number, column, "one key cannot be pressed twice at once")
    if kind == "wait" and int(value) > _LONGEST_WAIT_MS:
        raise _error(text, number, column, f"a wait is at most {_LONGEST_WAIT_MS} ms, one day")
    return Word(text, number, column, kind, value)


def _error(text: str, number: int, column: int, reason: str) -> ScriptError:
    return ScriptError(f"script word {number} ({text!r}, at character {column}): {reason}")


def run(board: VirtualBoard, words: list[Word]) -> dict:
    """Do the words and tell what is then to be seen; a board without power is switched on first.

    display, points, lit, partial, frame, tone_hz and enabled are what an observer of the bench sees; state, digits and
    faults are what the firmware answers on the serial link. Without an answer the state is "off" or "silent".
    """
    if board.mode == OFF:
        board.power_on()
        board.run_ms(POWER_UP_MS)
    for word in words:
        _do(board, word)
    board.run_ms(SETTLE_MS)
    seen = board.bench.observe()
    told = _ask_state(board)
    return {
        "state": told["state"],
        "display": seen.display,
        "points": list(seen.points),
        "lit": seen.lit,
        "partial": seen.partial,
        "frame": seen.frame,
        "enabled": seen.enabled,
        "tone_hz": seen.tone_hz,
        "digits": told["digits"],
        "faults": told["faults"],
    }


def _do(board: VirtualBoard, word: Word) -> None:
    keys = board.bench.keys
    match word.kind:
        case "press" | "hold":
            down_ms = PRESS_MS if word.kind == "press" else HOLD_MS
            keys.press(word.value, down_ms, BOUNCE_MS)
            board.run_ms(down_ms + PRESS_MS)
        case "chord":
            for key in word.value:
                keys.press(key, PRESS_MS, BOUNCE_MS)
            board.run_ms(2 * PRESS_MS)
        case "switch":
            board.bench.switch.turn(word.value == "+", BOUNCE_MS)
            board.run_ms(PRESS_MS)
        case "door" | "jumper":
            _move_guard(board, word)
        case "power" if word.value == "-":
            board.power_off()
            board.run_ms(PRESS_MS)
        case "power" if board.mode == OFF:
            board.power_on()
            board.run_ms(POWER_UP_MS)
        case "reset" if board.mode != OFF:
            board.hard_reset()
            board.run_ms(POWER_UP_MS)
        case "wait":
            board.run_ms(int(word.value))
        case "fault":
            try:
                board.bench.faults.apply(word.value)
            except faultwords.FaultWordError as error:
                raise _error(word.text, word.number, word.column, str(error)) from error
            board.run_ms(PRESS_MS)


def _move_guard(board: VirtualBoard, word: Word) -> None:
    """Open or close one of the optional contacts."""
    contact, closed = (board.bench.door, "-") if word.kind == "door" else (board.bench.write_lock, "+")
    if contact is None:
        what = "door contact" if word.kind == "door" else "write-lock jumper"
        raise _error(word.text, word.number, word.column, f"the controller of this table has no {what}")
    contact.move(word.value == closed, BOUNCE_MS)
    board.run_ms(2 * PRESS_MS)


def _ask_state(board: VirtualBoard) -> dict:
    """The firmware's own word, by the serial link. Lines that are no answer (boot messages, events) are passed over."""
    silent = {"state": "off" if board.mode == OFF else "silent", "digits": None, "faults": []}
    if board.mode != FIRMWARE:
        return silent
    board.serial.read()
    board.serial.write(framing.encode("1", "state", {}))
    received = b""
    end_us = board.bench.now_us + _REPLY_MS * 1000
    while board.bench.now_us < end_us:
        received += board.serial.read(_REPLY_MS)
        *lines, received = received.split(b"\n")
        for line in lines:
            answer = _answer(line)
            if answer is not None:
                return answer
    return silent


def _answer(line: bytes) -> dict | None:
    try:
        number, word, fields = framing.parse(line)
    except framing.ProtocolError:
        return None
    if number != "1" or word != "ok":
        return None
    return {"digits": None, "faults": [], **fields}
