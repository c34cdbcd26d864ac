"""The games that there are, by the name that layout files use."""

from taisai.rules.game import Game
from taisai.rules.money_wheel import MoneyWheel
from taisai.rules.tai_sai import TaiSai

TAI_SAI = TaiSai()
MONEY_WHEEL = MoneyWheel()

GAMES: dict[str, Game] = {game.id: game for game in (TAI_SAI, MONEY_WHEEL)}
