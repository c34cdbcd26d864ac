"""hardware.json: what the firmware must know of its board, as read by firmware/assembly.py."""

import json

from tablecore.hardwarefile import FORMAT, NO_DIGEST, seal
from taisai.boards.controller_model import Beeper, Chain, Display
from taisai.boards.electrical import worst_case
from taisai.boards.table import Table
from taisai.rules import MONEY_WHEEL


def hardware_json(table: Table) -> bytes:
    """The file for this table: ASCII, keys sorted, one line feed at the end, sealed; the same bytes on every build."""
    controller = table.controller
    content = {
        "format": FORMAT,
        "table": table.id,
        "layout": table.layout.id,
        "game": table.layout.game,
        "mcu": controller.mcu,
        "keys": [*controller.keys.digits, controller.keys.entry],
        "switch": controller.keys.switch,
        "beeper": _beeper(controller.beeper),
        "chain": _chain(controller.chain, table.registers),
        "display": _display(controller.display),
        "sense": _sense(table),
        "guard": None if controller.guard is None else controller.guard.model_dump(),
        "clock": None if controller.clock is None else controller.clock.model_dump(exclude={"part"}),
        "lamp_milliamp": _number(table.lamps.milliamp),
        "lamp_tolerance_percent": table.lamps.tolerance_percent,
        "group_budget_milliamp": _number(table.lamps.group_milliamp),
        "brightness_percent": table.options.brightness_percent,
        "watchdog_ms": table.options.watchdog_ms,
        "sha256": NO_DIGEST,
        **_money_wheel(table),
    }
    return seal((json.dumps(content, indent=1, sort_keys=True) + "\n").encode("ascii"))


def _beeper(beeper: Beeper) -> dict:
    return {"pin": beeper.pin, "frequency_hz": beeper.frequency_hz}


def _chain(chain: Chain, registers: int) -> dict:
    pins = {name: getattr(chain, name) for name in ("spi", "sck", "mosi", "miso", "latch", "enable", "clear", "baud")}
    return {**pins, "registers": registers}


def _display(display: Display) -> dict:
    """The driver and its pins; supply, shifter and current concern only the person with the soldering iron."""
    return display.model_dump(exclude={"supply_volt", "shifter", "milliamp"})


def _sense(table: Table) -> dict | None:
    """Its noise is stated for the largest lit set, where it is greatest: one figure that always holds."""
    sense = table.controller.sense
    if sense is None:
        return None
    largest = worst_case(table.layout, table.harness).lamps * table.lamps.milliamp
    return {
        "pin": sense.pin,
        "milliamp_per_volt": _number(sense.milliamp_per_volt),
        "noise_milliamp": _number(sense.noise_at(largest)),
    }


def _money_wheel(table: Table) -> dict:
    """What this game alone needs: when a spin counts, and the sensors where the controller has them."""
    if table.layout.rules is not MONEY_WHEEL:
        return {}
    spin = {"minimum_revolutions": table.layout.minimum_revolutions, **table.wheel.model_dump()}
    sensors = table.controller.wheel
    return {"spin": spin, "wheel": None if sensors is None else sensors.model_dump(exclude={"pull_up_ohm"})}


def _number(value: float) -> int | float:
    """A whole number as an integer, which costs the board less than a float."""
    return int(value) if value == int(value) else value
