"""Composition root: reads this version's data, makes the drivers and the terminal, and runs the main loop.

The only file that knows both sides, the pure logic (tablecore) and the drivers (tablehw).
"""

import gc

from tablecore import digest, faults, protocol, records, settings, tablefile
from tablecore.access import Access
from tablecore.app import Terminal, Unit
from tablecore.daytime import DayTime
from tablecore.dispatch import Dispatcher
from tablecore.document import Document
from tablecore.garbage import Collector
from tablecore.guard import Guard
from tablecore.hashing import SLICE_BYTES
from tablecore.past import Past
from tablecore.protocol import CHECKING
from tablecore.servicekey import KeyStore
from tablecore.ticks import add, diff
from tablecore.verbs import Verbs
from tablecore.version import VERSION
from tablehw import board, modules, storage
from tablehw.beeper import Beeper
from tablehw.chain import LampChain
from tablehw.clock import Clock
from tablehw.guard import GuardInputs
from tablehw.keys import ALL_KEYS, SAMPLE_MS, Keys
from tablehw.serial_link import SerialLink
from tablehw.watchdog import Watchdog

# Bytes of the link moved in one pass, each way. A byte costs an RP2040 some 140 us and a request 3 ms, so that a pass
# with both stays under 10 ms; it makes 3 kB/s.
LINK_BYTES = 16
# A step of the terminal that took longer, with a refresh of a long lamp chain in it, leaves the link to the next pass.
QUICK_MS = 2
# A reply that nobody reads does not hold up a restart for longer than this.
FAREWELL_MS = 500
# The time that a program which flashes a board has to clear away after its update, before the board does it.
TIDY_AFTER_MS = 30000

SETTINGS = "/data/settings.json"
IDENTITY = "/data/identity.json"


def _load(path, make):
    """What `make` builds from a file's bytes; None when it is absent, False when it is damaged."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError:
        return None
    try:
        return make(data)
    except ValueError:
        return False


def _hardware(folder):
    """The wiring, with nothing in it that the firmware cannot work with; None or False as _load has it."""
    from tablecore import hardwarefile

    hardware = _load(folder + "/hardware.json", hardwarefile.parse)
    del hardwarefile
    modules.forget("hardwarefile")
    return hardware


def _lamps(hardware):
    """The lamp chain; made before any other driver, because its output enable must be the first pin that is touched."""
    sense = hardware.get("sense")
    if sense is not None:
        sense = (sense["pin"], sense["milliamp_per_volt"])
    part = hardware["chain"]
    return LampChain(
        part["enable"],
        part["latch"],
        part.get("clear"),
        part["spi"],
        part["sck"],
        part["mosi"],
        part["miso"],
        part["baud"],
        part["registers"],
        sense,
        hardware["brightness_percent"],
    )


def _display(part):
    """The driver that the display's part asks for; only that one is loaded."""
    if part["driver"] == "tm1637":
        from tablehw.display_tm1637 import Display

        return Display(part["clk"], part["dio"])
    if part["driver"] == "max7219":
        from tablehw.display_max7219 import Display

        return Display(part["spi"], part["sck"], part["mosi"], part["cs"], part["baud"])
    from tablehw.display_hc595 import Display

    return Display(part["spi"], part["sck"], part["mosi"], part["latch"], part["baud"])


def _table(folder, hardware):
    """(TableFile or None, fault codes)."""
    table = _load(folder + "/table.bin", tablefile.TableFile)
    if table is None:
        return None, (faults.TABLE_MISSING,)
    if not table or table.layout_id != hardware["layout"]:
        return None, (faults.TABLE_DAMAGED,)
    return table, ()


def _facts(folder, hardware, table):
    """What identify tells of this board and its software."""
    return {
        "firmware": VERSION,
        "application": folder[1:],
        "protocol": protocol.VERSION,
        "digest": digest.PROTOCOL,
        "table": hardware["table"] if hardware else None,
        "table_digest": table.digest.hex() if table else None,
        "board": board.unique_id(),
        "mcu": hardware["mcu"] if hardware else board.port(),
        "micropython": board.micropython(),
        "reset": board.reset_cause(),
    }


