"""All that a display shows, as one object of plain values: the page and `--json` have the same."""

from collections.abc import Sequence

from taisai.boards.layout import Layout
from taisai.display.history import Game
from taisai.display.money_wheel import MoneyWheel
from taisai.display.tai_sai import TaiSai
from taisai.display.view import View
from taisai.rules import MONEY_WHEEL, TAI_SAI

_VIEWS: dict[str, type[View]] = {TAI_SAI.id: TaiSai, MONEY_WHEEL.id: MoneyWheel}

_WORDS = {
    "en": {
        "amended": "Corrected",
        "hot": "Hot",
        "cold": "Cold",
        "results": "Last results",
        "counts": "Last {} games",
        "waiting": "No result yet",
        "lost": "No connection to the table",
    },
    "ko": {
        "amended": "정정",
        "hot": "최다",
        "cold": "최소",
        "results": "최근 결과",
        "counts": "최근 {}게임",
        "waiting": "아직 결과 없음",
        "lost": "테이블 연결 없음",
    },
}


def picture(layout: Layout, games: Sequence[Game], last: int, window: int) -> dict:
    """`games`: newest first, at least as many as are shown. `last` results have a place, filled or not; counts are over
    the last `window` games, void ones among them.
    """
    view = _VIEWS[layout.game](layout)
    counted = games[:window]
    words = _WORDS[layout.language] | view.words[layout.language]
    voids = {"name": words["void"], "count": sum(game.throw is None for game in counted)}
    return {
        "language": layout.language,
        "words": {name: text.format(len(counted)) for name, text in words.items()},
        "places": last,
        "counted": len(counted),
        "results": [_result(view, game) for game in games[:last]],
        "counts": [*view.counts(counted), voids],
        "ranking": view.ranking(counted),
        "pictures": view.pictures(),
    }


def nothing(last: int) -> dict:
    """What is shown before any table has answered: which game it is, is not known yet."""
    words = _WORDS["en"] | {"title": "Results", "void": "Void", "ranking": "Counts"}
    return {
        "language": "en",
        "words": {name: text.format(0) for name, text in words.items()},
        "places": last,
        "counted": 0,
        "results": [],
        "counts": [],
        "ranking": [],
        "pictures": {},
    }


def _result(view: View, game: Game) -> dict:
    told = {"game": game.number, "void": game.throw is None, "amended": game.amended}
    return told if game.throw is None else told | view.result(game.throw)
