"""The lamp registers: a daisy chain of 74HC595 or TPIC6B595 whose far end is wired back.

What is sent and what must come back is worked out in tablecore.chain; this file moves the bytes and the control lines.

The registers wake up with random outputs (both data sheets), and their output enable (OE or G, active low) is held off
by a pull-up. It stays off until zeros have been shifted through the whole chain, compared and latched.
"""

from time import sleep_us

from machine import ADC, PWM, SPI, Pin

from tablecore import chain

# Dimming: far above what the eye sees, slow against the registers' output delay (TPIC6B595: some 200 ns).
_PWM_HZ = 5000
_OFF = 65535
_SETTLE_US = 300  # a new duty starts with the next period, 200 us at most; the rest is for lamps and amplifier
READINGS = 16
_ADC_VOLT = 3.3


class LampChain:
    """Drives N registers with one output enable. `refresh` and `power_up` return 0 or a detail of tablecore.chain.

    Numbers are GPIO numbers, except `spi` (bus), `baud` (bits per second) and `registers`. `clear` may be None.
    `sense` is (GPIO number, milliamperes per volt) or None. `percent` is the brightness to start with, 1 to 100.
    """

    def __init__(self, enable, latch, clear, spi, sck, mosi, miso, baud, registers, sense, percent):
        # The very first pin that is touched, and high from its first moment as an output.
        self._enable = Pin(enable, Pin.OUT, value=1)
        self._latch = Pin(latch, Pin.OUT, value=0)
        self._clear = None if clear is None else Pin(clear, Pin.OUT, value=0)
        self._spi = SPI(spi, baudrate=baud, polarity=0, phase=0, sck=Pin(sck), mosi=Pin(mosi), miso=Pin(miso))
        self._chain = chain.Chain(registers, 1)
        self._dark = bytes(registers)
        self._dimmer = None  # the PWM on output enable; None as long as the lamps are held off
        self._percent = percent
        self._adc = None
        if sense is not None:
            self._adc = ADC(Pin(sense[0]))
            self._milliamp_per_volt = sense[1]

    def off(self):
        """Hold every output off, until the next power_up."""
        if self._dimmer is not None:
            self._dimmer.deinit()
            self._dimmer = None
            self._enable.init(Pin.OUT, value=1)

    def power_up(self):
        """Switch the outputs off, make every output 0, switch them on.

        They stay off when the zeros do not come through: dark without the help of a broken chain.
        """
        self.off()
        if self._clear is not None:
            self._clear.value(0)
            self._clear.value(1)
        self._chain.forget()
        place = self.refresh(self._dark)
        if place == chain.OK:
            self._dimmer = PWM(self._enable, freq=_PWM_HZ, duty_u16=self._duty())
        return place

    def refresh(self, frame):
        """Send `frame` (N bytes in sending order), and latch it if the chain proved to pass data."""
        self._spi.write_readinto(self._chain.prepare(frame), self._chain.rx)
        place = self._chain.judge()
        if place == chain.OK:
            self._latch.value(1)
            self._latch.value(0)
        # Also after a mismatch: the next refresh then has something to compare and can be good again.
        self._spi.write_readinto(self._chain.prepare_resident(), self._chain.rx_resident)
        return place or self._chain.judge_resident()

    def read_back(self):
        """The frame that was latched last, as it fell out of the far end behind it."""
        return bytes(self._chain.rx_resident)

    def brightness(self, percent):
        """Dim all lamps together, 1 to 100 percent of full."""
        self._percent = percent
        if self._dimmer is not None:
            self._dimmer.duty_u16(self._duty())

    def current(self, on, readings=READINGS):
        """Current of all lamps in counts of the converter, 0 to 65535: with every output fully on as its register says,
        or with every output off. For under 2 ms with READINGS readings. Only with a sense, and after power_up.
        """
        self._dimmer.duty_u16(0 if on else _OFF)
        sleep_us(_SETTLE_US)
        total = 0
        for _ in range(readings):
            total += self._adc.read_u16()
        self._dimmer.duty_u16(self._duty())
        return total // readings

    def milliamp(self):
        """Current of all lit lamps at full brightness; None without a sense, and as long as the lamps are held off."""
        if self._adc is None or self._dimmer is None:
            return None
        return self.current(True) / 65535 * _ADC_VOLT * self._milliamp_per_volt

    def _duty(self):
        """Share of the time that output enable is high, which is off."""
        return _OFF * (100 - self._percent) // 100
