"""A board's journal made anew from its exports, as the files that the firmware would have written.

The firmware's own journal writes them, into memory, so that the form has one definition; and it reads them back.
"""

import time
from collections.abc import Iterable
from datetime import UTC, datetime

from tablecore import records, shelf
from tablecore.journal import TAIL_RECORDS, TAIL_RECORDS_ELSEWHERE, Journal
from tablecore.journal_reader import JournalReader
from taisai.errors import TaisaiError
from taisai.journal.entries import TIME_FORM, Entry, entries, throw_number, throw_text

REPLACED = b"replaced"
"""Detail of the record that says from where on the journal is kept by another controller."""
_READ_RECORDS = 500


class Rebuilt:
    """`files`: path to content. `open`: (game, what was entered) of a result that is lit according to the records."""

    def __init__(self, found: list[Entry], mcu: str):
        """`found`: the records in the order of their numbers; `mcu`: the chip of the board that is to have them."""
        self._volume = _Volume()
        self._moment = _Moment()
        self._journal = Journal(self._volume, self._moment, TAIL_RECORDS.get(mcu, TAIL_RECORDS_ELSEWHERE))
        for entry in found:
            self._add(entry)
        self._check(found)
        self.last: int = found[-1]["sequence"]
        self._note_replacement()
        self.next = self._journal.next
        # Nobody needs a warning about records that are in the exports already.
        shelf.write_mark(self._volume, self.last, self._journal.standing.game)
        lit = self._journal.open_result()
        self.open = None if lit is None else (lit[0], throw_text(lit[1]))

    @property
    def files(self) -> dict[str, bytes]:
        """Path to content; the mark first, and the newest records last."""
        return dict(sorted(self._volume.files.items(), key=lambda item: (item[0] == shelf.TAIL, item[0] != shelf.MARK)))

    def _add(self, entry: Entry) -> None:
        journal = self._journal
        if journal.failed or entry["sequence"] != journal.next:
            # Records before this one are missing: the journal takes them for exported, and goes on after them.
            shelf.write_mark(self._volume, entry["sequence"] - 1, journal.standing.game)
            journal.open()
        self._moment.take(entry)
        throw, previous = (_index(entry.get(name)) for name in ("throw", "previous"))
        kind = records.KINDS.index(entry["kind"])
        if not journal.append(kind, throw, previous, entry.get("game", 0), _detail(entry.get("detail", ""))):
            raise TaisaiError(f"record {entry['sequence']} cannot be put into a journal")

    def _note_replacement(self) -> None:
        self._moment.source, self._moment.now, self._moment.uptime = records.TIME_HOST, int(time.time()), 0
        self._journal.append(records.CONFIG, game=0, detail=REPLACED)

    def _check(self, found: list[Entry]) -> None:
        """What the files hold is what the exports say, as far back as a journal reaches."""
        reader = JournalReader(self._journal)
        oldest = reader.oldest()
        kept = [entry for entry in found if entry["sequence"] >= oldest]
        read: list[Entry] = []
        while page := reader.read(read[-1]["sequence"] + 1 if read else oldest, _READ_RECORDS):
            read += entries(page)
        if read != kept:
            raise TaisaiError("the exports cannot be made into a journal that says the same")


def _index(throw: str | None) -> int:
    return records.NO_THROW if throw is None else throw_number(throw)


def _detail(text: str) -> bytes:
    """As `entries` shows it: the characters, or hex digits where they are none. Of up to 4 bytes that are no characters
    their digits are kept, which reads the same.
    """
    return text.encode("ascii") if len(text) <= records.DETAIL_BYTES else bytes.fromhex(text)


class _Moment:
    """The time and uptime of the record that is being written."""

    def __init__(self) -> None:
        self.source = records.TIME_UNKNOWN
        self.uptime = 0
        self.now = 0

    def take(self, entry: Entry) -> None:
        self.source = records.TIME_SOURCES.index(entry.get("time_source"))
        self.uptime = entry["uptime_s"]
        self.now = 0
        if "time_utc" in entry:
            self.now = int(datetime.strptime(entry["time_utc"], TIME_FORM).replace(tzinfo=UTC).timestamp())

    def time(self) -> int:
        return self.now


class _Volume:
    """The part of firmware/tablehw/storage.py that a journal uses, in memory."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}

    def make_folder(self, path: str) -> None:
        """There are only files here."""

    def names(self, folder: str) -> Iterable[tuple[str, int]]:
        head = folder + "/"
        return [(path.removeprefix(head), len(data)) for path, data in self.files.items() if path.startswith(head)]

    def read(self, path: str, limit: int = 1024) -> bytes | None:
        return self.files.get(path)

    def read_into(self, path: str, at: int, view: memoryview) -> int:
        piece = self.files.get(path, b"")[at : at + len(view)]
        view[: len(piece)] = piece
        return len(piece)

    def write(self, path: str, data: bytes) -> None:
        self.files[path] = bytes(data)

    replace = write

    def append(self, path: str, data: bytes) -> None:
        self.files[path] = self.files.get(path, b"") + bytes(data)

    def rename(self, path: str, new_path: str) -> None:
        self.files[new_path] = self.files.pop(path)

    def remove(self, path: str) -> None:
        del self.files[path]
