"""The view of each game, by the name that layout files use."""

from taisai.boards.table import Table
from taisai.rules import MONEY_WHEEL, TAI_SAI
from taisai.web.money_wheel import MoneyWheel
from taisai.web.tai_sai import TaiSai
from taisai.web.view import View

_VIEWS: dict[str, type[View]] = {TAI_SAI.id: TaiSai, MONEY_WHEEL.id: MoneyWheel}


def view_of(table: Table) -> View:
    """What the page needs of the game that is played at this table."""
    return _VIEWS[table.layout.game](table)
