"""The firmware on an emulated RP2040: heap, pace of the main loop, pace of the lamp chain, in the chip's own time.

Needs TAISAI_RP2040_UF2, the path of a MicroPython UF2 for the Raspberry Pi Pico; without it there are no figures. The
emulator's flash is far too fast, and nothing here was compared with real hardware.
"""

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import rp2040_prompt
from figures import Figure

from taisai.boards.table import load_table
from taisai.sim.contacts import ENTRY
from taisai.sim.rp2040 import Rp2040Board

# The largest table is the hardest: 27 registers, and the most lamps.
TABLE = "nz2-double-pico-tpic6b595"

SCAN_GAP_MS = 10
HEAP_KB = 96  # with everything that the firmware does
LARGEST_FREE_KB = 32

GPIO_IN = 0x004  # SIO register that every reading of a pin goes through; RP2040 datasheet, section 2.3.1.7
SCAN_PAUSE_US = 500  # readings of one scan lie closer together, scans do not
TRANSFER_PAUSE_US = 50  # the bytes of one SPI transfer follow each other, two transfers do not
BLOCK_BYTES = 16  # of MicroPython's heap on a 32-bit chip

PROBE = Path(__file__).with_name("on_board") / "pace_probe.py"
BARE = f"""
import gc
gc.collect()
print(gc.mem_alloc())
print("{rp2040_prompt.END}")
"""
BUSY_MS = 800
PASS = re.compile(rb"pass: (\d+)\s")
FEWEST_GAPS = 40  # fewer in that time, and it is not the main loop that we watch


def measure() -> list[Figure]:
    """All figures, or none without a UF2. RuntimeError when the board does not do what is to be measured."""
    uf2 = os.environ.get(rp2040_prompt.VARIABLE)
    if not uf2:
        print(f"RP2040: no figures, {rp2040_prompt.VARIABLE} names no MicroPython UF2", file=sys.stderr)
        return []
    table = load_table(TABLE)
    board = rp2040_prompt.start(table, uf2)
    watch = Watch(board, table.controller.chain)
    used, largest, collection_ms = _heap(board)
    watch.clear()
    watch.watch_scans()
    light_ms = _play_with_a_busy_link(board)
    gap_ms = watch.worst_gap_ms()
    pass_ms = _longest_pass_ms(board)
    wire_us, to_latch_us, refresh_us = watch.frame_us(table.registers)
    board.power_off()
    name = f"RP2040, {table.id}"
    return [
        Figure(f"{name}: worst gap between two readings of the keys, with a busy link", gap_ms, "ms", SCAN_GAP_MS),
        Figure(f"{name}: longest pass of the main loop, with a busy link", pass_ms, "ms"),
        Figure(f"{name}: one collection of garbage", collection_ms, "ms"),
        Figure(f"{name}: first contact of ENTRY to light, with a busy link", light_ms, "ms"),
        Figure(f"{name}: frame, time of its bits on the wire", wire_us, "us"),
        Figure(f"{name}: frame, first bit to latch", to_latch_us, "us"),
        Figure(f"{name}: frame, whole refresh with its proof", refresh_us, "us"),
        Figure(f"{name}: heap in use after boot", used / 1024, "KB", HEAP_KB),
        Figure(f"{name}: largest free block after boot", largest / 1024, "KB", LARGEST_FREE_KB, at_least=True),
    ]


def _heap(board: Rp2040Board) -> tuple[int, int, float]:
    """Start the application under the probe; bytes in use and the largest free block, after a collection, and its ms.

    What the probe itself takes does not count.
    """
    bare = int(re.search(r"\d+", rp2040_prompt.run(board, BARE))[0])
    told = rp2040_prompt.run(board, PROBE.read_text(encoding="utf-8"))
    found = [re.search(what + r" (\d+)", told) for what in ("probe:", "used:", "max free sz:", "collection:")]
    if None in found:
        raise RuntimeError(f"the board did not report its heap: {told}")
    probe, used, largest, collection_us = (int(each[1]) for each in found)
    return used - (probe - bare), largest * BLOCK_BYTES, collection_us / 1000


