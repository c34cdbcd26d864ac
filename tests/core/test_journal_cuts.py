"""The power fails before and after every change of the volume: what was acknowledged is there, once, in order."""

from journal_store import PowerCut, Store
from test_journal import checked, each_record, opened, sequences

from tablecore import records


def _one_each(journal, acknowledged):
    """Games with an amendment, faults and voids; a number is acknowledged once its call has returned True."""
    for number in range(25):
        for arguments in (  # six records: a tail of 15 goes into the segment at another one each time
            (records.RESULT, number), (records.AMEND, number + 100, number), (records.END,),
            (records.FAULT, 255, 255, None, b"E21"), (records.VOID,), (records.CLEAR, 255, 255, None, b"E21"),
        ):  # fmt: skip
            if journal.append(*arguments):
                acknowledged.append((journal.next - 1, arguments[0], journal.open_result()))


def _cut_everywhere(limit, prepare, first=1):
    """Cut at each operation; `prepare` gives the files that the run begins with, `first` the record to look from."""
    cut_at = 0
    cuts = 0
    while True:
        ended = False
        for after in (False, True):
            store = Store(prepare())
            store.cut_at = cut_at
            store.after = after
            acknowledged = []
            try:
                journal = opened(store, limit)
                _one_each(journal, acknowledged)
                journal.mark_exported(journal.next - 1)
                ended = True
            except PowerCut:
                cuts += 1
            store.cut_at = None
            again = opened(store, limit)
            found = list(each_record(again, first))
            assert [fields[records.SEQUENCE] for fields in found] == list(range(first, again.next))
            if acknowledged:
                # Nothing lost, and at most the one record that was being written is there beyond them.
                last, _, open_result = acknowledged[-1]
                assert again.next - 1 in (last, last + 1)
                kinds = {fields[records.SEQUENCE]: fields[records.KIND] for fields in found}
                assert all([kinds[number] == kind for number, kind, _ in acknowledged])
                if again.next - 1 == last:
                    assert again.open_result() == open_result
            assert again.damaged == 0 and again.dropped == 0
            assert again.append(records.RESULT, 1)
            assert next(each_record(again, again.next - 1))[records.GAME] == again.standing.game
        if ended:
            return cuts
        cut_at += 1


def test_from_a_blank_volume():
    assert _cut_everywhere(15, dict) > 250


def test_with_a_short_tail():
    assert _cut_everywhere(4, dict) > 250


def test_at_the_end_of_a_full_segment_and_of_the_ring():
    store = Store()
    journal = opened(store, 15)
    while not (len(journal.files.ring) == 34 and 494 - 30 <= journal.next % 495 < 494):
        journal.append(records.CONFIG)
    kept = dict(store.files)
    assert _cut_everywhere(15, lambda: dict(kept), journal.next - 20) > 250


def test_in_the_recovery_itself():
    """A damaged segment and a damaged tail are put aside; the power fails in each step of that, again and again."""
    store = Store()
    journal = opened(store, 15)
    for _ in range(700):
        journal.append(records.CONFIG)
    journal.append(records.RESULT, 3)
    kept = dict(store.files)
    for path in ("/data/journal/00000002.seg", "/data/tail/records"):
        content = bytearray(kept[path])
        content[200] ^= 1
        kept[path] = bytes(content)
    lost = None
    for cut_at in range(8):
        store = Store(dict(kept))
        for _ in range(cut_at):  # it never gets further than that many steps at a time
            store.operations = 0
            store.cut_at = cut_at - 1
            try:
                checked(opened(store, 15))
            except PowerCut:
                pass
        store.cut_at = None
        again = opened(store, 15)
        assert again.append(records.RESULT, 5) and again.open_result() == (2, 5)
        numbers = sequences(again)
        if lost is None:
            lost = [number for number in range(1, again.next) if number not in numbers]
        assert [number for number in range(1, again.next) if number not in numbers] == lost
        assert numbers == sorted(set(numbers))
    assert lost[:2] == [498, 697] and lost[2] == 702, "two were damaged; a tail's other numbers are never given again"