def _unit(hardware, lamps):
    """This unit's own data: (settings, identity, fault codes). What was never set is as the table was delivered."""
    delivered = settings.defaults(settings.SETTINGS)
    apply = None
    if hardware:
        delivered["brightness_percent"] = hardware["brightness_percent"]

        def apply(values):
            lamps.brightness(values["brightness_percent"])

    options = Document(settings.SETTINGS, SETTINGS, storage, delivered, apply)
    identity = Document(settings.IDENTITY, IDENTITY, storage, settings.defaults(settings.IDENTITY))
    codes = (faults.SETTINGS_DAMAGED,) if options.damaged else ()
    if identity.damaged:
        codes += (faults.IDENTITY_DAMAGED,)
    return options, identity, codes


class Service:
    """What a host may ask of a running table, and who may: the handlers of all verbs and what stands behind them."""

    def __init__(self, folder, hardware, table, terminal, options, identity, past):
        from tablecore.integrity import Integrity

        self._terminal = terminal
        self._past = past
        guard_pins = (hardware and hardware.get("guard")) or {}
        inputs = GuardInputs(guard_pins.get("door"), guard_pins.get("write_lock"))
        self.guard = Guard(inputs, terminal, self._note)
        store = KeyStore(storage)
        if store.damaged:
            terminal.faults.add(faults.KEY_DAMAGED)
        buffer = bytearray(SLICE_BYTES)
        self.verbs = Verbs(_facts(folder, hardware, table), terminal, options, identity, storage, buffer)
        self.access = Access(self.verbs.board, store, self._note, board.random_bytes, self.guard.locked)
        self.integrity = Integrity(storage, folder, buffer, self._note, self.guard.locked)
        self.handlers = self.verbs.handlers
        self.handlers.update(self.access.handlers)
        self.handlers.update(self.integrity.handlers)
        self.handlers.update(past.verbs.handlers)
        options.locked = identity.locked = self.guard.locked
        self._tidy_at = 0
        terminal.on_lost_key = self._lose_key
        terminal.set_integrity(CHECKING)

    def scan(self, now):
        """After each reading of the keys, made at `now`."""
        self.guard.step()
        self.access.step(now)

    def rest(self, now):
        """Between two readings: one slice of the comparison with the manifest, once the lamps are as they should be,
        then of the check of the journal. True while there is more of either.
        """
        integrity = self.integrity
        if integrity is None:
            return self._past.check.step()
        if integrity.state == CHECKING:
            if self.verbs.state() != protocol.BOOTING:
                integrity.step()
                self._tell(now)
            return True
        if not integrity.untidy:
            self._conclude()
            return True
        if diff(now, self._tidy_at) < 0 or self.verbs.state() != protocol.IDLE:
            return self._past.check.step()
        integrity.tidy()
        self._tell(now)
        return True

    def _conclude(self):
        """The comparison is over. What was found is still told; the memory that it took is given back."""
        verdict = self.integrity.handlers["integrity"]({})
        self.handlers["integrity"] = lambda fields: verdict
        self.integrity = None
        modules.forget("integrity", "manifestlines")

    def _tell(self, now):
        """Whoever flashes a board clears away what is left behind, and is given the time to do so."""
        if self.integrity.state != self._terminal.integrity:
            self._terminal.set_integrity(self.integrity.state)
            self._tidy_at = add(now, TIDY_AFTER_MS)

    def _lose_key(self):
        gone = self.access.remove_key()
        if gone:
            self._terminal.faults.remove(faults.KEY_DAMAGED)
        return gone

    def _note(self, text):
        self._terminal.record(records.ACCESS, detail=text.encode()[: records.DETAIL_BYTES])


