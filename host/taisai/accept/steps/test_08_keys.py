"""Every key, pressed by a person: seen once, by itself, with clean contacts, and shown by the unit.

The contacts are watched where they are read; what the unit made of them is asked as any host may. At a table of Tai-Sai
ENTRY is held while one or two digits are keyed, which clears them: no press here can become a game.
"""

from itertools import pairwise

from taisai.accept import Limit, StepFailed, step
from taisai.accept.operator import ENTRY, Act, Sight

SEEN_S = 20
QUIET_MS = 120
HOLD_MS = 1700
CLEAN_MS = 25  # bounce of 10 ms at most, and two readings
ORDER = ("1", "2", ENTRY, "3", "4", ENTRY, "5", "6", ENTRY)
BITS = {**{str(n): 1 << n - 1 for n in range(1, 7)}, ENTRY: 1 << 6}


@step("keys", attended=True, limits=[Limit("bounce", "ms", upper=CLEAN_MS, marginal=5), Limit("ghosts", "", upper=0)])
def test_keys(unit, operator, measurements):
    with unit.session() as board:
        unit.terminal.trace(board)
        shown, measured = "", set()
        for key in ORDER:
            name = "ENTRY" if key == ENTRY else f"key {key}"
            act = Act(f"Hold {name} for two seconds", (key,), hold_ms=HOLD_MS) if key == ENTRY else Act(
                f"Press {name} once", (key,))  # fmt: skip
            operator.does(act)
            changes = _pressed(unit, operator, BITS[key], name)
            if key not in measured:
                measurements.take("bounce", _bounce(changes, BITS[key]), of=name, part=name)
                measured.add(key)
            shown = unit.terminal.after(shown, key)
            wanted = shown  # the step's own; the unit has to come to the same
            if unit.wait(lambda state, wanted=wanted: state["digits"].strip() == wanted, 1) is None:
                raise StepFailed(name, f"{name}: the unit has {board.state()['digits']!r} where {shown!r} was keyed")
        operator.does(Act("Press keys 1 and 6 at once", ("1", "6"), together=True))
        changes = _pressed(unit, operator, BITS["1"] | BITS["6"], "keys 1 and 6")
        third = {bits & ~(BITS["1"] | BITS["6"]) for _, bits in changes} - {0}
        names = ", ".join(key for key, bit in BITS.items() if any(bits & bit for bits in third))
        measurements.take("ghosts", len(third), part=f"key {names}" if third else "keys")
        operator.done()
        board.fixture("end")
        if board.state()["digits"].strip():
            operator.does(Act("Hold ENTRY for two seconds", (ENTRY,), hold_ms=HOLD_MS))


def _pressed(unit, operator, wanted, name):
    """The changes of the contacts until the wanted ones have closed and all have been open for a while."""
    board, clock = unit.board, unit.bay.now
    changes, seen, end = [], 0, clock() + SEEN_S
    while clock() < end:
        told = unit.terminal.trace(board)
        changes += told["trace"]
        for _, bits in told["trace"]:
            seen |= bits
        if seen & wanted == wanted and changes[-1][1] & 0x7F == 0 and told["now"] - changes[-1][0] >= QUIET_MS:
            break
        board.link.wait(0.05)
    else:
        if not operator.sees(Sight(f"{name} was not seen. Was it pressed?")):
            raise StepFailed(name, f"{name}: not pressed")
        raise StepFailed(name, f"{name}: it was pressed, and not seen within {SEEN_S} s")
    foreign = seen & ~wanted & 0x7F
    if foreign and wanted in BITS.values():
        other = ", ".join(key for key, bit in BITS.items() if foreign & bit)
        raise StepFailed(name, f"{name}: key {other} closes with it")
    return changes


def _bounce(changes, bit):
    """ms for which the contact moved to and fro, at the worse of both ends of the press."""
    moves = [(at, bool(bits & bit)) for at, bits in changes]
    moves = [after for before, after in pairwise([(0, False), *moves]) if before[1] != after[1]]
    runs, run = [], []
    for at, _ in moves:
        if run and at - run[-1] > QUIET_MS // 2:
            runs.append(run)
            run = []
        run.append(at)
    return max(each[-1] - each[0] for each in [*runs, run])
