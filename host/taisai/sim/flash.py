"""NOR flash that keeps the file system: bits only clear, blocks are erased whole, and every operation takes time.

Figures of a typical part (Winbond W25Q16JV, the RP2040 boards' flash: 256-byte page program 0.4 ms typical, 4 KiB
sector erase 45 ms typical and 400 ms at most). The part programs one page of 256 bytes at a time, so that a longer
program is a row of them: the one that a power cut interrupts is left with any mix of old and new cells, those before it
are done and those after it untouched. An interrupted erase leaves anything, since parts program every cell to 0 first.
Other cells are never touched.
"""

from random import Random

BLOCK_BYTES = 4096
PAGE_BYTES = 256
ERASE_US = 45_000
SLOWEST_US = 400_000
PAGE_PROGRAM_US = 400
_ERASED = b"\xff" * BLOCK_BYTES


class FlashError(Exception):
    """The firmware did something to the flash that a real part would not do, or not survive."""


class Flash:
    """A range of flash of `block_count` blocks, blank at first.

    An operation is asked for with its start time and returns its end; the chip is busy until then, with the processor's
    interrupts blocked. The new content can be read at once: whoever drives the bench lets no code run before the end.
    """

    def __init__(self, block_count: int, rng: Random):
        self.block_count = block_count
        self.content = bytearray(_ERASED * block_count)
        self.erase_counts = [0] * block_count
        self.worn = False
        """Fault: nothing is programmed any more, and the part says so."""
        self.changes = 0
        """How often the content was changed."""
        self.busy_us = 0
        """How long all operations together have taken."""
        self._rng = rng
        self._busy_until_us = 0
        self._running: tuple[int, bytes, int | None] | None = None  # address, old content, start of a program
        self._slow_operations = 0

    def read(self, address: int, length: int) -> bytes:
        """Bytes from a range; no time worth counting passes."""
        self._check_range(address, length)
        return bytes(self.content[address : address + length])

    def program(self, address: int, data: bytes, t_us: int) -> int:
        """Clear the bits that are 0 in `data`; FlashError if a bit would have to become 1. Returns the end time."""
        self._check_range(address, len(data))
        old = self.content[address : address + len(data)]
        if int.from_bytes(data, "big") & ~int.from_bytes(old, "big"):
            bad = next(index for index, pair in enumerate(zip(old, data, strict=True)) if pair[1] & ~pair[0])
            raise FlashError(
                f"programming byte {address + bad:#x}: {old[bad]:#04x} cannot become {data[bad]:#04x} without an erase"
            )
        pages = (address + len(data) - 1) // PAGE_BYTES - address // PAGE_BYTES + 1 if data else 0
        stays = bytes(old) if self.worn else bytes(data)
        return self._operate(address, stays, t_us, pages * PAGE_PROGRAM_US, erasing=False)

    def erase(self, block: int, t_us: int) -> int:
        """Set every bit of one block. Returns the end time."""
        self._check_range(block * BLOCK_BYTES, BLOCK_BYTES)
        self.erase_counts[block] += 1
        return self._operate(block * BLOCK_BYTES, _ERASED, t_us, ERASE_US, erasing=True)

    def slow_down(self, operations: int) -> None:
        """Let the next so many operations take 400 ms each, the slowest that the part's makers allow."""
        self._slow_operations = operations

    def interrupt(self, t_us: int) -> None:
        """Power cut or reset at that time: an operation still running leaves its range half done."""
        if t_us < self._busy_until_us and self._running is not None:
            address, old, started_us = self._running
            new = bytes(self.content[address : address + len(old)])
            if started_us is None:
                torn = self._torn_erase(old, new)
            else:
                done = (t_us - started_us) / (self._busy_until_us - started_us)
                torn = self._torn_program(old, new, address % PAGE_BYTES, done)
            self.content[address : address + len(old)] = torn
            self.changes += 1
        self._busy_until_us = 0
        self._running = None

    def load_image(self, image: bytes) -> None:
        """Put a whole volume in place, as a factory programmer does; ValueError if it does not fit exactly."""
        if len(image) != len(self.content):
            raise ValueError(f"image of {len(image)} bytes: this flash holds {len(self.content)}")
        self.content[:] = image
        self.changes += 1

    def _operate(self, address: int, data: bytes, t_us: int, duration_us: int, erasing: bool) -> int:
        if t_us < self._busy_until_us:
            raise FlashError(f"operation at {t_us} us: the flash is busy until {self._busy_until_us} us")
        if self._slow_operations:
            self._slow_operations -= 1
            duration_us = SLOWEST_US
        self._running = (address, bytes(self.content[address : address + len(data)]), None if erasing else t_us)
        self.content[address : address + len(data)] = data
        self.changes += 1
        self._busy_until_us = t_us + duration_us
        self.busy_us += duration_us
        return self._busy_until_us

    def _torn_erase(self, old: bytes, new: bytes) -> bytes:
        """How far the part came differs from place to place: nothing, everything, or any cell on its own."""
        torn = bytearray(new)
        for start in range(0, len(new), PAGE_BYTES):
            end = start + PAGE_BYTES
            reached = self._rng.choice(("old", "new", "mixed"))
            if reached == "old":
                torn[start:end] = old[start:end]
            elif reached == "mixed":
                torn[start:end] = self._rng.randbytes(len(torn[start:end]))
        return bytes(torn)

    def _torn_program(self, old: bytes, new: bytes, offset: int, done: float) -> bytes:
        """`offset`: where in its page the range begins; `done`: the share of the time that had passed."""
        pages = (offset + len(new) - 1) // PAGE_BYTES + 1
        current = int(done * pages)
        start = max(0, current * PAGE_BYTES - offset)
        end = (current + 1) * PAGE_BYTES - offset
        torn = bytearray(new[:start] + old[start:])
        reached = self._rng.choice(("old", "new", "mixed"))
        if reached == "new":
            torn[start:end] = new[start:end]
        elif reached == "mixed":
            for index in range(start, min(end, len(new))):
                cells = self._rng.getrandbits(8)
                torn[index] = (old[index] & cells) | (new[index] & ~cells & 0xFF)
        return bytes(torn)

    def _check_range(self, address: int, length: int) -> None:
        if address < 0 or length < 0 or address + length > len(self.content):
            raise FlashError(
                f"bytes {address:#x} to {address + length:#x} are outside the flash of {len(self.content):#x}"
            )