def run(folder):
    """Run the table whose files lie in `folder`. Returns only by an exception; the lamps then stay as latched."""
    clock = Clock()
    hardware = _hardware(folder)
    lamps = _lamps(hardware) if hardware else None
    daytime = DayTime(clock.now())
    past = Past(storage, hardware["mcu"] if hardware else None, daytime, board.reset_cause())
    options, identity, unit_codes = _unit(hardware, lamps)
    if not hardware:
        return _run_blind(folder, clock, daytime, past, options, identity)
    display = _display(hardware["display"])
    part = hardware["beeper"]
    beeper = Beeper(part["pin"], part["frequency_hz"])
    keys = Keys(hardware["keys"], hardware["switch"])
    table, table_codes = _table(folder, hardware)
    terminal = Terminal(
        table,
        hardware["chain"]["registers"],
        int(hardware["group_budget_milliamp"] / hardware["lamp_milliamp"]),
        lamps,
        display,
        beeper,
        part["frequency_hz"],
        clock.now(),
        Unit(past.journal, past.reader.recent, options, daytime),
        unit_codes + table_codes + past.codes,
    )
    service = Service(folder, hardware, table, terminal, options, identity, past)
    try:
        _loop(clock, terminal, keys, service, hardware["watchdog_ms"])
    finally:
        keys.stop()
        beeper.set(0)


def _run_blind(folder, clock, daytime, past, options, identity):
    """No pin is known: there are no keys and no lamps, and no watchdog either."""
    from tablecore.noterminal import NoTerminal
    from tablehw.nokeys import NoKeys

    terminal = NoTerminal(daytime, past.journal)
    _loop(clock, terminal, NoKeys(), Service(folder, None, None, terminal, options, identity, past), None)


def _loop(clock, terminal, keys, service, watchdog_ms):
    """Take the readings of the keys, serve the link, rest, for ever.

    The keys are read by an interrupt, so that nothing here can miss one; every reading is worked on in turn, with the
    time at which it was made. When none is left the link gets one turn: it moves some bytes or does a slice of longer
    work, unless it is time to collect the garbage.

    `watchdog_ms` None: no watchdog. Else it starts when the self-tests are over, and is fed only here, for a reading
    that was worked on: keys that are no longer read, or a pass that does not come back, end in a restart.
    """
    link = SerialLink()
    verbs = service.verbs
    dispatcher = Dispatcher(service.handlers, verbs.state, verbs.board, service.access.permit)
    watchdog = None
    # What was loaded lies close together by now. From here on garbage is collected where the loop decides.
    gc.threshold(-1)
    modules.arrange()
    modules.collect()
    collector = Collector(modules.collect, clock.now())
    keys.start()
    while True:
        now = clock.now()
        if keys.take():
            terminal.step(keys.at, keys.bits)
            service.scan(keys.at)
            if watchdog is not None:
                watchdog.feed()
            elif watchdog_ms is not None and verbs.state() != protocol.BOOTING:
                watchdog = Watchdog(watchdog_ms)
            if not keys.waiting() and diff(clock.now(), now) <= QUICK_MS:
                if not collector.step(now, not keys.bits & ALL_KEYS) and (
                    link.pump(dispatcher.receive, dispatcher.out, LINK_BYTES)
                    or dispatcher.step()
                    or verbs.feed.step(now, dispatcher.event)
                ):
                    collector.count()
                if verbs.restart:
                    _restart(clock, link, dispatcher.out)
        elif service.rest(now):
            clock.rest(1)
        elif not keys.waiting():
            clock.rest(max(SAMPLE_MS - diff(clock.now(), keys.at), 1))


def _restart(clock, link, queue):
    """Send what is still in the queue, within FAREWELL_MS, and restart."""
    until = add(clock.now(), FAREWELL_MS)
    while len(queue) and diff(until, clock.now()) > 0:
        link.pump(_deaf, queue, LINK_BYTES)
        clock.rest(1)
    board.reset()


def _deaf(byte):
    """Takes a byte that comes after the last request."""
    return False
