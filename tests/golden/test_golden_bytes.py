"""What a Tai-Sai board carries of its layout and wiring is byte for byte what was delivered before.

A board in the field compares the digest of its lamp table, and its manifest holds that of its layout: so a change of
these bytes is a change of every table, and has to be meant.
"""

from hashlib import sha256

import pytest
from golden_layouts import FOLDER

from taisai.boards.table import list_tables, load_table
from taisai.build.hardware import hardware_json
from taisai.build.manifest import layout_digest
from taisai.build.tablebin import table_bin

GOLDEN = dict(
    reversed(line.split("  ")) for line in (FOLDER / "built.sha256").read_text(encoding="utf-8").splitlines()
)


@pytest.mark.parametrize("name", list_tables())
def test_the_built_bytes_are_the_golden_ones(name):
    table = load_table(name)
    assert sha256(table_bin(table)).hexdigest() == GOLDEN[f"{name}/table.bin"]
    assert sha256(hardware_json(table)).hexdigest() == GOLDEN[f"{name}/hardware.json"]
    assert layout_digest(table.layout) == GOLDEN[f"{name}/layout_digest"]


def test_no_golden_digest_is_left_over():
    assert {name.partition("/")[0] for name in GOLDEN} == set(list_tables())
