"""The verbs of the journal: read it page by page, say how it is, mark what was exported, tell the time."""

from binascii import b2a_base64

from tablecore import records
from tablecore.protocol import JOURNAL_PAGE, ProtocolError

# A clock that is set by less leaves no record: a host that tells the time at every visit would fill the journal.
_SMALL_CHANGE_S = 10


class JournalVerbs:
    """`handlers` has one function for each verb. `games` is the journal, `reader` reads it."""

    def __init__(self, games, reader, daytime):
        self._journal = games
        self._reader = reader
        self._daytime = daytime
        self.handlers = {
            "journal": self._read,
            "journal-state": self._state,
            "mark-exported": self._mark,
            "set-time": self._set_time,
        }

    def _read(self, fields):
        try:
            page = self._reader.read(fields["first"], JOURNAL_PAGE)
        except OSError:
            raise _unreadable() from None
        return {"records": b2a_base64(page).decode().strip(), "next": self._journal.next}

    def _state(self, fields):
        games = self._journal
        try:
            oldest = self._reader.oldest()
        except OSError:
            raise _unreadable() from None
        return {
            "oldest": oldest,
            "next": games.next,
            "exported": games.exported,
            "game": games.standing.game,
            "keeps": games.keeps,
            "aside": len(games.files.aside),
            "damaged": games.damaged,
            "dropped": games.dropped,
            "failed": games.failed,
            "export_due": games.export_due,
            "low_storage": games.low_storage,
            "time": self._daytime.time(),
            "source": records.TIME_SOURCES[self._daytime.source],
            "uptime": self._daytime.uptime,
        }

    def _mark(self, fields):
        if not self._journal.mark_exported(fields["upto"]):
            raise ProtocolError("failed", text="the mark cannot be written")
        return {"exported": self._journal.exported}

    def _set_time(self, fields):
        daytime = self._daytime
        before = daytime.time()
        try:
            daytime.tell(fields["time"])
        except OSError:
            raise ProtocolError("failed", text="the time is set, but the clock on the board does not take it") from None
        if abs(before - fields["time"]) >= _SMALL_CHANGE_S and not self._journal.append(records.CONFIG, detail=b"time"):
            raise ProtocolError("failed", text="the time is set, but that cannot be put into the journal")
        return {"time": fields["time"]}


def _unreadable():
    return ProtocolError("failed", text="the journal cannot be read")
