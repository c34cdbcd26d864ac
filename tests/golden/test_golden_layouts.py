"""The golden tables are current, and there is one for every layout."""

import csv

import pytest
from golden_layouts import FOLDER, golden_file, golden_text

from taisai.boards.layout import list_layouts, load_layout


@pytest.mark.parametrize("layout_id", list_layouts())
def test_golden_table_is_current(layout_id):
    golden = golden_file(layout_id).read_text(encoding="utf-8")
    assert golden == golden_text(load_layout(layout_id)), (
        "a layout or the evaluation changed: read the diff after `python tests/golden/golden_layouts.py`"
    )


def test_no_golden_table_is_left_over():
    assert sorted(path.stem for path in FOLDER.glob("*.csv")) == list_layouts()


@pytest.mark.parametrize("layout_id", list_layouts())
def test_golden_table_has_216_throws(layout_id):
    with golden_file(layout_id).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["throw"] for row in rows] == [
        f"{a}-{b}-{c}" for a in range(1, 7) for b in range(1, 7) for c in range(1, 7)
    ]
    assert all(len(row["wins"].split(" | ")) == int(row["lit"]) for row in rows)
