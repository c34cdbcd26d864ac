"""The lamp chain's proof: what is sent in must fall out at the far end before anything is latched. Pure; the driver
moves the bytes.

One refresh of a chain of N registers is two transfers:

1. `prepare(frame)`: one changing marker byte, then the frame (N bytes). What falls out are the N bytes of the
   *resident pattern*, left in the shift stages by the refresh before, and then the marker. `judge()` says whether both
   agree; only then may the driver latch.
2. `prepare_resident()`: a new resident pattern (N bytes, never latched). What falls out is the frame.
   `judge_resident()` compares it.

The resident pattern makes a cut nameable while the frame is all zero: when the data line is cut after register k (1 =
nearest to the controller), only the registers beyond k still deliver their resident bytes, so k = N - (number of good
leading bytes). A stuck shift stage in register k gives the same picture. Every resident byte has both 0 and 1 bits, so
a line stuck at either level never passes for one.

The place is known only for the first mismatch after a good refresh: later, and at power-up, the far registers hold
nothing that we know.
"""

OK = 0
# Mismatch details besides the register numbers 1 .. 64:
UNKNOWN = -1  # the chain does not pass data; the place cannot be told
INPUT = -2  # all N registers delivered, the marker did not: between the controller and register 1

MAX_REGISTERS = 64


class Chain:
    """Buffers and judgement for `registers` shift registers (1 to 64). `seed` is any integer."""

    def __init__(self, registers, seed):
        if not 1 <= registers <= MAX_REGISTERS:
            raise ValueError("a lamp chain has 1 to 64 registers")
        self.registers = registers
        self.rx = bytearray(registers + 1)
        self.rx_resident = bytearray(registers)
        self._tx = bytearray(registers + 1)
        self._resident = bytearray(registers)
        self._random = (seed & 0xFFFF) or 0xACE1  # the generator below never leaves 0
        self.forget()

    def forget(self):
        """The content of the shift stages is unknown: at power-up, and after a clear pulse."""
        self._sent = False  # the resident pattern has been sent
        self._proven = False  # the last comparison was good, so the place of a new fault can be told
        self._latched = False  # the frame in `_tx` was judged good, so it must fall out next

    def prepare(self, frame):
        """The N + 1 bytes to send for `frame` (N bytes in sending order); receive into `rx` at the same time."""
        tx = self._tx
        tx[0] = self._mixed_byte(tx[0])
        for i in range(self.registers):  # a slice would allocate
            tx[i + 1] = frame[i]
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
        if good == count and self.rx[count] == self._tx[0]:
            self._proven = self._sent
            self._latched = True
            return OK
        return self._mismatch(count - good or INPUT)

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
            if self.rx_resident[i] != self._tx[i + 1]:
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
