"""The words of a script, taken apart; what is no word, or one that this table cannot do, is refused before it starts.

1 to 6, E    press a key (E is ENTRY): down 60 ms, up 60 ms
1! E!        hold it 1.6 s
12 E1        two keys at once
S+ S-        supervisor key-switch on, off
D+ D-        door of the housing opened, closed
J+ J-        write-lock jumper fitted, removed
P+ P-        power on, off
R            hard reset
w500         wait 500 ms
spin:4.2     throw the money wheel, 4.2 revolutions clockwise; spin:-4.2 the other way. With :peg behind it the wheel
             comes to rest on the next peg, with :stop a hand stops it there, with :push a hand pushes it on its way
fault:...    a fault of taisai.sim.faultwords
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from taisai.errors import TaisaiError, shown
from taisai.sim import faultwords
from taisai.sim.bench import Bench

_LONGEST_WAIT_MS = 86_400_000
_MOST_DIGITS = 9

_KEY = "[1-6E]"
_WORD = re.compile(
    rf"(?P<keys>{_KEY}{_KEY}?)|(?P<hold>{_KEY})!|S(?P<switch>[+-])"
    r"|D(?P<door>[+-])|J(?P<jumper>[+-])|P(?P<power>[+-])|(?P<reset>R)|w(?P<wait>[0-9]+)"
    r"|spin:(?P<spin>-?[0-9]{1,3}(\.[0-9]{1,3})?(:(free|peg|stop|push))?)"
)
_FAULT = "fault:"


class ScriptError(TaisaiError):
    """Words that are none, or that this table cannot do; the text has a line for each of them, with its place."""


@dataclass(frozen=True)
class Word:
    """One word. kind: press, hold, chord, switch, door, jumper, power, reset, wait, spin, fault; value: keys, + or -,
    milliseconds, revolutions with how they end, fault.

    number and column say where it stands, both from 1.
    """

    text: str
    number: int
    column: int
    kind: str
    value: str


def parse(text: str, bench: Bench | None = None) -> list[Word]:
    """Take a script apart; ScriptError names every word that is none, or that this bench cannot do."""
    places = [(match.group(), number, match.start() + 1) for number, match in enumerate(re.finditer(r"\S+", text), 1)]

    def word(place: tuple[str, int, int]) -> Word:
        found = _word(*place)
        if bench is not None:
            _require(found, bench)
        return found

    return _all(word, places)


def check(words: list[Word], bench: Bench) -> None:
    """ScriptError names every word that this bench cannot do."""
    _all(lambda word: _require(word, bench), words)


def _all(act: Callable, items: Iterable) -> list:
    """What `act` makes of each item; its ScriptErrors are collected, so that one run names them all."""
    done, bad = [], []
    for item in items:
        try:
            done.append(act(item))
        except ScriptError as error:
            bad.append(str(error))
    if bad:
        raise ScriptError("\n".join(bad))
    return done


def _require(word: Word, bench: Bench) -> None:
    if word.kind == "fault":
        try:
            bench.faults.require(word.value)
        except faultwords.FaultWordError as error:
            raise _error(word.text, word.number, word.column, str(error)) from error
    if word.kind == "door" and bench.door is None:
        raise _error(word.text, word.number, word.column, "the controller of this table has no door contact")
    if word.kind == "jumper" and bench.write_lock is None:
        raise _error(word.text, word.number, word.column, "the controller of this table has no write-lock jumper")
    if word.kind == "spin" and bench.wheel is None:
        raise _error(word.text, word.number, word.column, "this table has no money wheel")


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
            "the words are 1 to 6, E, 1! (hold), 12 (both at once), S+ S- D+ D- J+ J- P+ P- R, w500 (wait ms), "
            "spin:4.2 and fault:..."
        )
        raise _error(text, number, column, reason)
    kind, value = next((kind, value) for kind, value in found.groupdict().items() if value is not None)
    if kind == "keys":
        kind = "press" if len(value) == 1 else "chord"
        if kind == "chord" and value[0] == value[1]:
            raise _error(text, number, column, "one key cannot be pressed twice at once")
    if kind == "spin" and not float(value.partition(":")[0]):
        raise _error(text, number, column, "a spin of no revolutions is none")
    if kind == "wait" and (len(value) > _MOST_DIGITS or int(value) > _LONGEST_WAIT_MS):
        raise _error(text, number, column, f"a wait is at most {_LONGEST_WAIT_MS} ms, one day")
    return Word(text, number, column, kind, value)


def _error(text: str, number: int, column: int, reason: str) -> ScriptError:
    return ScriptError(f"script word {number} ({shown(text)}, at character {column}): {reason}")
