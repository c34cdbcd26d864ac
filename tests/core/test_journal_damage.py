"""Damage of any file of the journal: found, counted, kept aside; the rest is still read and the table goes on."""

from journal_store import Store
from test_journal import all_records, checked, opened, play, sequences

from tablecore import records
from tablecore.journal import MOST_ASIDE, RING_SEGMENTS
from tablecore.journal_check import JournalCheck
from tablecore.journal_reader import JournalReader

MARK = "/data/journal/exported"
TAIL = "/data/tail/records"
FIRST, SECOND, THIRD = ["/data/journal/%08d.seg" % number for number in (1, 2, 3)]


def _files():
    """A journal of 1,208 records: two full segments, a third, and a tail; the last result is open."""
    store = Store()
    journal = opened(store, 15)
    play(journal, 600)
    journal.mark_exported(700)
    for throw in range(7):
        journal.append(records.AMEND if throw else records.RESULT, throw)
    journal.append(records.FAULT, detail=b"E21")
    assert sorted(store.files) == sorted([FIRST, SECOND, THIRD, TAIL, MARK])
    return store.files


FILES = _files()
LAST = 1208


def _judge(files, most_lost):
    """Start with these files: records are read in order, at most so many are missing, and the next game works."""
    journal = checked(opened(Store(files), 15))
    found = all_records(journal)
    numbers = [fields[records.SEQUENCE] for fields in found]
    assert numbers == sorted(set(numbers)) and set(numbers) <= set(range(1, LAST + 1))
    assert len(numbers) >= LAST - most_lost
    before = journal.next
    assert before > LAST, "a number that was used may never be used again"
    assert journal.append(records.RESULT, 30) and journal.append(records.END) and journal.append(records.RESULT, 31)
    again = checked(opened(Store(files), 15))
    assert again.open_result()[1] == 31 and again.next == before + 3
    assert again.open_result()[0] > journal.standing.game - 1
    assert again.damaged == 0, "damage is found once"
    assert sequences(again) == numbers + [before, before + 1, before + 2]
    return journal


def _changed(path, content):
    files = dict(FILES)
    files[path] = bytes(content)
    return files


def test_undamaged():
    journal = _judge(dict(FILES), 0)
    assert journal.damaged == journal.dropped == 0


def test_any_flipped_byte():
    """In every place of a header, a record and the file's end, and of every part of a small file."""
    for path in (FIRST, SECOND, THIRD, TAIL):
        length = len(FILES[path])
        places = range(length) if path == TAIL else list(range(0, 170, 11)) + [length - 32, length - 1]
        for at in places:
            content = bytearray(FILES[path])
            content[at] ^= 0x10
            journal = _judge(_changed(path, content), 1)
            assert journal.damaged == 1 and len(journal.files.aside) == 1, (path, at)


