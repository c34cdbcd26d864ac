"""A file of the unit's own data with a byte flipped, cut off or replaced by noise: what the table then does is listed.

`make soak` tries every byte and every length; the ordinary run a fixed choice of them.
"""

import os
from collections import Counter
from random import Random

import pytest
from damage_bench import SAME, UNTOLD, board_with, outcome, unit

from tablecore import servicekey, shelf
from taisai.build import volume_files, volume_image

SEGMENT = shelf.FOLDER + "/00000001.seg"
BLOCKS = 352
ORDINARY = 1  # of each file and kind of damage
GONE = "records gone: fault E34, damage told"
# A tail that ends with a whole record is what a power cut before the next one would have left.
WANTED = {
    "/data/settings.json": {"fault E51, settings as delivered"},
    "/data/identity.json": {"fault E52"},
    servicekey.PATH: {"fault E53"},
    # What was kept aside is read as far as it is good. An empty file is one whose writing was cut off.
    SEGMENT: {GONE, "fault E34, damage told"},
    shelf.TAIL: {GONE, "fault E34, damage told", UNTOLD},
    shelf.MARK: {SAME},  # the warning of an export that is due comes too early
}


def _damages(content, rng):
    """(kind, content) for every byte flipped, every length, and noise."""
    places = range(len(content))
    flipped = [content[:at] + bytes([content[at] ^ 1 << rng.randrange(8)]) + content[at + 1 :] for at in places]
    cut = [content[:at] for at in places]
    noise = [rng.randbytes(length) for length in (1, 32, 100, 1000, 5000)] + [b"\xff" * 480, bytes(480)]
    for kind, every in (("a byte flipped", flipped), ("cut off", cut), ("noise", noise)):
        few = every if os.environ.get("TAISAI_SOAK") else rng.sample(every, ORDINARY)
        yield from ((kind, each) for each in few)


@pytest.mark.soak
@pytest.mark.parametrize("path", WANTED)
def test_a_damaged_file_is_found_and_told(path, capsys):
    files = volume_files(unit()[0])
    outcomes = Counter()
    for kind, content in _damages(files[path], Random(path)):
        with board_with(volume_image({**files, path: content}, BLOCKS)) as board:
            try:
                became = outcome(board)
            except Exception as error:
                raise AssertionError(f"{path}, {kind}: {content!r}") from error
        outcomes[kind, became] += 1
        assert became in WANTED[path], (kind, content)
    with capsys.disabled():
        print(f"\n{path}")
        for (kind, became), times in outcomes.items():
            print(f"  {times:6}  {kind:16}{became}")
