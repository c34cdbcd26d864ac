"""A controller: microcontroller board, pins, display, lamp registers and limits, from boards/controllers/ID.toml."""

from pathlib import Path

from taisai.boards import shipped
from taisai.boards.controller_checks import controller_problems
from taisai.boards.controller_model import ControllerFile
from taisai.boards.draft import draft
from taisai.boards.mcu_esp32 import DEVKITC
from taisai.boards.mcu_rp2040 import PICO
from taisai.boards.pins import Mcu
from taisai.boards.tomlfile import check, read_toml
from taisai.errors import DataErrors, Problem
from taisai.rules import TAI_SAI, Game

MCUS = {mcu.board: mcu for mcu in (PICO, DEVKITC)}


class Controller(ControllerFile):
    """A checked controller file; `id` is the name of the file without its ending."""

    id: str

    @property
    def mcu_facts(self) -> Mcu:
        """What the datasheets say about the board."""
        return MCUS[self.board]

    @property
    def mcu(self) -> str:
        """The microcontroller as the firmware names it: rp2040 or esp32."""
        return self.mcu_facts.name


def list_controllers(game: Game = TAI_SAI) -> list[str]:
    """Ids of the shipped controllers, sorted: those that serve every game, or those for another game alone."""
    return shipped.ids("controllers", game)


def load_controller(id_or_path: str | Path) -> Controller:
    """Read and check a controller: a shipped one by its id, or any file by its path (a name that ends in .toml).

    Raises DataErrors with every problem of the file, or with the list of ids when there is no such controller.
    """
    path = shipped.path_of("controllers", id_or_path)
    data = read_toml(path)
    checked, problems = check(ControllerFile, data, path)
    sound = checked or draft(ControllerFile, data)
    problems += [Problem(str(path), *found) for found in controller_problems(sound, MCUS.get(sound.board))]
    if problems:
        raise DataErrors(problems)
    return Controller(id=path.stem, **{key: value for key, value in checked})
