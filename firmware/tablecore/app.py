"""The terminal: joins keys, game, lamps, display and beeper. `step()` is one pass of the main loop."""

from collections import namedtuple

from tablecore import faults as fault_table
from tablecore import keys, modules, protocol, tone
from tablecore.frames import Frames
from tablecore.keys import KeyScanner
from tablecore.panel import Panel
from tablecore.supervisor import Supervisor
from tablecore.ticks import diff
from tablecore.version import VERSION

# What belongs to this one unit and outlives a start. `journal`: append and open_result. `recent(count)`: the last games
# in it. `settings`: a Document. `daytime`: the time of day.
Unit = namedtuple("Unit", ("journal", "recent", "settings", "daytime"))

REFRESH_MS = 200  # lamps, dark or lit
_RETRY_MS = 20  # after a first mismatch: one disturbed transfer is no fault, a second one is
# Beeps, blanks and blinking stand still while a pass takes longer: a record that is being written swallows none.
_SHOWN_MS = 10
_RETRIES = 2  # of the display, before it counts as absent
_REPAINT_MS = 500  # the display is written again, should a disturbance have changed it


class Terminal:
    """One table's logic.

    `table`: a LampTable, or None with the reason among `fault_codes`. `registers`: length of the lamp chain.
    `group_lamps`: most lamps that the lamp test lights at once. `tone_hz`: beeper frequency. Drivers:
    `lamps.power_up()` switches the outputs off, shifts and latches all zero and then switches them on;
    `lamps.refresh(frame)` compares and latches; both return 0 or the mismatch detail of chain.py, and on a mismatch
    latch nothing (power_up leaves the outputs off); `lamps.off()` holds the outputs off; `lamps.brightness(percent)`.
    `display.show(three segment bytes)`: False when there is none, where the driver can tell. `beeper.set(hz)`, 0 =
    silent. `game(faults, journal, settings, daytime)` makes the game: absent, it is Tai-Sai.
    """

    def __init__(
        self, table, registers, group_lamps, lamps, display, beeper, tone_hz, now, unit, fault_codes=(), game=None
    ):
        if game is None:
            from tablecore.game import Game as game
        if table is None and not fault_codes:
            fault_codes = (fault_table.TABLE_MISSING,)
        elif table is not None and table.frame_bytes != registers:
            table = None
            fault_codes += (fault_table.TABLE_DAMAGED,)
        self.faults = fault_table.Faults()
        self.game = game(self.faults, unit.journal, unit.settings, unit.daytime)
        self.scanner = KeyScanner(now)
        self.integrity = protocol.GOOD  # whether the files are those of the manifest
        self.door_open = False
        self.rest = None  # waits so many ms: for acceptance, which makes a table hang
        self.on_lost_key = None  # called after the lost-key gesture; tells whether the service key is gone
        self.frames = Frames(table, registers, group_lamps)
        names = (VERSION, table.layout_id if table else "", table.digest if table else b"")
        self.game.supervisor = Supervisor(
            self.game, self.frames, unit.recent, unit.settings, lamps.brightness, names
        )
        self._journal = unit.journal
        self._daytime = unit.daytime
        self._panel = Panel()
        self._tone = tone.Tone(tone_hz)
        self._lamps = lamps
        self._display = display
        self._beeper = beeper
        self._frame = self.frames.dark  # what the lamps are to show
        self._latched = self.frames.dark  # what they were last made to show
        self._last = now
        self._lamps_up = False  # power-up passed, outputs on
        self._booted = False  # what was inherited has been judged
        self._refreshed = False  # the lamps have been tried once
        self._refresh_ms = 0  # until the next refresh
        self._miss = 0  # detail of the first mismatch in a row
        self._misses = 0
        self._hz = 0
        self._shown = bytearray(3)
        self._repaint_ms = 0
        self._unseen = 0  # writes in a row that the display did not acknowledge
        self._damaged = 0  # damages of the journal that were told
        self.check = None  # proves the lamps by their current, where there is a sense
        self._inherit(unit.journal.latched())
        for code in fault_codes:
            self.game.fault(code)

    @property
    def booting(self):
        """The inputs or the lamps have not been tried yet."""
        return not (self.scanner.ready and self._refreshed)

    def relight(self):
        """Show what the journal proves, before anything else is done."""
        self._light(0)

    def step(self, now, key_bits):
        """One pass: `now` in ms (wrapping), `key_bits` as read this moment. Called every 5 ms; late calls are allowed
        for.
        """
        elapsed = diff(now, self._last)
        self._last = now
        self._daytime.step(now)
        self.game.step(elapsed)
        shown = min(elapsed, _SHOWN_MS)
        self._panel.step(shown)
        self._tone.step(shown)
        scanner = self.scanner
        for i in range(scanner.sample(now, key_bits)):
            event = scanner.events[i]
            if event == keys.LOST_KEY:
                self._lose_key()
            else:
                self.game.event(event)
            self._carry_out()
        self._light(elapsed)
        if self.faults.inherited and not (self._booted or self.booting):
            self._boot_test()
        self._carry_out()
        self._sound()
        self._paint(elapsed)

    def record(self, kind, detail):
        """Journal what somebody has done to this unit; where that fails there is a fault."""
        self.game.record(kind, detail=detail)

    def lamps_seen(self):
        """What fell out of the chain's far end at the last refresh; the current of the lamps, None without a sense."""
        return self._lamps.read_back(), self._lamps.milliamp()

    def silence(self):
        """Stop the beeper: nothing else will."""
        self._beeper.set(0)

    def darken(self):
        """Switch the lamps off: nothing stands behind what they show."""
        self._lamps.off()

    def fault(self, code):
        """Raise a fault."""
        self.game.fault(code)

    def clear(self, code):
        """The cause of a fault is gone."""
        self.game.clear(code)

    def set_integrity(self, state):
        """Tell how far the comparison with the manifest is: no ENTRY before its end, none after a BAD one."""
        self.integrity = state
        self.game.checked = state != protocol.CHECKING
        if state == protocol.BAD:
            self.game.fault(fault_table.FILES_DIFFER)
        elif state == protocol.GOOD:
            self.game.clear(fault_table.FILES_DIFFER)

    def set_door(self, is_open):
        """Tell that the housing was opened or closed. Opening is a fault until a re-test with the door closed."""
        self.door_open = is_open
        if is_open:
            self.game.fault(fault_table.HOUSING_OPENED)

    def snapshot(self):
        """The state for the link: a new dict of plain values."""
        game = self.game
        if self.booting:
            state = protocol.BOOTING
        elif game.supervisor.testing:
            state = protocol.TEST
        elif self.faults.blocking:
            state = protocol.FAULT
        else:
            state = protocol.RESULT if game.lit else protocol.SPIN if game.turning else protocol.IDLE
        return {
            "state": state,
            "digits": game.window.text(),
            "lit": list(game.window.dice()) if game.lit else None,
            "faults": self.faults.codes[: protocol.MOST_FAULTS],
            "switch": game.switch,
        }

    def _lose_key(self):
        gone = self.on_lost_key is not None and self.on_lost_key()
        self.game.tone = tone.DONE if gone else tone.ERROR

    def _carry_out(self):
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
        if game.show_test:
            game.show_test = False
            self._panel.show_test()
        if game.tone is not None:
            self._tone.start(game.tone)
            game.tone = None

    def _light(self, elapsed):
        """Refresh the lamps when it is time, and at once when they have to show something else."""
        if self.game.relit:
            self.game.relit = False
            self._frame = self._wanted()
            self._refresh_ms = 0
            if self.faults.accepted and self.game.lit:
                self._remind()
        self._refresh_ms -= elapsed
        if self._refresh_ms <= 0:
            self._refresh_ms = REFRESH_MS
            self._refresh()
            self._watch_journal()
        elif self.check is not None and self._lamps_up:
            self.check.step(elapsed)

    def _remind(self):
        """Rule 7.4: what was accepted is shown with every result that it touches."""
        lit = self.frames.lit(self._frame)
        self._panel.show_codes([code for code in self.faults.accepted if fault_table.zone_of(code) in lit])

    def _wanted(self):
        """The frame that game and supervisor ask for."""
        game = self.game
        view = game.supervisor.view
        if view is not None and view.frame is not None:
            return view.frame
        return game.frame(self.frames) if game.lit else self.frames.dark

    def _refresh(self):
        """One refresh, or another try of the power-up order while the outputs are off."""
        miss = 0
        if not self._lamps_up:
            miss = self._lamps.power_up()
            self._lamps_up = miss == 0
            self._latched = self.frames.dark
        if self._lamps_up:
            miss = self._lamps.refresh(self._frame)
        self._refreshed = True
        if miss == 0:
            self._misses = 0
            if self.check is not None and self._frame != self._latched:
                self.check.lamps(self._frame)
            self._latched = self._frame
            return
        if self._misses == 0:
            self._miss = miss  # only the first mismatch tells the place
            self._misses = 1
            self._refresh_ms = _RETRY_MS
            return
        self._misses = 2
        self._lamps_lost()

    def _lamps_lost(self):
        """The chain passes no data. A settlement that is shown stays; anything else cannot be changed any more, so the
        outputs go off, and the next try begins with that.
        """
        game = self.game
        # A code that is active already may have the place, which is not known any more, not even after a restart.
        known = [code for code in self.faults.codes if fault_table.is_chain(code)]
        for code in known or [fault_table.chain_code(self._miss)]:
            game.fault(code)
        if game.relit:  # the fault has ended what covered the game
            game.relit = False
            self._frame = self._wanted()
        if self._lamps_up and not (game.lit and self._frame == self._latched):
            self._lamps_up = False
            self._refresh_ms = 0

    def _retest(self):
        """Test again; clear the faults whose cause is gone."""
        from tablecore import clearing

        self._refresh()
        there = self._display.show(self._shown)
        clearing.retest(self.game, self._misses == 0, self.scanner.stuck, self.door_open, there, self.check is not None)
        modules.drop("clearing")
        if not self.game.supervisor.sweep(self.check, self._judged):
            self._judged()

    def _judged(self):
        """A re-test is over."""
        if self.faults.blocking:
            self.game.tone = tone.FAULT
            self.game.supervisor.offer()
        else:
            self.game.accept(tone.DONE)

    def _inherit(self, latched):
        """Take over the faults from before the start."""
        if latched:
            from tablecore import clearing

            clearing.inherit(self.faults, latched)

    def _boot_test(self):
        """Clear the faults from before the start whose cause is gone."""
        from tablecore import clearing

        self._booted = True
        clearing.start(self.game, self._misses == 0)
        modules.drop("clearing")

    def _watch_journal(self):
        """Warn of what the journal says of itself."""
        journal = self._journal
        if journal.damaged != self._damaged:
            self._damaged = journal.damaged
            self.game.fault(fault_table.JOURNAL_DAMAGED)
        self._follow(fault_table.STORAGE_LOW, journal.low_storage)
        self._follow(fault_table.EXPORT_DUE, journal.export_due)

    def _follow(self, code, present):
        if present:
            self.game.fault(code)
        elif code in self.faults.codes:
            self.game.clear(code)

    def _sound(self):
        if self._tone.hz != self._hz:
            self._hz = self._tone.hz
            self._beeper.set(self._hz)

    def _paint(self, elapsed):
        """Render; write to the display what changed, and everything again now and then."""
        panel = self._panel
        panel.render(self.game, self.booting)
        self._repaint_ms -= elapsed
        if self._repaint_ms <= 0 or panel.segments != self._shown:
            self._repaint_ms = _REPAINT_MS
            for i in range(3):  # a slice would allocate
                self._shown[i] = panel.segments[i]
            if self._display.show(panel.segments):
                self._unseen = 0
            else:
                self._unseen += 1
                if self._unseen > _RETRIES:
                    self.game.fault(fault_table.DISPLAY_ABSENT)
                else:
                    self._repaint_ms = _RETRY_MS
