"""Helpers of the bench's tests: a bench of a shipped table, and its pins driven as a controller would drive them."""

from taisai.boards.table import load_table
from taisai.sim.bench import Bench

HC595 = "nz1-pico-hc595"
MAX7219 = "nz2-pico-tpic6b595"
TM1637 = "nz1-esp32-tpic6b595"
DOUBLE_WING = "nz2-double-pico-tpic6b595"


class Wired:
    """A powered bench and the few moves that a test needs again and again. Time passes by 10 us with each."""

    def __init__(self, table_id: str, seed: int = 1, random_bits: bool = True):
        self.table = load_table(table_id)
        self.bench = Bench(self.table, seed)
        self.chain = self.table.controller.chain
        self.bench.power_on(random_bits)
        if self.chain.clear is not None:
            self.pin(self.chain.clear, 1)

    def pin(self, pin: int, level: int | None) -> None:
        self.bench.pin_output(pin, level, self.bench.now_us + 10)

    def pulse(self, pin: int) -> None:
        self.pin(pin, 1)
        self.pin(pin, 0)

    def spi(self, data: bytes) -> bytes:
        return self.bench.spi(self.chain.spi, data, self.bench.now_us + 10)

    def show(self, outputs=(), enabled: bool = True) -> None:
        """Latch a frame with these outputs on, by the numbering of the chain: byte N-1-r, bit q for output 8r + q."""
        frame = bytearray(self.table.registers)
        for output in outputs:
            frame[self.table.registers - 1 - output // 8] |= 1 << output % 8
        self.spi(bytes(frame))
        self.pulse(self.chain.latch)
        self.pin(self.chain.enable, 0 if enabled else 1)

    def zone(self, zone: str) -> tuple[int, ...]:
        return self.table.harness[zone]
