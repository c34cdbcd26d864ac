"""What the fault codes mean, what is seen, who clears them, what is to be done: the words to the table of faults.py.

This file is not deployed: a board knows codes, and people and the PC have the words.
"""

from collections import namedtuple

from tablecore import faults

_DARK = "Code on the display, long tone, layout dark, ENTRY refused."
_LINK = "Long tone when it is found; the table can be used. Told on the link."
_LINE = "Long tone. Lit: lamps stay, points blink. Dark: code on the display. ENTRY refused."

_WHEEL = "Long tone and the code, once; then all is dark and the game goes on without. No letter is shown."

_START = "A start that finds it mended."
_RETEST = "A re-test that no longer finds it."
_SEEN = "A re-test: somebody has looked at it. What is still wrong is found again with the next spin."
_EITHER = "A start, or a re-test, that no longer finds it."

# {} is the number in a code: a register, a key, an area.
Text = namedtuple("Text", ("name", "seen", "clears", "remedy"))

# First code of a row of faults.ROWS to its words.
TEXTS = {
    "E11": Text("table file missing", _DARK, _START, "Flash the table again."),
    "E12": Text("table file damaged or of another table", _DARK, _START, "Flash the table again."),
    "E13": Text(
        "hardware file missing or damaged",
        "Nothing: no pin is known. Layout and display stay dark, keys do nothing. Told on the link.",
        _START,
        "Flash the table again.",
    ),
    "E14": Text(
        "files are not as in the manifest",
        _LINE,
        "A start after which the files are as they should be.",
        "The verb integrity on the link names the first one. Flash the table again.",
    ),
    "E21": Text(
        "lamp chain passes no data, place unknown",
        _LINE,
        _EITHER,
        "A person finds the place: check lamp supply and chain cable, register by register from the controller; "
        "then re-test.",
    ),
    "C00": Text(
        "lamp chain: nothing reaches register 1",
        _LINE,
        _EITHER,
        "Check the cable from the controller to register 1; then re-test.",
    ),
    "C01": Text(
        "lamp chain: data lost at register {} or just after it",
        _LINE,
        _EITHER,
        "Check register {}, its supply and the cable behind it; then re-test.",
    ),
    "E22": Text(
        "no lamp current: the lamp supply is missing",
        _LINE,
        _RETEST,
        "Check fuse, connector and voltage of the lamp supply; if the lamps do light, the current sense; then re-test.",
    ),
    "E23": Text(
        "current sense implausible: it does not follow the lamps",
        _LINE,
        _RETEST,
        "Check shunt, amplifier and its cable; then re-test.",
    ),
    "L00": Text(
        "lamp current is not that of the areas lit: one of their lamps is dark, which is not known yet",
        _LINE,
        _RETEST,
        "Hold 6 with the switch on: the re-test lights each area alone and names it. A test run does so too.",
    ),
    "L01": Text(
        "area {}: a lamp is dark (open, shorted, or its output never on)",
        _LINE + " Accepted: the code is shown for 1.5 s at every result that lights the area.",
        _RETEST,
        "Replace the lamp, else the register that drives it; then re-test. Until then the supervisor may accept it.",
    ),
    "H00": Text(
        "lamp current while no lamp is asked for: an output is stuck on, which is not known yet",
        _LINE,
        _RETEST,
        "Look which area is lit. Hold 6 with the switch on: the re-test lights each area alone and names it.",
    ),
    "H01": Text(
        "area {}: a lamp is always on (its output is stuck)",
        _LINE + " Accepted: the code is shown for 1.5 s at every result that lights the area.",
        _RETEST,
        "Replace the register that drives it; then re-test. Until then the supervisor may accept it.",
    ),
    "E31": Text(
        "journal cannot be written",
        _LINE,
        _EITHER,
        "Export the journal, then re-test; if it stays, replace the controller.",
    ),
    "E32": Text(
        "storage low: too many damaged journal files are kept aside",
        _LINE,
        "The export, by itself.",
        "Export the journal: taisai journal export. That removes them.",
    ),
    "E41": Text("key {} stuck (7 = ENTRY)", _LINE, _EITHER, "Free or replace key {}; then re-test."),
    "E61": Text("housing was opened", _LINE, _RETEST, "See who opened it and why; close it; then re-test."),
    "E81": Text(
        "display absent (only a TM1637 can tell)",
        "Nothing on the display, long tone. Lit: lamps stay. ENTRY refused. Told on the link.",
        _EITHER,
        "Check the display's plug and supply; then re-test.",
    ),
    "E91": Text(
        "wheel: peg sensor A is dead or stuck",
        _WHEEL,
        _SEEN,
        "Check sensor A, its gap to the pegs and its cable; turn the wheel by hand: A must change at every half peg.",
    ),
    "E92": Text(
        "wheel: peg sensor B is dead or stuck",
        _WHEEL,
        _SEEN,
        "Check sensor B, its gap to the pegs and its cable; turn the wheel by hand: B must change at every half peg.",
    ),
    "E93": Text(
        "wheel: peg sensors A and B are swapped", _WHEEL, _SEEN, "Put the two cables on each other's plugs."
    ),
    "E94": Text(
        "wheel: the index never comes",
        _WHEEL,
        _SEEN,
        "Check the index sensor, its mark on the wheel and its cable.",
    ),
    "E95": Text(
        "wheel: the index is active where it must not be",
        _WHEEL,
        _SEEN,
        "Check the index sensor and its cable; look for a second mark on the wheel.",
    ),
    "E96": Text(
        "wheel: pegs miscounted, the index came at another place than before",
        _WHEEL,
        _SEEN,
        "Look for a bent or missing peg and a loose sensor; keep the sensors' cable away from motors and lamps.",
    ),
    "E97": Text(
        "wheel: this MicroPython cannot count the pegs",
        _WHEEL,
        _START,
        "On an ESP32 flash MicroPython 1.26 or newer, then the table again.",
    ),
    "E33": Text(
        "export due: records that were never exported will be overwritten",
        _LINK,
        "The export, by itself.",
        "Export the journal: taisai journal export.",
    ),
    "E34": Text(
        "journal was damaged; what could not be read is kept aside",
        _LINK,
        "A re-test: somebody has seen it.",
        "Export the journal and verify it; find what cut or disturbed the supply. Again: replace the controller.",
    ),
    "E51": Text(
        "settings damaged, those of delivery in force",
        _LINK,
        "Settings that are set, or a start that finds them mended.",
        "Set them again: taisai configure import.",
    ),
    "E52": Text(
        "identity damaged",
        _LINK,
        "An identity that is set, or a start that finds it mended.",
        "Write it again: taisai configure import.",
    ),
    "E53": Text(
        "service key damaged, no session can be opened",
        _LINK,
        "A key that is removed, or a start that finds it mended.",
        "Remove it at the table: hold 1 and 6 with the switch on while switching on, for 3 s. Set it again.",
    ),
    "E54": Text(
        "lamp calibration damaged, the declared lamp current in force",
        _LINK,
        "A calibration, or a start that finds it mended.",
        "Calibrate again: taisai calibrate.",
    ),
    "E71": Text(
        "restarted by the watchdog",
        _LINK,
        "The next start for another reason, or a re-test.",
        "Note what was done before it. Again: flash the table again, then replace the controller.",
    ),
    "E72": Text(
        "low memory",
        _LINK,
        "A start, or a re-test.",
        "Restart the table between two games, and report the version.",
    ),
}


def describe(code):
    """The code's Text, with its number filled in. KeyError for a code that no row has."""
    at = faults.severity(code) * faults.ROW
    if code[0] == "C":
        number = int(code[1:])
    else:
        number = faults.stuck_key(code) or faults.zone_of(code)
    return Text(*[words.format(number) for words in TEXTS[faults.ROWS[at : at + faults.CODE]]])
