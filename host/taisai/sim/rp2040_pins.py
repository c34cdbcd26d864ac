"""The wires between an emulated RP2040 and a bench: what its pins, SPI, PWM and ADC do is done to the bench.

A level or a transfer reaches the bench at the emulated microsecond at which it happens on the chip. SPI bytes take the
time of their bits, which the emulator alone would not give them.
"""

from collections.abc import Callable

from rp2040py.gpio_pin import FUNCTION_PWM, GPIOPin, GPIOPinState
from rp2040py.peripherals.pwm import CSR_EN, PWMChannel
from rp2040py.rp2040 import RP2040

from taisai.boards.controller import Controller
from taisai.sim.bench import Bench

_FUNCTION_SPI = 1  # RP2040 datasheet, section 2.19.2
_IO_BANK0 = 0x40014  # the emulator's key of the block at 0x40014000
_FIRST_ADC_PIN = 26
_PIO_WORDS = 32
_LEVELS = {GPIOPinState.LOW: 0, GPIOPinState.HIGH: 1}
_PULLED_UP = (GPIOPinState.INPUT_PULL_UP, GPIOPinState.INPUT_BUS_KEEPER)


class PinWiring:
    """Made once for each chip, before it starts. `now_us` tells the bench time."""

    def __init__(self, mcu: RP2040, bench: Bench, controller: Controller, now_us: Callable[[], int]):
        self._mcu = mcu
        self._bench = bench
        self._now_us = now_us
        self._levels: dict[int, int] = {}
        self._waves: dict[int, tuple[int, int]] = {}
        display = controller.display
        self._open_drain = (display.clk, display.dio) if display.driver == "tm1637" else ()
        for gpio in mcu.gpio:
            gpio.add_listener(lambda state, _, gpio=gpio: self._changed(gpio, state))
        chain = controller.chain
        self._spi(chain.spi, (chain.sck, chain.mosi), chain.miso)
        if display.driver != "tm1637":
            self._spi(display.spi, (display.sck, display.mosi), None)
        self._pwm()
        if bench.sense is not None:
            self._adc()
        self.refresh_inputs()

    def refresh_inputs(self) -> None:
        """Bring what the bench's devices drive onto the chip's pins; an open contact leaves its pin to the pull-up."""
        for pin, level in self._bench.inputs().items():
            if self._levels.get(pin) != level:
                self._levels[pin] = level
                self._mcu.gpio[pin].release_input() if level else self._mcu.gpio[pin].set_input_value(False)
        for pin in self._open_drain:
            level = self._bench.pin_input(pin)
            if self._levels.get(pin) != level:
                self._levels[pin] = level
                self._mcu.gpio[pin].set_input_value(bool(level))

        self._refresh_wheel()

    def _refresh_wheel(self) -> None:
        """The sensors of a money wheel. The emulator gives PIO no time while the processor sleeps or waits for the
        flash; a chip does. So each state machine is given its whole program at every edge.
        """
        if self._bench.wheel is None:
            return
        moved = False
        for pin in self._bench.wheel.pins:
            level = self._bench.pin_input(pin)
            if self._levels.get(pin) != level:
                self._levels[pin] = level
                self._mcu.gpio[pin].set_input_value(bool(level))
                moved = True
        if moved:
            for pio in self._mcu.pio:
                for machine in pio.machines:
                    for _ in range(_PIO_WORDS if machine.enabled and not machine.waiting else 0):
                        machine.step()

    def _changed(self, gpio: GPIOPin, state: GPIOPinState) -> None:
        """The state of a pin changed. A running PWM is told of as a wave, not edge by edge."""
        if gpio.index in self._waves and gpio.function_select == FUNCTION_PWM:
            return
        self._bench.pin_output(gpio.index, _LEVELS.get(state), self._now_us(), state in _PULLED_UP)
        self.refresh_inputs()

    def _spi(self, unit: int, outputs: tuple[int, ...], miso: int | None) -> None:
        """Join an SPI unit: its bytes reach the parts only over pins that the firmware has given to it."""
        spi = self._mcu.spi[unit]
        gpio = self._mcu.gpio
        answer = 0

        def transmit(byte: int) -> None:
            nonlocal answer
            if spi.spi_mode != 0:
                raise ValueError(f"SPI {unit} sends in mode {spi.spi_mode}; the parts on it take mode 0")
            answer = 0
            if all(gpio[pin].function_select == _FUNCTION_SPI for pin in outputs):
                (received,) = self._bench.spi(unit, bytes((byte,)), self._now_us())
                if miso is not None and gpio[miso].function_select == _FUNCTION_SPI:
                    answer = received
            done.schedule(8e9 / spi.clock_frequency)

        done = self._mcu.clock.create_alarm(lambda: spi.complete_transmit(answer))
        spi.on_transmit = transmit

    def _pwm(self) -> None:
        """Follow the PWM blocks: at every period, since a new duty starts with one, and where a pin is given to PWM."""
        pwm = self._mcu.pwm
        io = self._mcu.peripherals[_IO_BANK0]
        for channel in pwm.channels:
            channel.alarm_bottom.callback = _then(channel.alarm_bottom.callback, lambda c=channel: self._follow(c))

        def follow_written_pin(offset: int, _: int) -> None:
            pin = offset >> 3
            if pin < len(self._mcu.gpio):
                self._follow(pwm.channels[pin >> 1 & 7])

        def follow_all(*_: int) -> None:
            for channel in pwm.channels:
                self._follow(channel)

        io.write_uint32 = _then(io.write_uint32, follow_written_pin)
        pwm.write_uint32 = _then(pwm.write_uint32, follow_all)

    def _follow(self, channel: PWMChannel) -> None:
        """Tell the bench of a wave that has changed on a pin of this channel, or has ended."""
        timer = channel.timer
        for pin, compare in (
            (channel.pin_a1, channel.alarm_a),
            (channel.pin_b1, channel.alarm_b),
            (channel.pin_a2, channel.alarm_a),
            (channel.pin_b2, channel.alarm_b),
        ):
            if not 0 <= pin < len(self._mcu.gpio):
                continue
            gpio = self._mcu.gpio[pin]
            wave = None
            if gpio.function_select == FUNCTION_PWM and channel.csr & CSR_EN:
                period = timer.top + 1
                duty = round(min(compare.target, period) / period * 65535)
                wave = (round(timer.frequency / timer.prescaler / period), duty)
            if wave == self._waves.get(pin):
                continue
            if wave is None:
                del self._waves[pin]
                self._changed(gpio, gpio.value)
            else:
                self._waves[pin] = wave
                self._bench.pwm(pin, *wave, self._now_us())

    def _adc(self) -> None:
        adc = self._mcu.adc
        plain = adc.on_adc_read

        def convert(channel: int) -> None:
            adc.channel_values[channel] = self._bench.adc(_FIRST_ADC_PIN + channel, self._now_us()) >> 4
            plain(channel)

        adc.on_adc_read = convert


def _then(first: Callable[..., None], second: Callable[..., None]) -> Callable[..., None]:
    """Both, one after the other, with the same arguments."""

    def both(*arguments: int) -> None:
        first(*arguments)
        second(*arguments)

    return both
