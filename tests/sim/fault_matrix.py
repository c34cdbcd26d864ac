"""The matrix fault x controller x state: what the electronics find, when, under which code; what only a person sees.

What is expected follows from the table of the design alone: the chain's compare finds a broken chain within a second,
and the place while it runs; a current sense finds a stuck output at once, a dark lamp and a missing supply at the
result that lights them; only a TM1637 tells that there is no display. Everything else is for a person to see, and no
code may say anything else. Imports nothing of the firmware.
"""

import json
import struct
from binascii import crc32
from dataclasses import dataclass
from hashlib import sha256

import rule_evaluator

from taisai.boards.table import Table
from taisai.build.application import application_files
from taisai.sim.bench import FLASH_BLOCKS
from taisai.sim.board import VirtualBoard
from taisai.sim.flash import BLOCK_BYTES

STATES = ("idle", "lit", "test", "power-up")
START_MS = 1300
FOUND_MS = 1000  # a chain fault
AT_ONCE_MS = 2500  # a stuck output, an absent display
AT_RESULT_MS = 800  # from ENTRY on
STUCK_MS = 10_500

NOTHING = "not found"


@dataclass(frozen=True)
class Cell:
    """One place of the matrix. `word`: a fault word of the simulator."""

    state: str
    word: str


def words(table: Table) -> list[str]:
    """Every fault word of the simulator that this table has a part for."""
    found = []
    for zone, outputs in table.harness.items():
        for lamp in range(1, len(outputs) + 1):
            found += [f"{kind}:{zone}:{lamp}" for kind in ("open", "short", "on", "off")]
    found += [f"stuck:{bit}:{level}" for bit in range(8 * table.registers) for level in (0, 1)]
    found += [f"cut:{register}:{level}" for register in range(table.registers + 1) for level in (0, 1, "noise")]
    found += [f"key:{key}" for key in "123456E"] + ["supply", "display"]
    if table.controller.sense is not None:
        found += ["sense:0"]
    return found


def expected(table: Table, cell: Cell) -> tuple[set[str], set[str]]:
    """Codes of which exactly one is told before a result (empty: none), and after one that lights the zone."""
    kind, *parts = cell.word.split(":")
    sensed = table.controller.sense is not None
    if kind in ("cut", "stuck"):
        if cell.state == "power-up":
            codes = {"E21"}  # the place cannot be known
        elif kind == "cut":
            # Noise may repeat the byte that is looked for, and then the place seems one register nearer.
            place = int(parts[0])
            codes = {f"C{place:02}"} | ({f"C{place - 1:02}"} if parts[1] == "noise" and place else set())
        else:
            # A stage that is stuck at what the last byte of its register has anyway shows in the next one: the text of
            # the code says "register N or just after it".
            place = int(parts[0]) // 8 + 1
            codes = {f"C{place:02}", f"C{place - 1:02}"}
        return codes, codes
    if kind == "key":
        codes = {"E47" if parts[0] == "E" else f"E4{parts[0]}"}
        return codes, codes
    if kind == "display":
        codes = {"E81"} if table.controller.display.driver == "tm1637" else set()
        return codes, codes
    if not sensed:
        return set(), set()
    if kind == "on":
        return {"H00"}, {"H00"}
    codes = {"E22"} if kind in ("supply", "sense") else {"L00"}
    # A test throw blinks, and is judged each time that it lights; a result that is lit is not judged again.
    return (codes if cell.state == "test" else set()), codes


