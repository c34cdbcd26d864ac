"""Every fault in every state of every controller: found exactly as the design says, named so, and nothing else blamed.

The ordinary run takes a few cells of each kind, chosen by a fixed seed; `make soak` takes all of them, which is some
hours of one core, and prints the matrix.
"""

import os
from random import Random

import pytest
from fault_matrix import STATES, Bed, Cell, expected, judge, summary, words

from taisai.boards.table import load_table

# Every controller; the one with a sense as a single table and double-wing.
TABLES = ("nz1-pico-hc595", "nz1-esp32-tpic6b595", "nz2-pico-tpic6b595", "nz2-double-pico-tpic6b595")
CI_CELLS = {"nz1-pico-hc595": 6, "nz1-esp32-tpic6b595": 7, "nz2-pico-tpic6b595": 16, "nz2-double-pico-tpic6b595": 3}


def cells(name):
    """All of them under soak; else some, of every kind in turn."""
    everything = [Cell(state, word) for word in words(load_table(name)) for state in STATES]
    if os.environ.get("TAISAI_SOAK"):
        return everything
    rng = Random(name)
    by_kind = {}
    for cell in rng.sample(everything, len(everything)):
        by_kind.setdefault((cell.word.split(":")[0], cell.state), []).append(cell)
    kinds = rng.sample(list(by_kind), len(by_kind))
    return [by_kind[kind][0] for kind in kinds[: CI_CELLS[name]]]


@pytest.mark.soak
@pytest.mark.parametrize("name", TABLES)
def test_every_fault_is_found_as_the_design_says(name, capsys):
    table = load_table(name)
    bed = Bed(table)
    results, wrong = {}, []
    for cell in cells(name):
        results[cell] = bed.play(cell)
        if problem := judge(table, cell, results[cell]):
            wrong.append(problem)
    with capsys.disabled():
        print(f"\n{name}: {len(results)} cells", *summary(results), sep="\n")
    assert not wrong, "\n".join(wrong)


def test_a_wrong_finding_is_noticed():
    table = load_table("nz2-pico-tpic6b595")
    cell = Cell("idle", "open:small:1")
    assert expected(table, cell) == (set(), {"L00"})
    assert judge(table, cell, (set(), {"L00"}, True)) is None
    for before, after in ((set(), set()), ({"L00"}, {"L00"}), (set(), {"L00", "H00"}), (set(), {"L01"})):
        assert judge(table, cell, (before, after, True))
    unsensed = load_table("nz1-pico-hc595")
    assert judge(unsensed, cell, (set(), set(), True)) is None
    assert "nobody" in judge(unsensed, cell, (set(), set(), False))
    assert judge(unsensed, Cell("lit", "cut:3:0"), ({"C04"}, {"C04"}, True))
