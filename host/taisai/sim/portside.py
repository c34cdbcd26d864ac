"""The controller's side of the bench: what the interpreter asks over the bus becomes calls of the bench."""

import struct
from collections.abc import Callable

from taisai.sim import bus
from taisai.sim.bench import Bench
from taisai.sim.bus import Kind, Op, Output, Request
from taisai.sim.flash import BLOCK_BYTES

FlashHook = Callable[[int, str, int], None]


class PortSide:
    """Knows which pins besides the contacts are inputs, and which carry PWM.

    `on_flash(index, "erase" | "program", address)` is called before each flash operation that changes something,
    counted from 0 since the board was made; it may cut the power.
    """

    def __init__(self, bench: Bench):
        self._bench = bench
        self._inputs: set[int] = set()
        self.contacts = sum(1 << pin for pin in bench.inputs())
        """Bit n for a contact on pin n: what the controller puts out does not change such a level."""
        self._pwm_pins: set[int] = set()
        self.flash_operations = 0
        self.on_flash: FlashHook | None = None

    def forget(self) -> None:
        """The chip was reset: its pins are inputs nobody reads."""
        self._inputs.clear()
        self._pwm_pins.clear()

    def stop_pwm(self) -> None:
        """What MicroPython does at a soft reset; pins keep their levels."""
        for pin in sorted(self._pwm_pins):
            self._bench.pwm(pin, 0, 0, self._bench.now_us)
        self._pwm_pins.clear()

    def levels(self) -> int:
        """Levels of all contacts, and of all other pins that the program reads, bit n for pin n."""
        levels = 0
        for pin, level in self._bench.inputs().items():
            levels |= level << pin
        for pin in self._inputs:
            levels |= self._bench.pin_input(pin) << pin
        return levels

    def foresee(self, limit_us: int) -> tuple[int, list[tuple[int, int]]]:
        """How far the program may run by itself, and (time, levels) whenever a contact moves before."""
        horizon_us, changes = self._bench.foresee(limit_us)
        if len(changes) > bus.MOST_CHANGES:
            horizon_us = changes[bus.MOST_CHANGES][0]
        levels = self.levels()
        moments = []
        for t_us, pin, level in changes[: bus.MOST_CHANGES]:
            levels = levels & ~(1 << pin) | level << pin
            moments.append((t_us, levels))
        return horizon_us, moments

    def apply(self, request: Request, alive: Callable[[], bool]) -> None:
        """Do the collected outputs and the watchdog feed in order of time, until one of them ends the interpreter."""
        fed_us = request.fed_us
        for output in request.outputs:
            if 0 <= fed_us < output.t_us:
                self._bench.wdt(None, max(fed_us, self._bench.now_us))
                fed_us = -1
            if not alive():
                return
            self._output(output, max(output.t_us, self._bench.now_us))
        if fed_us >= 0 and alive():
            self._bench.wdt(None, max(fed_us, self._bench.now_us))

    def begin(self, request: Request) -> tuple[int, bytes] | None:
        """Do what the request asks, now; returns when it is over and the data of the answer, None if power was cut."""
        bench = self._bench
        now = bench.now_us
        done = now + request.wait_us
        match request.op:
            case Op.SPI:
                (unit,) = struct.unpack_from("<I", request.data)
                return done, bench.spi(unit, request.data[4:], now)
            case Op.ADC:
                return done, struct.pack("<H", bench.adc(*struct.unpack("<I", request.data), now))
            case Op.I2C:
                scl, sda, address, register, count = request.data[:5]
                return done, bench.i2c((scl, sda), address, register, count, request.data[5:], now)
            case Op.COUNT:
                return done, struct.pack("<i", bench.count(struct.unpack("<BB", request.data)))
            case Op.FLASH_READ:
                return now, bench.flash.read(*struct.unpack("<II", request.data))
            case Op.FLASH_PROGRAM:
                address, length = struct.unpack_from("<II", request.data)
                if not self._flash("program", address):
                    return None
                return bench.flash.program(address, request.data[8 : 8 + length], now), b"\1" * bench.flash.worn
            case Op.FLASH_ERASE:
                block, _ = struct.unpack("<II", request.data)
                if not self._flash("erase", block * BLOCK_BYTES):
                    return None
                return bench.flash.erase(block, now), b""
        return done, b""

    def _output(self, output: Output, t_us: int) -> None:
        bench = self._bench
        pin = output.number
        match output.kind:
            case Kind.PIN:
                self._pwm_pins.discard(pin)
                if output.value < 0:
                    if not self.contacts >> pin & 1:
                        self._inputs.add(pin)
                    bench.pin_output(pin, None, t_us)
                else:
                    self._inputs.discard(pin)
                    bench.pin_output(pin, output.value, t_us)
            case Kind.SPI:
                bench.spi(pin, output.data, t_us)
            case Kind.PWM if output.value < 0:
                self._pwm_pins.discard(pin)
                bench.pwm(pin, 0, 0, t_us)
            case Kind.PWM:
                self._pwm_pins.add(pin)
                bench.pwm(pin, output.value, output.extra, t_us)
            case Kind.WATCHDOG:
                bench.wdt(output.value, t_us)

    def _flash(self, kind: str, address: int) -> bool:
        """Count a flash operation and tell the hook; False if that has cut the power: the operation never starts."""
        index = self.flash_operations
        self.flash_operations += 1
        if self.on_flash is not None:
            self.on_flash(index, kind, address)
        return self._bench.powered
