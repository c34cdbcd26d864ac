"""The page's view of Tai-Sai: the dice are thrown elsewhere, and nothing moves by itself."""

from taisai.errors import TaisaiError
from taisai.sim.bench import Bench
from taisai.web.actions import Spin
from taisai.web.view import View


class TaiSai(View):
    """A result is the three dice."""

    def furniture(self) -> dict:
        return {"wheel": None}

    def moving(self, bench: Bench) -> list[dict]:
        return []

    def spin(self, bench: Bench, action: Spin) -> None:
        raise TaisaiError("this table has no money wheel")
