"""The keys of a controller file, and the jobs that they give to pins. boards/README.md explains every key.

Pins are GPIO numbers. In a draft (see draft.py) any value may be None; `jobs` skips those.
"""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from taisai.boards.model import Milliamp, StrictModel, Text, Volt
from taisai.boards.parts import DISPLAYS, LAMP_STAGES, REGISTERS, LampStage, LogicPart
from taisai.boards.pins import Job

Gpio = Annotated[int, Field(ge=0, le=63)]
Ohm = Annotated[float, Field(gt=0, le=1_000_000)]
# Slow enough for a chain of 27 registers on cable, fast enough to refresh it five times a second many times over.
Baud = Annotated[int, Field(ge=100_000, le=4_000_000)]
Bus = Annotated[int, Field(ge=0, le=3)]


def _six(pins: tuple[int, ...]) -> tuple[int, ...]:
    if len(pins) != 6:
        raise ValueError(f"must be the pins of keys 1 to 6, in that order: six of them, not {len(pins)}")
    return pins


class Keys(StrictModel):
    """Seven keys and the supervisor's key-switch, each from its pin to ground."""

    digits: Annotated[tuple[Gpio, ...], AfterValidator(_six)]
    entry: Gpio
    switch: Gpio

    def jobs(self) -> list[Job]:
        digits = [Job(f"keys.digits[{n}]", pin, "key") for n, pin in enumerate(self.digits or (), start=1)]
        return [*digits, Job("keys.entry", self.entry, "key"), Job("keys.switch", self.switch, "key")]


class Beeper(StrictModel):
    """A passive beeper on a PWM output."""

    pin: Gpio
    frequency_hz: Annotated[int, Field(ge=200, le=10_000)]

    def jobs(self) -> list[Job]:
        return [Job("beeper.pin", self.pin, "pwm")]


class Level(StrictModel):
    """How 3.3 V pins reach registers of a higher supply, and how their serial output comes back."""

    shifter: Literal["74AHCT125", "74AHCT541"]
    enable_shifter: Literal["BSS138"]
    divider_upper_ohm: Ohm
    divider_lower_ohm: Ohm


class Chain(StrictModel):
    """The lamp registers: register 1 at mosi, the serial output of the last one wired back to miso."""

    part: Literal["74HC595", "TPIC6B595"]
    supply_volt: Volt
    lamp_driver: Literal["ULN2803A"] | None = None
    spi: Bus
    sck: Gpio
    mosi: Gpio
    miso: Gpio
    latch: Gpio
    enable: Gpio
    enable_pull_up_ohm: Ohm
    clear: Gpio | None = None
    baud: Baud
    level: Level | None = None

    def jobs(self) -> list[Job]:
        return [
            Job("chain.sck", self.sck, "output", self.spi, "sck"),
            Job("chain.mosi", self.mosi, "output", self.spi, "mosi"),
            Job("chain.miso", self.miso, "input", self.spi, "miso"),
            Job("chain.latch", self.latch, "output"),
            Job("chain.enable", self.enable, "pwm"),
            Job("chain.clear", self.clear, "output"),
        ]

    @property
    def register(self) -> LogicPart:
        """Ratings of one register."""
        return REGISTERS[self.part]

    @property
    def lamp_stage(self) -> LampStage:
        """Ratings of the outputs that carry the lamps."""
        return LAMP_STAGES[self.lamp_driver or self.part]


class Display(StrictModel):
    """Keys of every display: three digits of seven segments and a point, all lit at `milliamp`."""

    supply_volt: Volt
    shifter: Literal["74AHCT125", "74AHCT541", "BSS138"] | None = None
    milliamp: Milliamp

    @property
    def part(self) -> LogicPart:
        """Ratings of the chip that drives the digits."""
        return DISPLAYS[self.driver]


class ShiftDisplay(Display):
    """Three 74HC595 on a chain of their own, one output per segment."""

    driver: Literal["hc595"]
    spi: Bus
    sck: Gpio
    mosi: Gpio
    latch: Gpio
    baud: Baud

    def jobs(self) -> list[Job]:
        return [
            Job("display.sck", self.sck, "clock", self.spi, "sck"),
            Job("display.mosi", self.mosi, "output", self.spi, "mosi"),
            Job("display.latch", self.latch, "output"),
        ]


