"""Reading a manifest one file at a time, from the form in which the PC writes it.

A manifest of 65 files (8.7 KB) parsed whole takes 55 KB at its peak and 27 KB while it is kept, measured on a 64-bit
MicroPython (about half on a board); this way it takes 2 KB for each file, and keeps less than 1 KB.

That form is JSON with one space of indent for each level and its keys sorted. Any other is refused: the PC writes no
other, and what a reader cannot take literally it had better not take at all.
"""

FORMAT = 1
NAME = "manifest.json"
SIGNATURE = "manifest.sig"
MAIN = "main.py"

# What can be wrong with a file.
MISSING = "missing"
EXTRA = "not in the manifest"
SIZE = "wrong size"
ALTERED = "altered"

_LONGEST_LINE = 160
_HEAD = (b"{\n", b' "files": {\n')
_FORMAT = b' "format": %d,\n' % FORMAT
_MAIN = b' "main": {\n'
_END = b"}\n"


class ManifestLines:
    """`file`: the open manifest, at its beginning."""

    def __init__(self, file):
        self._file = file
        self._last = ""
        self._more = True  # another entry of files follows
        for line in _HEAD:
            self._expect(line)

    def next(self):
        """(path, bytes, SHA-256 in hex) of the next file; None after the last. ValueError when it is no manifest.

        Paths are in the folder of the application and ascend; the last one is "/main.py".
        """
        if self._last is None:
            return None
        if self._more:
            return self._entry()
        self._expect(b" },\n")
        known = False
        line = self._line()
        while line != _MAIN:
            self._check_member(line)
            known = known or line == _FORMAT
            line = self._line()
        if not known:
            raise ValueError("manifest of another format")
        digest, size = self._body(b"  ")
        self._expect(b" },\n")
        line = self._line()
        while line != _END:
            self._check_member(line)
            line = self._line()
        if self._file.read(1):
            raise ValueError("more after the end of the manifest")
        self._last = None
        return "/" + MAIN, size, digest

    def _entry(self):
        line = self._line()
        if not (line.startswith(b'  "') and line.endswith(b'": {\n')):
            raise ValueError("manifest: no path")
        path = line[3:-5].decode()
        if path <= self._last:
            raise ValueError("manifest: not in order")
        self._last = path
        digest, size = self._body(b"   ")
        self._more = self._line_of(b"  },\n", b"  }\n")
        return path, size, digest

    def _body(self, indent):
        """(SHA-256, bytes) inside the braces of one file."""
        line = self._line()
        head = indent + b'"sha256": "'
        if not (line.startswith(head) and line.endswith(b'",\n') and len(line) == len(head) + 67):
            raise ValueError("manifest: no SHA-256")
        digest = line[len(head) : -3].decode()
        line = self._line()
        head = indent + b'"size": '
        if not (line.startswith(head) and line[len(head) : -1].isdigit()):
            raise ValueError("manifest: no size")
        return digest, int(line[len(head) : -1])

    def _line_of(self, more, last):
        """True for the one line, False for the other."""
        line = self._line()
        if line not in (more, last):
            raise ValueError("manifest: not as written")
        return line == more

    def _check_member(self, line):
        """A number or a text beside `files` and `main`."""
        if not line.startswith(b' "') or line.endswith(b"{\n"):
            raise ValueError("manifest: not as written")

    def _expect(self, wanted):
        if self._line() != wanted:
            raise ValueError("manifest: not as written")

    def _line(self):
        line = self._file.readline(_LONGEST_LINE)
        if not line.endswith(b"\n"):
            raise ValueError("manifest is cut off or has a line that is too long")
        return line
