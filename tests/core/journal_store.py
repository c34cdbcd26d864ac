"""A volume in memory that behaves as littlefs does: a file's new content is there in one step, or not at all.

Each change is an operation; `cut_at` lets the power fail at that one, before it (`after` False) or right after it.
`full` and `broken` make every write, or everything, fail.
"""


class PowerCut(Exception):
    """The power has failed in the middle of something."""


class Store:
    def __init__(self, files=None):
        self.files = files if files is not None else {}
        self.operations = 0
        self.cut_at = None
        self.after = False
        self.full = False
        self.broken = False
        self.bytes_read = 0

    def _change(self, path, content, old=None):
        if self.full or self.broken:
            raise OSError(28 if self.full else 5)
        number = self.operations
        self.operations += 1
        cut = self.cut_at is not None and number == self.cut_at
        if cut and not self.after:
            raise PowerCut
        if content is None:
            del self.files[path]
        else:
            self.files[path] = bytes(content)
        if old is not None:
            del self.files[old]
        if cut:
            raise PowerCut

    def make_folder(self, path):
        if self.broken:
            raise OSError(5)

    def names(self, folder):
        if self.broken:
            raise OSError(5)
        head = folder + "/"
        return [(path[len(head) :], len(self.files[path])) for path in self.files if path.startswith(head)]

    def read(self, path, limit=1024):
        if self.broken or path not in self.files:
            return None
        return self.files[path][: limit + 1]

    def read_into(self, path, at, view):
        if self.broken:
            raise OSError(5)
        piece = self.files.get(path, b"")[at : at + len(view)]
        view[: len(piece)] = piece
        self.bytes_read += len(piece)
        return len(piece)

    def write(self, path, data):
        if path not in self.files:
            self._change(path, b"")  # the name is there before the content is
        self._change(path, data)

    def append(self, path, data):
        self._change(path, self.files.get(path, b"") + bytes(data))

    def replace(self, path, data):
        self.write(path + ".new", data)
        self.rename(path + ".new", path)

    def rename(self, path, new_path):
        self._change(new_path, self.files[path], path)

    def remove(self, path):
        self._change(path, None)


class Watch:
    """A daytime that a test sets."""

    def __init__(self):
        self.uptime = 0
        self.source = 0
        self.now = 0

    def time(self):
        return self.now
