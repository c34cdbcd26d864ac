"""What must hold between the keys of a controller file: pins that can do their jobs, levels that fit, limits kept.

Works on drafts: a check whose values are not all there finds nothing, for the missing value is reported by itself.
"""

from taisai.boards.controller_model import Chain, ControllerFile, Display, Level, Limits, ShiftDisplay, WheelSensors
from taisai.boards.model import Found
from taisai.boards.parts import LAMP_STAGES, OPEN_DRAIN, OUTPUTS_PER_REGISTER, PUSH_PULL, LogicPart
from taisai.boards.pins import Mcu, pin_problems
from taisai.boards.tomlfile import ABSENT

# A pull-up as weak as this still holds the enable line high against any pull-down inside a microcontroller.
ENABLE_PULL_UP_MAX_OHM = 4700
# A regulated supply may be this much above its nominal voltage.
SUPPLY_TOLERANCE = 0.05
DISPLAY_REGISTERS = 3


def controller_problems(file: ControllerFile, mcu: Mcu | None) -> Found:
    """(key, value, text) of everything wrong between the values of a file that may be a draft."""
    found: Found = []
    if mcu is not None:
        found += pin_problems(mcu, file.jobs()) + _bus_problems(file, mcu)
    if file.chain is not None:
        found += _chain_problems(file.chain, mcu)
        if file.limits is not None:
            found += _limit_problems(file.chain, file.limits)
    if file.display is not None:
        found += _display_problems(file.display, mcu)
    if file.wheel is not None and mcu is not None:
        found += _wheel_problems(file.wheel, mcu)
    if file.guard is not None and file.guard.door is None and file.guard.write_lock is None:
        found.append(("guard", {}, "names no input: give door or write_lock, or leave the section out"))
    return found


def _wheel_problems(wheel: WheelSensors, mcu: Mcu) -> Found:
    """The two that are counted where the counter of this chip can read both."""
    if not mcu.counts_neighbours or wheel.a is None or wheel.b in (None, wheel.a, wheel.a + 1):
        return []
    text = f"{mcu.name} counts with its PIO, which reads pins that follow each other: use GPIO{wheel.a + 1}, or move a"
    return [("wheel.b", wheel.b, text)]


def _bus_problems(file: ControllerFile, mcu: Mcu) -> Found:
    """Buses that the chip has, and one for the chain alone: a display on it would shift the lamps' registers."""
    buses = {"chain.spi": file.chain and file.chain.spi, "display.spi": getattr(file.display, "spi", None)}
    listed = " or ".join(str(bus) for bus in mcu.spi_buses)
    found: Found = [
        (key, bus, f"{mcu.name} has no SPI{bus} for this: use {listed}")
        for key, bus in buses.items()
        if bus is not None and bus not in mcu.spi_buses
    ]
    if buses["display.spi"] is not None and buses["display.spi"] == buses["chain.spi"]:
        found.append(("display.spi", buses["display.spi"], "the lamp chain is on this bus: use the other one"))
    return found


def _chain_problems(chain: Chain, mcu: Mcu | None) -> Found:
    found: Found = []
    if chain.part is not None and chain.supply_volt is not None:
        found += _supply_problems("chain", chain.supply_volt, chain.register)
        if mcu is not None:
            found += _level_problems(chain, mcu)
    if chain.lamp_driver is not None and chain.part == "TPIC6B595":
        text = "a TPIC6B595 drives lamps itself, and inverts what a driver behind it would need: remove the key"
        found.append(("chain.lamp_driver", chain.lamp_driver, text))
    if chain.enable_pull_up_ohm is not None:
        found += _pull_up_problems(chain, mcu)
    return found


def _supply_problems(section: str, supply: float, part: LogicPart) -> Found:
    if part.supply_min <= supply <= part.supply_max:
        return []
    text = f"{part.name} needs {part.supply_min} to {part.supply_max} V ({part.source})"
    return [(f"{section}.supply_volt", supply, text)]


def _level_problems(chain: Chain, mcu: Mcu) -> Found:
    needed = _needs_shifter(chain.register, chain.supply_volt, mcu)
    if needed is None and chain.level is not None:
        text = f"{chain.part} at {chain.supply_volt} V takes the levels as they are: remove the section"
        return [("chain.level", _stated(chain.level), text)]
    if needed is None:
        return []
    if chain.level is None:
        text = f"{needed}: add level shifters, and a divider on the line from its serial output"
        return [("chain.level", ABSENT, text)]
    return _divider_problems(chain, chain.level, mcu)


