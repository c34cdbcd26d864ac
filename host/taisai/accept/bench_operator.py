"""The operator of a simulated unit: acts at the bench, and answers from what an observer of the bench sees and hears.

It never asks the firmware, so that a firmware that lies is found as a person would find it.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from taisai.accept.operator import Act, Sight

if TYPE_CHECKING:
    from taisai.sim.board import VirtualBoard

GAP_MS = 140
_BLINK_MS = 1200
_STEP_MS = 20
_OFF_MS = 500


class BenchOperator:
    """`assumed` stays empty: the bench answers everything."""

    def __init__(self, board: "VirtualBoard"):
        self.assumed: list[str] = []
        self._board = board
        self._since_us = 0

    def does(self, act: Act) -> None:
        board, bench = self._board, self._board.bench
        self._since_us = bench.now_us
        if act.together:
            bench.keys.chord(act.keys, act.hold_ms)
            board.run_ms(act.hold_ms + GAP_MS)
        else:
            for key in act.keys:
                bench.keys.press(key, act.hold_ms)
                board.run_ms(act.hold_ms + GAP_MS)
        if act.switch is not None:
            bench.switch.turn(act.switch)
            board.run_ms(GAP_MS)
        if act.turns:
            bench.wheel.spin(act.turns, "stop" if act.stopped else "free")
        if act.power is False:
            board.power_off()
            board.run_ms(_OFF_MS)
        elif act.power:
            board.power_on()

    def sees(self, sight: Sight) -> bool:
        """Looked at for as long as it takes something that blinks to be lit once."""
        end_us = self._board.bench.now_us + _BLINK_MS * 1000
        while not self._is(sight):
            if self._board.bench.now_us >= end_us:
                return False
            self._board.run_ms(_STEP_MS)
        return True

    def done(self) -> None:
        """There is no prompt."""

    def watches(self, text: str, question: str, sights: Callable[[], Iterator[Sight]]) -> Sight | None:
        """Each of them, while it is there."""
        return next((sight for sight in sights() if not self.sees(sight)), None)

    def names_lit(self, zones: Sequence[str]) -> list[str]:
        """As an observer sees them."""
        seen = self._board.bench.observe()
        return [*seen.lit, *seen.partial]

    def _is(self, sight: Sight) -> bool:
        bench = self._board.bench
        seen = bench.observe()
        heard = any(tone.start_us >= self._since_us for tone in bench.beeper.tones)
        return (
            (
                sight.display is None
                or all(wanted in ("*", there) for wanted, there in zip(sight.display, seen.display, strict=True))
            )
            and (sight.lamps is None or bench.lamps.glowing() == sum(1 << output for output in sight.lamps))
            and sight.heard in (None, heard)
            and (sight.symbol is None or sight.symbol == bench.wheel.symbol)
        )
