"""Serial ports made of pseudo-terminals, each with something at its far end: a table, an echo, a flood, silence.

What a table does is worked out by the firmware's own dispatcher and verbs, under CPython and in real time.
"""

import os
import pty
import select
import threading
import time
import tty
from types import SimpleNamespace

from tablecore import faults, replies, settings
from tablecore.access import Access
from tablecore.dispatch import Dispatcher
from tablecore.document import Document
from tablecore.protocol import ProtocolError
from tablecore.servicekey import KeyStore
from tablecore.verbs import Verbs

PICO = (0x2E8A, 0x0005)


class FakePort:
    """A port whose far end is `answer(data) -> bytes`, run in a thread. `path` is what a client opens."""

    def __init__(self, answer=lambda data: b"", always=b""):
        self._answer = answer
        self._always = always
        self.heard = b""

    def __enter__(self):
        self.master, self._slave = pty.openpty()
        # Raw, and open here too, so that the far end does not fail while no client has the port open.
        tty.setraw(self._slave)
        self.path = os.ttyname(self._slave)
        self._stopping = False
        self._gone = False
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stopping = True
        self._thread.join()
        self.unplug()

    def unplug(self):
        """As when the cable is pulled: the client's end fails from now on."""
        if not self._gone:
            self._gone = True
            os.close(self.master)
            os.close(self._slave)

    def fill(self):
        """Leave no room for anything that a client writes."""
        os.set_blocking(self._slave, False)
        try:
            while os.write(self._slave, b"x" * 1024):
                pass
        except BlockingIOError:
            pass

    def _serve(self):
        os.set_blocking(self.master, False)
        while not self._stopping and not self._gone:
            if self._always:
                self._put(self._always)
            if select.select([self.master], [], [], 0.002 if self._always else 0.02)[0]:
                try:
                    data = os.read(self.master, 4096)
                except OSError:
                    return
                self.heard += data
                self._put(self._answer(data))
            else:
                self._put(self._answer(b""))

    def _put(self, data):
        while data and not self._gone and not self._stopping:
            try:
                data = data[os.write(self.master, data) :]
            except BlockingIOError:
                time.sleep(0.01)


class DeafPort(FakePort):
    """A port whose far end takes nothing."""

    def _serve(self):
        pass


class Table:
    """The firmware's side of the link, for `FakePort(Table(...))`. `state` and `digits` can be set.

    late_s: every line that it sends is that late. spoil: function from the number of such a line, from 0, and the line
    to what is sent instead.
    """

    def __init__(self, board="e6614103e7452d2f", late_s=0.0, spoil=lambda number, line: line, digest=None):
        self.state = "idle"
        self.digits = ""
        self.board = board
        self.files = {"/main.py": b"print(1)\n"}
        self.writes = 0
        self._late_s = late_s
        self._spoil = spoil
        self._replies = 0
        self._waiting = []
        facts = {
            "firmware": "0.1.0", "application": "app-1", "protocol": 1, "digest": digest or replies.digest(),
            "table": "nz1-pico-hc595", "table_digest": "0" * 64, "board": board, "mcu": "rp2040",
            "micropython": "1.28.0", "reset": "power",
        }  # fmt: skip
        terminal = SimpleNamespace(
            check=None, clear=faults.Faults().remove, snapshot=self._snapshot, record=lambda kind, detail: None
        )
        options = Document(settings.SETTINGS, "/data/settings.json", self, settings.defaults(settings.SETTINGS))
        identity = Document(settings.IDENTITY, "/data/identity.json", self, settings.defaults(settings.IDENTITY))
        self.verbs = Verbs(facts, terminal, options, identity, self, bytearray(1024))
        self.journal = []  # what was journaled of accesses
        self.locked = False  # the write-lock jumper is missing
        self.access = Access(board, KeyStore(self), self.journal.append, os.urandom, lambda: self.locked)
        self.verbs.handlers.update(self.access.handlers)
        self.times = []  # that a host has told
        self.clock_fails = False
        self.verbs.handlers["set-time"] = self._set_time
        self._dispatcher = Dispatcher(self.verbs.handlers, self.verbs.state, board, self.access.permit)
        self._line = b""

    def __call__(self, data):
        """What is sent now, in answer to `data` and to what came earlier."""
        now = time.monotonic()
        self.access.step(int(now * 1000) & (1 << 30) - 1)
        for byte in data:
            self._dispatcher.receive(byte)
        self._dispatcher.step()
        self.verbs.feed.step(int(now * 1000) & (1 << 30) - 1, self._dispatcher.event)
        queue = self._dispatcher.out
        while len(queue):
            self._line += bytes([queue.peek()])
            queue.drop()
            if self._line.endswith(b"\n"):
                self._waiting.append((now + self._late_s, self._spoil(self._replies, self._line)))
                self._replies += 1
                self._line = b""
        due = [line for at, line in self._waiting if at <= now]
        self._waiting = [entry for entry in self._waiting if entry[0] > now]
        return b"".join(due)

    def _set_time(self, fields):
        if self.clock_fails:
            raise ProtocolError("failed", text="the clock does not take it")
        self.times.append(fields["time"])
        return {"time": fields["time"]}

    def _snapshot(self):
        return {"state": self.state, "digits": self.digits, "lit": None, "faults": [], "switch": False}

    # The storage that documents and verbs use.

    def read(self, path):
        return self.files.get(path)

    def replace(self, path, data):
        self.writes += 1
        self.files[path] = data

    def remove(self, path):
        del self.files[path]

    def names(self, folder):
        return [(path[1:], len(data)) for path, data in self.files.items() if path.count("/") == 1]

    def open_file(self, path):
        raise OSError(2, "ENOENT")


def prompt(data):
    """MicroPython's friendly prompt, as far as a client that looks for it can tell."""
    banner = b"\r\nMicroPython v1.28.0 on 2026-04-01; Raspberry Pi Pico with RP2040\r\nType \"help()\"\r\n>>> "
    if b"\x02" in data:
        return banner
    return data + b"\r\nTraceback (most recent call last):\r\nSyntaxError: invalid syntax\r\n>>> " if data else b""


def raw_prompt():
    """Raw REPL: no answer to a line, the banner of the friendly prompt after Ctrl-B."""
    friendly = False

    def answer(data):
        nonlocal friendly
        friendly = friendly or b"\x02" in data
        return prompt(data) if friendly else b""

    return answer


def attach(monkeypatch, *ports):
    """Make these (path, USB ids) the serial ports of this computer."""
    entries = [
        SimpleNamespace(device=path, description="a port", vid=usb and usb[0], pid=usb and usb[1])
        for path, usb in ports
    ]
    monkeypatch.setattr("taisai.client.ports.list_ports.comports", lambda: entries)
