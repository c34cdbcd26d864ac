"""The one table of faults: which codes there are, what each stops, whether it may be accepted, and what clears it.

A code has three characters, so that the display shows it whole. A row with a range of codes stands for one fault with
a number: C07 = register 7. Areas count as in the sweep: L07 = area 7, LA6 = area 106, since there is no room for a
third digit. The rows are in order of severity; the first active one is shown first. Rules 7.3 and 7.4: a blocking fault
leaves the settlement in progress alone and refuses the next entry. What the codes mean, and what is to be done, is in
faulttexts.py, which the board need not know.
"""

from tablecore import chain

# First code, last code; X blocks or w warns; o the supervisor may accept it; what clears it besides the verb or the
# deed that mends it: s a start that no longer finds it, b that or a re-test, r a re-test, - nothing. One text, since a
# board keeps that in a fifth of the memory of so many tuples.
ROWS = (
    "E11E11X-s"
    "E12E12X-s"
    "E13E13X-s"
    "E14E14X--"
    "E21E21X-b"
    "C00C00X-b"
    "C01C64X-b"
    "E22E22X-r"
    "E23E23X-r"
    "L00L00X-r"
    "L01LF9Xor"
    "H00H00X-r"
    "H01HF9Xor"
    "E31E31X-b"
    "E32E32X--"
    "E41E47X-b"
    "E61E61X-r"
    "E81E81X-b"
    "E91E91X-r"
    "E92E92X-r"
    "E93E93X-r"
    "E94E94X-r"
    "E95E95X-r"
    "E96E96X-r"
    "E97E97X-s"
    "E33E33w--"
    "E34E34w-r"
    "E51E51w-s"
    "E52E52w-s"
    "E53E53w-s"
    "E54E54w-s"
    "E71E71w-b"
    "E72E72w-b"
)
ROW = 9  # characters of a row
CODE = 3
CLEARS = 8  # its place in a row
_BLOCKS = 6
_ACCEPTABLE = 7

TABLE_MISSING = "E11"
TABLE_DAMAGED = "E12"
HARDWARE_DAMAGED = "E13"
FILES_DIFFER = "E14"
SUPPLY_MISSING = "E22"
SENSE_IMPLAUSIBLE = "E23"
LAMP_DARK = "L00"  # which one is not known yet
LAMP_ON = "H00"  # the same
JOURNAL_FAILED = "E31"
STORAGE_LOW = "E32"
EXPORT_DUE = "E33"
JOURNAL_DAMAGED = "E34"
HOUSING_OPENED = "E61"
DISPLAY_ABSENT = "E81"
SETTINGS_DAMAGED = "E51"
IDENTITY_DAMAGED = "E52"
KEY_DAMAGED = "E53"
CALIBRATION_DAMAGED = "E54"
WATCHDOG = "E71"
MEMORY_LOW = "E72"


def chain_code(detail):
    """Fault code for a mismatch detail of chain.py."""
    if detail == chain.UNKNOWN:
        return "E21"
    return "C%02d" % (0 if detail == chain.INPUT else detail)


def stuck_code(key):
    """Fault code for a stuck key, 1 to 7."""
    return "E4%d" % key


def zone_code(unnamed, zone):
    """Fault code for one zone, 1 to 159, of the kind of LAMP_DARK or LAMP_ON."""
    tens = zone // 10
    return unnamed[0] + chr(tens + (48 if tens < 10 else 55)) + chr(48 + zone % 10)


def zone_of(code):
    """The zone that a code of a lamp names, 0 for any other code."""
    return int(code[1], 16) * 10 + int(code[2]) if code[0] in "LH" else 0


def is_chain(code):
    return code == "E21" or code[0] == "C"


def is_lamp(code):
    """Found by the current of the lamps. What covers the game may go on: it may be what finds the place."""
    return code[0] in "LH" or code[:2] == "E2" and code != "E21"


def chain_broken(codes):
    """One of the codes says that the lamp chain passes no data."""
    return any([is_chain(code) for code in codes])


def stuck_key(code):
    """The key number of a stuck-key code, 0 for any other code."""
    return int(code[2]) if code[:2] == "E4" else 0


def severity(code):
    """Place of the code's row in the table, 0 = most severe. KeyError for a code that no row has."""
    for at in range(0, len(ROWS), ROW):
        if ROWS[at : at + CODE] <= code <= ROWS[at + CODE : at + 2 * CODE]:
            return at // ROW
    raise KeyError(code)


def of_row(code, column):
    """One character of the code's row."""
    return ROWS[severity(code) * ROW + column]


class Faults:
    """The active faults, most severe first."""

    def __init__(self):
        self.codes = []
        self.accepted = []  # active ones with which the supervisor goes on (rule 7.4)
        self.inherited = []  # active ones from before the start, not found again since
        self.blocking = False  # one of them refuses the next entry
        self.changed = False  # for whoever shows them; reset by it

    def add(self, code):
        """Raise a fault; False when it was active already. KeyError for a code that no row has."""
        if code in self.codes:
            if code in self.inherited:
                self.inherited.remove(code)
            return False
        place = severity(code)
        before = [each for each in self.codes if (severity(each), each) < (place, code)]
        self.codes.insert(len(before), code)
        self.judge()
        return True

    def remove(self, code):
        """Clear a fault; False when it was not active."""
        if code not in self.codes:
            return False
        for some in (self.codes, self.accepted, self.inherited):
            if code in some:
                some.remove(code)
        self.judge()
        return True

    def acceptable(self):
        """Something blocks, and all of it may be accepted."""
        codes = self.blocking_codes()
        return bool(codes) and all([of_row(code, _ACCEPTABLE) == "o" for code in codes])

    def accept(self):
        """Go on with what blocks; returns those codes. Only when they are `acceptable`."""
        codes = self.blocking_codes()
        self.accepted.extend(codes)
        self.judge()
        return codes

    def blocks(self, code):
        """This active fault is among those that refuse the next entry."""
        return code in self.blocking_codes()

    def blocking_codes(self):
        """Those that refuse the next entry: the display shows them."""
        return [code for code in self.codes if of_row(code, _BLOCKS) == "X" and code not in self.accepted]

    def judge(self):
        """To be called after a change of the lists."""
        self.blocking = bool(self.blocking_codes())
        self.changed = True
