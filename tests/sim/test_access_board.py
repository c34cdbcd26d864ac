"""Integrity, sessions, the lost-key way in, the door and the jumper on the virtual board: the real firmware's answers."""

import pytest
from link_bench import LinkBench

from taisai.client import Board
from taisai.client.transport import Transport

WITH_GUARD = "nz1-pico-tpic6b595"
