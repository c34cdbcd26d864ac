"""All that a display shows, as one object of plain values: the page and `--json` have the same."""

from collections.abc import Sequence

from taisai.boards.layout import Layout
from taisai.display.history import Game
from taisai.display.tai_sai import TaiSai

_WORDS = {
    "en": {
        "title": "Tai-Sai results",
        "void": "Void",
        "amended": "Corrected",
        "total": "Total",
        "hot": "Hot",
        "cold": "Cold",
        "results": "Last results",
        "counts": "Last {} games",
        "numbers": "Numbers in the last {} games",
        "waiting": "No result yet",
        "lost": "No connection to the table",
    },
    "ko": {
        "title": "다이사이 게임 결과",
        "void": "무효",
        "amended": "정정",
        "total": "합",
        "hot": "최다",
        "cold": "최소",
        "results": "최근 결과",
        "counts": "최근 {}게임",
        "numbers": "최근 {}게임의 숫자",
        "waiting": "아직 결과 없음",
        "lost": "테이블 연결 없음",
    },
}  # fmt: skip


def picture(layout: Layout, games: Sequence[Game], last: int, window: int) -> dict:
    """`games`: newest first, at least as many as are shown. `last` results have a place, filled or not; counts are over
    the last `window` games, void ones among them.
    """
    view = TaiSai(layout)
    counted = games[:window]
    made = _empty(layout.language, last, len(counted))
    voids = {"name": made["words"]["void"], "count": sum(game.throw is None for game in counted)}
    return {
        **made,
        "results": [_result(view, game) for game in games[:last]],
        "counts": [*view.counts(counted), voids],
        "numbers": view.numbers(counted),
    }


def nothing(last: int) -> dict:
    """What is shown before any table has answered."""
    return _empty("en", last, 0)


def _empty(language: str, last: int, counted: int) -> dict:
    words = {name: text.format(counted) for name, text in _WORDS[language].items()}
    return {
        "language": language, "words": words, "places": last, "counted": counted, "results": [], "counts": [],
        "numbers": [],
    }  # fmt: skip


def _result(view: TaiSai, game: Game) -> dict:
    told = {"game": game.number, "void": game.throw is None, "amended": game.amended}
    return told if game.throw is None else told | view.result(game.throw)
