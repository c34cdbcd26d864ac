"""Turns the unix interpreter into a board: its `machine`, `time` and `select`, its file system, boot.py and main.py.

With the argument `raw`, as after a soft reset in raw REPL, main.py does not run. What is printed after the end of this
file comes from the interpreter's own prompt.
"""

import bus
import flashdev
import gc
import machine
import os
import select  # noqa: F401  (in sys.modules from now on: the one that the firmware gets)
import struct
import sys
import time
import upy
import vfs

_GREETING = "<BBqIBHHqqB"
_PROGRAM_BYTES = 256  # as the RP2040 port mounts its flash
_CTRL_C = 3
_HEAP_STEP_BYTES = 64


def run(names):
    """Boot with `names` as the globals of the programs and of the prompt; returns when the prompt is next."""
    raw = sys.argv[2:] == ["raw"]
    del names["startup"]
    _mount(*_greet())
    sys.modules["micropython"] = upy
    for name in ("startup", "bus", "flashdev", "timers", "upy"):
        sys.modules.pop(name, None)
    sys.path[:] = ["", ".frozen", "/lib"]
    sys.argv[:] = []
    gc.collect()
    gc.threshold(-1)
    bus.on_heap_wanted = _HeapReport(gc.mem_alloc())
    _tell(bus.READY)
    try:
        if not (_execute("boot.py", names) and (raw or _execute("main.py", names))):
            bus.exchange(bus.RESET, 0, b"s")
    except KeyboardInterrupt:
        pass  # between two programs, or a second Ctrl-C while the first one's traceback is printed
    upy.kbd_intr(_CTRL_C)
    _tell(bus.PROMPT)


def _tell(what):
    """Tell the bench for certain, whatever Ctrl-C comes meanwhile."""
    while True:
        try:
            bus.exchange(what)
            return
        except KeyboardInterrupt:
            pass


def _greet():
    """Ask the bench who we are; returns the flash's (blocks, bytes per block)."""
    bus.exchange(bus.HELLO)
    at = bus.REPLY_BYTES
    cause, pins, contacts, longest_ms, timers, blocks, block_bytes, started_us, first_tick_ms, length = (
        struct.unpack_from(_GREETING, bus.reply, at)
    )
    at += struct.calcsize(_GREETING)
    machine.become(cause, pins, contacts, longest_ms, timers, bytes(bus.reply[at : at + length]))
    time.start(started_us, first_tick_ms)
    return blocks, block_bytes


def _mount(blocks, block_bytes):
    """As the RP2040 port's frozen _boot.py does it: a volume that cannot be mounted is formatted."""
    device = flashdev.Flash(blocks, block_bytes)
    try:
        volume = vfs.VfsLfs2(device, progsize=_PROGRAM_BYTES)
    except OSError:
        vfs.VfsLfs2.mkfs(device, progsize=_PROGRAM_BYTES)
        volume = vfs.VfsLfs2(device, progsize=_PROGRAM_BYTES)
    vfs.umount("/")
    vfs.mount(volume, "/")
    os.chdir("/")


def _execute(name, names):
    """Run a file of the board as its program; False when it asked for a soft reset by SystemExit."""
    try:
        with open(name) as file:
            source = file.read()
    except OSError:
        return True
    try:
        exec(compile(source, name, "exec"), names)
    except SystemExit:
        return False
    except BaseException as error:  # a board prints whatever ended its program, Ctrl-C too, and goes to the prompt
        sys.print_exception(error)
    upy.kbd_intr(_CTRL_C)
    return True


class _HeapReport:
    """Tells the bench the heap in use beyond the shim's own, the free heap, and the largest block that can be had.

    The first call only collects: the frames of the calls that lead to the second then lie where they do no harm.
    """

    def __init__(self, base):
        self._base = base
        self._collected = False

    def __call__(self):
        gc.collect()
        self._collected = not self._collected
        if self._collected:
            return
        used = gc.mem_alloc() - self._base
        free = gc.mem_free()
        low = 0
        high = free
        while high - low > _HEAP_STEP_BYTES:
            middle = (low + high) // 2
            try:
                bytearray(middle)
                low = middle
            except MemoryError:
                high = middle
            gc.collect()
        bus.exchange(bus.HEAP, 0, struct.pack("<III", used, free, low))
