"""What both servers share: one thread that waits for bytes, for time and for being told to stop."""

import selectors
import socket
import threading
import time
from abc import ABC, abstractmethod
from typing import Self

from taisai.sim.esp32rom.model import Esp32Rom


class Server(ABC):
    """Serves a module between `with` and its end, in a daemon thread: a program which dies takes it along.

    A module is served in one way at a time; RuntimeError where it already is.
    """

    def __init__(self, rom: Esp32Rom) -> None:
        self._rom = rom
        self._selector = selectors.DefaultSelector()
        self._stopping = False

    def __enter__(self) -> Self:
        if self._rom.wake is not None:
            raise RuntimeError("this module is already being served")
        self._open()
        self._woken, self._waker = socket.socketpair()
        self._waker.setblocking(False)
        self._selector.register(self._woken, selectors.EVENT_READ, lambda: self._woken.recv(64))
        self._rom.wake = self._wake
        self._thread = threading.Thread(target=self._serve, name=f"model of {self._rom.chip.name}", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping = True
        self._wake()
        self._thread.join()
        self._rom.wake = None
        self._close()
        self._selector.close()
        self._woken.close()
        self._waker.close()
        self._rom.flash.flush()

    def _wake(self) -> None:
        """Make the thread look again at what there is to send."""
        try:
            self._waker.send(b"!")
        except BlockingIOError:
            pass  # as many wake-ups are under way already as fit; one is enough

    def _serve(self) -> None:
        while not self._stopping:
            with self._rom.lock:
                self._rom.device.run_due()
                due = self._rom.device.due
                output = self._rom.device.take_output()
            if output:
                self._send(output)
                continue
            wait = None if due is None else max(0.0, due - time.monotonic())
            for key, _ in self._selector.select(wait):
                key.data()

    def _received(self, data: bytes, baud: int | None) -> None:
        """Hand bytes to the chip, and what it answers to the host."""
        with self._rom.lock:
            self._rom.device.receive(data, baud)
            output = self._rom.device.take_output()
        if output:
            self._send(output)

    @abstractmethod
    def _open(self) -> None:
        """Make the way in, and register it with the selector with the function that reads from it."""

    @abstractmethod
    def _close(self) -> None: ...

    @abstractmethod
    def _send(self, data: bytes) -> None: ...
