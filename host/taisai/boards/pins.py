"""Which pin may do which job: the facts a microcontroller is described by, and the check of a list of jobs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Kind = Literal["key", "output", "clock", "two-way", "pwm", "input", "analogue"]
SpiRole = Literal["sck", "mosi", "miso"]

_WORDS: dict[Kind, str] = {
    "key": "an input with its own pull-up",
    "output": "an output",
    "clock": "an output",
    "two-way": "an input and output",
    "pwm": "a PWM output",
    "input": "an input",
    "analogue": "an analogue input",
}
_DRIVEN: tuple[Kind, ...] = ("output", "clock", "two-way", "pwm")


@dataclass(frozen=True)
class Mcu:
    """One microcontroller on one board. Pins are GPIO numbers as the datasheet and MicroPython count them."""

    name: str
    board: str
    source: str
    # Bytes of flash on the board, for MicroPython and its file system together.
    flash_bytes: int
    # Every GPIO of the chip, and those of them that the board brings out to its header.
    gpio: frozenset[int]
    header: frozenset[int]
    # GPIO that the board or the chip needs for itself, with the reason.
    taken: Mapping[int, str]
    # No output stage and no pull-up.
    input_only: frozenset[int]
    # Sampled at reset to choose how the chip starts.
    strapping: frozenset[int]
    # Driven or pulled up and down by the chip itself between reset and our first line.
    boot_moving: frozenset[int]
    analogue: frozenset[int]
    # SPI buses; for each signal of a bus its pins, or None where any pin can be any signal.
    spi_buses: tuple[int, ...]
    spi_pins: Mapping[tuple[int, SpiRole], frozenset[int]] | None
    # MISO that MicroPython takes for a bus when none is given, by bus.
    spi_default_miso: Mapping[int, int]
    # PWM slice of each pin (one slice has one frequency), or None where every output may have its own.
    pwm_slice: Mapping[int, int] | None
    # Levels in volt at 3.3 V: what an output guarantees as high, what an input needs as high, what it survives.
    output_high_volt: float
    input_high_volt: float
    input_max_volt: float
    # What an output sinks within its guaranteed low level.
    sink_milliamp: float
    # Highest voltage that the converter reads.
    analogue_max_volt: float
    # Longest time-out of the hardware watchdog, or None where it is long beyond use.
    watchdog_max_ms: int | None
    # Whether what counts two signals in quadrature reads them at pins that follow each other.
    counts_neighbours: bool
    # Timers that MicroPython numbers, without hard callbacks; 0 where its timers are virtual and have them.
    hardware_timers: int


@dataclass(frozen=True)
class Job:
    """One thing that a pin does: the key of the file that says so, the pin, and for SPI the signal of the bus."""

    key: str
    pin: int
    kind: Kind
    bus: int | None = None
    role: SpiRole | None = None


def pin_problems(mcu: Mcu, jobs: list[Job]) -> list[tuple[str, int, str]]:
    """(key, pin, text) for every job that its pin cannot do, and for every pin that has two jobs."""
    found = []
    first: dict[int, str] = {}
    for job in jobs:
        if reason := _unfit(mcu, job):
            found.append((job.key, job.pin, reason))
        if job.pin in first:
            found.append((job.key, job.pin, f"pin used twice: GPIO{job.pin} is already {first[job.pin]}"))
        first.setdefault(job.pin, job.key)
    return found + _claimed_miso(mcu, jobs, first) + _shared_slices(mcu, jobs)


def _unfit(mcu: Mcu, job: Job) -> str | None:
    """Why this pin cannot do this job at all, or None. The first reason is enough: the next pin is chosen anew."""
    pin = f"GPIO{job.pin}"
    if job.pin not in mcu.gpio:
        return f"the chip {mcu.name} has no {pin}"
    if job.pin in mcu.taken:
        return f"{pin} cannot be used: {mcu.taken[job.pin]}"
    if job.pin not in mcu.header:
        return f"the board {mcu.board} does not bring {pin} out"
    if job.pin in mcu.strapping:
        return f"{pin} is a strapping pin: its level at reset chooses how the chip starts"
    if job.pin in mcu.input_only and (job.kind == "key" or job.kind in _DRIVEN):
        return f"{pin} is input-only, without pull-up: it cannot be {_WORDS[job.kind]}"
    if job.pin in mcu.boot_moving and job.kind != "clock":
        return f"{pin} moves during boot: only the clock of the display may, for it shows nothing by itself"
    if job.kind == "analogue" and job.pin not in mcu.analogue:
        return f"{pin} is no analogue input: use one of {_listed(mcu.analogue)}"
    return _unfit_for_spi(mcu, job)


def _unfit_for_spi(mcu: Mcu, job: Job) -> str | None:
    if job.role is None or job.bus not in mcu.spi_buses or mcu.spi_pins is None:
        return None
    able = mcu.spi_pins[job.bus, job.role]
    if job.pin in able:
        return None
    return f"GPIO{job.pin} cannot be {job.role} of SPI{job.bus}: use one of {_listed(able & mcu.header)}"


def _claimed_miso(mcu: Mcu, jobs: list[Job], first: dict[int, str]) -> list[tuple[str, int, str]]:
    """A bus without a MISO of its own still takes MicroPython's default pin, away from whatever else sits there."""
    buses = {job.bus for job in jobs if job.role == "sck"} - {job.bus for job in jobs if job.role == "miso"}
    found = []
    for bus in sorted(buses & set(mcu.spi_default_miso)):
        pin = mcu.spi_default_miso[bus]
        if pin in first:
            text = f"pin used twice: MicroPython takes GPIO{pin} as miso of SPI{bus}, which has none in this file"
            found.append((first[pin], pin, text))
    return found


def _shared_slices(mcu: Mcu, jobs: list[Job]) -> list[tuple[str, int, str]]:
    """Two PWM outputs on one slice would share a frequency, so that a tone would change the brightness."""
    found = []
    if mcu.pwm_slice is None:
        return found
    first: dict[int, Job] = {}
    for job in jobs:
        number = mcu.pwm_slice.get(job.pin)
        if job.kind != "pwm" or number is None:
            continue
        other = first.setdefault(number, job)
        if other is not job and other.pin != job.pin:
            text = f"shares PWM slice {number}, and so its frequency, with {other.key} (GPIO{other.pin})"
            found.append((job.key, job.pin, text))
    return found


def _listed(pins: frozenset[int]) -> str:
    return ", ".join(str(pin) for pin in sorted(pins))
