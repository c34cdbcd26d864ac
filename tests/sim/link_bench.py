"""A running virtual board with hands on its keys and a host on its link, for the tests of the link."""

import random

from taisai.boards.table import load_table
from taisai.build.volume import volume_files
from taisai.client import Board
from taisai.client.simport import SimPort
from taisai.client.transport import Transport

TABLE = "nz1-pico-hc595"
FLASH_MS = 500


class LinkBench:
    """`board` is the virtual board, `host` the PC's view of it. Context manager."""

    def __init__(self, seed=0):
        self.port = SimPort(TABLE)
        self.board = self.port.board
        self.bench = self.board.bench
        self.serial = self.board.serial
        self.random = random.Random(seed)
        self.table = load_table(TABLE)

    def __enter__(self):
        self.host = Board.identify(Transport(self.port, "the virtual board", self.port.now))
        return self

    def __exit__(self, *_):
        self.port.close()

    def press(self, key, down_ms=80):
        """Press a key and let go; returns what the display shows then."""
        self.bench.keys.press(key, down_ms)
        self.board.run_ms(down_ms + 140)
        return self.bench.observe().display

    def play(self):
        """One game, keyed and ended; every key must be seen."""
        throw = [str(self.random.randint(1, 6)) for _ in range(3)]
        shown = "   "
        for key in throw:
            shown = (shown + key)[-3:]
            assert self.press(key) == shown
        self.press("E")
        assert self._soon(lambda seen: seen.display == shown and seen.lit)
        self.press("E", 1600)
        assert self._soon(lambda seen: seen.display == "   " and not seen.lit)

    def _soon(self, condition):
        """A result and its end are written to the journal first, which now and then erases a block of the flash. After
        that a person needs a moment until the next press.
        """
        seen = self.board.run_until(lambda: condition(self.bench.observe()), FLASH_MS)
        self.board.run_ms(200)
        return seen

    def send_all(self, data, work=None):
        """Send bytes and wait until the board has taken them, with `work()` done again and again meanwhile."""
        self.serial.write(data)
        while self.serial.inbox:
            if work is None:
                self.board.run_ms(50)
            else:
                work()

    def settles(self):
        """The board has not restarted, answers, and knows who it is."""
        self.serial.write(b"\n")
        self.board.run_ms(500)
        self.serial.read(0)
        assert self.host.state()["faults"] == []
        assert self.board.starts == ["power"]

    def files(self):
        """Every file on the volume, as a programmer that reads the flash out would find it."""
        return volume_files(bytes(self.bench.flash.content))
