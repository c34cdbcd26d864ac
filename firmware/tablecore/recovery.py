"""What the journal is after a start: read from the newest sound segment on, so that its age does not matter.

No sequence number that may have been given to a record is given again: every place of a damaged file counts as one.
"""

from tablecore import records, shelf


class Recovery:
    """Reads everything once it is made; OSError when the volume cannot be read.

    `last`: the highest sequence number that may have been used. `active`: the Scan of the newest segment when records
    can be appended to it, else None. `sha256`: of the newest file's content, None without one. `tail`: the records that
    are in no segment yet. `gap`: records before the next one are not here any more. `damaged`: how many damages were
    found; `dropped`: how many records could not be read. `exported`: up to where. `standing` is brought up to date.
    """

    def __init__(self, storage, files, standing):
        self.damaged = 0
        self.dropped = 0
        self.last = 0
        self.active = None
        self.sha256 = None
        self.tail = b""
        self.gap = False
        self._files = files
        self._standing = standing
        files.look()
        self._read_files()
        self._read_tail(storage)
        self.exported, game = shelf.read_mark(storage)
        if self.exported > self.last:  # what was exported is not here any more
            self.gap = True
            self.last = self.exported
        standing.game = max(standing.game, game)
        self.damaged += self.gap and not self.damaged  # else it is the same damage

    def _read_files(self):
        numbers = self._files.numbers()
        start = 0
        self._standing.reset(0, records.NO_THROW, {})
        for number in reversed(self._files.ring):
            header = self._files.header(number)
            if header is not None:
                start = numbers.index(number)
                self._standing.reset(*header[2:5])
                self.last = header[1] - 1
                break
        for number in numbers[start:]:
            scan = shelf.Scan(self._files, number, self._standing.apply)
            while scan.step():
                pass
            self._reach(scan)
            self.active = None
            self.sha256 = scan.sha256
            if number in self._files.ring:
                if scan.sound:
                    self.active = scan
                else:
                    self._files.put_aside(number)
                    self.damaged += 1
                    self.dropped += scan.bad

    def _reach(self, scan):
        """Every place of a damaged file may have had a record; it may have been a full tail before it was cut short."""
        first = self.last + 1 if scan.base is None else scan.base
        places = scan.places if scan.sound else max(scan.places, shelf.MOST_TAIL)
        self.last = max(self.last, first + places - 1)

    def _read_tail(self, storage):
        tail = _Tail(storage)
        before = self.last
        scan = shelf.Scan(tail, 0, self._apply_new)
        while scan.step():
            pass
        if scan.bad or scan.size > len(tail.content):
            self._files.put_tail_aside()
            self._reach(scan)
            self.damaged += 1
            self.dropped += scan.bad
            self.active = None
            self.sha256 = scan.sha256
        elif scan.base is not None and scan.last > before:
            self.tail = tail.content[max(0, before + 1 - scan.base) * records.RECORD_BYTES : scan.size]
            self.gap = scan.base > before + 1
            self.last = scan.last

    def _apply_new(self, fields):
        if fields[records.SEQUENCE] > self.last:
            self._standing.apply(fields)


class _Tail:
    """The tail as a Scan reads a segment; `content` is its beginning, as much as a tail may have."""

    def __init__(self, storage):
        self.buffer = bytearray(shelf.MOST_TAIL_BYTES)
        self.content = b""
        self._storage = storage

    def read(self, number, at, view):
        count = self._storage.read_into(shelf.TAIL, at, view)
        if at == 0:
            self.content = bytes(view[:count])
        return count
