"""The journal: what the table did, record by record, through power cuts, for 5,000 games and more.

Form. The newest records are in a small file, the tail, which is written anew with every record. When it is full it is
appended to the newest segment as one piece. Segments form a ring. Erases of 4 KiB blocks for one flushed record,
measured with the real VfsLfs2 on a volume of an RP2040's geometry (256-byte programs) and an ESP32's (32-byte):

                                                RP2040   ESP32
    append to the segment, file kept open        1.37     1.02
    append to the segment, file reopened         1.07     1.02
    tail of 4 records, then the segment          0.33     0.29
    tail of 15 records, then the segment         0.18     0.83

littlefs copies the last block of a growing file into a new one at every flush; but a file of up to 512 bytes (128 on an
ESP32) it keeps inside the folder, where writing it is one entry of a log, and takes 1 ms instead of 50.

A power cut leaves the old tail or the new one. From the append to a segment until the next record, tail and segment
hold the same records: their sequence numbers tell.
"""

from tablecore import records, shelf
from tablecore.standing import Standing

RING_SEGMENTS = 34
# So many damaged files are kept aside before games have to wait for an export. The ring gets shorter when there are
# more, so that the journal never takes more room than RING_SEGMENTS and these.
MOST_ASIDE = 4
# An export is due when the next so many segments would overwrite records that were not exported: some 2,900 records.
DUE_SEGMENTS = 6
TAIL_RECORDS = {"rp2040": 15}  # by microcontroller
TAIL_RECORDS_ELSEWHERE = 4


