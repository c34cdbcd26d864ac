"""A table that is played while others look on: the real firmware behind a serial port, in real time, in a thread."""

import queue
import threading
import time

from taisai.boards.table import load_table
from taisai.build.application import application_files
from taisai.journal.rebuild import Rebuilt
from taisai.sim.board import VirtualBoard
from taisai.sim.linkpty import LinkPty

DOWN_MS, NEXT_MS, HOLD_MS, WRITE_MS = 50, 100, 1600, 400
TURN_MS = 300  # a hand goes from the key-switch to the keys
LIMIT_S = 60


class Played:
    """`path` is its serial port. `throws`: the games before, oldest first, None for a void one; at least one."""

    def __init__(self, table, path, throws):
        self.path = path
        self._todo = queue.Queue()
        self._ended = threading.Event()
        loaded = load_table(table)
        files = {**application_files(loaded), **_journal(throws, loaded.controller.mcu)}
        self._board = VirtualBoard(loaded, files=files)
        self._thread = threading.Thread(target=self._live)
        self._thread.start()
        self.do(self._board.power_on)

    def close(self):
        self._ended.set()
        self._thread.join()

    def do(self, action):
        """Have something done in the board's thread; returns what it returns."""
        answer = queue.Queue()
        self._todo.put((action, answer))
        return answer.get(timeout=LIMIT_S)

    def key(self, keys, hold=False):
        """Press keys one after the other, or hold one; returns when the last was let go, and what it wrote is written.

        All times are the bench's, which goes slower than the wall where this computer is busy.
        """
        down_ms = HOLD_MS if hold else DOWN_MS
        self._over(lambda: self._press(keys, down_ms))

    def turn(self, on):
        """The supervisor's key-switch."""
        self._over(lambda: self._board.bench.switch.turn(on) + TURN_MS * 1000)

    def spin(self, revolutions, bearing):
        """Throw the money wheel, which its bearing brakes so much; returns the symbol at which it comes to rest."""
        fitted = self._board.bench.wheel
        fitted.wheel.bearing = bearing
        self.do(lambda: fitted.spin(revolutions))
        self.wait(lambda _: not fitted.turning)
        return fitted.symbol

    def power(self, on):
        self.do(self._board.power_on if on else self._board.power_off)

    def wait(self, condition):
        """Until an observer sees this."""
        end = time.monotonic() + LIMIT_S
        while not condition(seen := self.do(self._board.bench.observe)):
            assert time.monotonic() < end, seen
            time.sleep(0.05)
        return seen

    def _press(self, keys, down_ms):
        at_us = self._board.bench.now_us
        for name in keys:
            self._board.bench.keys.press(name, down_ms, at_us=at_us)
            at_us += (down_ms + (WRITE_MS if name == "E" else NEXT_MS)) * 1000
        return at_us

    def _over(self, action):
        """Do what returns when it is over in the bench's time, and wait for that and a moment more."""
        end_us = self.do(action) + NEXT_MS * 1000
        end = time.monotonic() + LIMIT_S
        while self.do(lambda: self._board.bench.now_us) < end_us:
            assert time.monotonic() < end
            time.sleep(0.02)

    def _live(self):
        link = LinkPty(self.path)
        try:
            with self._board:
                link.run(self._board, self._stopped)
        finally:
            link.close()

    def _stopped(self):
        while not self._todo.empty():
            action, answer = self._todo.get()
            answer.put(action())
        return self._ended.is_set()


def _journal(throws, mcu):
    """The files of a journal with these games."""
    entries = []
    for game, throw in enumerate(throws, start=1):
        won = {} if throw is None else {"throw": throw}
        if won and throw.isdecimal():
            won["total"] = sum(map(int, throw))
        for kind in ("void",) if throw is None else ("result", "end"):
            entries.append({"sequence": len(entries) + 1, "kind": kind, "game": game, **won, "uptime_s": 1})
    return Rebuilt(entries, mcu).files
