"""The firmware on the virtual board: how long the keys wait, how a frame travels, what memory and files it takes.

Times are bench time: hardware that takes time is counted, computing is not. What the processor itself needs is read on
an emulated or a real RP2040 (`make test-rp2040`).
"""

from figures import Figure

from taisai.boards.table import Table, load_table
from taisai.build.application import application_files
from taisai.sim.board import VirtualBoard
from taisai.sim.contacts import ENTRY

# The largest table is the hardest: 27 registers, and the most files and lamps.
TABLES = ("nz1-pico-hc595", "nz2-double-pico-tpic6b595")

LOOP_GAP_MS = 10
HEAP_KB = 96  # with everything that the firmware does
LARGEST_FREE_KB = 32
# Less heap than MicroPython leaves on an RP2040. The objects of the 64-bit interpreter take twice the bytes.
RP2040_HEAP_BYTES = 192 * 1024
WORD_RATIO = 2

BOOT_MS = 3000
BUSY_MS = 10_000


def measure() -> list[Figure]:
    """All figures, table by table."""
    return [figure for name in TABLES for figure in _measure(load_table(name))]


def _measure(table: Table) -> list[Figure]:
    with VirtualBoard(table, heap_bytes=RP2040_HEAP_BYTES * WORD_RATIO) as board:
        watch = _Watch(board, table)
        board.power_on()
        board.run_ms(BOOT_MS)
        used, _, largest = board.heap()
        gap_ms = watch.worst_gap_ms(lambda: _play_with_a_busy_link(board))
        to_latch_us, refresh_us = watch.frame_us(lambda: board.run_ms(1000))
    wire_us = table.registers * 8 * 1_000_000 / table.controller.chain.baud
    size = sum(len(content) for content in application_files(table).values())
    return [
        Figure(f"main loop, worst gap, {table.id}", gap_ms, "ms", LOOP_GAP_MS),
        Figure(f"frame, time of its bits on the wire, {table.id}", wire_us, "us"),
        Figure(f"frame, first bit to latch, {table.id}", to_latch_us, "us"),
        Figure(f"frame, whole refresh with its proof, {table.id}", refresh_us, "us"),
        Figure(f"heap in use after boot (unix / 2), {table.id}", used / WORD_RATIO / 1024, "KB", HEAP_KB),
        Figure(
            f"largest free block after boot (unix / 2), {table.id}",
            largest / WORD_RATIO / 1024,
            "KB",
            LARGEST_FREE_KB,
            at_least=True,
        ),
        Figure(f"files on the board, {table.id}", size / 1024, "KB"),
    ]


def _play_with_a_busy_link(board: VirtualBoard) -> None:
    """A game a second, while requests come in as fast as the board takes them and every reply is read."""
    end_us = board.bench.now_us + BUSY_MS * 1000
    round_ms = 1000
    while board.bench.now_us < end_us:
        start_us = board.bench.now_us
        for number, key in enumerate((1, 3, 6, ENTRY)):
            board.bench.keys.press(key, at_us=start_us + number * 150_000 + 1)
        while board.bench.now_us < start_us + round_ms * 1000:
            board.serial.write(b"state\n" * 4)
            board.run_ms(20)
            board.serial.read()
        board.bench.keys.press(ENTRY, 1600)
        board.run_ms(1800)


class _Watch:
    """Listens at the controller's pins: the watchdog is fed once a scan, so its feeds show when keys were read."""

    def __init__(self, board: VirtualBoard, table: Table):
        self._feeds: list[int] = []
        self._transfers: list[tuple[int, int]] = []
        self._latches: list[int] = []
        chain = table.controller.chain
        bench = self._bench = board.bench
        self._ticking = True
        wdt, spi, pin_output = bench.wdt, bench.spi, bench.pin_output

        def on_wdt(timeout_ms, t_us):
            if timeout_ms is None:
                self._feeds.append(t_us)
            wdt(timeout_ms, t_us)

        def on_spi(unit, data, t_us):
            if unit == chain.spi:
                self._transfers.append((t_us, t_us + len(data) * 8 * 1_000_000 // chain.baud))
            return spi(unit, data, t_us)

        def on_pin(pin, level, t_us, *rest, **named):
            if pin == chain.latch and level == 1:
                self._latches.append(t_us)
            pin_output(pin, level, t_us, *rest, **named)

        bench.wdt, bench.spi, bench.pin_output = on_wdt, on_spi, on_pin

    def worst_gap_ms(self, work) -> float:
        """Longest time between two scans of the keys while `work` runs. RuntimeError when hardly any was seen."""
        self._feeds.clear()
        self._tick()
        work()
        self._ticking = False
        gaps = [later - sooner for sooner, later in zip(self._feeds, self._feeds[1:], strict=False)]
        if len(gaps) < 1000:
            raise RuntimeError(f"only {len(gaps)} scans of the keys were seen")
        return max(gaps) / 1000

    def _tick(self) -> None:
        """Something happens on the bench every millisecond: between two events the board reports only its last feed."""
        if self._ticking:
            self._bench.schedule(self._bench.now_us + 1000, self._tick)

    def frame_us(self, work) -> tuple[float, float]:
        """Time from the first bit of a refresh to its latch, and to the end of its last transfer: the longest seen."""
        self._transfers.clear()
        self._latches.clear()
        work()
        to_latch, whole = [], []
        for latch in self._latches:
            before = [start for start, _ in self._transfers if latch - 50_000 < start <= latch]
            after = [end for start, end in self._transfers if latch <= start < latch + 50_000]
            if before and after:
                to_latch.append(latch - min(before))
                whole.append(max(after) - min(before))
        if not whole:
            raise RuntimeError("no refresh of the lamps was seen")
        return max(to_latch), max(whole)
