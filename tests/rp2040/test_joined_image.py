"""The full image for a blank Pico, taken by a model of the boot ROM, boots in the emulated RP2040 and is the table.

Needs TAISAI_RP2040_UF2, the path of a MicroPython UF2 for the Raspberry Pi Pico.
"""

import json
import os
import sys
from pathlib import Path

import pytest

from taisai.boards.table import load_table
from taisai.build.bundle import build_bundle
from taisai.build.images import check_micropython, full_image
from taisai.build.volume import volume_files
from taisai.sim.rp2040 import Rp2040Board

sys.path.append(str(Path(__file__).parents[1] / "host"))

from uf2_edit import BootRom  # noqa: E402

UF2 = os.environ.get("TAISAI_RP2040_UF2")
pytestmark = pytest.mark.skipif(not UF2, reason="TAISAI_RP2040_UF2 names no MicroPython UF2")


def test_it_boots_and_identifies_itself():
    table = load_table("nz1-pico-hc595")
    facts = table.controller.mcu_facts
    given = Path(UF2).read_bytes()
    bundle = build_bundle(table)
    rom = BootRom(facts.flash_bytes)
    rom.write(full_image(bundle, given, facts, UF2).content)
    assert rom.restarted

    board = Rp2040Board(table, Path(UF2), files={})
    board.power_on()
    flash = board.device.mcu.flash
    flash[: facts.flash_bytes] = rom.flash
    board.run_ms(2000)
    board.serial.read()
    board.serial.write(b"identify\n")
    board.run_until(lambda: b"}" in board.serial.unread, 1000)
    answer = board.serial.read().decode()
    told = json.loads(answer[answer.index("{") : answer.rindex("}") + 1])
    assert (told["table"], told["table_digest"]) == (table.id, bundle.manifest["table_digest"])
    assert told["state"] == "idle"

    # MicroPython's start formats a volume that it cannot mount: all the files are still there.
    image = check_micropython(given, facts, UF2)
    found = volume_files(bytes(flash[image.volume_at : image.volume_at + image.volume_bytes]))
    assert {path: found.get(path) for path in bundle.volume()} == bundle.volume()
