"""What must hold between a harness and its layout, and which options only repeat what holds without them."""

from taisai.boards.controller import Controller
from taisai.boards.layout import Layout
from taisai.boards.model import Found, StrictModel
from taisai.boards.parts import OUTPUTS_PER_REGISTER
from taisai.boards.pins import Mcu
from taisai.boards.table_model import Options, WheelOptions
from taisai.boards.tomlfile import ABSENT
from taisai.rules import MONEY_WHEEL


def sound_harness(stated: object) -> dict[str, tuple[int, ...]]:
    """The zones of a harness with those of their outputs that are whole numbers from 0, whatever else is wrong."""
    if not isinstance(stated, dict):
        return {}
    sound = {zone: _outputs(outputs) for zone, outputs in stated.items()}
    return {zone: outputs for zone, outputs in sound.items() if outputs}


def _outputs(stated: object) -> tuple[int, ...]:
    return tuple(one for one in stated if type(one) is int and one >= 0) if isinstance(stated, list) else ()


def harness_problems(stated: object, registers: int | None) -> Found:
    """Outputs that have two lamps, and outputs that no register has. `stated` is the harness as written."""
    found: Found = []
    first: dict[int, str] = {}
    for zone, outputs in sound_harness(stated).items():
        key = f"harness.{zone}"
        for output in outputs:
            if output in first:
                text = f"output {output} used twice: it already lights {first[output]}"
                found.append((key, stated[zone], text))
            first.setdefault(output, zone)
            if registers is not None and output >= registers * OUTPUTS_PER_REGISTER:
                last = registers * OUTPUTS_PER_REGISTER - 1
                text = f"output {output} is beyond the chain: {registers} registers end with output {last}"
                found.append((key, stated[zone], text))
    return found


def zone_problems(stated: object, layout: Layout) -> Found:
    """Zones of the layout that nothing lights, and names that are no zone of it. `stated` is the harness as written."""
    named = stated if isinstance(stated, dict) else {}
    found: Found = [
        (f"harness.{zone}", outputs, f"unknown zone: {layout.id} has none of this name")
        for zone, outputs in named.items()
        if zone not in layout.zone_ids
    ]
    for zone in layout.zone_ids:
        if zone not in named:
            found.append((f"harness.{zone}", ABSENT, "zone without an output: name the outputs that light it"))
    return found


def option_problems(options: Options, mcu: Mcu | None) -> Found:
    """A watchdog cannot wait longer than its counter."""
    found = _restated("options", options)
    longest = mcu.watchdog_max_ms if mcu is not None else None
    if longest is not None and options.watchdog_ms is not None and options.watchdog_ms > longest:
        text = f"the watchdog of {mcu.name} waits {longest} ms at most"
        found.append(("options.watchdog_ms", options.watchdog_ms, text))
    return found


def wheel_problems(options: WheelOptions | None, layout: Layout, controller: Controller) -> Found:
    """What concerns the sensors of a money wheel goes with such a layout, and with a controller that has them."""
    found: Found = []
    played = layout.rules is MONEY_WHEEL
    if controller.wheel is not None and not played:
        text = f"has sensors for a money wheel, and {layout.id} is no layout of one: use another controller"
        found.append(("controller", controller.id, text))
    if options is not None and not played:
        found.append(("wheel", _stated(options), f"{layout.id} is no layout of a money wheel: remove the section"))
    elif options is not None and controller.wheel is None:
        found.append(("wheel", _stated(options), f"{controller.id} has no sensors at the wheel: remove the section"))
    elif options is not None:
        found += _restated("wheel", options)
    return found


def _stated(options: WheelOptions) -> dict:
    return {name: getattr(options, name) for name in sorted(options.model_fields_set)}


def _restated(section: str, options: StrictModel) -> Found:
    """A default written down is a second home of a fact."""
    return [
        (f"{section}.{name}", value, "restates the default: remove the key")
        for name in sorted(options.model_fields_set)
        if (value := getattr(options, name)) is not None and value == type(options).model_fields[name].default
    ]
