"""The three-digit window of rule 3.3(a): it shows the last three numbered buttons pressed."""


class Window:
    """Digits come in at the right; a fourth pushes the oldest out. `chars` is what the display shows, in ASCII."""

    def __init__(self):
        self.chars = bytearray(b"   ")
        self.count = 0

    def push(self, digit):
        """Take one digit, 1 to 6."""
        chars = self.chars
        chars[0] = chars[1]
        chars[1] = chars[2]
        chars[2] = 48 + digit
        if self.count < 3:
            self.count += 1

    def clear(self):
        chars = self.chars
        chars[0] = chars[1] = chars[2] = 32
        self.count = 0

    def dice(self):
        """The three digits as numbers, in the order of keying. Only for a full window (count 3)."""
        return tuple([char - 48 for char in self.chars])

    def text(self):
        """The digits keyed so far, without blanks."""
        return self.chars.decode().strip()
