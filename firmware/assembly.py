"""Composition root: reads this version's data, makes the drivers and the terminal, and joins them in the main loop.

The only file that knows both sides, the pure logic (tablecore) and the drivers (tablehw). It is dropped when the loop
begins, and its memory given back: so nothing that is defined here may be part of what it makes.
"""

from tablecore import faults, modules, settings, tablefile
from tablecore.app import Terminal, Unit
from tablecore.daytime import DayTime
from tablecore.document import Document
from tablecore.past import Past
from tablehw import storage
from tablehw.beeper import Beeper
from tablehw.cause import WATCHDOG, reset_cause
from tablehw.chain import LampChain
from tablehw.clock import Clock

SETTINGS = "/data/settings.json"
IDENTITY = "/data/identity.json"
MONEY_WHEEL = "money-wheel"  # the game, as the wiring names it; any other is Tai-Sai


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
    modules.forget("tablecore.hardwarefile")
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


def _clock(part):
    """The real-time clock where the controller has one, else None; its driver is loaded only there."""
    if not part:
        return None
    from tablehw.ds3231 import RealTimeClock

    return RealTimeClock(part["scl"], part["sda"])


def _table(folder, hardware):
    """(LampTable or None, fault codes)."""
    table = _load(folder + "/table.bin", tablefile.load)
    if table is None:
        return None, (faults.TABLE_MISSING,)
    if not table or table.layout_id != hardware["layout"]:
        return None, (faults.TABLE_DAMAGED,)
    return table, ()


def _game(hardware):
    """(what makes the game of this table, fault codes). Only that game's modules are loaded."""
    if hardware["game"] != MONEY_WHEEL:
        from tablecore.game import Game

        return Game, ()
    from tablecore.wheelgame import NO_COUNTER, maker

    part = hardware["wheel"]
    codes = ()
    if part:
        from tablehw.pegs import PegSensors

        try:
            part = PegSensors(part["a"], part["b"], part["index"])
        except ImportError:
            part, codes = None, (NO_COUNTER,)
    return maker(hardware["spin"], part), codes


def _facts(folder, hardware, table, reason):
    """What identify tells of this board and its software."""
    from tablecore import digest, protocol
    from tablecore.version import VERSION
    from tablehw import board

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
        "reset": reason,
    }


def _unit(hardware, lamps):
    """This unit's own data: (settings, identity, fault codes). What was never set is as the table was delivered."""
    delivered = settings.defaults(settings.SETTINGS)
    apply = None
    if hardware:
        delivered["brightness_percent"] = hardware["brightness_percent"]
        apply = settings.dimmer(lamps)

    options = Document(settings.SETTINGS, SETTINGS, storage, delivered, apply)
    identity = Document(settings.IDENTITY, IDENTITY, storage, settings.defaults(settings.IDENTITY))
    codes = (faults.SETTINGS_DAMAGED,) if options.damaged else ()
    if identity.damaged:
        codes += (faults.IDENTITY_DAMAGED,)
    return options, identity, codes


def _verify_lamps(hardware, table, lamps, terminal):
    """Have the lamps proven by their current, where there is a sense."""
    sense = hardware.get("sense")
    if sense is None or table is None:
        return
    from tablecore import calibration
    from tablecore.lampcheck import LampCheck

    lamp = calibration.counts(hardware["lamp_milliamp"], sense["milliamp_per_volt"])
    try:
        calibrated = calibration.load(storage, table)
    except ValueError:
        calibrated = None
        terminal.fault(faults.CALIBRATION_DAMAGED)
    tolerance = hardware["lamp_tolerance_percent"]
    terminal.check = LampCheck(lamps.current, terminal.frames.lit, lamp, tolerance, calibrated, terminal.game)
    del calibration
    modules.forget("tablecore.calibration")


def _service(folder, hardware, table, terminal, options, identity, past, reason):
    """What a host may ask of the table, and who may: loaded when the lamps are lit already."""
    from tablecore.access import Access
    from tablecore.guard import Guard
    from tablecore.hashing import SLICE_BYTES
    from tablecore.integrity import Integrity
    from tablecore.service import Service, note_for
    from tablecore.servicekey import KeyStore
    from tablecore.verbs import Verbs
    from tablehw import board
    from tablehw.guard import GuardInputs

    guard_pins = (hardware and hardware.get("guard")) or {}
    note = note_for(terminal)
    guard = Guard(GuardInputs(guard_pins.get("door"), guard_pins.get("write_lock")), terminal, note)
    store = KeyStore(storage)
    if store.damaged:
        terminal.fault(faults.KEY_DAMAGED)
    buffer = bytearray(SLICE_BYTES)
    verbs = Verbs(_facts(folder, hardware, table, reason), terminal, options, identity, storage, buffer)
    access = Access(verbs.board, store, note, board.random_bytes, guard.locked)
    integrity = Integrity(storage, folder, buffer, note, guard.locked)
    return Service(terminal, past, verbs, guard, access, integrity, options, identity)


def _terminal(folder, hardware, lamps, clock, game, past, options, daytime, codes):
    """(Terminal, its LampTable or None). The lamps show already what the journal proves."""
    display = _display(hardware["display"])
    part = hardware["beeper"]
    beeper = Beeper(part["pin"], part["frequency_hz"])
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
        codes + table_codes + past.codes,
        game,
    )
    terminal.rest = clock.rest
    _verify_lamps(hardware, table, lamps, terminal)
    terminal.relight()
    return terminal, table


def _loop(hardware, clock, terminal, service):
    """The main loop, with the drivers that only it needs."""
    from tablecore.dispatch import Dispatcher
    from tablecore.mainloop import MainLoop
    from tablehw import board
    from tablehw.serial_link import SerialLink

    start_watchdog = None
    if hardware:
        from tablehw.keys import Keys
        from tablehw.watchdog import watchdog_of

        keys = Keys(hardware["keys"], hardware["switch"])
        start_watchdog = watchdog_of(hardware["watchdog_ms"])
    else:
        from tablehw.nokeys import NoKeys

        keys = NoKeys()
    dispatcher = Dispatcher(service.handlers, service.verbs.state, service.verbs.board, service.access.permit)
    return MainLoop(clock, keys, SerialLink(), terminal, service, dispatcher, start_watchdog, board.reset)


def assemble(folder):
    """The main loop of the table whose files lie in `folder`, ready to run.

    What is lit again after a power cut is lit before the other half is loaded: an RP2040 takes 0.9 s to that, and 1.5 s
    to the whole.
    """
    clock = Clock()
    hardware = _hardware(folder)
    lamps = _lamps(hardware) if hardware else None
    # First of what stays: else it would lie scattered among what does not.
    game, codes = _game(hardware) if hardware else (None, ())
    daytime = DayTime(clock.now(), _clock(hardware and hardware.get("clock")))
    mcu = hardware["mcu"] if hardware else None
    reason = reset_cause(mcu)
    past = Past(storage, mcu, daytime, reason)
    options, identity, unit_codes = _unit(hardware, lamps)
    table = None
    if hardware:
        terminal, table = _terminal(folder, hardware, lamps, clock, game, past, options, daytime, codes + unit_codes)
    else:
        from tablecore.noterminal import NoTerminal

        terminal = NoTerminal(daytime, past.journal)
    if reason == WATCHDOG:
        terminal.fault(faults.WATCHDOG)
    try:
        service = _service(folder, hardware, table, terminal, options, identity, past, reason)
        return _loop(hardware, clock, terminal, service)
    except Exception:
        terminal.darken()
        raise