def test_truncated_anywhere():
    for path, lost in ((FIRST, 495), (SECOND, 495), (THIRD, 495), (TAIL, 15)):
        length = len(FILES[path])
        for keep in list(range(0, min(length, 200), 7)) + [length // 2, length - 33, length - 32, length - 31]:
            files = _changed(path, FILES[path][:keep])
            if keep == 0 or path == TAIL and keep % 32 == 0:
                continue  # below
            journal = _judge(files, lost)
            assert journal.damaged == 1, (path, keep)


def test_replaced_by_noise_of_any_length():
    noise = bytearray(20000)
    for n in range(len(noise)):
        noise[n] = (n * n * 7 + n * 13 + 5) & 0xFF
    for path, lost in ((FIRST, 495), (SECOND, 495), (THIRD, 495), (TAIL, 15)):
        for length in (1, 31, 32, 100, 480, 1024, 16352, 20000):
            journal = _judge(_changed(path, noise[:length]), lost)
            assert journal.damaged == 1


def test_an_empty_or_missing_segment_loses_its_records_only():
    for path in (FIRST, SECOND):
        for content in (b"", None):
            files = dict(FILES)
            del files[path]
            if content is not None:
                files[path] = content
            _judge(files, 495)
    for content in (b"", None):  # the newest: what the tail still has begins too late, which is told
        files = dict(FILES)
        del files[THIRD]
        if content is not None:
            files[THIRD] = content
        journal = _judge(files, 495)
        assert journal.damaged == 1 and journal.open_result()[1] == 31


def test_a_tail_cut_between_records_is_told_when_an_export_or_the_host_knows_better():
    """Nothing on the board tells how many records a tail should have, except what was exported."""
    store = Store(dict(FILES))
    journal = opened(store, 15)
    journal.mark_exported(LAST)
    store.files[TAIL] = store.files[TAIL][:64]
    again = opened(store, 15)
    assert again.damaged == 1 and again.next == LAST + 1


def test_a_damaged_mark_only_means_an_early_warning():
    for content in (b"", b"x" * 12, b"x" * 40, FILES[MARK][:-1]):
        journal = _judge(_changed(MARK, content), 0)
        assert journal.damaged == 0 and journal.exported == 0


def test_records_in_a_wrong_place_are_damage_even_when_each_is_good():
    content = bytearray(FILES[SECOND])
    content[128:160], content[160:192] = content[160:192], content[128:160]
    assert _judge(_changed(SECOND, content), 2).damaged == 1
    assert _judge(_changed(SECOND, FILES[FIRST]), 495).damaged == 1


def test_a_segment_that_was_changed_with_a_fresh_crc_is_found_by_its_successor():
    content = bytearray(FILES[FIRST])
    record = bytearray(32)
    records.pack_into(record, 1, records.RESULT, 99, 255, 0, 1, 0, 0, b"")
    content[128:160] = record
    journal = _judge(_changed(FIRST, content), 0)
    assert journal.damaged == 1 and journal.files.aside == [1]


def test_what_the_files_say_in_sum_is_recovered_from_the_segment_before():
    for path in (THIRD, TAIL):
        content = bytearray(FILES[path])
        content[5] ^= 1
        journal = opened(Store(_changed(path, content)), 15)
        assert journal.latched() == {"E21": False}
        assert journal.open_result() is None or journal.open_result()[0] == 601


def test_everything_lost_but_the_mark_continues_above_what_was_exported():
    journal = opened(Store({MARK: FILES[MARK]}), 15)
    assert journal.next == 701 and journal.damaged == 1 and journal.standing.game == 600


def test_files_aside_are_bounded_and_go_after_an_export():
    store = Store()
    journal = opened(store, 15)
    play(journal, RING_SEGMENTS * 250)
    for round in range(1, 8):
        victim = journal.files.path(journal.files.ring[5])
        content = bytearray(store.files[victim])
        content[300] ^= 1
        store.files[victim] = bytes(content)
        journal = checked(opened(store, 15))
        assert len(journal.files.aside) == round and journal.low_storage == (round >= MOST_ASIDE)
        play(journal, 260)
        assert len(store.files) <= RING_SEGMENTS + MOST_ASIDE + 2
    assert journal.mark_exported(journal.next - 1)
    assert journal.files.aside == [] and not journal.low_storage


def test_a_check_goes_on_while_records_are_written():
    store = Store()
    journal = opened(store, 15)
    play(journal, RING_SEGMENTS * 250)
    check = JournalCheck(journal)
    steps = 0
    while check.step():
        steps += 1
        play(journal, 3)
    assert journal.damaged == 0 and steps > 400
    store.broken = True
    check = JournalCheck(journal)
    while check.step():
        pass
    assert journal.failed


def test_foreign_files_are_left_alone():
    files = dict(FILES)
    files["/data/journal/notes.txt"] = b"x"
    files["/data/journal/1.seg"] = b"x"
    files["/data/journal/000000001.seg"] = b"x"
    _judge(files, 0)
    assert files["/data/journal/notes.txt"] == b"x" and JournalReader(opened(Store(files))).oldest() == 1
