"""A table: one sellable unit. Layout, controller, harness, lamp supply and options, from boards/tables/ID.toml."""

from pathlib import Path

from taisai.boards import shipped
from taisai.boards.controller import Controller, load_controller
from taisai.boards.draft import draft
from taisai.boards.electrical import current_problems, worst_case
from taisai.boards.layout import Layout, load_layout
from taisai.boards.model import Found, StrictModel, Text
from taisai.boards.table_checks import harness_problems, option_problems, sound_harness, wheel_problems, zone_problems
from taisai.boards.table_model import LampSupply, Options, Outputs, TableFile, WheelOptions
from taisai.boards.tomlfile import check, read_toml
from taisai.errors import DataErrors, Problem
from taisai.rules import TAI_SAI, Game


class Table(StrictModel):
    """A checked table file with its layout and controller; `id` is the name of the file without its ending.

    The harness names for every zone, in the layout's order, the register outputs that light it.
    """

    id: str
    title: Text
    layout: Layout
    controller: Controller
    registers: int
    lamps: LampSupply
    options: Options
    wheel: WheelOptions
    harness: dict[str, Outputs]


def list_tables(game: Game = TAI_SAI) -> list[str]:
    """Ids of the shipped tables of a game, sorted."""
    return shipped.ids("tables", game)


def load_table(id_or_path: str | Path) -> Table:
    """Read and check a table: a shipped one by its id, or any file by its path (a name that ends in .toml).

    Raises DataErrors with every problem of the file and of the files it names, or with the list of ids when there is no
    such table.
    """
    path = shipped.path_of("tables", id_or_path)
    data = read_toml(path)
    checked, problems = check(TableFile, data, path)
    sound = checked or draft(TableFile, data)
    layout = shipped.named_part("layout", sound.layout, path, load_layout, problems)
    controller = shipped.named_part("controller", sound.controller, path, load_controller, problems)
    problems += [Problem(str(path), *found) for found in _findings(sound, data, layout, controller)]
    if problems:
        raise DataErrors(problems)
    return Table(
        id=path.stem,
        title=checked.title,
        layout=layout,
        controller=controller,
        registers=checked.registers,
        lamps=checked.lamps,
        options=checked.options,
        wheel=checked.wheel or WheelOptions(),
        harness={zone: checked.harness[zone] for zone in layout.zone_ids},
    )


def _findings(
    file: TableFile, data: dict, layout: Layout | None, controller: Controller | None
) -> Found:
    """Everything wrong between the values of a file that may be a draft, as far as its parts are known."""
    harness = sound_harness(data.get("harness"))
    mcu = controller.mcu_facts if controller is not None else None
    found = harness_problems(data.get("harness"), file.registers)
    if file.options is not None:
        found += option_problems(file.options, mcu)
    if layout is None:
        return found
    found += zone_problems(data.get("harness"), layout)
    if controller is not None:
        found += wheel_problems(file.wheel, layout, controller)
    lamps = file.lamps
    if controller is None or lamps is None or None in dict(lamps).values() or file.registers is None:
        return found
    worst = worst_case(layout, harness)
    return found + current_problems(controller, mcu, lamps, file.registers, harness, worst)
