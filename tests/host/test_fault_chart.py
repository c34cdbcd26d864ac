"""The fault-finding chart in firmware/README.md is that of the table of faults, and going stale is noticed."""

from pathlib import Path

import pytest

from tablecore import faults, faulttexts
from taisai.client.faultchart import BEGIN, chart, replace_in

README = Path(__file__).resolve().parents[2] / "firmware" / "README.md"


def test_the_chart_in_the_readme_is_fresh():
    text = README.read_text(encoding="utf-8")
    assert BEGIN in text and replace_in(text) == text, "run: make docs"


def test_every_fault_is_on_it_with_all_its_words():
    lines = chart().splitlines()[2:]
    assert len(lines) == len(faulttexts.TEXTS) == len(faults.ROWS) // faults.ROW
    for line in lines:
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        assert len(cells) == 7 and all(cells) and "{" not in line


def test_only_a_named_lamp_may_be_accepted():
    accepted = [line[:6] for line in chart().splitlines() if "by the supervisor |" in line]
    assert accepted == ["| `L01", "| `H01"]


def test_a_change_of_the_table_or_of_a_text_makes_it_stale(monkeypatch):
    before = chart()
    monkeypatch.setitem(faulttexts.TEXTS, "E21", faulttexts.TEXTS["E21"]._replace(remedy="something else"))
    changed = chart()
    assert changed != before
    monkeypatch.setattr(faults, "ROWS", faults.ROWS.replace("E33E33w", "E33E33X"))
    assert chart() != changed


def test_a_text_without_a_place_for_it_is_refused():
    with pytest.raises(ValueError, match="no place"):
        replace_in("no markers")
