"""Scripts for a virtual board: their words are done one after the other, and then it is told what is to be seen."""

from tablecore import framing
from taisai.sim.board import FIRMWARE, OFF, VirtualBoard
from taisai.sim.scriptwords import ScriptError, Word, check, parse

__all__ = ["ScriptError", "parse", "run"]

PRESS_MS = 60
HOLD_MS = 1600
BOUNCE_MS = 5
"""Most bounce of a scripted press. With 60 ms down, more than 40 ms of quiet contact remain, which is a clean press."""
SETTLE_MS = 400
"""After the last word: two refreshes of the lamps, so that what is seen has been shifted, compared and latched."""
POWER_UP_MS = 1000
_REPLY_MS = 1000
_IDS = 1_000_000_000


def run(board: VirtualBoard, words: list[Word]) -> dict:
    """Do the words and tell what is then to be seen; a board without power is switched on first.

    display, points, lit, partial, frame, tone_hz and enabled are what an observer of the bench sees; state, digits and
    faults are what the firmware answers on the serial link. Without an answer the state is "off" or "silent". A table
    with a money wheel tells of that too.
    ScriptError, before anything is done, when this table cannot do one of them.
    """
    check(words, board.bench)
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
        **_wheel(board),
    }


def _wheel(board: VirtualBoard) -> dict:
    """Of the wheel, where there is one: the section at the indicator, and the symbol if it is in a section."""
    wheel = board.bench.wheel
    if wheel is None:
        return {}
    return {"turning": wheel.turning, "stop": None if wheel.turning else wheel.wheel.stop, "symbol": wheel.symbol}


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
        case "spin":
            _spin(board, word)
        case "fault":
            board.bench.faults.apply(word.value)
            board.run_ms(PRESS_MS)


def _move_guard(board: VirtualBoard, word: Word) -> None:
    """Open or close one of the optional contacts."""
    contact, closed = (board.bench.door, "-") if word.kind == "door" else (board.bench.write_lock, "+")
    contact.move(word.value == closed, BOUNCE_MS)
    board.run_ms(2 * PRESS_MS)


def _spin(board: VirtualBoard, word: Word) -> None:
    """Throw the wheel; it turns while the words after this are done."""
    revolutions, _, end = word.value.partition(":")
    try:
        board.bench.wheel.spin(float(revolutions), end or "free")
    except ValueError as error:
        raise ScriptError(f"script word {word.number} ({word.text}): {error}") from error
    board.run_ms(PRESS_MS)


def _ask_state(board: VirtualBoard) -> dict:
    """The firmware's own word, by the serial link. Lines that are no answer (boot messages, events) are passed over."""
    silent = {"state": "off" if board.mode == OFF else "silent", "digits": None, "faults": []}
    if board.mode != FIRMWARE:
        return silent
    board.serial.read()
    # A line that the board has just answered would only get its old reply again.
    number = str(board.bench.now_us % _IDS)
    board.serial.write(framing.encode(number, "state", {}))
    received = b""
    end_us = board.bench.now_us + _REPLY_MS * 1000
    while board.bench.now_us < end_us:
        received += board.serial.read(_REPLY_MS)
        *lines, received = received.split(b"\n")
        for line in lines:
            answer = _answer(line, number)
            if answer is not None:
                return answer
    return silent


def _answer(line: bytes, wanted: str) -> dict | None:
    try:
        number, word, fields = framing.parse(line)
    except framing.ProtocolError:
        return None
    if number != wanted or word != "ok":
        return None
    return {"digits": None, "faults": [], **fields}
