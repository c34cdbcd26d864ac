"""What becomes of faults when a table starts, and at a re-test. Loaded for these moments and dropped after them."""

from tablecore import faults as table
from tablecore import records

# A re-test says that somebody has seen them.
_WHEEL = "E9"  # its sensors show what they do only when it turns
_SEEN = (table.JOURNAL_DAMAGED, table.WATCHDOG, table.MEMORY_LOW)


def inherit(faults, latched):
    """Take over what was never cleared before the start: code to whether it was accepted. A code that no row has is of
    another version, and is left out.
    """
    for code in latched:
        try:
            faults.add(code)
        except KeyError:
            continue
        faults.inherited.append(code)
        if latched[code]:
            faults.accepted.append(code)
    faults.judge()


def start(game, chain_good):
    """The self-tests of the start are over: clear what they have not found again, as far as a start may."""
    faults = game.faults
    for code in list(faults.inherited):
        if table.of_row(code, table.CLEARS) in "sb" and (chain_good or not table.is_chain(code)):
            game.clear(code)
    if faults.inherited:
        game.alarm()


def retest(game, chain_good, stuck, door_open, display_there, sense):
    """Clear the faults whose cause is gone; those of lamps are left to a sweep where there is a `sense`. `stuck`: bit n
    for key n + 1.
    """
    faults = game.faults
    if table.JOURNAL_FAILED in faults.codes:
        _write_again(game)
    for code in list(faults.codes):
        key = table.stuck_key(code)
        if key:
            gone = not stuck >> key - 1 & 1
        elif table.is_chain(code):
            gone = chain_good
        elif code == table.HOUSING_OPENED:
            gone = not door_open
        elif code == table.DISPLAY_ABSENT:
            gone = display_there
        else:
            gone = code in _SEEN or code[:2] == _WHEEL or table.is_lamp(code) and not sense
        if gone:
            game.clear(code)


def _write_again(game):
    """If the journal can be written again, record the faults that were raised meanwhile."""
    faults = game.faults
    faults.remove(table.JOURNAL_FAILED)
    game.record(records.CLEAR, detail=table.JOURNAL_FAILED.encode())
    for code in list(faults.codes):
        game.latch(code)
