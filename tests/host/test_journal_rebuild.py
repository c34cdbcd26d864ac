"""A journal made anew from exports: the firmware's own code reads in it what the failed controller had recorded."""

import random

import pytest
from journal_board import board
from journal_store import Store

from tablecore import records, shelf
from tablecore.daytime import DayTime
from tablecore.journal import TAIL_RECORDS, Journal
from tablecore.journal_reader import JournalReader
from taisai.errors import TaisaiError
from taisai.journal.entries import entries
from taisai.journal.reading import read
from taisai.journal.rebuild import Rebuilt


def recorded(count, seed=1):
    """What a board has after `count` records of every kind, and the board."""
    made, client = board()
    rng = random.Random(seed)
    made.daytime.tell(1_700_000_000)
    for number in range(count):
        kind = number % len(records.KINDS)
        throw = rng.randrange(216)
        if kind in (records.RESULT, records.TEST):
            made.journal.append(kind, throw)
        elif kind == records.AMEND:
            made.journal.append(kind, throw, rng.randrange(216))
        elif kind in (records.FAULT, records.CLEAR, records.OVERRIDE):
            made.journal.append(kind, detail=rng.choice((b"C07", b"E21")))
        elif kind in (records.CONFIG, records.ACCESS, records.BOOT):
            made.journal.append(kind, detail=rng.choice((b"bri=60", b"wrong12", b"\x01\x02\xff\x00\x00\x07")))
        elif kind:
            made.journal.append(kind)
        if number % 50 == 0:
            made.daytime.step(made.daytime.uptime * 1000 + 7000)
    return made, list(read(client, 1))


def opened(files):
    """The firmware's journal on a volume with these files, and everything that it reads there."""
    journal = Journal(Store(dict(files)), DayTime(0), TAIL_RECORDS["rp2040"])
    assert journal.open()
    reader = JournalReader(journal)
    found, first = [], reader.oldest()
    while page := reader.read(first, 500):
        found += entries(page)
        first = found[-1]["sequence"] + 1
    return journal, found


@pytest.mark.parametrize("count", [1, 14, 15, 16, 600, 3000])
def test_it_says_the_same_and_goes_on_after_it(count):
    made, found = recorded(count + 1)
    rebuilt = Rebuilt(found, "rp2040")
    journal, read_back = opened(rebuilt.files)
    assert read_back[:-1] == found
    assert (read_back[-1]["kind"], read_back[-1]["detail"]) == ("config", "replaced")
    assert journal.next == rebuilt.next == found[-1]["sequence"] + 2
    assert journal.damaged == 0 and journal.exported == found[-1]["sequence"] and not journal.export_due
    assert journal.standing.game == made.journal.standing.game
    assert journal.open_result() == made.journal.open_result()
    assert sorted(journal.latched()) == sorted(made.journal.latched())
    assert journal.append(records.VOID)


def test_a_result_that_was_lit_is_lit_again():
    made, client = board()
    made.journal.append(records.RESULT, records.throw_index(3, 6, 1))
    rebuilt = Rebuilt(list(read(client, 1)), "rp2040")
    assert rebuilt.open == (1, "361")
    assert opened(rebuilt.files)[0].open_result() == made.journal.open_result()


def test_records_that_are_missing_stay_missing_and_no_number_is_given_twice():
    _, found = recorded(1500)
    kept = found[200:700] + found[900:]
    journal, read_back = opened(Rebuilt(kept, "esp32").files)
    assert read_back[:-1] == kept and journal.next == found[-1]["sequence"] + 2


def test_more_records_than_a_journal_keeps():
    """The oldest are in the exports alone."""
    same = {"kind": "result", "throw": "122", "total": 5, "uptime_s": 0}
    everything = [{"sequence": number, "game": number, **same} for number in range(1, 18_001)]
    _, read_back = opened(Rebuilt(everything, "rp2040").files)
    assert read_back[:-1] == everything[18_000 - len(read_back) + 1 :] and len(read_back) > 15_000


def test_the_mark_comes_first_and_the_newest_records_last():
    _, found = recorded(2000)
    paths = list(Rebuilt(found, "rp2040").files)
    assert paths[0] == shelf.MARK and paths[-1] == shelf.TAIL and paths[1:-1] == sorted(paths[1:-1])


def test_what_is_no_record_is_refused():
    _, found = recorded(20)
    found[5] = {**found[5], "detail": "x" * 9}
    with pytest.raises((TaisaiError, ValueError)):
        Rebuilt(found, "rp2040")