def _needs_shifter(part: LogicPart, supply: float, mcu: Mcu) -> str | None:
    """Why the pins cannot drive this part directly, or None when they can."""
    wanted = part.input_high(supply)
    if wanted <= mcu.output_high_volt and supply <= mcu.input_max_volt:
        return None
    guaranteed = f"{mcu.name} guarantees {mcu.output_high_volt} V"
    return f"{part.name} at {supply} V takes {wanted:.2f} V or more as high, and {guaranteed}"


def _divider_problems(chain: Chain, level: Level, mcu: Mcu) -> Found:
    upper, lower = level.divider_upper_ohm, level.divider_lower_ohm
    if upper is None or lower is None:
        return []
    share = lower / (upper + lower)
    most = chain.supply_volt * (1 + SUPPLY_TOLERANCE) * share
    least = chain.register.serial_high_volt * share
    key = "chain.level.divider_lower_ohm"
    if most > mcu.input_max_volt:
        text = f"with {upper} above it, miso sees up to {most:.2f} V: {mcu.input_max_volt} V is the most"
        return [(key, lower, text)]
    if least < mcu.input_high_volt:
        text = f"with {upper} above it, miso may see only {least:.2f} V as high: it needs {mcu.input_high_volt} V"
        return [(key, lower, text)]
    return []


def _pull_up_problems(chain: Chain, mcu: Mcu | None) -> Found:
    """Low enough to hold the lamps off while no pin is driven, high enough for the pin to pull against."""
    ohm = chain.enable_pull_up_ohm
    key = "chain.enable_pull_up_ohm"
    if ohm > ENABLE_PULL_UP_MAX_OHM:
        return [(key, ohm, f"must be {ENABLE_PULL_UP_MAX_OHM} Ohm or less: lamps could light before the firmware runs")]
    if mcu is not None and chain.supply_volt is not None and chain.supply_volt / ohm * 1000 > mcu.sink_milliamp:
        text = f"{mcu.name} would sink {chain.supply_volt / ohm * 1000:.1f} mA: {mcu.sink_milliamp} mA is the most"
        return [(key, ohm, text)]
    return []


def _limit_problems(chain: Chain, limits: Limits) -> Found:
    """A board must not promise more than its parts can carry."""
    if chain.part is None or chain.supply_volt is None:
        return []
    stage = chain.lamp_stage
    found: Found = []
    rated = stage.output_limit(chain.supply_volt)
    if limits.output_milliamp is not None and limits.output_milliamp > rated:
        text = f"an output of {stage.name} carries {rated} mA at most ({stage.source})"
        found.append(("limits.output_milliamp", limits.output_milliamp, text))
    if limits.package_milliamp is not None and limits.package_milliamp > stage.package_milliamp:
        text = f"a package of {stage.name} carries {stage.package_milliamp} mA at most ({stage.source})"
        found.append(("limits.package_milliamp", limits.package_milliamp, text))
    return found


def _display_problems(display: Display, mcu: Mcu | None) -> Found:
    found: Found = []
    if display.driver is None or display.supply_volt is None:
        return found
    found += _supply_problems("display", display.supply_volt, display.part)
    if mcu is not None:
        found += _display_level_problems(display, mcu)
    if isinstance(display, ShiftDisplay) and display.milliamp is not None:
        found += _segment_problems(display)
    return found


def _display_level_problems(display: Display, mcu: Mcu) -> Found:
    needed = _needs_shifter(display.part, display.supply_volt, mcu)
    able = OPEN_DRAIN if display.driver == "tm1637" else PUSH_PULL
    if needed is None and display.shifter is not None:
        text = f"{display.part.name} at {display.supply_volt} V takes the levels as they are: remove the key"
        return [("display.shifter", display.shifter, text)]
    if needed is not None and display.shifter is None:
        return [("display.shifter", ABSENT, f"{needed}: add a level shifter, one of {', '.join(able)}")]
    if needed is not None and display.shifter not in able:
        text = f"does not fit the lines of {display.part.name}: use one of {', '.join(able)}"
        return [("display.shifter", display.shifter, text)]
    return []


def _segment_problems(display: ShiftDisplay) -> Found:
    """Static digits: each segment is one output, each digit one package."""
    stage = LAMP_STAGES["74HC595"]
    segment = display.milliamp / (OUTPUTS_PER_REGISTER * DISPLAY_REGISTERS)
    rated = stage.output_limit(display.supply_volt)
    if segment <= rated:
        return []
    text = f"is {segment:.1f} mA for each of 24 segments: an output carries {rated} mA at {display.supply_volt} V"
    return [("display.milliamp", display.milliamp, text)]


def _stated(level: Level) -> dict:
    return {name: value for name, value in level if value is not None}
