"""A million random events at the table, against the model of design_model.py: never a difference.

The ordinary run plays one script on each of eight boards, 4,000 events and some 50 s of one core; `make soak` all of
the million, some three hours. A difference is shown with the shortest script found that makes it.
"""

import os
from dataclasses import replace
from random import Random

import pytest
from design_model import Model
from random_scripts import cloth_of, first_difference, shrink, words

from tablecore.version import VERSION
from taisai.boards.table import load_table

EVENTS = 1_000_000
WORDS = 500  # of one board, from its first power-on
# Every controller with its display, the largest table, and the smallest one again with the opening test set.
BOARDS = (
    ("nz1-pico-hc595", False),
    ("nz1-pico-hc595", True),
    ("nz2-pico-tpic6b595", False),
    ("nz1-esp32-tpic6b595", False),
    ("nz1-esp32-tpic6b595", True),
    ("nz1-pico-hc595", False),
    ("nz2-double-pico-tpic6b595", True),
    ("kr-pico-tpic6b595", False),
)


@pytest.mark.soak
@pytest.mark.parametrize("shard", range(len(BOARDS)))
def test_the_table_never_differs_from_the_model(shard):
    name, opening_test = BOARDS[shard]
    table = load_table(name)
    cloth = cloth_of(table, VERSION)
    runs = EVENTS // len(BOARDS) // WORDS if os.environ.get("TAISAI_SOAK") else 1
    for seed in range(shard * 1000, shard * 1000 + runs):
        script = words(Random(seed), WORDS, cloth, table.registers)
        found = first_difference(table, cloth, seed, opening_test, script)
        if found is not None:
            shorter, text = shrink(table, cloth, seed, opening_test, script[: found[0] + 1])
            pytest.fail(f"{name}, seed {seed}, opening test {opening_test}: {' '.join(shorter)}\n{text}")


def difference(script: str, cloth=None) -> str:
    """What is said of a script; the model may have been given another layout than the table has."""
    table = load_table("nz1-pico-hc595")
    found = first_difference(table, cloth or cloth_of(table, VERSION), 1, False, script.split())
    return "" if found is None else found[1]


def test_a_wrong_area_is_noticed():
    cloth = cloth_of(load_table("nz1-pico-hc595"), VERSION)
    wins = {**cloth.wins, "136": cloth.wins["136"] - {"small"}}
    assert difference("1 3 6 E") == ""
    assert "lit" in difference("1 3 6 E", replace(cloth, wins=wins))


@pytest.mark.parametrize(
    ("name", "mistake", "script", "word"),
    [
        # The model's mistake stands for the table's: a difference is a difference.
        ("_refuse", lambda self, t: self._accept("key"), "E", "heard"),
        ("_accept", lambda self, sound: setattr(self, "sound", "silence"), "1", "heard key"),
        ("_drop", lambda self: None, "1 E!", "display"),
        ("_close", lambda self: self._drop(), "1 3 6 E E!", "display"),
        ("_amend", lambda self, t: self._refuse(t), "1 3 6 E S+ 2 2 5 E", "heard key"),
        ("brightness", lambda self: 50, "", "brightness"),
        ("told", lambda self, t: [], "?", "a host is told"),
        ("power_cycle", lambda self, t: setattr(self, "lit", ""), "1 3 6 E P", "lamps"),
    ],
)
def test_a_mistake_is_noticed(monkeypatch, name, mistake, script, word):
    assert difference(script + " w100") == ""
    monkeypatch.setattr(Model, name, mistake)
    assert word in difference(script + " w100")


def test_a_difference_is_shown_with_a_short_script(monkeypatch):
    monkeypatch.setattr(Model, "_amend", lambda self, t: self._refuse(t))
    table = load_table("nz1-pico-hc595")
    script = "4 ? 2 1 3 E w100 S+ 5 2 4 1 E E! ? S- 1 2".split()
    shorter, text = shrink(table, cloth_of(table, VERSION), 1, False, script)
    assert len(shorter) == len("1 3 6 E S+ 2 2 5 E".split()) and shorter[-1] == "E"
    assert "heard key" in text
