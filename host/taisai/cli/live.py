"""`taisai simulate` in the terminal: the keyboard is the entry terminal; the layout and the digits are drawn.

The board's time follows the clock on the wall, so that holds, blinking and time-outs feel as they do at the table.
"""

from rich.console import Group
from rich.text import Text

from taisai.boards.table import Table
from taisai.cli.cloth import draw
from taisai.cli.digits import draw_digits
from taisai.cli.live_screen import Screen
from taisai.sim.board import VirtualBoard
from taisai.sim.contacts import ENTRY

# Time between two pictures, in seconds.
FRAME_S = 0.04

SHORT_MS, HOLD_MS = 80, 1600
BETWEEN_KEYS_US = 60_000

_KEYS = {"1": "1", "2": "2", "3": "3", "4": "4", "5": "5", "6": "6", "\r": ENTRY, "\n": ENTRY}
# Shift and a key holds it, where the keyboard has these signs above the digits; h and the key does so everywhere.
_HOLD_KEYS = {"!": "1", "@": "2", "#": "3", "$": "4", "%": "5", "^": "6", "E": ENTRY}

HELP = "1-6, Enter: keys  h and a key: hold  s key-switch  p power  r reset  q quit"


class Panel:
    """What the person's hands do to one virtual board, and what the eyes see of it."""

    def __init__(self, table: Table, board: VirtualBoard):
        self.table = table
        self.board = board
        self.powered = True
        self._hold_next = False
        self._free_us = 0

    def type(self, characters: str) -> bool:
        """Act on what was typed; False when the person wants to leave."""
        for character in characters:
            if character == "q":
                return False
            if character == "h":
                self._hold_next = True
                continue
            self._act(character)
            self._hold_next = False
        return True

    def _act(self, character: str) -> None:
        bench = self.board.bench
        if character in _KEYS:
            self._press(_KEYS[character], HOLD_MS if self._hold_next else SHORT_MS)
        elif character in _HOLD_KEYS:
            self._press(_HOLD_KEYS[character], HOLD_MS)
        elif character == "s":
            bench.switch.turn(not bench.switch.on)
        elif character == "r" and self.powered:
            self.board.hard_reset()
        elif character == "p":
            self.powered = not self.powered
            (self.board.power_on if self.powered else self.board.power_off)()

    def _press(self, key: str, down_ms: int) -> None:
        """One finger: what was typed faster than keys can be pressed is pressed one after the other."""
        start_us = max(self.board.bench.now_us, self._free_us)
        self._free_us = self.board.bench.keys.press(key, down_ms, at_us=start_us) + BETWEEN_KEYS_US

    def seen(self) -> tuple:
        """All that the picture depends on."""
        return self.board.bench.observe(), self.powered, self.board.bench.switch.on, self._hold_next

    def picture(self) -> Group:
        """Everything that a person at the table sees, and the keys."""
        seen, *_ = self.seen()
        digits = Text("\n".join(draw_digits(seen.display, seen.points)), style="bold red")
        state = Text("   ".join(self._states(seen.tone_hz)))
        cloth = draw(self.table.layout.zone_ids, seen.lit, seen.partial)
        return Group(digits, state, Text(), cloth, Text(HELP, style="dim"))

    def _states(self, tone_hz: int) -> list[str]:
        states = [
            f"power {'on' if self.powered else 'off'}",
            f"key-switch {'on' if self.board.bench.switch.on else 'off'}",
            f"beeper {f'{tone_hz} Hz' if tone_hz else 'silent'}",
        ]
        return states + ["hold which key?"] * self._hold_next


def run(table: Table) -> None:
    """Simulate until the person leaves. TaisaiError without a terminal to draw on and type into."""
    screen = Screen()
    with VirtualBoard(table) as board:
        board.power_on()
        panel = Panel(table, board)
        with screen:
            shown = None
            while panel.type(screen.keyboard.read()):
                board.run_real(FRAME_S, wake=(screen.keyboard.fileno(),))
                if screen.obey():
                    shown = None
                seen = (panel.seen(), screen.size)
                if seen != shown:
                    shown = seen
                    screen.show(f"{table.id}: {table.title}", panel.picture())
