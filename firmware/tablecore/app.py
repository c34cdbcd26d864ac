"""The terminal: joins keys, game, lamps, display and beeper. `step()` is one pass of the main loop."""

from tablecore import faults as fault_table
from tablecore import integrity as files
from tablecore import keys, tone
from tablecore.faults import Faults
from tablecore.game import Game
from tablecore.keys import KeyScanner
from tablecore.panel import Panel
from tablecore.ticks import diff

REFRESH_MS = 200  # lamps, dark or lit
_RETRY_MS = 20  # after a first mismatch: one disturbed transfer is no fault, a second one is
_REPAINT_MS = 500  # the display is written again, should a disturbance have changed it


class Terminal:
    """One table's logic.

    `table`: a TableFile, or None with the reason among `fault_codes`. `registers`: length of the lamp chain.
    `tone_hz`: beeper frequency. Drivers: `lamps.power_up()` switches the outputs off, shifts and latches all zero and
    then switches them on; `lamps.refresh(frame)` compares and latches; both return 0 or the mismatch detail of
    chain.py, and on a mismatch latch nothing (power_up leaves the outputs off). `display.show(three segment bytes)`.
    `beeper.set(hz)`, 0 = silent.
    """

    def __init__(self, table, registers, lamps, display, beeper, tone_hz, now, fault_codes=()):
        self.faults = Faults()
        self.game = Game(self.faults)
        self.scanner = KeyScanner(now)
        self.integrity = files.GOOD  # whether the files are those of the manifest
        self.door_open = False
        self.on_lost_key = None  # called after the lost-key gesture; tells whether the service key is gone
        self._panel = Panel()
        self._tone = tone.Tone(tone_hz)
        self._table = table
        self._lamps = lamps
        self._display = display
        self._beeper = beeper
        self._dark = bytes(registers)
        self._frame = self._dark
        self._last = now
        self._lamps_up = False  # power-up passed, outputs on
        self._refreshed = False  # the lamps have been tried once
        self._refresh_ms = 0  # until the next refresh
        self._miss = 0  # detail of the first mismatch in a row
        self._misses = 0
        self._lit = False  # what `_frame` was made for
        self._hz = 0
        self._shown = bytearray(3)
        self._repaint_ms = 0
        for code in fault_codes:
            self.game.fault(code)
        if table is None and not fault_codes:
            self.game.fault(fault_table.TABLE_MISSING)
        if table is not None and table.frame_bytes != registers:
            self.game.fault(fault_table.TABLE_DAMAGED)

    @property
    def booting(self):
        """The inputs or the lamps have not been tried yet."""
        return not (self.scanner.ready and self._refreshed)

    def step(self, now, key_bits):
        """One pass: `now` in ms (wrapping), `key_bits` as read this moment. Called every 5 ms; late calls are allowed
        for.
        """
        elapsed = diff(now, self._last)
        self._last = now
        self.game.step(elapsed)
        self._panel.step(elapsed)
        scanner = self.scanner
        for i in range(scanner.sample(now, key_bits)):
            event = scanner.events[i]
            if event == keys.LOST_KEY:
                self._lose_key()
            else:
                self.game.event(event)
            self._carry_out(now)
        self._light(elapsed)
        self._carry_out(now)
        self._sound(now)
        self._paint(elapsed)

    def set_integrity(self, state):
        """Tell how far the comparison with the manifest is: no ENTRY before its end, none after a BAD one."""
        self.integrity = state
        self.game.checked = state != files.CHECKING
        if state == files.BAD:
            self.game.fault(fault_table.FILES_DIFFER)

    def set_door(self, is_open):
        """Tell that the housing was opened or closed. Opening is a fault until a re-test with the door closed."""
        self.door_open = is_open
        if is_open:
            self.game.fault(fault_table.HOUSING_OPENED)

    def snapshot(self):
        """The state for the link: a new dict of plain values."""
        game = self.game
        if self.booting:
            state = "booting"
        elif self.faults.blocking:
            state = "fault"
        else:
            state = "result" if game.lit else "idle"
        return {
            "state": state,
            "digits": game.window.text(),
            "lit": list(game.window.dice()) if game.lit else None,
            "faults": list(self.faults.codes),
            "switch": game.switch,
        }

    def _lose_key(self):
        gone = self.on_lost_key is not None and self.on_lost_key()
        self.game.tone = tone.DONE if gone else tone.ERROR

    def _carry_out(self, now):
        """Do what the game asks for."""
        game = self.game
        if game.retest:
            game.retest = False
            self._retest()
        if self.faults.changed:
            self.faults.changed = False
            self._panel.set_codes(self.faults.blocking_codes())
        if game.moved:
            game.moved = False
            self._panel.move()
        if game.show_code:
            game.show_code = False
            self._panel.show_codes()
        if game.tone is not None:
            self._tone.start(game.tone, now)
            game.tone = None

    def _light(self, elapsed):
        """Refresh the lamps when it is time, and at once when the game lit or ended."""
        game = self.game
        if game.lit != self._lit:
            self._lit = game.lit
            self._frame = self._table.frame(*game.window.dice()) if game.lit else self._dark
            self._refresh_ms = 0
        self._refresh_ms -= elapsed
        if self._refresh_ms <= 0:
            self._refresh_ms = REFRESH_MS
            self._refresh()

    def _refresh(self):
        """One refresh, or another try of the power-up order while the outputs are off."""
        miss = 0
        if not self._lamps_up:
            miss = self._lamps.power_up()
            self._lamps_up = miss == 0
        if self._lamps_up:
            miss = self._lamps.refresh(self._frame)
        self._refreshed = True
        if miss == 0:
            self._misses = 0
            return
        if self._misses == 0:
            self._miss = miss  # only the first mismatch tells the place
            self._misses = 1
            self._refresh_ms = _RETRY_MS
            return
        self._misses = 2
        self.game.fault(fault_table.chain_code(self._miss))
        if self._lamps_up and not self._lit:
            # Dark can no longer be latched, so the next try starts by switching the outputs off.
            self._lamps_up = False
            self._refresh_ms = 0

    def _retest(self):
        """Test again; clear the faults whose cause is gone."""
        self._refresh()
        for code in list(self.faults.codes):
            key = fault_table.stuck_key(code)
            if fault_table.is_chain(code):
                passed = self._misses == 0
            elif code == fault_table.HOUSING_OPENED:
                passed = not self.door_open
            else:
                passed = key and not self.scanner.stuck & 1 << (key - 1)
            if passed:
                self.faults.remove(code)
        if self.faults.blocking:
            self.game.tone = tone.FAULT
        else:
            self.game.tone = tone.DONE
            self.game.moved = True

    def _sound(self, now):
        hz = self._tone.step(now)
        if hz != self._hz:
            self._hz = hz
            self._beeper.set(hz)

    def _paint(self, elapsed):
        """Render; write to the display what changed, and everything again now and then."""
        panel = self._panel
        panel.render(self.game, self.booting)
        self._repaint_ms -= elapsed
        if self._repaint_ms <= 0 or panel.segments != self._shown:
            self._repaint_ms = _REPAINT_MS
            for i in range(3):  # a slice would allocate
                self._shown[i] = panel.segments[i]
            self._display.show(panel.segments)
