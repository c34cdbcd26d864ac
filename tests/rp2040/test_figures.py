"""Heap and pace on an emulated RP2040 against their targets; `make bench` prints the figures themselves."""

import os
import sys
from pathlib import Path

import pytest

# The measurements are modules beside the script tests/bench/run.py, and no package.
sys.path.append(str(Path(__file__).parents[1] / "bench"))

import rp2040_figures  # noqa: E402
import rp2040_prompt  # noqa: E402

pytestmark = pytest.mark.skipif(
    not os.environ.get(rp2040_prompt.VARIABLE), reason=f"{rp2040_prompt.VARIABLE} names no MicroPython UF2"
)


def test_heap_loop_and_lamp_chain_meet_their_targets():
    figures = rp2040_figures.measure()
    assert figures
    assert [figure.row() for figure in figures if figure.missed] == []
