"""The one table of faults: what each code means, what the dealer sees, whether it blocks the next game, and the remedy.

A code has three characters, so that the display shows it whole. A row with a range of codes stands for one fault with
a number: C07 = register 7. The rows are in order of severity; the first active one is shown first. Rules 7.3 and 7.4:
a blocking fault leaves the settlement in progress alone and refuses the next entry.
"""

from tablecore import chain

COLUMNS = ("first code", "last code", "name", "seen", "blocks", "may be accepted", "remedy")

_BLOCKS, _ACCEPTABLE, _REMEDY = 4, 5, 6

_DARK = "Code on the display, long tone, layout dark, ENTRY refused."
_LINK = "Long tone when it is found; the table can be used. Told on the link."
_LINE = "Long tone. Lit: lamps stay, points blink. Dark: code on the display. ENTRY refused."

ROWS = (
    ("E11", "E11", "table file missing", _DARK, True, False, "Flash the table again."),
    ("E12", "E12", "table file damaged or of another table", _DARK, True, False, "Flash the table again."),
    ("E13", "E13", "hardware file missing or damaged", _DARK, True, False, "Flash the table again."),
    ("E14", "E14", "files are not as in the manifest", _LINE, True, False,
     "The verb integrity on the link names the first one. Flash the table again."),
    ("E21", "E21", "lamp chain passes no data, place unknown", _LINE, True, False,
     "Check lamp supply and chain cable, register by register from the controller; then re-test."),
    ("E31", "E31", "journal cannot be written", _LINE, True, False,
     "Export the journal, then re-test; if it stays, replace the controller."),
    ("C00", "C00", "lamp chain: nothing reaches register 1", _LINE, True, False,
     "Check the cable from the controller to register 1; then re-test."),
    ("C01", "C64", "lamp chain: data lost at register {} or just after it", _LINE, True, False,
     "Check register {}, its supply and the cable behind it; then re-test."),
    ("E41", "E47", "key {} stuck (7 = ENTRY)", _LINE, True, False,
     "Free or replace key {}; then re-test."),
    ("E61", "E61", "housing was opened", _LINE, True, False,
     "See who opened it and why; close it; then re-test."),
    ("E51", "E51", "settings damaged, those of delivery in force", _LINK, False, False,
     "Set them again: taisai configure import."),
    ("E52", "E52", "identity damaged", _LINK, False, False, "Write it again: taisai configure import."),
    ("E53", "E53", "service key damaged, no session can be opened", _LINK, False, False,
     "Remove it at the table: hold 1 and 6 with the switch on while switching on, for 3 s. Set it again."),
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


def describe(code):
    """(name, what is seen, remedy) in words, with the code's number filled in."""
    row = ROWS[severity(code)]
    number = int(code[1:]) if code[0] == "C" else stuck_key(code)
    return row[2].format(number), row[3], row[_REMEDY].format(number)


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
