"""The lamp chain's proof: what is sent in must fall out at the far end before anything is latched. Pure; the driver
moves the bytes.

One refresh of a chain of N registers is two transfers:

1. `prepare(frame)`: a changing marker (4 bytes), then the frame twice (N bytes each). What falls out are the N bytes of
   the *resident pattern*, left in the shift stages by the refresh before, then the marker, then the first copy of the
   frame; the second copy is what the registers now hold. `judge()` says whether all of it agrees; only then may the
   driver latch.
2. `prepare_resident()`: a new resident pattern (N bytes, never latched). What falls out is the second copy of the
   frame. `judge_resident()` compares it.

Noise on a broken line in front of register 1 would have to repeat the marker by chance, 1 in 2^32, and the frame with
it. The first copy shows in addition that this very frame passes the line, which the marker's bits alone do not: a line
that is good for some patterns only never gets as far as the latch. A disturbance of the second copy alone is the one
that cannot be seen beforehand, because the far end delivers a frame only when the next bytes push it out;
`judge_resident()` sees it, and the frame is sent again.

The resident pattern makes a cut nameable while the frame is all zero: when the data line is cut after register k (1 =
nearest to the controller), only the registers beyond k still deliver their resident bytes, so k = N - (number of good
leading bytes). A stuck shift stage in register k gives the same picture. Every byte of resident pattern and marker has
both 0 and 1 bits, so a line stuck at either level never passes for one.

The place is known only for the first mismatch after a good refresh: later, and at power-up, the far registers hold
nothing that we know. A line that is cut in the middle of a transfer, which takes 1.4 % of the time with 27 registers on
an RP2040, leaves a part of the pattern and is taken for a cut elsewhere.
"""

OK = 0
# Mismatch details besides the register numbers 1 .. 64:
UNKNOWN = -1  # the chain does not pass data; the place cannot be told
INPUT = -2  # all N registers delivered, the marker did not: between the controller and register 1

MAX_REGISTERS = 64
MARKER_BYTES = 4


class Chain:
    """Buffers and judgement for `registers` shift registers (1 to 64). `seed` is any integer."""

    def __init__(self, registers, seed):
        if not 1 <= registers <= MAX_REGISTERS:
            raise ValueError("a lamp chain has 1 to 64 registers")
        self.registers = registers
        self._second = MARKER_BYTES + registers  # where the second copy of the frame starts in `_tx`
        self._tx = bytearray(self._second + registers)
        self.rx = bytearray(len(self._tx))
        self.rx_resident = bytearray(registers)
        self._resident = bytearray(registers)
        self._random = (seed & 0xFFFF) or 0xACE1  # the generator below never leaves 0
        self.forget()

    def forget(self):
        """The content of the shift stages is unknown: at power-up, and after a clear pulse."""
        self._sent = False  # the resident pattern has been sent
        self._proven = False  # the last comparison was good, so the place of a new fault can be told
        self._latched = False  # the frame in `_tx` was judged good, so its second copy must fall out next

    def prepare(self, frame):
        """The marker and twice `frame` (N bytes in sending order) to send; receive into `rx` at the same time."""
        tx = self._tx
        for i in range(MARKER_BYTES):
            tx[i] = self._mixed_byte(tx[i])
        for i in range(self.registers):  # a slice would allocate
            tx[MARKER_BYTES + i] = frame[i]
            tx[self._second + i] = frame[i]
        return tx

    def judge(self):
        """OK when the driver may latch, else a register number 1 .. N, INPUT or UNKNOWN."""
        count = self.registers
        good = 0
        if self._sent:
            while good < count and self.rx[good] == self._resident[good]:
                good += 1
        else:
            good = count
        if good < count:
            return self._mismatch(count - good)
        # What was sent up to the second copy falls out behind the resident pattern.
        for i in range(self._second):
            if self.rx[count + i] != self._tx[i]:
                return self._mismatch(INPUT if i < MARKER_BYTES else UNKNOWN)
        self._proven = self._sent
        self._latched = True
        return OK

    def prepare_resident(self):
        """The N bytes of the next resident pattern; receive into `rx_resident` at the same time."""
        resident = self._resident
        for i in range(self.registers):
            resident[i] = self._mixed_byte(resident[i])
        self._sent = True
        return resident

    def judge_resident(self):
        """OK, or UNKNOWN when the frame that had just been latched did not fall out. Silent where nothing was latched
        before.
        """
        if not self._latched:
            return OK
        self._latched = False
        for i in range(self.registers):
            if self.rx_resident[i] != self._tx[self._second + i]:
                return self._mismatch(UNKNOWN)
        return OK

    def _mismatch(self, place):
        if not self._proven:
            place = UNKNOWN
        self._proven = False
        self._latched = False
        return place

    def _mixed_byte(self, previous):
        """A pseudo-random byte that has both 0 and 1 bits and is not `previous` (xorshift, period 65535)."""
        x = self._random
        while True:
            x ^= (x << 7) & 0xFFFF
            x ^= x >> 9
            x ^= (x << 8) & 0xFFFF
            byte = x & 0xFF
            if byte != 0x00 and byte != 0xFF and byte != previous:
                self._random = x
                return byte
