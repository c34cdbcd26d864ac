"""The journal: every record that was acknowledged is there, once, and what the last ones add up to is known."""

import hashlib
import sys

from journal_store import Store, Watch

from tablecore import records, shelf
from tablecore.journal import DUE_SEGMENTS, RING_SEGMENTS, Journal
from tablecore.journal_check import JournalCheck
from tablecore.journal_reader import JournalReader


def opened(store=None, limit=15, watch=None):
    journal = Journal(store or Store(), watch or Watch(), limit)
    assert journal.open() and not journal.failed
    return journal


def play(journal, games, start=0):
    """So many games of two records each; the throw of game n is n modulo 216."""
    for number in range(start, start + games):
        assert journal.append(records.RESULT, number % 216)
        assert journal.append(records.END)


def each_record(journal, first=1):
    """Every record that a host can read from one number on, as field tuples, in pages."""
    reader = JournalReader(journal)
    while True:
        page = reader.read(first, 100)
        if not page:
            return
        assert len(page) % 32 == 0 and len(page) <= 3200
        for at in range(0, len(page), 32):
            fields = records.unpack(memoryview(page), at)
            first = fields[records.SEQUENCE] + 1
            yield fields


def all_records(journal):
    return list(each_record(journal))


def sequences(journal):
    return [fields[records.SEQUENCE] for fields in each_record(journal)]


def checked(journal):
    check = JournalCheck(journal)
    while check.step():
        pass
    return journal


def test_a_blank_volume_has_an_empty_journal():
    journal = opened()
    assert journal.open_result() is None and journal.latched() == {} and journal.next == 1
    assert all_records(journal) == [] and JournalReader(journal).recent(10) == []
    assert JournalReader(journal).oldest() == 1


def test_records_come_back_in_order_with_time_and_game_after_any_number_of_them():
    for limit in (1, 4, 15):
        store = Store()
        watch = Watch()
        journal = opened(store, limit, watch)
        for count in range(1, 70):
            watch.uptime += 3
            watch.source, watch.now = (2, 1_700_000_000 + count) if count > 20 else (0, 0)
            assert journal.append(records.RESULT if count % 2 else records.END, count)
            again = opened(store, limit)
            assert again.next == count + 1 and again.damaged == again.dropped == 0
            found = all_records(again)
            assert [fields[records.SEQUENCE] for fields in found] == list(range(1, count + 1))
            assert found[-1][records.UPTIME] == count * 3 and found[-1][records.THROW] == count
            assert found[-1][records.TIME] == watch.now and found[-1][records.SOURCE] == watch.source
        assert sequences(journal) == list(range(1, 70))


def test_games_are_numbered_and_every_other_record_names_the_open_one():
    journal = opened()
    journal.append(records.BOOT)
    journal.append(records.RESULT, 1)
    journal.append(records.FAULT, detail=b"E21")
    journal.append(records.AMEND, 2, 1)
    journal.append(records.END)
    journal.append(records.CLEAR, detail=b"E21")
    journal.append(records.VOID)  # "no spin" with nothing lit is a game of its own
    journal.append(records.RESULT, 3)
    journal.append(records.VOID, 3)
    journal.append(records.RESULT, 4)
    assert [fields[records.GAME] for fields in all_records(journal)] == [0, 1, 1, 1, 1, 0, 2, 3, 3, 4]


def test_the_open_result_is_the_last_amendment_until_an_end_or_a_void():
    steps = (
        ((records.RESULT, 41), (1, 41)), ((records.FAULT,), (1, 41)), ((records.AMEND, 5, 41), (1, 5)),
        ((records.BOOT,), (1, 5)), ((records.TEST,), (1, 5)), ((records.AMEND, 6, 5), (1, 6)), ((records.END,), None),
        ((records.RESULT, 0), (2, 0)), ((records.VOID, 0), None), ((records.VOID,), None),
        ((records.RESULT, 215), (4, 215)), ((records.CONFIG,), (4, 215)), ((records.END,), None),
    )  # fmt: skip
    for limit in (1, 4, 15):
        store = Store()
        journal = opened(store, limit)
        for arguments, expected in steps:
            assert journal.append(*arguments)
            assert journal.open_result() == expected == opened(store, limit).open_result()


def test_faults_stay_latched_until_cleared_however_many_segments_later():
    store = Store()
    journal = opened(store)
    for code in (b"E21", b"C07", b"E41"):
        journal.append(records.FAULT, detail=code)
    journal.append(records.OVERRIDE, detail=b"C07")
    journal.append(records.FAULT, detail=b"C07")
    journal.append(records.CLEAR, detail=b"E21")
    journal.append(records.RESULT, 77)
    expected = {"C07": True, "E41": False}
    assert journal.latched() == expected == opened(store).latched()
    for _ in range(1200):
        journal.append(records.CONFIG)
    again = opened(store)
    assert again.latched() == expected and again.open_result() == (1, 77)
    play(journal, 1000)
    journal.append(records.CLEAR, detail=b"C07")
    for _ in range(1200):
        journal.append(records.CONFIG)
    assert opened(store).latched() == {"E41": False}


