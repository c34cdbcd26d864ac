"""A daisy chain of 8-bit shift registers (74HC595, TPIC6B595) as the controller's pins see it, and its enable line.

Each output n = 8 * r + q (r = 0 is the register nearest to the controller, q = 0 is QA or DRAIN0) has two flip-flops:
the *shift stage*, which moves along on a rising clock edge, and the *output stage*, which copies it on a rising latch
edge. Both parts do the same at their pins (TI SCLS041, 74HC595: "data on the serial input is shifted on the positive
transition of SRCLK", "a positive transition on RCLK stores the shift register in the storage register"; TI SLIS032B,
TPIC6B595: rising edges of SRCK and RCK, "when SRCLR is low, the input shift register is cleared"). Clear leaves the
output stages alone. The TPIC6B596, whose serial output moves on the falling edge, is another part.

The stages are two Python ints: bit n is output n, so one clock is a shift by one, and a frame of N bytes, sent first
byte first and MSB first, is `int.from_bytes(frame, "big")`.
"""

from random import Random

NOISE = "noise"


class ShiftChain:
    """The logic of a chain of `registers` registers; idle levels: clock low, latch low, clear high."""

    def __init__(self, registers: int, rng: Random):
        self.registers = registers
        self.bits = 8 * registers
        self.shift = 0
        self.output = 0
        self.latches = 0
        """Rising latch edges since power-on."""
        self.powered = False
        self._rng = rng
        self._mask = (1 << self.bits) - 1
        self._data = self._clock = self._latch = 0
        self._clear = 1
        self._stuck: dict[int, int] = {}
        self._cuts: dict[int, int | str] = {}
        self._noise: dict[int, int] = {}

    def power_on(self, random_bits: bool) -> None:
        """Supply on: flip-flops without a reset come up as they like (random), or all zero for a test that says so."""
        self.powered = True
        self.latches = 0
        stages = self._rng.getrandbits(2 * self.bits) if random_bits else 0
        self.output = stages >> self.bits
        self.shift = self._forced(stages & self._mask if self._clear else 0)

    def power_off(self) -> None:
        """Supply off: nothing is stored, no output drives. Pin levels are those of unpowered, idle lines."""
        self.powered = False
        self.shift = self.output = 0
        self._data = self._clock = self._latch = 0

    def data(self, level: int) -> None:
        """Level of the serial input of register 1."""
        self._data = level

    def clock(self, level: int) -> None:
        """Level of the shift clock; a rising edge shifts."""
        if level and not self._clock and self.powered:
            self._step(self._data)
        self._clock = level

    def latch(self, level: int) -> None:
        """Level of the register clock; a rising edge copies every shift stage to its output stage."""
        if level and not self._latch and self.powered:
            self.output = self.shift
            self.latches += 1
        self._latch = level

    def clear(self, level: int) -> None:
        """Level of the clear line; low empties the shift stages and holds them empty."""
        self._clear = level
        if not level and self.powered:
            self.shift = self._forced(0)

    @property
    def serial_out(self) -> int:
        """Level of the line from the last register back to the controller, as it arrives there."""
        if self.registers in self._cuts:
            return self._broken_line(self.registers)
        return (self.shift >> (self.bits - 1)) & 1

    def transfer(self, data: bytes) -> bytes:
        """An SPI transfer in mode 0, MSB first: the bytes that fall out are what the controller samples.

        The controller samples on the same rising edge that shifts, and the register's output moves only after it, so
        each bit read is the one that stood at the far end before. Same result as driving `data` and `clock` bit by bit;
        afterwards the pins are where they were, as the SPI unit lets go of them.
        """
        if not data:
            return b""
        if not self.powered:
            return bytes(len(data))
        value = int.from_bytes(data, "big")
        length = 8 * len(data)
        if self._stuck or self._cuts or not self._clear:
            fallen = 0
            for position in range(length - 1, -1, -1):
                fallen = (fallen << 1) | self.serial_out
                self._step((value >> position) & 1)
        else:
            stages = (self.shift << length) | value
            self.shift = stages & self._mask
            fallen = stages >> self.bits
        return fallen.to_bytes(len(data), "big")

    def set_stuck(self, output: int, level: int) -> None:
        """Fault: the shift stage of one output shows `level` whatever is shifted into it; the latch copies that too."""
        self._stuck[output] = level
        self.shift = self._forced(self.shift)

    def set_cut(self, register: int, level: int | str) -> None:
        """Fault: the data line behind a register is broken and its far side reads 0, 1 or `NOISE`.

        `register` counts from 1 at the controller; 0 is the line from the controller to the first register, and the
        last register's is the line back to the controller.
        """
        self._cuts[register] = level
        self._noise[register] = self._rng.getrandbits(1)

    def clear_faults(self) -> None:
        """Repair everything; what a fault has put into the stages stays there until it is shifted out."""
        self._stuck.clear()
        self._cuts.clear()
        self._noise.clear()

    def _step(self, level: int) -> None:
        stages = (self.shift << 1) | level
        for register in self._cuts:
            # Behind the last register there is no stage: what is put there falls to the mask.
            first = 8 * register
            stages = (stages & ~(1 << first)) | (self._broken_line(register) << first)
        self.shift = self._forced(stages & self._mask if self._clear else 0)
        for register in self._noise:
            self._noise[register] = self._rng.getrandbits(1)

    def _broken_line(self, register: int) -> int:
        level = self._cuts[register]
        return self._noise[register] if level == NOISE else level

    def _forced(self, stages: int) -> int:
        for output, level in self._stuck.items():
            stages = stages | (1 << output) if level else stages & ~(1 << output)
        return stages


class OutputEnable:
    """The active-low output enable (OE of a 74HC595, G of a TPIC6B595): a level, or PWM for brightness.

    A board pull-up holds the line high, so a controller that does not drive it keeps every output off.
    """

    def __init__(self) -> None:
        self._level: int | None = 1  # None while PWM drives the line
        self._period_us = 0.0
        self._high_us = 0.0
        self._start_us = 0

    def drive(self, level: int) -> None:
        """A steady level on the line. Ends PWM."""
        self._level = level

    def drive_pwm(self, freq_hz: int, duty_u16: int, t_us: int) -> None:
        """PWM from the controller; `duty_u16` 0..65535 is the share of a period that the pin is *high*, so off."""
        self._level = None
        self._period_us = 1_000_000 / freq_hz
        self._high_us = self._period_us * duty_u16 / 65535
        self._start_us = t_us

    @property
    def share(self) -> float:
        """Share of time, 0.0 to 1.0, that the outputs are enabled."""
        if self._level is not None:
            return 0.0 if self._level else 1.0
        return 1.0 - self._high_us / self._period_us

    def on_at(self, t_us: int) -> bool:
        """Whether the outputs are enabled at that moment; a PWM period starts with its high part."""
        if self._level is not None:
            return not self._level
        return (t_us - self._start_us) % self._period_us >= self._high_us
