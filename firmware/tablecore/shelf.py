"""Where the journal's files lie on the volume, and how one of them is read.

`/data/journal/NNNNNNNN.seg` are the segments of the ring, in ascending numbers; `NNNNNNNN.bad` are damaged files, kept
aside for whoever wants to look into them: segments, or a tail. The tail has a folder to itself, because writing a
small file writes the entries of its neighbours anew from time to time.
"""

import struct
from binascii import crc32
from hashlib import sha256

from tablecore import records

FOLDER = "/data/journal"
TAIL_FOLDER = "/data/tail"
TAIL = TAIL_FOLDER + "/records"
MARK = FOLDER + "/exported"
FOLDERS = ("/data", FOLDER, TAIL_FOLDER)

MOST_TAIL = 16  # records
MOST_TAIL_BYTES = MOST_TAIL * records.RECORD_BYTES
SLICE_BYTES = 1024  # read at a time; a whole number of records
_NUMBER_DIGITS = 8
_RING = ".seg"
_ASIDE = ".bad"
_MARK_FORM = "<III"  # exported up to this sequence number, number of the last game then, CRC-32 of both
_MARK_BYTES = 12


def read_mark(storage):
    """(sequence number up to which records were exported, number of the last game then); (0, 0) when never, or when
    that was lost: then a warning comes too early, and nothing else."""
    data = storage.read(MARK, _MARK_BYTES)
    if data is None or len(data) != _MARK_BYTES:
        return 0, 0
    exported, game, crc = struct.unpack(_MARK_FORM, data)
    return (exported, game) if crc32(data[:-4]) & 0xFFFFFFFF == crc else (0, 0)


def write_mark(storage, exported, game):
    """Keep them. OSError when that fails."""
    head = struct.pack("<II", exported, game)
    storage.replace(MARK, head + struct.pack("<I", crc32(head) & 0xFFFFFFFF))


class Shelf:
    """`ring` and `aside`: numbers of the files of either kind, ascending. Every method may raise OSError."""

    def __init__(self, storage):
        self.ring = []
        self.aside = []
        self.buffer = bytearray(SLICE_BYTES)
        self._storage = storage
        self._first = {}

    def look(self):
        """See what is there. A file without content is one whose writing was cut off: it is removed."""
        self.ring = []
        self.aside = []
        self._first = {}
        for name, size in self._storage.names(FOLDER):
            number, kind = name[:_NUMBER_DIGITS], name[_NUMBER_DIGITS:]
            if kind not in (_RING, _ASIDE) or not number.isdigit():
                continue
            if size == 0:
                self._storage.remove(FOLDER + "/" + name)
                continue
            (self.ring if kind == _RING else self.aside).append(int(number))
        self.ring.sort()
        self.aside.sort()

    def numbers(self):
        """Every file's number, ascending."""
        return sorted(self.ring + self.aside)

    def new_number(self):
        """A number above every other."""
        return max(self.ring[-1:] + self.aside[-1:] + [0]) + 1

    def path(self, number):
        """Where the file of that number is."""
        return "%s/%08d%s" % (FOLDER, number, _ASIDE if number in self.aside else _RING)

    def read(self, number, at, view):
        """Read into `view` from place `at` on; how many bytes there were."""
        return self._storage.read_into(self.path(number), at, view)

    def header(self, number):
        """The segment's header as `records.unpack_header` gives it; None when it is no good one of that number."""
        view = memoryview(self.buffer)[: records.HEADER_BYTES]
        header = records.unpack_header(view[: self.read(number, 0, view)])
        return header if header is not None and header[0] == number else None

    def first(self, number):
        """Sequence number that the file's records begin with; None when nothing in it can be read."""
        if number not in self._first:
            header = self.header(number)
            if header is not None:
                self._first[number] = header[1]
            else:
                scan = Scan(self, number)
                while scan.step() and scan.base is None:
                    pass
                self._first[number] = scan.base
        return self._first[number]

    def put_aside(self, number):
        """Take a damaged segment out of the ring."""
        old = self.path(number)
        self.ring.remove(number)
        self.aside.append(number)
        self.aside.sort()
        self._storage.rename(old, self.path(number))

    def put_tail_aside(self):
        """Keep a damaged tail under a number of its own."""
        number = self.new_number()
        self.aside.append(number)
        self._storage.rename(TAIL, self.path(number))

    def remove(self, number):
        """Remove a file for good."""
        self._storage.remove(self.path(number))
        (self.ring if number in self.ring else self.aside).remove(number)
        self._first.pop(number, None)


class Scan:
    """Reads one file from end to end, a slice with each step, and judges every place where a record should be.

    `take(fields)` is called with each good record. A good record at a place where its sequence number does not belong
    counts as a bad one. `base`: the sequence number of the first place, None while unknown; `places` counts them, `bad`
    those without a good record; `sha256` is that of the whole file once `step` has returned False.
    """

    def __init__(self, shelf, number, take=None):
        self.number = number
        self.header = None
        self.base = None
        self.places = 0
        self.bad = 0
        self.size = 0
        self.sha256 = sha256()
        self._shelf = shelf
        self._take = take

    @property
    def sound(self):
        """A segment in which nothing is wrong."""
        return self.header is not None and self.bad == 0

    @property
    def last(self):
        """The highest sequence number that a record in this file may have had; None when nothing in it can be read."""
        return None if self.base is None else self.base + self.places - 1

    def step(self):
        """Read the next slice; False when there is none."""
        view = memoryview(self._shelf.buffer)
        count = self._shelf.read(self.number, self.size, view)
        view = view[:count]
        self.sha256.update(view)
        at = 0
        if self.size == 0:
            header = records.unpack_header(view)
            if header is not None and header[0] == self.number:
                self.header = header
                self.base = header[1]
                at = records.HEADER_BYTES
        while at < count:
            self._judge(records.unpack(view, at))
            at += records.RECORD_BYTES
        self.size += count
        return count == len(self._shelf.buffer)

    def _judge(self, fields):
        if fields is not None and self.base is None:
            self.base = max(1, fields[records.SEQUENCE] - self.places)
        if fields is None or fields[records.SEQUENCE] != self.base + self.places:
            self.bad += 1
        elif self._take is not None:
            self._take(fields)
        self.places += 1