def test_the_last_games_are_told_newest_first():
    store = Store()
    journal = opened(store)
    play(journal, 600)
    journal.append(records.RESULT, 10)
    journal.append(records.AMEND, 11, 10)
    journal.append(records.AMEND, 12, 11)
    journal.append(records.END)
    journal.append(records.VOID)
    journal.append(records.RESULT, 13)
    journal.append(records.VOID, 13)
    journal.append(records.RESULT, 14)
    for each in (journal, opened(store)):
        recent = JournalReader(each).recent(300)
        assert recent[:5] == [
            (604, 14, records.RESULT), (603, 13, records.VOID), (602, 255, records.VOID), (601, 12, records.AMEND),
            (600, 599 % 216, records.RESULT),
        ]  # fmt: skip
        assert [game for game, _, _ in recent] == list(range(604, 304, -1))
        assert JournalReader(each).recent(1) == recent[:1]


def test_the_ring_keeps_5000_games_with_an_amendment_each_and_never_grows_beyond_its_files():
    store = Store()
    journal = opened(store)
    for number in range(6500):
        assert journal.append(records.RESULT, number % 216)
        assert journal.append(records.AMEND, (number + 1) % 216, number % 216)
        assert journal.append(records.END)
    segments = [path for path in store.files if path.endswith(".seg")]
    assert len(segments) == RING_SEGMENTS
    assert max([len(content) for content in store.files.values()]) <= records.SEGMENT_BYTES
    oldest = expected = JournalReader(journal).oldest()
    for fields in each_record(journal):
        assert fields[records.SEQUENCE] == expected
        expected += 1
    assert expected == 19501 and expected - oldest >= 15000
    assert checked(opened(store)).damaged == 0


def test_each_header_carries_the_hash_of_the_whole_segment_before():
    store = Store()
    for _ in range(4):  # restarts in between: the hash goes on
        play(opened(store, 15), 400)
    paths = sorted([path for path in store.files if path.endswith(".seg")])
    assert len(paths) >= 4
    before = bytes(32)
    for number, path in enumerate(paths, 1):
        header = records.unpack_header(memoryview(store.files[path]))
        assert header[0] == number and header[5] == before
        before = hashlib.sha256(store.files[path]).digest()


def test_reading_from_any_number_gives_that_record_first():
    store = Store()
    journal = opened(store)
    play(journal, 700)
    reader = JournalReader(journal)
    for first in list(range(1, 1400, 61)) + [494, 495, 496, 497, 1399, 1400]:
        for limit in (1, 7):
            page = memoryview(reader.read(first, limit))
            got = [records.unpack(page, at)[records.SEQUENCE] for at in range(0, len(page), 32)]
            assert got == list(range(first, min(first + limit, 1401)))
    assert reader.read(1401, 5) == b"" and len(reader.read(0, 5)) == 160


def test_a_start_reads_no_more_of_an_old_journal_than_of_a_young_one():
    read = []
    for games in (400, 8000):
        store = Store()
        play(opened(store), games)
        store.bytes_read = 0
        opened(store)
        read.append(store.bytes_read)
    assert max(read) <= records.SEGMENT_BYTES + shelf.MOST_TAIL_BYTES + 4 * records.HEADER_BYTES


def test_an_export_is_due_before_records_that_were_not_exported_are_overwritten():
    store = Store()
    journal = opened(store)
    while not journal.export_due:
        play(journal, 1)
    warned_at = journal.next
    assert JournalReader(journal).oldest() == 1
    while JournalReader(journal).oldest() == 1:
        play(journal, 1)
    left = journal.next - warned_at
    assert (DUE_SEGMENTS - 1) * 495 <= left <= (DUE_SEGMENTS + 1) * 507
    assert opened(store).export_due
    assert journal.mark_exported(journal.next - 1) and not journal.export_due and not opened(store).export_due
    assert opened(store).exported == journal.next - 1
    play(journal, RING_SEGMENTS * 495 // 2 - 1500)
    assert not journal.export_due
    play(journal, 3000)
    assert journal.export_due


def test_the_mark_of_an_export_never_runs_ahead_and_never_goes_back():
    store = Store()
    journal = opened(store)
    play(journal, 10)
    assert journal.mark_exported(5000) and journal.exported == 20
    assert journal.mark_exported(7) and opened(store).exported == 20


def test_a_volume_that_cannot_be_written_or_read_is_told_and_used_again_once_it_can():
    for fault in ("full", "broken"):
        store = Store()
        journal = opened(store, 4)
        play(journal, 11)
        setattr(store, fault, True)
        for _ in range(5):
            assert not journal.append(records.RESULT, 9) and journal.failed
        assert not journal.mark_exported(3)
        setattr(store, fault, False)
        assert journal.append(records.RESULT, 9) and not journal.failed
        assert journal.open_result() == (12, 9)
        assert sequences(journal) == list(range(1, 24)) and journal.damaged == 0
    journal = Journal(store, Watch(), 4)
    store.broken = True
    assert not journal.open() and journal.failed and journal.open_result() is None
    assert not JournalCheck(journal).step()


def test_a_volume_that_does_not_even_give_the_code_that_reads_it_is_a_journal_that_failed():
    name = "tablecore.recovery"
    kept = sys.modules.get(name)
    sys.modules[name] = None  # importing it fails
    store = Store()
    try:
        journal = Journal(store, Watch(), 15)
        assert not journal.open() and journal.failed and not journal.append(records.RESULT, 7)
    finally:
        sys.modules[name] = kept
        if kept is None:
            sys.modules.pop(name)
    assert journal.append(records.RESULT, 7) and not journal.failed and journal.open_result() == (1, 7)
