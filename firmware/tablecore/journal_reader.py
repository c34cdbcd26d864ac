"""Reading the journal: records by sequence number for a host, and the last games for the display."""

from tablecore import records
from tablecore.shelf import SLICE_BYTES


class JournalReader:
    """Reads what `journal` keeps, in whatever file it is. Records of damaged files are given as far as they are good.

    Slices are read into the shelf's buffer, which every other reading of the journal uses too, each from begin to end.
    """

    def __init__(self, journal):
        self._journal = journal
        self._view = memoryview(journal.files.buffer)

    def oldest(self):
        """Sequence number of the oldest record; that of the next one when there is none. OSError as a read may."""
        for number in self._journal.files.numbers():
            first = self._journal.files.first(number)
            if first is not None:
                return first
        return self._journal.next - len(self._journal.tail()) // records.RECORD_BYTES

    def read(self, first, limit):
        """Up to `limit` records from sequence number `first` on, ascending, as bytes. OSError as a read may."""
        found = bytearray()
        wanted = limit * records.RECORD_BYTES
        files = self._journal.files
        numbers = files.numbers()
        start = 0
        for place in range(len(numbers) - 1, -1, -1):
            begins = files.first(numbers[place])
            if begins is not None and begins <= first:
                start = place
                break
        for number in numbers[start:]:
            at = 0
            if number in files.ring:
                skipped = max(0, first - (files.first(number) or 0))
                at = records.HEADER_BYTES + skipped * records.RECORD_BYTES
            while True:
                count = files.read(number, at, self._view)
                first = _collect(self._view[:count], first, found, wanted)
                if len(found) == wanted:
                    return bytes(found)
                at += count
                if count < SLICE_BYTES:
                    break
        _collect(self._journal.tail(), first, found, wanted)
        return bytes(found)

    def recent(self, count):
        """The last games, newest first, `count` at most, as (game number, throw index, kind): the kind is RESULT, AMEND
        or VOID, whichever came last in that game. OSError as a read may."""
        games = []
        _look_back(self._journal.tail(), games, count)
        for number in reversed(self._journal.files.numbers()):
            at = records.SEGMENT_BYTES
            while at > 0 and len(games) < count:
                start = (at - 1) // SLICE_BYTES * SLICE_BYTES
                got = self._journal.files.read(number, start, self._view)
                _look_back(self._view[: min(got, at - start)], games, count)
                at = start
            if len(games) >= count:
                break
        return games


def _collect(view, first, found, wanted):
    """Append the records of a slice from `first` on, as many as are wanted; returns the next number to look for."""
    for at in range(0, len(view), records.RECORD_BYTES):
        if len(found) == wanted:
            break
        fields = records.unpack(view, at)
        if fields is not None and fields[records.SEQUENCE] >= first:
            found += view[at : at + records.RECORD_BYTES]
            first = fields[records.SEQUENCE] + 1
    return first


def _look_back(view, games, count):
    """Add the games of a slice that are older than those in `games`, newest first."""
    size = records.RECORD_BYTES
    for at in range(len(view) // size * size - size, -1, -size):
        fields = records.unpack(view, at)
        if fields is None or not records.RESULT <= fields[records.KIND] <= records.VOID:
            continue
        if len(games) < count and (not games or fields[records.GAME] < games[-1][0]):
            games.append((fields[records.GAME], fields[records.THROW], fields[records.KIND]))
