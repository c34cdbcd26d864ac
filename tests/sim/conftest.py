"""What the tests of the firmware share: the evaluator of the tests of the rules, boards with a host on their link."""

import sys
from pathlib import Path

import pytest
from access_bench import started

sys.path.insert(0, str(Path(__file__).parents[1] / "host"))


@pytest.fixture
def start():
    """Starts a board, as access_bench.started does; it is switched off when the test is over."""
    desks = []

    def make(*arguments, **options):
        desks.append(started(*arguments, **options))
        return desks[-1]

    yield make
    for desk in desks:
        desk.port.close()