def _play_with_a_busy_link(board: Rp2040Board) -> float:
    """A throw is keyed while requests come in as fast as the board takes them and every reply is read.

    Returns the time from the first contact of ENTRY to the first lamp.
    """
    start_us = board.bench.now_us
    for number, key in enumerate((1, 3, 6, ENTRY)):
        entry_us = start_us + number * 120_000 + 1
        board.bench.keys.press(key, 60, at_us=entry_us)
    end_us = start_us + BUSY_MS * 1000
    heard = _keep_busy(board, lambda _: board.bench.now_us >= end_us)
    if not board.bench.observe().lit or b" ok " not in heard:
        raise RuntimeError("the throw was not lit, or the link did not answer")
    return (board.bench.first_lit_us - entry_us) / 1000


def _longest_pass_ms(board: Rp2040Board) -> float:
    """Longest pass since the heap was reported, from the probe, with the link busy until it tells."""
    limit_us = board.bench.now_us + rp2040_prompt.LIMIT_MS * 1000
    heard = _keep_busy(board, lambda heard: PASS.search(heard) or board.bench.now_us >= limit_us)
    found = PASS.search(heard)
    if found is None:
        raise RuntimeError(f"the probe did not report the passes: {heard[-300:]}")
    return int(found[1]) / 1000


def _keep_busy(board: Rp2040Board, until: Callable[[bytes], object]) -> bytes:
    """Requests without a pause until what was heard fulfils the condition; all that was heard."""
    heard = b""
    while not until(heard):
        board.serial.write(b"state\n" * 2)
        board.run_ms(20)
        heard += board.serial.read()
    return heard


class Watch:
    """Listens at the controller's pins; times in microseconds of bench time.

    `scans`: when the keys were read. `sent`: (start, end) of each byte of the lamp chain. `latches`: when it latched.
    """

    def __init__(self, board: Rp2040Board, chain):
        self.scans: list[int] = []
        self.sent: list[tuple[float, float]] = []
        self.latches: list[int] = []
        bench = board.bench
        spi, pin_output = bench.spi, bench.pin_output

        def on_spi(unit, data, t_us):
            if unit == chain.spi:
                self.sent.append((t_us, t_us + 8e6 / board.device.mcu.spi[unit].clock_frequency))
            return spi(unit, data, t_us)

        def on_pin(pin, level, t_us, *rest):
            if pin == chain.latch and level == 1:
                self.latches.append(t_us)
            pin_output(pin, level, t_us, *rest)

        bench.spi, bench.pin_output = on_spi, on_pin
        self._board = board
        self._last_reading = 0

    def watch_scans(self) -> None:
        """Note the readings of pins too; for a chip that is running."""
        sio = self._board.device.mcu.sio
        read = sio.read_uint32

        def on_read(offset):
            if offset == GPIO_IN:
                now = self._board.now_us()
                if now - self._last_reading > SCAN_PAUSE_US:
                    self.scans.append(now)
                self._last_reading = now
            return read(offset)

        sio.read_uint32 = on_read

    def clear(self) -> None:
        self.scans.clear()
        self.sent.clear()
        self.latches.clear()

    def worst_gap_ms(self) -> float:
        """Longest time between two scans of the keys. RuntimeError when hardly any was seen."""
        gaps = [later - sooner for sooner, later in zip(self.scans, self.scans[1:], strict=False)]
        if len(gaps) < FEWEST_GAPS:
            raise RuntimeError(f"only {len(gaps)} scans of the keys were seen")
        return max(gaps) / 1000

    def frame_us(self, registers: int) -> tuple[float, float, float]:
        """A frame's bits on the wire; the longest time from the first bit of a refresh to its latch, and to its end."""
        to_latch, whole = [], []
        transfers = self._transfers()
        for latch in self.latches:
            before = [start for start, _ in transfers if start <= latch]
            after = [end for start, end in transfers if start > latch]
            if before and after:
                to_latch.append(latch - before[-1])
                whole.append(after[0] - before[-1])
        if not whole:
            raise RuntimeError("no refresh of the lamps was seen")
        start, end = self.sent[0]
        return registers * (end - start), max(to_latch), max(whole)

    def _transfers(self) -> list[tuple[float, float]]:
        """Bytes that follow each other without a pause, joined."""
        transfers: list[tuple[float, float]] = []
        for start, end in self.sent:
            if transfers and start - transfers[-1][1] < TRANSFER_PAUSE_US:
                start, _ = transfers.pop()
            transfers.append((start, end))
        return transfers
