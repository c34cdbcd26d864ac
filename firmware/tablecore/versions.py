"""What runs here, in pages of three characters: version of the firmware, layout, digest of the lamp table."""

from tablecore.view import View

PAGE_MS = 1500
_DIGEST_DIGITS = 6


def _pages(version, layout, digest):
    """[(three characters, points)] for "0.1.0", the layout's id and the first digits of the table's digest (bytes).

    `layout` and `digest` are empty where there is no table.
    """
    found = []
    for text in (version, layout, "".join(["%02x" % byte for byte in digest[: _DIGEST_DIGITS // 2]])):
        chars = []
        for code in text.encode():
            if code == 46 and chars and not chars[-1] & 0x80:
                chars[-1] |= 0x80  # a dot is the point of the digit before it
            else:
                chars.append(code)
        while chars:
            page, chars = (chars + [32, 32])[:3], chars[3:]
            points = sum([1 << place for place, code in enumerate(page) if code & 0x80])
            found.append((bytes([code & 0x7F for code in page]), points))
    return found


class Versions(View):
    """Shows each page once and ends by itself."""

    def __init__(self, version, layout, digest):
        super().__init__()
        self._pages = _pages(version, layout, digest)
        self._place = 0
        self._ms = 0
        self._show()

    def step(self, elapsed):
        self._ms += elapsed
        if self._ms >= PAGE_MS:
            self._ms -= PAGE_MS
            self._place += 1
            self._show()

    def _show(self):
        if self._place == len(self._pages):
            self.over = True
        else:
            self.chars, self.points = self._pages[self._place]
