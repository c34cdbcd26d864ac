"""The three-digit window of rule 3.3(a): it shows the last three numbered buttons pressed."""

from tablecore import records


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

    def take(self, throw):
        """Be full with the dice of a throw index, in the order in which they were keyed. False: it is no throw."""
        if throw >= records.SYMBOL_A:
            return False
        for die in records.dice(throw):
            self.push(die)
        return True

    def dice(self):
        """The three digits as numbers, in the order of keying. Only for a full window (count 3)."""
        return tuple([char - 48 for char in self.chars])

    def index(self):
        """The throw index of a full window."""
        chars = self.chars
        return records.throw_index(chars[0] - 48, chars[1] - 48, chars[2] - 48)

    def same_dice(self, other):
        """Both windows have the same digits, in whatever order."""
        return sorted(self.chars) == sorted(other.chars)

    def text(self):
        """The digits keyed so far, without blanks."""
        return self.chars.decode().strip()
