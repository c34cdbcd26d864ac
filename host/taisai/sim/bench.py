"""The bench: every device outside the controller, wired to the controller's pins as the table's data says.

Two sides. The *port* side is the controller's: pin levels, SPI, PWM, ADC, watchdog; each call carries the bench time at
which it happens and moves the bench there first. The *table* side is the person's: keys, key-switch, faults, power, and
`observe`. Time is in whole microseconds, moves only by `advance` or by a port call, and every change of an input is an
event, so until `next_event_us` no input changes by itself.

Nothing here imports the firmware: what the bench shows follows from electrical events alone.
"""

from collections.abc import Callable
from random import Random

from taisai.boards.controller import Controller
from taisai.boards.table import Table
from taisai.sim.beeper import Beeper
from taisai.sim.bench_lines import Lines
from taisai.sim.chain import OutputEnable, ShiftChain
from taisai.sim.contacts import ENTRY, Contact, Keys, KeySwitch
from taisai.sim.displays_fitting import fit_display
from taisai.sim.events import Event, EventQueue
from taisai.sim.faultwords import Faults
from taisai.sim.fittedwheel import fit_wheel
from taisai.sim.flash import Flash
from taisai.sim.lamps import SHORT_MILLIAMP, CurrentSense, Lamps
from taisai.sim.observe import Observation
from taisai.sim.partfaults import PartFaults
from taisai.sim.rtc import ADDRESS, Ds3231
from taisai.sim.watchdog import Watchdog

# File system of MicroPython's stock images: RPI_PICO 1,408 KiB of 2 MiB, ESP32_GENERIC's vfs partition 2 MiB of 4 MiB.
FLASH_BLOCKS = {"rp2040": 352, "esp32": 512}