class Tm1637Display(Display):
    """A TM1637 module on two lines of its own kind of bus."""

    driver: Literal["tm1637"]
    clk: Gpio
    dio: Gpio

    def jobs(self) -> list[Job]:
        return [Job("display.clk", self.clk, "clock"), Job("display.dio", self.dio, "two-way")]


class Max7219Display(Display):
    """A MAX7219 with digits 0 to 2 fitted."""

    driver: Literal["max7219"]
    spi: Bus
    sck: Gpio
    mosi: Gpio
    cs: Gpio
    baud: Baud

    def jobs(self) -> list[Job]:
        return [
            Job("display.sck", self.sck, "clock", self.spi, "sck"),
            Job("display.mosi", self.mosi, "output", self.spi, "mosi"),
            Job("display.cs", self.cs, "output"),
        ]


class Sense(StrictModel):
    """A shunt and an amplifier in the lamp supply, read by the converter of the microcontroller.

    Noise is the standard deviation of one measurement (16 readings within 1 ms): a fixed part, and a part that grows
    with the current.
    """

    pin: Gpio
    shunt_ohm: Ohm
    amplifier_gain: Annotated[float, Field(gt=0, le=1000)]
    noise_milliamp: Milliamp
    noise_percent: Annotated[float, Field(gt=0, le=100)]

    def jobs(self) -> list[Job]:
        return [Job("sense.pin", self.pin, "analogue")]

    @property
    def milliamp_per_volt(self) -> float:
        """Lamp current for each volt at the pin."""
        return round(1000 / (self.shunt_ohm * self.amplifier_gain), 3)

    def noise_at(self, milliamp: float) -> float:
        """Standard deviation (mA) of one measurement of this current."""
        return round(self.noise_milliamp + milliamp * self.noise_percent / 100, 3)


class Guard(StrictModel):
    """Inputs that protect the unit, each from its pin to ground; a board may have one or both."""

    door: Gpio | None = None
    write_lock: Gpio | None = None

    def jobs(self) -> list[Job]:
        return [Job("guard.door", self.door, "key"), Job("guard.write_lock", self.write_lock, "key")]


class Clock(StrictModel):
    """A DS3231 with its battery, supplied with 3.3 V and with pull-ups on both lines: the board then knows the time."""

    part: Literal["DS3231"]
    scl: Gpio
    sda: Gpio

    def jobs(self) -> list[Job]:
        return [Job("clock.scl", self.scl, "two-way"), Job("clock.sda", self.sda, "two-way")]


class WheelSensors(StrictModel):
    """Three sensors at the pegs of a money wheel, each with an open collector and a pull-up to 3.3 V at its pin.

    `a` and `b` see every peg in quadrature: in the four quarters of a pitch, counted clockwise from a peg on, they are
    high and low, both high, low and high, both low. `index` is high in the first quarter of one peg alone.
    """

    a: Gpio
    b: Gpio
    index: Gpio
    # Strong enough for some metres of cable, weak enough for any open collector.
    pull_up_ohm: Annotated[float, Field(ge=1000, le=10_000)]

    def jobs(self) -> list[Job]:
        return [Job(f"wheel.{name}", getattr(self, name), "input") for name in ("a", "b", "index")]


class Limits(StrictModel):
    """What this board carries: in one output, in one package, in all lamps, and in its logic and display."""

    output_milliamp: Milliamp
    package_milliamp: Milliamp
    lamp_supply_milliamp: Milliamp
    logic_supply_milliamp: Milliamp


class ControllerFile(StrictModel):
    """The keys of a controller file."""

    title: Text
    board: Literal["raspberry-pi-pico", "esp32-devkitc"]
    keys: Keys
    beeper: Beeper
    chain: Chain
    display: Annotated[ShiftDisplay | Tm1637Display | Max7219Display, Field(discriminator="driver")]
    sense: Sense | None = None
    guard: Guard | None = None
    clock: Clock | None = None
    wheel: WheelSensors | None = None
    limits: Limits

    def jobs(self) -> list[Job]:
        """Everything that a pin has to do, in the order of the file."""
        sections = (self.keys, self.beeper, self.chain, self.display, self.sense, self.guard, self.clock, self.wheel)
        return [job for section in sections if section is not None for job in section.jobs() if job.pin is not None]
