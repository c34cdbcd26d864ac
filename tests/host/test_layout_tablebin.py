"""table.bin of every shipped table, decoded by the numbering of the chain and compared with the rules."""

import os
import struct
import subprocess
import sys
from hashlib import sha256

import pytest
import rule_evaluator

from tablecore import tablefile
from taisai.boards.table import list_tables, load_table
from taisai.build.tablebin import frames_of, table_bin

ALL_THROWS = [(a, b, c) for a in range(1, 7) for b in range(1, 7) for c in range(1, 7)]


@pytest.fixture(scope="module", params=list_tables())
def table(request):
    return load_table(request.param)


def outputs_on(frame: bytes) -> set[int]:
    """Outputs that are on once the frame has been shifted in: the first byte sent ends in the farthest register."""
    on = set()
    for position, byte in enumerate(frame):
        register = len(frame) - 1 - position
        on |= {register * 8 + bit for bit in range(8) if byte >> bit & 1}
    return on


def test_every_frame_lights_exactly_the_winning_zones(table):
    data = tablefile.load(table_bin(table))
    for dice in ALL_THROWS:
        winners = rule_evaluator.winners(table.layout.id, dice)
        expected = {output for zone in winners for output in table.harness[zone]}
        assert outputs_on(bytes(data.frame(*dice))) == expected, dice


def test_header_and_digest_are_as_documented(table):
    """Read without the product's own module: fields, length, and the digest over the file with its field zeroed."""
    data = table_bin(table)
    magic, form, zero, zones, frame_bytes, version, layout_id, digest = struct.unpack("<4sBBHHH32s32s", data[:76])
    assert (magic, form, zero) == (b"TSTB", 2, 0)
    assert zones == len(rule_evaluator.all_zones(table.layout.id))
    assert frame_bytes == table.registers
    assert version == table.layout.version
    assert layout_id == table.layout.id.encode().ljust(32, b"\0")
    assert digest == sha256(data[:44] + bytes(32) + data[76:]).digest()
    frames = 216 * table.registers
    assert data[76 : 76 + frames] == b"".join(frames_of(table))
    assert len(data) == 76 + frames + 8 * table.registers


def test_every_output_names_its_zone(table):
    """Numbers count from 1 in the order in which the words of the design list the zones."""
    lamps = tablefile.load(table_bin(table)).lamps
    zones = table.layout.zone_ids
    assert set(zones) == rule_evaluator.all_zones(table.layout.id)
    for output, number in enumerate(lamps):
        owners = [zone for zone, outputs in table.harness.items() if output in outputs]
        assert owners == ([zones[number - 1]] if number else []), output


def test_56_results_give_56_frames(table):
    assert len(set(frames_of(table))) == 56


def test_a_zone_of_several_lamps_has_them_all():
    """The double-wing table lights both wings, and the left wing alone would be another file."""
    table = load_table("nz2-double-pico-tpic6b595")
    left = {zone: outputs[:1] for zone, outputs in table.harness.items()}
    assert all(len(outputs) == 2 for outputs in table.harness.values())
    assert table_bin(table) != table_bin(table.model_copy(update={"harness": left}))


def test_every_build_gives_the_same_bytes():
    """Also in other processes, where sets and dictionaries of strings hash differently."""
    code = (
        "from hashlib import sha256\n"
        "from taisai.boards.table import load_table\n"
        "from taisai.build.tablebin import table_bin\n"
        f"print(sha256(table_bin(load_table({list_tables()[0]!r}))).hexdigest())\n"
    )
    here = sha256(table_bin(load_table(list_tables()[0]))).hexdigest()
    for seed in ("1", "2"):
        run = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
        assert run.stdout.strip() == here
