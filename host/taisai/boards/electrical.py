"""Currents of a table in the worst case: the largest lit sets over all outcomes of the game, and the lamp test.

All lamps of a zone light together. Currents in milliampere.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from taisai.boards.controller_model import ControllerFile
from taisai.boards.layout import Layout
from taisai.boards.model import Found
from taisai.boards.parts import OUTPUTS_PER_REGISTER
from taisai.boards.pins import Mcu
from taisai.boards.table_model import LampSupply
from taisai.rules import Game, Outcome

Harness = Mapping[str, Sequence[int]]

# The sum must differ by this many times its noise when one lamp is missing.
SENSE_MARGIN = 3


@dataclass(frozen=True)
class WorstCase:
    """The most lamps lit by any outcome, in the whole table and in one register, with a throw (or a stop of the wheel)
    that does it.
    """

    game: Game
    lamps: int
    throw: Outcome
    register: int
    register_lamps: int
    register_throw: Outcome


def worst_case(layout: Layout, harness: Harness) -> WorstCase:
    """Largest lit sets over all outcomes; registers count from 1 at the controller."""
    game = layout.rules
    lamps, register_lamps = (0, game.outcomes[0]), (0, 1, game.outcomes[0])
    for throw in game.outcomes:
        outputs = [output for zone in game.evaluate(layout, throw) for output in harness.get(zone, ())]
        if len(outputs) > lamps[0]:
            lamps = (len(outputs), throw)
        for register, count in _per_register(outputs).items():
            if count > register_lamps[0]:
                register_lamps = (count, register, throw)
    return WorstCase(game, *lamps, register_lamps[1], register_lamps[0], register_lamps[2])


def _per_register(outputs: Iterable[int]) -> Counter[int]:
    return Counter(output // OUTPUTS_PER_REGISTER + 1 for output in outputs)


def current_problems(
    controller: ControllerFile, mcu: Mcu, lamps: LampSupply, registers: int, harness: Harness, worst: WorstCase
) -> Found:
    """(key, value, text) for every current that a part, the board or a supply does not carry."""
    return [
        *_output_problems(controller, lamps),
        *_package_problems(controller, lamps, harness, worst),
        *_supply_problems(controller, lamps, worst),
        *_group_problems(lamps, harness),
        *_logic_problems(controller, registers, worst),
        *_sense_problems(controller, mcu, lamps, worst),
    ]


def _output_problems(controller: ControllerFile, lamps: LampSupply) -> Found:
    found: Found = []
    most = controller.limits.output_milliamp
    if lamps.milliamp > most:
        found.append(("lamps.milliamp", lamps.milliamp, f"an output of this controller carries {most} mA at most"))
    stage = controller.chain.lamp_stage
    if lamps.supply_volt > stage.lamp_volt_max:
        text = f"an output of {stage.name} stands {stage.lamp_volt_max} V at most ({stage.source})"
        found.append(("lamps.supply_volt", lamps.supply_volt, text))
    return found


def _package_problems(controller: ControllerFile, lamps: LampSupply, harness: Harness, worst: WorstCase) -> Found:
    most = controller.limits.package_milliamp
    found: Found = []
    if worst.register_lamps * lamps.milliamp > most:
        text = (
            f"{worst.game.named(worst.register_throw)} lights {worst.register_lamps} lamps of register "
            f"{worst.register}: {worst.register_lamps * lamps.milliamp:g} mA, and its package carries {most} mA at most"
        )
        found.append(("lamps.milliamp", lamps.milliamp, text))
    fitted = max(_per_register(output for outputs in harness.values() for output in outputs).values(), default=0)
    tested = min(fitted * lamps.milliamp, lamps.group_milliamp)
    if tested > most:
        text = f"the lamp test may put {tested:g} mA through one package, which carries {most} mA at most"
        found.append(("lamps.group_milliamp", lamps.group_milliamp, text))
    return found


def _supply_problems(controller: ControllerFile, lamps: LampSupply, worst: WorstCase) -> Found:
    current = worst.lamps * lamps.milliamp
    lit = f"{worst.game.named(worst.throw)} lights {worst.lamps} lamps: {current:g} mA"
    found: Found = []
    if current > lamps.supply_milliamp:
        found.append(("lamps.supply_milliamp", lamps.supply_milliamp, f"{lit}, more than the supply gives"))
    most = controller.limits.lamp_supply_milliamp
    if current > most:
        found.append(("lamps.milliamp", lamps.milliamp, f"{lit}, and the lamp connector carries {most} mA at most"))
    return found


def _group_problems(lamps: LampSupply, harness: Harness) -> Found:
    """A lamp test lights whole zones, group after group, and no group may ask more than the supply gives."""
    found: Found = []
    group = lamps.group_milliamp
    if group > lamps.supply_milliamp:
        text = f"a group of the lamp test must stay within the supply's {lamps.supply_milliamp} mA"
        found.append(("lamps.group_milliamp", group, text))
    largest = max((len(outputs) for outputs in harness.values()), default=0) * lamps.milliamp
    if group < largest:
        text = f"the lamps of one zone take {largest:g} mA: a group must have room for them"
        found.append(("lamps.group_milliamp", group, text))
    return found


def _logic_problems(controller: ControllerFile, registers: int, worst: WorstCase) -> Found:
    chain = controller.chain
    current = (
        registers * chain.register.supply_milliamp
        + worst.lamps * chain.lamp_stage.input_milliamp
        + controller.display.milliamp
    )
    most = controller.limits.logic_supply_milliamp
    if current <= most:
        return []
    text = f"registers and display take up to {current:g} mA: the logic supply gives {most} mA at most"
    return [("registers", registers, text)]


def _sense_problems(controller: ControllerFile, mcu: Mcu, lamps: LampSupply, worst: WorstCase) -> Found:
    """The sum is only worth having when one lamp more or less shows in it, at the largest lit set too."""
    sense = controller.sense
    if sense is None:
        return []
    current = worst.lamps * lamps.milliamp
    found: Found = []
    noise = sense.noise_at(current)
    if lamps.milliamp < SENSE_MARGIN * noise:
        text = (
            f"the sense cannot tell one lamp among {worst.lamps} ({worst.game.named(worst.throw)}): its noise there is "
            f"{noise:g} mA, and a lamp must be {SENSE_MARGIN} times that"
        )
        found.append(("lamps.milliamp", lamps.milliamp, text))
    full_scale = mcu.analogue_max_volt * sense.milliamp_per_volt
    if current + lamps.milliamp > full_scale:
        text = f"{worst.lamps} lamps and one more are beyond the {full_scale:g} mA that the sense can measure"
        found.append(("lamps.milliamp", lamps.milliamp, text))
    return found