class Bench:
    """Everything around one controller. The same seed gives the same bounces, noise and power-up bits."""

    def __init__(self, table: Table, seed: int = 0):
        self._rng = Random(seed)
        self._events = EventQueue()
        controller = self._wiring = table.controller
        self.harness: dict[str, tuple[int, ...]] = {zone: table.harness[zone] for zone in table.layout.zone_ids}
        self.keys = Keys(self._events, self._split())
        self.switch = KeySwitch(self._events, self._split())
        self.chain = ShiftChain(table.registers, self._split())
        self.enable = OutputEnable()
        short = SHORT_MILLIAMP[controller.chain.lamp_driver or controller.chain.part]
        self.lamps = Lamps(self.chain, self.enable, self.harness, table.lamps.milliamp, short)
        self.display = fit_display(controller.display, self._split())
        self.beeper = Beeper()
        self.flash = Flash(FLASH_BLOCKS[controller.mcu], self._split())
        self.watchdog = Watchdog(self._events, controller.mcu_facts.watchdog_max_ms, self._watchdog_bites)
        volt = controller.mcu_facts.analogue_max_volt
        self.sense = CurrentSense(self.lamps, controller.sense, volt, self._split()) if controller.sense else None
        guard = controller.guard
        self.door = self._contact(guard and guard.door)
        """The door contact of the housing, closed as long as nobody opens it; None where the controller has none."""
        self.write_lock = self._contact(guard and guard.write_lock)
        """The write-lock jumper, fitted (closed) as long as nobody takes it off; None where the controller has none."""
        self.clock = None if controller.clock is None else Ds3231()
        """The real-time clock; None where the controller has none."""
        self.wheel = fit_wheel(table, self._split(), lambda: self.now_us)
        """The money wheel; None at a table of another game."""
        parts = PartFaults(self.switch, self.display, self.beeper, self.sense, self.flash, self.wheel)
        self.faults = Faults(self.harness, self.chain, self.lamps, self.keys, parts, self.lamps_changed)
        self.on_watchdog: Callable[[], None] | None = None
        """Called after the watchdog has reset the chip: whoever runs the firmware starts it again."""
        self.powered = False
        self.first_lit_us: int | None = None
        """First moment since power-on at which any lamp carried current."""
        self._display_spi: int | None = getattr(controller.display, "spi", None)
        self._pwm_pins: set[int] = set()
        self._lines = self._wire(controller)

    # --- time ---

    @property
    def now_us(self) -> int:
        return self._events.now_us

    def schedule(self, t_us: int, action: Callable[[], None]) -> Event:
        """Have `action` called when time reaches `t_us` (ValueError if that is past); the event can be cancelled."""
        return self._events.schedule(t_us, action)

    def next_event_us(self) -> int | None:
        """When something is going to happen by itself, None for never: until then inputs hold still."""
        return self._events.next_event_us()

    def advance(self, t_us: int) -> None:
        """Let time pass until `t_us`, with everything that happens on the way and at that moment."""
        self._events.advance(t_us)

    # --- the controller's side ---

    def pin_output(self, pin: int, level: int | None, t_us: int, pull_up: bool = True) -> None:
        """The controller drives a pin high or low, or lets go of it (None). Ends PWM on that pin.

        `pull_up` False: the chip's own pull-up is off too, so that an open key on this pin reads low.
        """
        self.advance(t_us)
        if pin in self._pwm_pins:
            self._end_pwm(pin)
        self._lines.drive(pin, level, pull_up)
        self.lamps_changed()

    def pin_input(self, pin: int) -> int:
        """Level that the controller reads on a pin now; one that nobody drives reads high (pull-up)."""
        if self._lines.is_contact(pin):
            return self._lines.contact_level(pin)
        if pin == self._wiring.chain.miso:
            return self.chain.serial_out
        if self.wheel is not None and pin in self.wheel.pins:
            return self.wheel.level(pin)
        return 0 if self.display.pulls_low(pin) else self._lines.level(pin)

    def inputs(self) -> dict[int, int]:
        """Levels of the key and key-switch pins now, by pin."""
        return self._lines.contact_levels()

    def foresee(self, limit_us: int) -> tuple[int, list[tuple[int, int, int]]]:
        """How long nothing but contacts will move, `limit_us` at most, and what they do: (time, pin, level), in order.

        It holds as long as nobody acts on the table before.
        """
        due = self._events.next_surprise_us()
        end_us = limit_us if due is None else min(due, limit_us)
        return end_us, self._lines.contact_changes(end_us)

    def count(self, pins: tuple[int, int]) -> int:
        """The chip's quadrature counter on a pair of pins, which counts without the processor; ValueError if nothing
        that turns is wired to them.
        """
        if self.wheel is None or pins != tuple(self.wheel.pins)[:2]:
            raise ValueError(f"no encoder is wired to the pins {pins[0]} and {pins[1]}")
        return self.wheel.count()

    def i2c(self, pins: tuple[int, int], address: int, register: int, count: int, data: bytes, t_us: int) -> bytes:
        """Write `data` from a register of a part on, or read `count` bytes, which come with one byte more at the end.

        `pins`: SCL and SDA. b"" where no part answers.
        """
        self.advance(t_us)
        wired = self._wiring.clock
        if wired is None or pins != (wired.scl, wired.sda) or address != ADDRESS or not self.clock.fitted:
            return b""
        if data:
            self.clock.write(register, data, t_us)
        return self.clock.read(register, count, t_us) + b"\0"

    def spi(self, unit: int, data: bytes, t_us: int) -> bytes:
        """A transfer of an SPI unit starting at `t_us`; returns what the controller samples on MISO meanwhile.

        The time on the wire is the caller's business. An SPI unit with nothing on its MISO reads 0.
        """
        self.advance(t_us)
        answer = bytes(len(data))
        if unit == self._display_spi:
            self.display.spi(data)
        if unit == self._wiring.chain.spi:
            answer = self.chain.transfer(data)
        return answer

    def pwm(self, pin: int, freq_hz: int, duty_u16: int, t_us: int) -> None:
        """PWM on a pin: `duty_u16` 0..65535 is the share of time it is high. `freq_hz` 0 ends it: the pin floats."""
        self.advance(t_us)
        if freq_hz == 0:
            self._end_pwm(pin)
        else:
            self._pwm_pins.add(pin)
            if pin == self._wiring.chain.enable:
                self.enable.drive_pwm(freq_hz, duty_u16, t_us)
            elif pin == self._wiring.beeper.pin:
                self.beeper.drive_pwm(freq_hz, duty_u16, t_us)
        self.lamps_changed()

    def adc(self, pin: int, t_us: int) -> int:
        """One conversion, 0..65535; ValueError on a pin that has no current sense on it."""
        self.advance(t_us)
        if self.sense is None or pin != self._wiring.sense.pin:
            raise ValueError(f"nothing analogue is wired to pin {pin}")
        return self.sense.read_u16(t_us)

    def wdt(self, timeout_ms: int | None, t_us: int) -> None:
        """Start the watchdog with a time-out, or feed it (None); a feed may be reported late, with its own time."""
        if timeout_ms is None:
            self.watchdog.feed(t_us)
        else:
            self.advance(t_us)
            self.watchdog.start(timeout_ms)

    def reset_controller(self) -> None:
        """Hard reset of the chip alone: pins float, PWM and watchdog end, a flash operation is torn."""
        self.watchdog.stop()
        self.flash.interrupt(self.now_us)
        for pin in list(self._pwm_pins):
            self._end_pwm(pin)
        self._lines.release_all()
        self.lamps_changed()

    # --- the table's side ---

    def power_on(self, random_bits: bool = True) -> None:
        """Mains on: registers and display chips come up with random content, or with zeros where a test says so."""
        if self.powered:
            raise ValueError("the bench already has power")
        self.powered = self.lamps.powered = True
        self.first_lit_us = None
        self.chain.power_on(random_bits)
        self.display.power_on(random_bits)
        self.lamps_changed()

    def power_off(self) -> None:
        """Mains off, at any moment: an unfinished flash operation is torn. Keys and faults stay as they are."""
        self.powered = self.lamps.powered = False
        self.chain.power_off()
        self.display.power_off()
        self.reset_controller()

    def observe(self) -> Observation:
        """What a person at the table sees and hears now, and the frame in the output stages."""
        return Observation(
            display=self.display.text,
            points=self.display.points,
            lit=self.lamps.lit(),
            partial=self.lamps.partial(),
            frame=self.chain.output.to_bytes(self.chain.registers, "big").hex(),
            tone_hz=self.beeper.tone_hz,
            enabled=self.enable.share > 0,
        )

    def lamps_changed(self) -> None:
        """Called when anything that decides about lamp current has changed; keeps `first_lit_us`."""
        if self.first_lit_us is None and self.powered and self.lamps.glowing():
            self.first_lit_us = self.now_us

    # --- inside ---

    def _wire(self, controller: Controller) -> Lines:
        keys, chain = controller.keys, controller.chain
        contacts = {pin: self.keys[key] for key, pin in enumerate(keys.digits, 1)}
        contacts[keys.entry] = self.keys[ENTRY]
        contacts[keys.switch] = self.switch.contact
        if controller.guard is not None:
            guard = {controller.guard.door: self.door, controller.guard.write_lock: self.write_lock}
            contacts |= {pin: contact for pin, contact in guard.items() if pin is not None}
        lamp_pins = {chain.sck: self.chain.clock, chain.mosi: self.chain.data, chain.latch: self.chain.latch}
        lamp_pins[chain.enable] = self.enable.drive
        if chain.clear is not None:
            lamp_pins[chain.clear] = self.chain.clear
        return Lines(controller, [lamp_pins, self.display.pins], contacts)

    def _contact(self, pin: int | None) -> Contact | None:
        """A closed contact for a pin that is wired."""
        return None if pin is None else Contact(self._events, self._split(), closed=True)

    def _end_pwm(self, pin: int) -> None:
        """The pin floats until it is driven again."""
        self._pwm_pins.discard(pin)
        if pin == self._wiring.chain.enable:
            self.enable.drive(1)
        elif pin == self._wiring.beeper.pin:
            self.beeper.silence(self.now_us)
        self._lines.drive(pin, None, True)

    def _watchdog_bites(self) -> None:
        self.reset_controller()
        if self.on_watchdog is not None:
            self.on_watchdog()

    def _split(self) -> Random:
        """A source of its own for each device, so that using one device more does not change another."""
        return Random(self._rng.getrandbits(64))
