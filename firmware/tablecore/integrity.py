"""Whether the files of this board are exactly those of its manifest: looked at after each start, a slice at a time.

Every file in the folder of the application and /main.py is hashed; none may be missing, altered or besides, and nothing
else may lie on the volume but /current and /data. The caller accepts no ENTRY before the end.

What an update leaves behind that was cut off (folders of other versions, a file that was to be renamed) is never on the
import path and does not hold up the table. It is removed when the running version has proved to be whole and the table
is idle; where that is not possible it counts as a file besides.
"""

from tablecore.hashing import FileHash
from tablecore.manifestlines import ALTERED, EXTRA, MAIN, MISSING, NAME, SIGNATURE, SIZE, ManifestLines
from tablecore.protocol import BAD, CHECKING, GOOD, ProtocolError

DAMAGED = "damaged"
UNREADABLE = "cannot be read"
_OWN = (NAME, SIGNATURE)
_UNFINISHED = "current.new"
_VERSION = "app-"
_ENTRIES = 8  # of a folder, looked at in one step


class Integrity:
    """`state`, and when it is BAD the `path` of the first file that is wrong and the `reason`.

    `storage` opens, lists and removes files. `folder` is that of the application, for example "/app-1". `buffer` is for
    reading. `note(text)` journals what was removed; `locked()` True: nothing may be removed. `untidy`: GOOD, but there
    is something left to remove, by `tidy`.
    """

    def __init__(self, storage, folder, buffer, note, locked):
        self.state = CHECKING
        self.path = None
        self.reason = None
        self._storage = storage
        self._folder = folder
        self._buffer = buffer
        self._note = note
        self._locked = locked
        self.untidy = False
        self._leftovers = []
        self._work = self._look()
        self.handlers = {"integrity": self._told}

    def step(self):
        """Do one slice of the work: a few ms. Only while CHECKING."""
        try:
            next(self._work)
        except StopIteration:
            if self.state == CHECKING:
                self.state = GOOD
                self._work = self._remove_leftovers()
                self.untidy = bool(self._leftovers)

    def tidy(self):
        """Remove one file or so. Only while `untidy`."""
        try:
            next(self._work)
        except StopIteration:
            self.untidy = False

    def _told(self, fields):
        return {"integrity": self.state, "path": self.path, "reason": self.reason}

    def _fail(self, path, reason):
        self.state = BAD
        self.path = "".join([character if " " < character <= "~" else "?" for character in path[:64]])
        self.reason = reason

    def _look(self):
        for part in (self._compare, self._root):
            yield from part()
            if self.state == BAD:
                return

    def _compare(self):
        """Hash what the manifest lists, then count what is there: equal numbers mean that nothing else is."""
        try:
            file = self._storage.open_file(self._folder + "/" + NAME)
        except OSError:
            self._fail(self._folder + "/" + NAME, MISSING)
            return
        try:
            yield from self._compare_listed(ManifestLines(file))
        except (OSError, ValueError):
            self._fail(self._folder + "/" + NAME, DAMAGED)
        finally:
            file.close()

    def _compare_listed(self, lines):
        listed = 0
        entry = lines.next()
        while entry is not None:
            path, size, digest = entry
            if path[0] != "/":
                listed += 1
                path = self._folder + "/" + path
            yield from self._hash(path, size, digest)
            if self.state == BAD:
                return
            entry = lines.next()
        found = 0
        for path in self._files(self._folder):
            if path is None:
                yield
            elif path[len(self._folder) + 1 :] not in _OWN:
                found += 1
        if found != listed:
            yield from self._name_extra()

    def _hash(self, path, size, digest):
        try:
            work = FileHash("", self._storage.open_file(path), self._buffer)
        except OSError:
            self._fail(path, MISSING)
            return
        found = None
        try:
            while found is None:
                found = work.step()
                yield
        except ProtocolError:
            self._fail(path, UNREADABLE)
            return
        if found["size"] != size:
            self._fail(path, SIZE)
        elif found["sha256"] != digest:
            self._fail(path, ALTERED)

    def _name_extra(self):
        """Find a file that the manifest does not list, by looking for each."""
        for path in self._files(self._folder):
            if path is None:
                yield
                continue
            name = path[len(self._folder) + 1 :]
            if name not in _OWN and not self._is_listed(name):
                self._fail(path, EXTRA)
                return
            yield

    def _is_listed(self, name):
        file = self._storage.open_file(self._folder + "/" + NAME)
        try:
            lines = ManifestLines(file)
            entry = lines.next()
            while entry is not None and entry[0] != name:
                entry = lines.next()
            return entry is not None
        finally:
            file.close()

    def _files(self, folder):
        """The path of every file below a folder, and None now and then, for a pause."""
        inner = []
        count = 0
        for name, size in self._storage.entries(folder):
            path = folder + "/" + name
            if size is None:
                inner.append(path)
            else:
                yield path
            count += 1
            if count % _ENTRIES == 0:
                yield None
        for path in inner:
            yield from self._files(path)

    def _root(self):
        """What else lies on the volume."""
        for name, size in self._storage.names("/"):
            path = "/" + name
            if size is None and (name == "data" or path == self._folder):
                continue
            if size is not None and name in (MAIN, "current"):
                continue
            leftover = name == _UNFINISHED if size is not None else name.startswith(_VERSION)
            if not leftover or self._locked():
                self._fail(path, EXTRA)
                return
            self._leftovers.append((name, size))
        yield

    def _remove_leftovers(self):
        for name, size in self._leftovers:
            try:
                yield from self._remove("/" + name, size)
            except OSError:
                self._fail("/" + name, EXTRA)
                return
            self._note("-" + name.partition(".")[0])

    def _remove(self, path, size):
        if size is not None:
            self._storage.remove(path)
            return
        for name, inner_size in self._storage.names(path):
            yield from self._remove(path + "/" + name, inner_size)
            yield
        self._storage.remove_folder(path)
