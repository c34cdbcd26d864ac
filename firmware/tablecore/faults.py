"""The one table of faults: which codes there are, whether one blocks the next game, and whether it may be accepted.

A code has three characters, so that the display shows it whole. A row with a range of codes stands for one fault with
a number: C07 = register 7. The rows are in order of severity; the first active one is shown first. Rules 7.3 and 7.4:
a blocking fault leaves the settlement in progress alone and refuses the next entry. What the codes mean, and what is to
be done, is in faulttexts.py, which the board need not know.
"""

from tablecore import chain

_BLOCKS, _ACCEPTABLE = 2, 3

# First code, last code, blocks, may be accepted.
ROWS = (
    ("E11", "E11", True, False),
    ("E12", "E12", True, False),
    ("E13", "E13", True, False),
    ("E14", "E14", True, False),
    ("E21", "E21", True, False),
    ("E31", "E31", True, False),
    ("C00", "C00", True, False),
    ("C01", "C64", True, False),
    ("E41", "E47", True, False),
    ("E61", "E61", True, False),
    ("E51", "E51", False, False),
    ("E52", "E52", False, False),
    ("E53", "E53", False, False),
)

TABLE_MISSING = "E11"
TABLE_DAMAGED = "E12"
HARDWARE_DAMAGED = "E13"
FILES_DIFFER = "E14"
HOUSING_OPENED = "E61"
JOURNAL_FAILED = "E31"
SETTINGS_DAMAGED = "E51"
IDENTITY_DAMAGED = "E52"
KEY_DAMAGED = "E53"


def chain_code(detail):
    """Fault code for a mismatch detail of chain.py."""
    if detail == chain.UNKNOWN:
        return "E21"
    return "C%02d" % (0 if detail == chain.INPUT else detail)


def stuck_code(key):
    """Fault code for a stuck key, 1 to 7."""
    return "E4%d" % key


def is_chain(code):
    return code == "E21" or code[0] == "C"


def chain_broken(codes):
    """One of the codes says that the lamp chain passes no data."""
    return any([is_chain(code) for code in codes])


def stuck_key(code):
    """The key number of a stuck-key code, 0 for any other code."""
    return int(code[2]) if code[:2] == "E4" else 0


def severity(code):
    """Place of the code's row in the table, 0 = most severe. KeyError for a code that no row has."""
    for place, row in enumerate(ROWS):
        if row[0] <= code <= row[1]:
            return place
    raise KeyError(code)


class Faults:
    """The active faults, most severe first."""

    def __init__(self):
        self.codes = []
        self.accepted = []  # active ones with which the supervisor goes on (rule 7.4)
        self.blocking = False  # one of them refuses the next entry
        self.changed = False  # for whoever shows them; reset by it

    def add(self, code):
        """Raise a fault; False when it was active already."""
        if code in self.codes:
            return False
        self.codes.append(code)
        self.codes.sort(key=lambda each: (severity(each), each))
        self._judge()
        return True

    def remove(self, code):
        """Clear a fault, if it is active."""
        if code in self.codes:
            self.codes.remove(code)
            if code in self.accepted:
                self.accepted.remove(code)
            self._judge()

    def acceptable(self):
        """Something blocks, and all of it may be accepted."""
        codes = self.blocking_codes()
        return bool(codes) and all([ROWS[severity(code)][_ACCEPTABLE] for code in codes])

    def accept(self):
        """Go on with what blocks; returns those codes. Only when they are `acceptable`."""
        codes = self.blocking_codes()
        self.accepted.extend(codes)
        self._judge()
        return codes

    def blocks(self, code):
        """This active fault is among those that refuse the next entry."""
        return code in self.blocking_codes()

    def blocking_codes(self):
        """Those that refuse the next entry: the display shows them."""
        return [code for code in self.codes if ROWS[severity(code)][_BLOCKS] and code not in self.accepted]

    def _judge(self):
        self.blocking = bool(self.blocking_codes())
        self.changed = True
