"""What the betting areas are called in the languages of the players, from boards/names/GAME.toml."""

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator

from taisai.boards.layout import Layout
from taisai.boards.model import StrictModel, Text
from taisai.boards.tomlfile import ABSENT, check, read_toml
from taisai.errors import DataErrors, Problem
from taisai.paths import boards_dir
from taisai.rules import Area

LANGUAGES = ("en", "zh", "ko")
_NUMBERS = "{}"


def _one_place(name: str) -> str:
    if name.count(_NUMBERS) > 1 or set("{}") & set(name.replace(_NUMBERS, "")):
        raise ValueError("may have {} once, where the numbers of the zone come, and no other braces")
    return name


Name = Annotated[Text, AfterValidator(_one_place)]


class Names(StrictModel):
    """One name in every language; {} stands for the numbers of the zone."""

    en: Name
    zh: Name
    ko: Name


def check_names(layout: Layout) -> None:
    """DataErrors with every problem of the names of the layout's game, and with every zone that has none."""
    known = _load(layout.game)
    missing = {zone.kind: None for zone in layout.zones if _of(known, zone) is None}
    if missing:
        raise DataErrors([_missing(layout.game, kind) for kind in missing])


def zone_name(zone: Area, language: str, game: str = "tai-sai") -> str:
    """The name of a zone, for example "Small", "Total 10" or "Single 3". DataErrors: the file of names is wrong.
    KeyError: no names in that language.
    """
    if language not in LANGUAGES:
        raise KeyError(language)
    names = _of(_known(game), zone)
    if names is None:
        raise DataErrors([_missing(game, zone.kind)])
    return getattr(names, language).replace(_NUMBERS, ", ".join(map(str, zone.values)))


@cache
def _known(game: str) -> dict[str, Names]:
    return _load(game)


def _load(game: str) -> dict[str, Names]:
    path = _path(game)
    found, problems = {}, []
    for kind, stated in read_toml(path).items():
        found[kind], wrong = check(Names, stated, path)
        problems += [replace(problem, key=f"{kind}.{problem.key}") for problem in wrong]
    if problems:
        raise DataErrors(problems)
    return found


def _of(known: dict[str, Names], zone: Area) -> Names | None:
    """A zone may have a name of its own; others have that of their kind."""
    return known.get(zone.id) or known.get(zone.kind)


def _missing(game: str, kind: str) -> Problem:
    return Problem(str(_path(game)), kind, ABSENT, "these zones have no name: add it")


def _path(game: str) -> Path:
    return boards_dir() / "names" / f"{game}.toml"
