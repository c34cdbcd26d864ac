"""What the fault codes mean, what is seen, and what is to be done: the words to the table of faults.py.

This file is not deployed: a board knows codes, and people and the PC have the words.
"""

from tablecore import faults

_DARK = "Code on the display, long tone, layout dark, ENTRY refused."
_LINK = "Long tone when it is found; the table can be used. Told on the link."
_LINE = "Long tone. Lit: lamps stay, points blink. Dark: code on the display. ENTRY refused."

# First code of a row of faults.ROWS: name, what is seen, remedy. {} is the number in a code.
TEXTS = {
    "E11": ("table file missing", _DARK, "Flash the table again."),
    "E12": ("table file damaged or of another table", _DARK, "Flash the table again."),
    "E13": ("hardware file missing or damaged", _DARK, "Flash the table again."),
    "E14": (
        "files are not as in the manifest",
        _LINE,
        "The verb integrity on the link names the first one. Flash the table again.",
    ),
    "E21": (
        "lamp chain passes no data, place unknown",
        _LINE,
        "Check lamp supply and chain cable, register by register from the controller; then re-test.",
    ),
    "E31": (
        "journal cannot be written",
        _LINE,
        "Export the journal, then re-test; if it stays, replace the controller.",
    ),
    "C00": (
        "lamp chain: nothing reaches register 1",
        _LINE,
        "Check the cable from the controller to register 1; then re-test.",
    ),
    "C01": (
        "lamp chain: data lost at register {} or just after it",
        _LINE,
        "Check register {}, its supply and the cable behind it; then re-test.",
    ),
    "E41": ("key {} stuck (7 = ENTRY)", _LINE, "Free or replace key {}; then re-test."),
    "E61": ("housing was opened", _LINE, "See who opened it and why; close it; then re-test."),
    "E51": ("settings damaged, those of delivery in force", _LINK, "Set them again: taisai configure import."),
    "E52": ("identity damaged", _LINK, "Write it again: taisai configure import."),
    "E53": (
        "service key damaged, no session can be opened",
        _LINK,
        "Remove it at the table: hold 1 and 6 with the switch on while switching on, for 3 s. Set it again.",
    ),
}


def describe(code):
    """(name, what is seen, remedy) in words, with the code's number filled in. KeyError for a code that no row has."""
    name, seen, remedy = TEXTS[faults.ROWS[faults.severity(code)][0]]
    number = int(code[1:]) if code[0] == "C" else faults.stuck_key(code)
    return name.format(number), seen, remedy.format(number)
