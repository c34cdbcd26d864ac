"""Acceptance: what 216 throws cost on the link, what eight units side by side cost, and what takes a person.

Throws are timed in bench time, as a link of that speed would take; the units side by side on the clock of the wall.
"""

import tempfile
import time
from pathlib import Path

from figures import Figure

from taisai.accept.operator import ENTRY
from taisai.accept.presses import presses, settle_s
from taisai.accept.pytest_run import shipped_specs
from taisai.accept.workers import run_jobs
from taisai.client import open_board
from taisai.rules import THROWS

PORT = "sim:nz1-pico-hc595"
EXCHANGES = 100
SMALLEST = "unsubscribe"
THROW_EXCHANGES = 2
BOARDS = 8
TIMES = 5.0
LINK_EXCHANGES = 500  # of the link's step, for units side by side


def measure() -> list[Figure]:
    """Two ratios with their targets, and what they come from."""
    return [*_throws(), *_side_by_side()]


def _throws() -> list[Figure]:
    with open_board(PORT) as board:
        clock = board.link.transport.now
        board.fixture("keys", presses(["1"]))
        start = clock()
        for _ in range(EXCHANGES):
            board.link.request(SMALLEST)
        exchange_s = (clock() - start) / EXCHANGES
        start = clock()
        for dice in THROWS:
            board.fixture("keys", presses([*map(str, dice), ENTRY]))
        throws_s = clock() - start
    declared_s = len(THROWS) * settle_s(4)
    limit_s = declared_s + THROW_EXCHANGES * len(THROWS) * exchange_s
    return [
        Figure("acceptance, 216 throws from scan to latch", throws_s, "s", limit_s),
        Figure("acceptance, declared settle times in that", declared_s, "s"),
        Figure("acceptance, smallest exchange on the same link", exchange_s * 1000, "ms"),
    ]


def _side_by_side() -> list[Figure]:
    unattended = [spec.name for spec in shipped_specs() if not spec.attended]
    with tempfile.TemporaryDirectory() as folder:
        before_s, _ = _timed(Path(folder) / "before", 1, unattended)
        eight_s, _ = _timed(Path(folder) / "eight", BOARDS, unattended)
        after_s, _ = _timed(Path(folder) / "after", 1, unattended)
        one_s = (before_s + after_s) / 2  # what else the computer does meanwhile counts on both sides
        _, (whole,) = _timed(Path(folder) / "whole", 1, None)
    record = whole.record
    return [
        Figure(f"acceptance, {BOARDS} units side by side, times one unit", eight_s / one_s, "x", TIMES),
        Figure("acceptance, one unit, unattended steps", one_s, "s"),
        Figure("acceptance, whole plan: attended", record["attended_s"], "s"),
        Figure("acceptance, whole plan: unattended", record["seconds"] - record["attended_s"], "s"),
    ]


def _timed(folder: Path, boards: int, only: list[str] | None):
    job = {
        "station": str(folder), "operator": "bench", "table": None, "bundle": None, "only": only, "skip": [],
        "step_files": [], "assume_yes": True, "sizes": {"exchanges": LINK_EXCHANGES}, "port": PORT,
    }  # fmt: skip
    start = time.monotonic()
    results = run_jobs([{**job, "serial_number": f"SN{number:04}"} for number in range(boards)], _Silent())
    seconds = time.monotonic() - start
    bad = [
        each.text or each.record["reason"]
        for each in results
        if not each.record or each.record["outcome"] != "INCOMPLETE"
    ]
    if bad:
        raise RuntimeError(f"a unit was not good: {bad[0]}")
    return seconds, results


class _Silent:
    stopped = False

    def event(self, place, name, values):
        pass

    def ask(self, place, prompt):
        raise RuntimeError(f"nobody is there to answer: {prompt.text}")
