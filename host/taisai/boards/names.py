"""What the betting areas are called in the languages of the players, from boards/names/GAME.toml."""

from functools import cache

from taisai.boards.model import StrictModel, Text
from taisai.boards.tomlfile import check, read_toml
from taisai.errors import DataErrors
from taisai.paths import boards_dir
from taisai.rules import Area

LANGUAGES = ("en", "zh", "ko")


class Names(StrictModel):
    """One name in every language; {} stands for the numbers of the zone."""

    en: Text
    zh: Text
    ko: Text


@cache
def _names(game: str) -> dict[str, Names]:
    path = boards_dir() / "names" / f"{game}.toml"
    found, problems = {}, []
    for kind, stated in read_toml(path).items():
        found[kind], wrong = check(Names, stated, path)
        problems += wrong
    if problems:
        raise DataErrors(problems)
    return found


def zone_name(zone: Area, language: str, game: str = "tai-sai") -> str:
    """The name of a zone, for example "Small", "Total 10" or "Single 3". KeyError: no names in that language."""
    if language not in LANGUAGES:
        raise KeyError(language)
    known = _names(game)
    names = known.get(zone.id) or known[zone.kind]
    return getattr(names, language).format(", ".join(map(str, zone.values)))