class Journal:
    """`storage` has the file operations (tablehw/storage.py); `daytime` gives time and uptime; `tail_records` is how
    many records the tail takes. Call `open` before anything else.

    No method raises for what the volume does. `failed`: it could not be read or written at the last attempt; the next
    `append` reads it anew. `damaged`: how many damages have been found since the start; `dropped`: how many records
    could not be read in what was damaged. `export_due`: records will soon be overwritten that were never exported.
    """

    def __init__(self, storage, daytime, tail_records):
        self.failed = True
        self.damaged = 0
        self.dropped = 0
        self.export_due = False
        self.exported = 0
        self.next = 1
        self.standing = Standing()
        self.files = shelf.Shelf(storage)
        self._storage = storage
        self._daytime = daytime
        self.tail_limit = tail_records
        self._tail = bytearray(shelf.MOST_TAIL_BYTES)
        self._count = 0  # records in the tail
        self.active = None  # number of the segment that takes the next piece, None when a new one is to be begun
        self._size = 0  # of that segment
        self._sha256 = None  # of the newest file, None when there is none
        self._gap = False  # records before the next one are lost
        self._record = bytearray(records.RECORD_BYTES)

    @property
    def keeps(self):
        """How many records there are at least, once the ring is full."""
        places = (records.SEGMENT_BYTES - records.HEADER_BYTES) // records.RECORD_BYTES
        return (RING_SEGMENTS - 1) * (places - places % self.tail_limit)

    @property
    def low_storage(self):
        """So much damaged is kept aside that it has to be exported before games go on."""
        return len(self.files.aside) >= MOST_ASIDE

    def open(self):
        """Read what is there. False when the volume cannot be read or written; see `failed`.

        Nothing else needs `tablecore.recovery`, which may be forgotten afterwards; it lies on that same volume.
        """
        self.failed = True
        try:
            from tablecore.recovery import Recovery

            for folder in shelf.FOLDERS:
                self._storage.make_folder(folder)
            found = Recovery(self._storage, self.files, self.standing)
            self.damaged += found.damaged
            self.dropped += found.dropped
            self.exported = found.exported
            self.next = found.last + 1
            self._count = len(found.tail) // records.RECORD_BYTES
            self._tail[: len(found.tail)] = found.tail
            self.active = None
            # In a segment each record's place follows from its number: after a loss a new one begins.
            if found.active is not None and found.active.last == self.next - self._count - 1:
                self.active = found.active.number
                self._size = found.active.size
            self._sha256 = found.sha256
            self._trim()
            self._gap = found.gap
            self._close_gap()
        except (OSError, ImportError, MemoryError):
            return False
        self.failed = False
        return True

    def append(self, kind, throw=records.NO_THROW, previous=records.NO_THROW, game=None, detail=b""):
        """Write one record; it is on the flash when this returns True. False: it may not be, and the caller raises the
        fault.

        `game` None: a new one for a result or the void of no game, else the open one, 0 when none is open.
        """
        if self.failed and not self.open():
            return False
        try:
            if self._count >= self.tail_limit:
                self._put_into_segment()
            if game is None:
                game = self.standing.game_of(kind)
            time = self._daytime
            records.pack_into(
                self._record, self.next, kind, throw, previous, time.source, game, time.time(), time.uptime, detail
            )
            end = (self._count + 1) * records.RECORD_BYTES
            self._tail[end - records.RECORD_BYTES : end] = self._record
            self._storage.write(shelf.TAIL, memoryview(self._tail)[:end])
        except (OSError, MemoryError):  # a full heap must not end a game: the lamps go on, and the fault is raised
            self.failed = True
            return False
        self._count += 1
        self.next += 1
        self.standing.apply(records.unpack(memoryview(self._record)))
        try:
            self._close_gap()
        except OSError:
            self.failed = True
        return True

    def open_result(self):
        """(game number, throw index as keyed) of the result that is lit; None when none is."""
        if self.standing.throw == records.NO_THROW:
            return None
        return self.standing.game, self.standing.throw

    def latched(self):
        """Fault codes raised and not cleared, with whether each is overridden. The journal's own: do not change it."""
        return self.standing.latched

    def mark_exported(self, upto):
        """Remember that somebody has every record up to this sequence number; what was kept aside for that goes.

        False when it could not be written.
        """
        if self.failed and not self.open():
            return False
        upto = min(upto, self.next - 1)
        try:
            if upto > self.exported:
                shelf.write_mark(self._storage, upto, self.standing.game)
                self.exported = upto
            for number in list(self.files.aside):
                # The newest files are needed until a sound segment after them sums them up.
                newer = [each for each in self.files.ring if each > number]
                if newer and self.files.first(newer[0]) <= upto + 1:
                    self.files.remove(number)
            self._judge_due()
        except OSError:
            self.failed = True
            return False
        return True

    def put_aside(self, number, dropped):
        """Take a damaged segment out of the ring; `dropped` records of it cannot be read. OSError when that fails."""
        self.files.put_aside(number)
        self.damaged += 1
        self.dropped += dropped
        self._trim()

    def tail(self):
        """The records that are in no segment, as a memoryview."""
        return memoryview(self._tail)[: self._count * records.RECORD_BYTES]

    def _close_gap(self):
        """After a loss the next record begins a segment at once: then the loss is told once, and not at every start."""
        if self._gap and self._count:
            self._put_into_segment()
            self._gap = False

    def _put_into_segment(self):
        """Append the tail to the newest segment, or begin a new one with it. OSError when that fails."""
        piece = self.tail()
        if self.active is None or self._size + len(piece) > records.SEGMENT_BYTES:
            self._begin_segment(piece)
        else:
            self._storage.append(self.files.path(self.active), piece)
            self._sha256.update(piece)
            self._size += len(piece)
        self._count = 0

    def _begin_segment(self, piece):
        number = self.files.new_number()
        first = self.next - self._count
        standing = self.standing
        digest = bytes(32) if self._sha256 is None else self._sha256.digest()
        # What the header says already has the first piece in it: to take those records once more changes nothing.
        header = records.pack_header(number, first, standing.game, standing.throw, standing.latched, digest)
        self._sha256 = shelf.sha256(header)
        self._sha256.update(piece)
        self.files.ring.append(number)
        self._storage.write(self.files.path(number), header + piece)
        self.active = number
        self._size = len(header) + len(piece)
        self._trim()

    def _trim(self):
        """Keep the ring at its length."""
        longest = RING_SEGMENTS - max(0, len(self.files.aside) - MOST_ASIDE)
        while len(self.files.ring) > longest:
            self.files.remove(self.files.ring[0])
        self._judge_due()

    def _judge_due(self):
        """Of the oldest segments, those that the next DUE_SEGMENTS will overwrite must have been exported."""
        ring = self.files.ring
        going = len(ring) + DUE_SEGMENTS - RING_SEGMENTS
        self.export_due = going > 0 and self.files.first(ring[min(going, len(ring) - 1)]) > self.exported + 1
