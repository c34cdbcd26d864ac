"""Which programs have a device open, as far as the operating system tells: Linux does, for programs of this user."""

import os
from pathlib import Path

PROC = Path("/proc")


def holders(device: str) -> list[str]:
    """`name (process 123)` of every other program that has the device open; empty where nobody tells."""
    real = os.path.realpath(device)
    found = []
    for process in PROC.iterdir() if PROC.is_dir() else ():
        if process.name.isdigit() and int(process.name) != os.getpid() and _has_open(process, real):
            found.append(f"{_name(process)} (process {process.name})")
    return found


def _has_open(process: Path, real: str) -> bool:
    try:
        return any(os.readlink(entry) == real for entry in (process / "fd").iterdir())
    except OSError:
        return False  # of another user, or it has just ended


def _name(process: Path) -> str:
    try:
        return (process / "comm").read_text().strip()
    except OSError:
        return "a program"
