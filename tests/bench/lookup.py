"""Why the board carries a table: looking a throw up, against working it out on the board, in the same interpreter."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from figures import Figure

from tablecore import tablepack
from taisai.boards.layout import Layout, load_layout
from taisai.paths import firmware_dir
from taisai.rules import THROWS, evaluate

ON_BOARD = Path(__file__).with_name("on_board")
LAYOUTS = ("nz-div9-appendix1", "nz-div9-appendix2")
TARGET_RATIO = 50


def measure() -> list[Figure]:
    """The ratio for the two New Zealand layouts. RuntimeError when the port does not agree with the evaluator."""
    return [figure for name in LAYOUTS for figure in _measure(load_layout(name))]


def _measure(layout: Layout) -> list[Figure]:
    zones = [[zone.id, zone.kind, zone.values, zone.odds, zone.losing_triples] for zone in layout.zones]
    # What a frame holds costs the lookup nothing; it only has to be as long as that of a real table.
    frame_bytes = (len(zones) + 7) // 8
    frames = [bytes([index]) * frame_bytes for index in range(len(THROWS))]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "zones.json").write_text(json.dumps(zones))
        lamps = bytes(range(1, len(zones) + 1)).ljust(8 * frame_bytes, b"\0")
        Path(folder, "table.bin").write_bytes(tablepack.pack(layout.id, layout.version, len(zones), frames, lamps))
        command = [sys.executable, "-m", "micropython_unix", ON_BOARD / "lookup_times.py", firmware_dir(), folder]
        told = json.loads(subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout)
    for dice, wins in zip(THROWS, told["wins"], strict=True):
        if wins != evaluate(layout, dice):
            raise RuntimeError(f"the evaluator on the board and the one of the host differ on {dice}")
    ratio = told["evaluate_us"] / told["lookup_us"]
    return [
        Figure(f"table lookup, {layout.id}", told["lookup_us"], "us"),
        Figure(f"evaluation on the board, {layout.id}", told["evaluate_us"], "us"),
        Figure(f"lookup is faster by, {layout.id}", ratio, "times", TARGET_RATIO, at_least=True),
    ]
