"""Flashing and verifying a real MicroPython on the emulated RP2040, through its USB port, in emulated time.

Needs TAISAI_RP2040_UF2, the path of a MicroPython UF2 for the Raspberry Pi Pico.
"""

import os
import sys
from pathlib import Path

import pytest

from taisai.boards.table import load_table
from taisai.client.transport import Transport
from taisai.deploy.backends import mpremote
from taisai.deploy.flash import flash_board
from taisai.deploy.preflight import Policy
from taisai.deploy.reach import Reach
from taisai.deploy.verify import verify_board
from taisai.sim.rp2040 import Rp2040Board

sys.path.append(str(Path(__file__).parents[1] / "sim"))

from board_port import BoardPort  # noqa: E402
from deploy_tools import TABLE, Quiet, first, second  # noqa: E402

UF2 = os.environ.get("TAISAI_RP2040_UF2")
pytestmark = pytest.mark.skipif(not UF2, reason="TAISAI_RP2040_UF2 names no MicroPython UF2")


def test_blank_again_changed_and_verified():
    board = Rp2040Board(load_table(TABLE), Path(UF2), files={})
    board.power_on()
    board.run_ms(2000)
    port = BoardPort(board)

    def reach():
        return Reach(lambda: Transport(port, "the port", lambda: board.bench.now_us / 1_000_000), mpremote.raw_repl)

    result = flash_board(reach(), first(), Policy(), Quiet())
    assert len(result.sent) == len(first().folder) + 1 and result.state == "idle"
    assert result.micropython.startswith("1.")
    assert flash_board(reach(), first(), Policy(), Quiet()).sent == []
    result = flash_board(reach(), second(), Policy(), Quiet())
    assert result.sent == ["/app-2/hardware.json", "/app-2/manifest.json"] and result.copied == len(first().folder) - 2
    report = verify_board(reach(), second(), Policy(), Quiet())
    assert report.problems == [] and report.read_back == len(second().folder) + 2