class Bed:
    """Boards of one table, each started from the same flash, so that one cell leaves nothing behind for the next."""

    def __init__(self, table: Table):
        self.table = table
        self._asked = 0
        files = application_files(table)
        if table.controller.sense is not None:
            files["/data/lamps.cal"] = _calibration(table, files["/app-1/table.bin"][44:76])
        with VirtualBoard(table, seed=4, files=files) as board:
            board.power_on()
            board.run_ms(START_MS)
            board.power_off()
            self._image = board.bench.flash.read(0, FLASH_BLOCKS[table.controller.mcu] * BLOCK_BYTES)

    def play(self, cell: Cell) -> tuple[set[str], set[str], bool]:
        """Codes told before and after a result that lights the zone in question, and whether a person sees it there."""
        board = VirtualBoard(self.table, seed=7, files={})
        board.bench.flash.load_image(self._image)
        with board:
            return self._play(board, cell)

    def _play(self, board: VirtualBoard, cell: Cell) -> tuple[set[str], set[str], bool]:
        faults = board.bench.faults
        throw = self._throw(cell.word)
        if cell.state == "power-up":
            faults.apply(cell.word)
        board.power_on()
        board.run_ms(START_MS)
        if cell.state == "lit":
            self._key(board, *throw, "E")
        elif cell.state == "test":
            board.bench.switch.turn(True)
            board.run_ms(100)
            board.bench.keys.press("E", 1600)
            board.run_ms(1800)
            self._key(board, *throw, "E")
        board.run_ms(AT_RESULT_MS)
        if cell.state != "power-up":
            assert self._codes(board) == set(), f"{cell}: a fault before there was one"
            faults.apply(cell.word)
        board.run_ms(STUCK_MS if cell.word.startswith("key") else self._wait_ms(cell.word))
        before = self._codes(board)
        if before:
            return before, before, True
        if cell.state == "lit":
            board.bench.keys.press("E", 1600)
            board.run_ms(1800)
        if cell.state != "test":
            self._key(board, *throw, "E")
            board.run_ms(AT_RESULT_MS)
        return before, self._codes(board), self._visible(board, throw, cell.state)

    def _wait_ms(self, word: str) -> int:
        return FOUND_MS if word.startswith(("cut", "stuck")) else AT_ONCE_MS

    def _throw(self, word: str) -> str:
        """A throw that lights the zone of the word, else any."""
        parts = word.split(":")
        zone = parts[1] if parts[0] in ("open", "short", "on", "off") else "small"
        for dice in ((1, 3, 6), *((a, b, c) for a in range(1, 7) for b in range(1, 7) for c in range(1, 7))):
            if zone in rule_evaluator.winners(self.table.layout.id, dice):
                return "".join(map(str, dice))
        raise AssertionError(f"no throw lights {zone}")

    def _visible(self, board: VirtualBoard, throw: str, state: str) -> bool:
        """Something is other than a person expects: areas, digits, or sound."""
        wanted = set(rule_evaluator.winners(self.table.layout.id, tuple(map(int, throw))))
        seen = []
        for _ in range(12):  # a test throw blinks
            shown = board.bench.observe()
            seen.append((set(shown.lit), set(shown.partial), shown.display))
            board.run_ms(100)
        good = {frozenset(wanted)} | ({frozenset()} if state == "test" else set())
        blank = all(text.strip() == "" for _, _, text in seen)
        return blank or any(partial or frozenset(lit) not in good for lit, partial, _ in seen) or not any(
            lit for lit, _, _ in seen
        )

    def _key(self, board: VirtualBoard, *names: str) -> None:
        for name in names:
            board.bench.keys.press(name, 60)
            board.run_ms(200)

    def _codes(self, board: VirtualBoard) -> set[str]:
        """What the link tells."""
        self._asked += 1
        head = f"{self._asked} state {{}}".encode()
        board.serial.read(0)
        board.serial.write(head + b" *%08x\n" % crc32(head))
        line = b""
        for _ in range(50):
            board.run_ms(10)
            line += board.serial.read(0)
            if line.endswith(b"\n"):
                return set(json.loads(line.split(b" ", 2)[2].rpartition(b" *")[0])["faults"])
        raise AssertionError(f"no answer: {line!r}")


def _calibration(table: Table, digest: bytes) -> bytes:
    """The file of a table whose lamps take exactly what is declared, as firmware/tablecore/calibration.py has it."""
    one = table.lamps.milliamp / (3.3 * table.controller.sense.milliamp_per_volt) * 65535
    counts = [round(one * len(table.harness[zone])) for zone in table.layout.zone_ids]
    body = struct.pack(f"<4sBBH32s{len(counts)}H", b"TSLC", 1, 0, len(counts), digest, *counts)
    return body + sha256(body).digest()


def judge(table: Table, cell: Cell, found: tuple[set[str], set[str], bool]) -> str | None:
    """What is wrong with what was found; None when it is as expected."""
    before, after, visible = found
    first, then = expected(table, cell)
    for told, codes, when in ((before, first, "before a result"), (after, then, "after a result")):
        if (len(told) != 1 or not told <= codes) if codes else told:
            return f"{table.id}, {cell.state}, {cell.word}: {sorted(told) or NOTHING} {when}, not {sorted(codes)}"
    # A dark output that is stuck on shows while nothing else does; in its own result it does not.
    if not then and not visible and not cell.word.startswith(("on:", "display")):
        return f"{table.id}, {cell.state}, {cell.word}: nobody and nothing finds it"
    return None


def summary(results: dict[Cell, tuple[set[str], set[str], bool]]) -> list[str]:
    """The matrix as lines of text: a row for each kind of fault, a column for each state."""
    kinds = list(dict.fromkeys(cell.word.split(":")[0] for cell in results))
    lines = ["".join(text.ljust(26) for text in ("fault", *STATES))]
    for kind in kinds:
        row = [kind]
        for state in STATES:
            found = [each for cell, each in results.items() if (cell.word.split(":")[0], cell.state) == (kind, state)]
            row.append(_cell_text(found))
        lines.append("".join(text.ljust(26) for text in row).rstrip())
    return lines


def _cell_text(found: list[tuple[set[str], set[str], bool]]) -> str:
    texts = set()
    for before, after, _ in found:
        codes = {f"{code[:-1]}n" if code[:2] == "E4" else "Cnn" if code[0] == "C" else code for code in before or after}
        when = "at once" if before else "at a result"
        texts.add(f"{'/'.join(sorted(codes))} {when}" if codes else "a person")
    return f"{len(found)}: {', '.join(sorted(texts))}" if found else "-"
