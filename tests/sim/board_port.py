"""A virtual board's serial port in the form of a pyserial port, in the same thread, with a place to cut the link."""

from math import ceil

from serial import SerialException

from taisai.sim.board import OFF, VirtualBoard


class BoardPort:
    """The cable comes out after `cut_after` bytes, both ways together, or before message `cut_before` of the host.

    Without power on the board there is no port either.
    """

    def __init__(self, board: VirtualBoard, cut_after: int | None = None, cut_before: int | None = None):
        self.timeout = 1.0
        self.passed = 0
        self.messages = 0
        self._board = board
        self._cut_after = cut_after
        self._cut_before = cut_before
        self._kept = bytearray()

    @property
    def in_waiting(self) -> int:
        self._check()
        return len(self._kept) + len(self._board.serial.unread)

    def read(self, size: int) -> bytes:
        self._check()
        if len(self._kept) < size:
            self._kept += self._board.serial.read(ceil(self.timeout * 1000))
        data = bytes(self._kept[: self._allowed(size)])
        del self._kept[: len(data)]
        self.passed += len(data)
        return data

    def write(self, data: bytes) -> int:
        if self.messages == self._cut_before:
            self._cut_after = self.passed
        self._check()
        self.messages += 1
        data = data[: self._allowed(len(data))]
        self._board.serial.write(data)
        self.passed += len(data)
        return len(data)

    def close(self) -> None:
        """What the board sends to a closed port is lost, as on USB."""

    def _allowed(self, size: int) -> int:
        return size if self._cut_after is None else min(size, self._cut_after - self.passed)

    def _check(self) -> None:
        if self._cut_after is not None and self.passed >= self._cut_after:
            raise SerialException("the cable is out")
        if getattr(self._board, "mode", None) == OFF:
            raise SerialException("the device is gone")
