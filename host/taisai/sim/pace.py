"""Time keeping: bench time moves as the program waits, at the prompt too, or with the clock on the wall.

Bench time goes from one moment at which something happens to the next: an event of the bench, the begin or the end of
what the program asked for, or the limit of the caller.
"""

import time
from collections.abc import Callable

from taisai.errors import TaisaiError
from taisai.sim.bench import Bench
from taisai.sim.processor import FIRMWARE, PROMPT, Processor

_HUNG_S = 10.0
_LOOK_S = 0.05
_S = 1_000_000
# The firmware looks at its keys more often than this. A longer step, made because this computer was busy elsewhere,
# would jump over a press, which no board does.
_STEP_US = 8_000
# So far bench time may be behind the wall and catch up, in such steps; what is more than that is left out.
_BEHIND_US = 100_000
# Computing takes no time, as always here, unless it takes longer than any firmware's: then it hangs.
_COMPUTES_S = 1.0


class Pace:
    """Moves the time of one bench together with its processor."""

    def __init__(self, bench: Bench, processor: Processor):
        self._bench = bench
        self._processor = processor

    def run(self, limit_us: int, condition: Callable[[], bool] | None = None) -> None:
        """Bench time, exactly to `limit_us`, or until the condition holds, asked whenever something happens.

        TaisaiError when the program computes for ever without a watchdog to end it.
        """
        bench, processor = self._bench, self._processor
        processor.heard = time.monotonic()
        while bench.now_us < limit_us and not (condition and condition()):
            if processor.mode == PROMPT and not processor.asks:
                processor.wait(0)
            if processor.asks:
                self._serve_until(limit_us, watched=condition is not None)
            elif processor.mode == FIRMWARE:
                self._listen(limit_us)
            else:
                self._skip(limit_us)

    def talk(self, limit_us: int, condition: Callable[[], bool]) -> bool:
        """Bench time at the prompt, to `limit_us` or until the condition holds or the prompt is left.

        It stands still while a program computes, and moves on when there is none, or one that waits for input. False
        where the system does not tell which it is.
        """
        bench, processor = self._bench, self._processor
        processor.real_time = True  # an unread port holds the program back
        try:
            processor.heard = time.monotonic()
            while processor.mode == PROMPT and bench.now_us < limit_us and not condition():
                if processor.asks:
                    self._serve_until(limit_us, watched=True)
                elif (idle := processor.wait_idle()) is None:
                    return False
                elif idle or time.monotonic() - processor.heard > _HUNG_S:
                    self._skip(limit_us)
        finally:
            processor.real_time = False
        return True

    def run_real(self, seconds: float, until: Callable[[], bool] | None, wake: tuple[int, ...]) -> None:
        """Bench time in step with the wall, for so long, until the condition holds or a `wake` file is readable."""
        self._processor.real_time = True
        try:
            self._follow_the_wall(seconds, until, wake)
        finally:
            self._processor.real_time = False

    def _serve_until(self, limit_us: int, *, watched: bool) -> None:
        """Move time to where the open request begins or ends, and let it; at most to the next event or the limit."""
        bench, processor = self._bench, self._processor
        begins = processor.begins_us
        due = processor.ends_us if begins is None else begins
        # Event by event: one of them may reset the board, which then starts at that moment and not at the target.
        event = bench.next_event_us()
        if event is not None and event <= min(due, limit_us):
            bench.advance(event)
        elif due >= limit_us:
            bench.advance(limit_us)
        else:
            bench.advance(due)
            processor.finish(limit_us, watched=watched) if begins is None else processor.begin()

    def _listen(self, limit_us: int) -> None:
        """The program computes. On a board time would pass meanwhile, and the watchdog would end it if it hangs."""
        processor = self._processor
        processor.wait(_LOOK_S)
        if processor.asks:
            return
        processor.take_output()  # it may be waiting for room
        if time.monotonic() - processor.heard > _HUNG_S:
            if not self._bench.watchdog.running:
                raise TaisaiError(
                    f"the program on the board has not waited for anything for {_HUNG_S:.0f} s of real time"
                )
            self._skip(limit_us)

    def _skip(self, limit_us: int) -> None:
        """Move time to the next event, or to the limit."""
        due = self._bench.next_event_us()
        self._bench.advance(limit_us if due is None else min(due, limit_us))

    def _follow_the_wall(self, seconds: float, until: Callable[[], bool] | None, wake: tuple[int, ...]) -> None:
        bench, processor = self._bench, self._processor
        start = time.monotonic()
        origin_us = bench.now_us
        while True:
            passed = min(seconds, time.monotonic() - start)
            wall_us = origin_us + round(passed * _S)
            computes = False
            if processor.begins_us is not None:
                processor.begin()
            step_to_us = wall_us
            if processor.mode == FIRMWARE:
                missed_us = max(0, wall_us - bench.now_us - _BEHIND_US)
                origin_us, wall_us = origin_us - missed_us, wall_us - missed_us
                computes = not processor.asks and time.monotonic() - processor.heard < _COMPUTES_S
                step_to_us = min(wall_us, processor.ends_us or bench.now_us + _STEP_US)
            if not computes and step_to_us > bench.now_us:
                bench.advance(step_to_us)
            if processor.ends_us is not None and processor.ends_us <= bench.now_us:
                processor.finish(bench.now_us, watched=True)
            if passed >= seconds or (until and until()):
                return
            moments = [origin_us + round(seconds * _S)]
            if computes:
                moments.append(wall_us + _STEP_US)
            elif bench.now_us < wall_us:
                moments.append(wall_us)
            else:
                moments += [moment for moment in (processor.ends_us, bench.next_event_us()) if moment is not None]
            if processor.wait(max(0.0, (min(moments) - wall_us) / _S), wake):
                return
