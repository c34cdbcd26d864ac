"""What the three digits show at each moment: digits, blinking digits, fault codes, what covers the game, and the short
blank of an accepted press.
"""

from tablecore import segments

_MOVE_MS = 80  # the blank that shows an accepted press, even where the digits stay the same
_BLINK_MS = 500  # period of blinking digits and points; they are on for the first half
_CODE_MS = 1500  # each code is shown this long, in turn
_BOOT = b"---"
_TEST = b"tSt"
_ALL = 7  # decimal points


class Panel:
    """Renders into `segments`. Codes are shown while idle with a fault, and for one turn over anything else after a
    refused press.
    """

    def __init__(self):
        self.segments = bytearray(3)
        self._move_ms = 0
        self._phase_ms = 0
        self._code_ms = 0
        self._turn_ms = 0
        self._test_ms = 0
        self._codes = []
        self._turn = self._codes

    def set_codes(self, codes):
        """The fault codes to show, three characters each."""
        self._turn = self._codes = [code.encode() for code in codes]
        self._turn_ms = min(self._turn_ms, _CODE_MS * len(codes))
        self._code_ms = 0

    def move(self):
        """An accepted press: blank for a moment, and start blinking with the digits on."""
        self._move_ms = _MOVE_MS
        self._phase_ms = 0
        self._test_ms = 0

    def show_codes(self, accepted=()):
        """Show every code once over whatever is shown: those that block, else the accepted ones."""
        self._turn = self._codes or [code.encode() for code in accepted]
        self._code_ms = 0
        self._turn_ms = _CODE_MS * len(self._turn)

    def show_test(self):
        """Show for a while, or until the next accepted press, that the opening test is due."""
        self._test_ms = _CODE_MS

    def step(self, elapsed):
        """Let `elapsed` ms pass."""
        self._move_ms = max(self._move_ms - elapsed, 0)
        self._turn_ms = max(self._turn_ms - elapsed, 0)
        self._test_ms = max(self._test_ms - elapsed, 0)
        self._phase_ms = (self._phase_ms + elapsed) % _BLINK_MS
        if self._codes:
            self._code_ms = (self._code_ms + elapsed) % (_CODE_MS * len(self._codes))

    def render(self, game, booting):
        """Fill `segments` for the state of `game`."""
        out = self.segments
        on = self._phase_ms < _BLINK_MS // 2
        view = game.supervisor.view
        if booting:
            segments.render(_BOOT, 0, out)
        elif self._turn_ms:
            segments.render(self._turn[-1 - (self._turn_ms - 1) // _CODE_MS], 0, out)
        elif self._codes and view is None and not (game.lit or game.off):
            segments.render(self._codes[self._code_ms // _CODE_MS], 0, out)
        elif self._test_ms:
            segments.render(_TEST, 0, out)
        elif self._move_ms or view is None and game.pending.count and not on:
            out[0] = out[1] = out[2] = 0
        elif view is not None:
            segments.render(view.chars, view.points, out)
        elif game.pending.count:
            segments.render(game.pending.chars, 0, out)
        else:
            segments.render(game.window.chars, _ALL if self._codes and game.lit and on else 0, out)
