"""What is built runs: the files of a signed bundle and the ESP32's file system image, on the virtual board."""

import json
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from taisai.boards.table import load_table
from taisai.build.bundle import build_bundle
from taisai.build.images import full_image
from taisai.build.volume import volume_files
from taisai.sim.board import VirtualBoard

sys.path.append(str(Path(__file__).parents[1] / "host"))

from esp32_edit import newer_image  # noqa: E402

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))


def identity(board: VirtualBoard) -> dict:
    """What the table says of itself two seconds after power-on."""
    board.power_on()
    board.run_ms(2000)
    board.serial.read()
    board.serial.write(b"identify\n")
    board.run_ms(300)
    answer = board.serial.read().decode()
    return json.loads(answer[answer.index("{") : answer.rindex("}") + 1])


@pytest.mark.parametrize("name", ["nz1-pico-hc595", "nz1-esp32-tpic6b595"])
def test_a_signed_bundle_runs(name):
    table = load_table(name)
    bundle = build_bundle(table, KEY)
    with VirtualBoard(table, files=bundle.volume()) as board:
        told = identity(board)
        found = volume_files(bytes(board.bench.flash.content))
    assert (told["table"], told["table_digest"], told["state"]) == (name, bundle.manifest["table_digest"], "idle")
    assert {path: found.get(path) for path in bundle.volume()} == bundle.volume()


def test_the_esp32_file_system_image_mounts_and_runs():
    table = load_table("nz1-esp32-tpic6b595")
    part = full_image(build_bundle(table, KEY), newer_image(), table.controller.mcu_facts, "x.bin")
    with VirtualBoard(table, files={}) as board:
        board.bench.flash.load_image(part.content)
        assert identity(board)["table"] == table.id


def test_a_board_reads_the_manifest_as_the_builder_wrote_it():
    """At the prompt of the board: its own copy of the manifest, read by its own module."""
    table = load_table("nz1-pico-hc595")
    bundle = build_bundle(table)
    program = (
        "import sys; sys.path.insert(0, '/app-1')\n"
        "from tablecore.manifestlines import ManifestLines\n"
        "lines = ManifestLines(open('/app-1/manifest.json', 'rb'))\n"
        "listed = []\n"
        "while not listed or listed[-1]: listed.append(lines.next())\n"
        "print(listed[0][0], listed[-2][0], sys.implementation._mpy & 0xff, len(listed) - 2)\n"
    )
    with VirtualBoard(table, files={**bundle.volume(), "/main.py": program.encode()}) as board:
        board.power_on()
        board.run_ms(1000)
        assert f"{min(bundle.files)} /main.py 6 {len(bundle.files)}".encode() in board.serial.read(500)
