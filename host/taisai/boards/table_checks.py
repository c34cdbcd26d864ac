"""What must hold between a harness and its layout, and which options only repeat what holds without them."""

from taisai.boards.layout import Layout
from taisai.boards.model import Found
from taisai.boards.parts import OUTPUTS_PER_REGISTER
from taisai.boards.pins import Mcu
from taisai.boards.table_model import Options
from taisai.boards.tomlfile import ABSENT


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
    """A default written down is a second home of a fact; a watchdog cannot wait longer than its counter."""
    found: Found = []
    for name in sorted(options.model_fields_set):
        value = getattr(options, name)
        if value is not None and value == Options.model_fields[name].default:
            found.append((f"options.{name}", value, "restates the default: remove the key"))
    longest = mcu.watchdog_max_ms if mcu is not None else None
    if longest is not None and options.watchdog_ms is not None and options.watchdog_ms > longest:
        text = f"the watchdog of {mcu.name} waits {longest} ms at most"
        found.append(("options.watchdog_ms", options.watchdog_ms, text))
    return found
