"""Ratings of the parts that a controller file may name, as their datasheets state them. Volts, milliampere.

What a board does with a part (its supply, its own limits) is in boards/controllers; here is what the part can take.
"""

from dataclasses import dataclass

OUTPUTS_PER_REGISTER = 8  # of a 74HC595 and of a TPIC6B595


@dataclass(frozen=True)
class LogicPart:
    """A chip with logic inputs: a shift register or a display driver."""

    name: str
    source: str
    supply_min: float
    supply_max: float
    # Lowest voltage that every input takes as high: a share of the supply, or a fixed voltage where the share is 0.
    high_share: float
    high_volt: float
    # Lowest high level of the serial output at 4.5 V or more, under the load of a divider; 0 where there is no output.
    serial_high_volt: float
    # What the chip itself draws at most while it is clocked, outputs unloaded.
    supply_milliamp: float

    def input_high(self, supply: float) -> float:
        """Lowest voltage (V) that an input takes as high at this supply."""
        return self.high_share * supply or self.high_volt


@dataclass(frozen=True)
class LampStage:
    """The outputs that carry the lamp current: of a register itself, or of a driver behind it."""

    name: str
    source: str
    # (supply from which it holds, most per output), falling supply; a driver behind a register has one line from 0 V.
    output_milliamp: tuple[tuple[float, float], ...]
    package_milliamp: float
    lamp_volt_max: float
    # What one driven input takes from the register's output; 0 for a register that carries the lamps itself.
    input_milliamp: float = 0.0

    def output_limit(self, supply: float) -> float:
        """Most current (mA) of one output while the register runs at this supply (V)."""
        return next((most for least, most in self.output_milliamp if supply >= least), 0.0)


REGISTERS = {
    # onsemi MC74HC595A/D rev 25 and TI SCLS041: VIH 3.15 V at 4.5 V, 4.2 V at 6 V: 0.7 of the supply.
    "74HC595": LogicPart("74HC595", "onsemi MC74HC595A/D rev 25", 2.0, 6.0, 0.7, 0.0, 3.7, 1.0),
    # TI SLIS032B 6.3 and 6.5: VIH 0.85 VCC, SER OUT 4.0 V at 4 mA and 4.5 V, ICC 5 mA at most at 5 MHz.
    "TPIC6B595": LogicPart("TPIC6B595", "TI SLIS032B", 4.5, 5.5, 0.85, 0.0, 4.0, 5.0),
}

DISPLAYS = {
    "hc595": REGISTERS["74HC595"],
    # Maxim 19-4452 rev 4: logic 1 input voltage 3.5 V.
    "max7219": LogicPart("MAX7219", "Maxim 19-4452 rev 4", 4.0, 5.5, 0.0, 3.5, 0.0, 8.0),
    # Titan Micro TM1637 V2.4: VIH 0.7 VDD.
    "tm1637": LogicPart("TM1637", "Titan Micro TM1637 V2.4", 4.5, 5.5, 0.7, 0.0, 0.0, 5.0),
}

LAMP_STAGES = {
    # MC74HC595A/D rev 25: specified levels at 2.4 mA (3.0 V) and 6 mA (4.5 V). TI SCLS041: 70 mA through VCC or GND.
    "74HC595": LampStage("74HC595", "onsemi MC74HC595A/D rev 25", ((4.5, 6.0), (3.0, 2.4)), 70.0, 6.0),
    # TI SLIS032B: 150 mA continuous with all outputs on, 500 mA is where each limits; 50 V clamp.
    "TPIC6B595": LampStage("TPIC6B595", "TI SLIS032B", ((0.0, 150.0),), 8 * 150.0, 50.0),
    # ULN2803/D rev 1: 500 mA per driver; 1.35 mA into an input at 3.85 V; 125 degrees at 55 K/W from 70 is 1 W in all,
    # and 1.1 V are dropped at 100 mA.
    "ULN2803A": LampStage("ULN2803A", "onsemi ULN2803/D rev 1", ((0.0, 500.0),), 900.0, 50.0, 1.35),
}

# Level shifters by what they can do. Both take the 3.3 V logic of a microcontroller (TI SCLS264, SCLS281: VIH 2.0 V).
PUSH_PULL = ("74AHCT125", "74AHCT541")
# N-channel MOSFET between two pull-ups (NXP AN10441): passes both ways, and lets the far side stay high while the near
# side has no power.
OPEN_DRAIN = ("BSS138",)
