"""Drives that an RP2040 in BOOTSEL mode shows: a mounted volume with INFO_UF2.TXT on it."""

import string
import sys
from dataclasses import dataclass
from pathlib import Path

INFO = "INFO_UF2.TXT"
_INFO_BYTES = 1024
_MOUNTS = Path("/proc/mounts")


@dataclass(frozen=True)
class Drive:
    """One such drive: where it is mounted, and what it says about itself."""

    path: Path
    model: str
    board_id: str


def uf2_drives(mounted: list[Path] | None = None) -> list[Drive]:
    """Every mounted UF2 drive. `mounted`: the places to look at; absent, every mounted volume."""
    return [drive for place in (_mounted() if mounted is None else mounted) if (drive := _drive(place))]


def _drive(place: Path) -> Drive | None:
    try:
        with open(place / INFO, "rb") as file:
            text = file.read(_INFO_BYTES).decode("ascii", "replace")
    except OSError:
        return None
    named = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    return Drive(place, named.get("Model", "").strip(), named.get("Board-ID", "").strip())


def _mounted() -> list[Path]:
    if sys.platform == "win32":
        return [Path(f"{letter}:\\") for letter in string.ascii_uppercase[3:]]  # A to C are no USB drives
    if sys.platform == "darwin":
        return sorted(Path("/Volumes").iterdir())
    places = (line.split() for line in _MOUNTS.read_text(encoding="utf-8", errors="replace").splitlines())
    # The ROM's drive is FAT16. Blanks in a mount point are written as \040.
    return [Path(fields[1].replace("\\040", " ")) for fields in places if fields[2] in ("vfat", "msdos")]
