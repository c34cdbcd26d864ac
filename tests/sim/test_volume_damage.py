"""One byte of the volume's own bookkeeping is flipped, at each place of it: what the table then does is listed.

littlefs keeps every folder in a pair of blocks, as a log of commits with a CRC-32 each; names, sizes, places and small
files are in there. A commit that is damaged ends the log: the folder is then as it was before that commit, or as the
other block of the pair has it. The board opens with what that leaves, or stays dark; it invents nothing, it does not
stop in the middle of anything, and our code formats nothing. A stock RP2040 image does format a volume that cannot be
mounted.

`make soak` flips every byte, which takes some hours; the ordinary run a fixed choice of them.
"""

import os
import re
import zlib
from collections import Counter
from random import Random

import pytest
from damage_bench import SAME, START_MS, board_with, outcome, unit
from journal_bench import TABLE, application, host_of

from taisai.boards.table import load_table
from taisai.build.signing import load_private, new_key
from taisai.journal.exporting import RecordsMissing, export
from taisai.sim.board import VirtualBoard
from taisai.sim.flash import BLOCK_BYTES

ORDINARY = 20
CRC_TAG, CRC_MASK = 0x500, 0x780


def log_length(block: bytes) -> int:
    """Bytes of a block that are revision and whole commits of a folder's log; 0 when it has none.

    littlefs's SPEC.md: tags are big-endian, each stored as its difference from the one before; bits 20 to 30 are the
    type and the last ten the length. The CRC covers everything since the last one.
    """
    at, good, before, crc = 4, 0, 0xFFFFFFFF, zlib.crc32(block[:4])
    while at + 4 <= len(block):
        tag = int.from_bytes(block[at : at + 4], "big") ^ before
        if tag >> 31:
            break
        length = 0 if tag & 0x3FF == 0x3FF else tag & 0x3FF
        if (tag >> 20) & CRC_MASK == CRC_TAG:
            crc = zlib.crc32(block[at : at + 4], crc)
            if crc ^ 0xFFFFFFFF != int.from_bytes(block[at + 4 : at + 8], "little"):
                break
            good = at + 8
            before = tag ^ ((tag >> 20) & 1) << 31
            crc = 0
        else:
            crc = zlib.crc32(block[at : at + 4 + length], crc)
            before = tag
        at += 4 + length
    return good


def _places(image: bytes) -> list[int]:
    """Address of every byte of bookkeeping."""
    return [
        start + at
        for start in range(0, len(image), BLOCK_BYTES)
        for at in range(log_length(image[start : start + BLOCK_BYTES]))
    ]


def test_the_bookkeeping_is_found():
    image, _ = unit()
    places = _places(image)
    # Root, /app-1, /tablecore and /tablehw in it, /data, journal and tail: two blocks each, the first ones written.
    assert len({place // BLOCK_BYTES for place in places}) >= 7
    for name in (b"littlefs", b"settings.json", b"current", b"journal"):
        assert any(found.start() in places for found in re.finditer(name, image)), name


@pytest.mark.soak
def test_any_byte_of_the_volumes_bookkeeping(capsys):
    image, _ = unit()
    places = _places(image)
    count = len(places)
    if not os.environ.get("TAISAI_SOAK"):
        places = Random(4).sample(places, ORDINARY)
    counted = Counter()
    for place in places:
        damaged = bytearray(image)
        damaged[place] ^= 1 << place % 8
        with board_with(bytes(damaged)) as board:
            try:
                counted[outcome(board)] += 1
            except Exception as error:
                raise AssertionError(f"byte {place:#x} flipped") from error
    with capsys.disabled():
        print(f"\none byte of the volume's bookkeeping flipped, {len(places)} of {count} places:")
        for became, times in counted.most_common():
            print(f"  {times:6}  {became}")
    assert counted[SAME], "most places are of blocks that are not the newest"


def test_a_volume_that_the_stock_image_erases_is_said_to_miss_records(tmp_path):
    image, known = unit()
    new_key(tmp_path / "station.pem")
    station = load_private(tmp_path / "station.pem")
    with board_with(image) as board:
        board.power_on()
        board.run_ms(START_MS)
        export(host_of(board), station, tmp_path, "jsonl")
    with board_with(b"\x00" * 2 * BLOCK_BYTES + image[2 * BLOCK_BYTES :]) as board:
        assert outcome(board) == "at the prompt, dark: erased by the stock image"
    with VirtualBoard(load_table(TABLE), files=dict(application())) as board:  # as it is after it was flashed again
        board.power_on()
        board.run_ms(START_MS)
        with pytest.raises(RecordsMissing, match=f"exported up to record {len(known) + 1}, and its journal now ends"):
            export(host_of(board), station, tmp_path, "jsonl")
