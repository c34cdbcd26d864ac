"""NOR flash rules (Winbond W25Q16JV: page program clears bits, sector erase sets them) and what a power cut leaves."""

from random import Random

import pytest
from bench_parts import HC595, TM1637, Wired
from hypothesis import given, settings
from hypothesis import strategies as st

from taisai.sim.flash import BLOCK_BYTES, Flash, FlashError


def blank(seed=1, blocks=4):
    return Flash(blocks, Random(seed))


def test_it_starts_erased_and_keeps_what_is_programmed():
    flash = blank()
    assert flash.read(0, 4 * BLOCK_BYTES) == b"\xff" * 4 * BLOCK_BYTES
    flash.program(300, b"abc", 0)
    assert flash.read(299, 5) == b"\xffabc\xff"


def test_bits_only_clear_until_the_block_is_erased():
    flash = blank()
    end = flash.program(0, b"\xf0", 0)
    end = flash.program(0, b"\x30", end)
    assert flash.read(0, 1) == b"\x30"
    with pytest.raises(FlashError, match="byte 0x1: 0xf0 cannot become 0x0f"):
        flash.program(0, b"\x30\x0f", flash.program(1, b"\xf0", end))
    assert flash.read(0, 2) == b"\x30\xf0", "a refused operation writes nothing"
    end = flash.erase(0, end + 10_000)
    flash.program(0, b"\xff\x0f", end)
    assert flash.read(0, 2) == b"\xff\x0f"


def test_an_erase_covers_its_block_and_is_counted():
    flash = blank()
    end = flash.program(BLOCK_BYTES - 1, b"\x00\x00", 0)
    end = flash.erase(1, end)
    assert flash.read(BLOCK_BYTES - 1, 2) == b"\x00\xff"
    flash.erase(1, end)
    assert flash.erase_counts == [0, 2, 0, 0]


def test_operations_take_the_time_of_the_part():
    flash = blank()
    assert flash.program(0, bytes(256), 1000) == 1400
    assert flash.program(256 + 200, bytes(100), 2000) == 2800, "two pages are touched"
    assert flash.erase(0, 5000) == 50_000
    assert flash.program(BLOCK_BYTES, bytes(BLOCK_BYTES), 60_000) == 60_000 + 16 * 400


def test_an_operation_can_be_made_to_last_400_ms():
    flash = blank()
    flash.slow_down(2)
    end = flash.erase(0, 0)
    assert end == 400_000
    end = flash.program(0, b"\x00", end)
    assert end == 800_000
    assert flash.erase(1, end) == 845_000


def test_a_busy_chip_takes_no_second_operation():
    flash = blank()
    end = flash.erase(0, 0)
    with pytest.raises(FlashError, match="busy"):
        flash.program(0, b"\x00", end - 1)


@pytest.mark.parametrize("address", [-1, 4 * BLOCK_BYTES - 1])
def test_outside_its_range_is_an_error(address):
    with pytest.raises(FlashError, match="outside"):
        blank().program(address, b"\x00\x00", 0)
    with pytest.raises(FlashError, match="outside"):
        blank().read(address, 2)
    with pytest.raises(FlashError, match="outside"):
        blank().erase(4, 0)


def test_a_cut_after_the_end_changes_nothing():
    flash = blank()
    end = flash.program(0, bytes(1000), 0)
    flash.interrupt(end)
    assert flash.read(0, 1001) == bytes(1000) + b"\xff"


@given(seed=st.integers(0, 10_000), old=st.binary(min_size=700, max_size=700))
@settings(max_examples=60, deadline=None)
def test_a_cut_program_leaves_each_bit_old_or_new_and_nothing_else_touched(seed, old):
    flash = blank(seed)
    end = flash.program(100, old, 0)
    new = bytes(byte & 0x5A for byte in old)
    flash.program(100, new, end)
    flash.interrupt(end + 1)
    for before, torn, after in zip(old, flash.read(100, 700), new, strict=True):
        assert torn & ~before == 0 and after & ~torn == 0
    assert flash.read(0, 100) == b"\xff" * 100 and flash.read(800, 50) == b"\xff" * 50


def test_pages_are_programmed_one_after_the_other():
    # W25Q16JV datasheet 8.2.13: a page program instruction takes 1 to 256 bytes; the part is busy until it is done.
    kinds = set()
    for seed in range(40):
        flash = blank(seed)
        flash.program(100, bytes(1000), 0)  # pages end at 256, 512, 768 and 1024
        flash.interrupt(2 * 400 + 200)
        content = flash.read(0, 2048)
        assert content[:100] == b"\xff" * 100 and content[100:512] == bytes(412)
        assert content[768:] == b"\xff" * 1280
        kinds.add("old" if set(content[512:768]) == {0xFF} else "new" if not any(content[512:768]) else "mixed")
    assert kinds == {"old", "new", "mixed"}


def test_cuts_differ_with_the_seed_and_some_are_mixed():
    def torn(seed):
        flash = blank(seed)
        flash.program(0, bytes(512), 0)
        flash.interrupt(1)
        return flash.read(0, 512)

    kinds = {torn(seed) for seed in range(20)}
    assert torn(3) == torn(3)
    assert len(kinds) > 5 and any(set(content) - {0, 0xFF} for content in kinds)
    assert any(content[:256] == bytes(256) and content[256:] != bytes(256) for content in kinds), "one page done"


def test_a_cut_erase_leaves_anything_in_its_block_only():
    values = set()
    for seed in range(20):
        flash = blank(seed)
        end = flash.program(0, bytes([0x55] * 3 * BLOCK_BYTES), 0)
        flash.erase(1, end)
        flash.interrupt(end + 20_000)
        content = flash.read(0, 3 * BLOCK_BYTES)
        assert set(content[:BLOCK_BYTES]) == set(content[2 * BLOCK_BYTES :]) == {0x55}
        values |= set(content[BLOCK_BYTES : 2 * BLOCK_BYTES])
    assert values == set(range(256))


def test_mains_off_and_a_reset_tear_the_running_operation_of_the_bench():
    for act in ("power_off", "reset_controller"):
        kept = set()
        for seed in range(12):
            wired = Wired(HC595, seed)
            wired.bench.flash.program(0, bytes(256), wired.bench.now_us)
            wired.bench.advance(wired.bench.now_us + 399)
            getattr(wired.bench, act)()
            kept.add(wired.bench.flash.read(0, 256))
        assert len(kept) > 3
        wired = Wired(HC595)
        wired.bench.flash.program(0, bytes(256), wired.bench.now_us)
        wired.bench.advance(wired.bench.now_us + 400)
        getattr(wired.bench, act)()
        assert wired.bench.flash.read(0, 256) == bytes(256)


def test_every_change_is_counted_and_an_image_must_fit():
    flash = blank()
    counts = [flash.changes]
    for act in (lambda: flash.program(5, b"tai-sai", 0), lambda: flash.erase(0, 10**6), lambda: flash.interrupt(10**6)):
        act()
        counts.append(flash.changes)
    flash.load_image(bytes(flash.content))
    counts.append(flash.changes)
    assert counts == sorted(set(counts))
    with pytest.raises(ValueError, match="3 bytes"):
        flash.load_image(b"abc")


def test_the_file_systems_have_the_size_of_the_stock_images():
    # ports/rp2/boards/RPI_PICO: 1408 KiB; ports/esp32/partitions-4MiB.csv: vfs of 2 MiB.
    assert Wired(HC595).bench.flash.block_count * BLOCK_BYTES == 1408 * 1024
    assert Wired(TM1637).bench.flash.block_count * BLOCK_BYTES == 2 * 1024 * 1024
