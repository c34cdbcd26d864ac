"""What a record says, in plain values: the one form for the screen, for both kinds of export and for verifying them.

Every value is text or a whole number, and a value that is not known or does not apply is absent: a time that the board
did not know, the game of a restart, the throw of a fault.
"""

from collections.abc import Iterator
from datetime import UTC, datetime

from tablecore import records

NAMES = (
    "sequence", "kind", "game", "throw", "previous", "total", "time_utc", "time_source", "uptime_s", "detail",
)  # fmt: skip
_THROWS = 6**3
_SYMBOLS = 7
WHOLE_NUMBERS = frozenset(("sequence", "game", "total", "uptime_s"))
TIME_FORM = "%d/%m/%Y %H:%M:%S"

Entry = dict[str, str | int]


def entries(data: bytes) -> Iterator[Entry]:
    """The records that `data` consists of; ValueError when something in it is no record."""
    view = memoryview(data)
    for at in range(0, len(data), records.RECORD_BYTES):
        fields = records.unpack(view, at)
        if fields is None:
            raise ValueError(f"no good record at byte {at}")
        yield _entry(fields)


def time_text(seconds: float) -> str:
    """A time in Unix seconds as reports have it, in UTC: 31/12/2025 23:59:59."""
    return datetime.fromtimestamp(seconds, UTC).strftime(TIME_FORM)


def _entry(fields: tuple) -> Entry:
    entry: Entry = {"sequence": fields[records.SEQUENCE], "kind": records.KINDS[fields[records.KIND]]}
    if fields[records.GAME]:
        entry["game"] = fields[records.GAME]
    for name, place in (("throw", records.THROW), ("previous", records.PREVIOUS)):
        if fields[place] != records.NO_THROW:
            entry[name] = throw_text(fields[place])
    if entry.get("throw", "").isdecimal():
        entry["total"] = sum(int(die) for die in entry["throw"])
    if fields[records.SOURCE] != records.TIME_UNKNOWN:
        entry["time_utc"] = time_text(fields[records.TIME])
        entry["time_source"] = records.TIME_SOURCES[fields[records.SOURCE]]
    entry["uptime_s"] = fields[records.UPTIME]
    detail = fields[records.DETAIL].rstrip(b"\0")
    if detail:
        entry["detail"] = detail.decode("ascii") if detail.isascii() and detail.decode().isprintable() else detail.hex()
    return entry


def throw_text(index: int) -> str:
    """The three dice in the order in which they were keyed, "361", or the symbol of a money wheel, "C"."""
    if index < _THROWS:
        return "".join(str(die) for die in records.dice(index))
    if 0 <= index - records.SYMBOL_A < _SYMBOLS:
        return chr(ord("A") + index - records.SYMBOL_A)
    raise ValueError(f"{index} is no throw, and no symbol")


def throw_number(text: str) -> int:
    """What `throw_text` made the text from."""
    if text.isdecimal():
        return records.throw_index(*map(int, text))
    return records.SYMBOL_A + ord(text) - ord("A")
