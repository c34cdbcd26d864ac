"""The journal over the link: whole pages in one line each, what it says of itself, the mark of an export, the time."""

from binascii import a2b_base64

from journal_store import Store
from refusals import refused
from test_journal import all_records, play

from tablecore import framing, protocol, records, replies
from tablecore.daytime import DayTime
from tablecore.journal import Journal
from tablecore.journal_reader import JournalReader
from tablecore.journal_verbs import JournalVerbs

BOARD = "e6614103e7452d2f"


def unit(games=0):
    store = Store()
    daytime = DayTime(0)
    journal = Journal(store, daytime, 15)
    journal.open()
    play(journal, games)
    return JournalVerbs(journal, JournalReader(journal), daytime).handlers, journal, daytime, store


def test_a_host_reads_every_record_in_lines_that_fit():
    ask, journal, _, _ = unit(123)
    found = []
    first = 1
    while True:
        reply = ask["journal"]({"first": first})
        assert len(framing.encode("999999999", "ok", reply)) <= protocol.LINE_MAX + 1
        assert protocol.fields_problem(replies.reply_to("journal").fields, reply) is None
        page = a2b_base64(reply["records"])
        if not page:
            break
        found += [page[at : at + 32] for at in range(0, len(page), 32)]
        first = records.unpack(memoryview(page), len(page) - 32)[0] + 1
    assert len(found) == 246 and reply["next"] == 247
    longest = {"records": ask["journal"]({"first": 1})["records"], "next": 0xFFFFFFFF}
    assert len(longest["records"]) == 428
    assert len(framing.encode("999999999", "ok", longest)) <= protocol.LINE_MAX + 1


def test_it_says_how_it_is():
    ask, journal, daytime, store = unit(2000)
    state = ask["journal-state"]({})
    assert (state["oldest"], state["next"], state["game"], state["exported"]) == (1, 4001, 2000, 0)
    assert state["time"] == 0 and state["source"] is None and state["keeps"] >= 15000
    assert not state["failed"] and not state["export_due"] and not state["low_storage"]
    assert len(framing.encode("999999999", "ok", state)) < protocol.LINE_MAX - 60
    ask["mark-exported"]({"board": BOARD, "upto": 4000})
    assert ask["journal-state"]({})["exported"] == 4000
    play(journal, 9000)
    state = ask["journal-state"]({})
    assert state["oldest"] > 1 and state["export_due"]
    assert state["next"] - state["oldest"] >= state["keeps"]


def test_a_volume_that_fails_is_told():
    ask, journal, _, store = unit(700)
    store.broken = True
    assert refused(ask["journal"], {"first": 1})[0] == "failed"
    assert refused(ask["mark-exported"], {"board": BOARD, "upto": 3})[0] == "failed"
    assert refused(ask["set-time"], {"board": BOARD, "time": 1700000000})[0] == "failed"


def test_a_time_that_is_told_is_in_the_records_with_its_source_and_goes_on():
    ask, journal, daytime, _ = unit()
    now = (1 << 30) - 700
    daytime = DayTime(now)
    ask = JournalVerbs(journal, JournalReader(journal), daytime).handlers
    journal._daytime = daytime
    journal.append(records.RESULT, 1)
    for _ in range(100):
        now = (now + 250) % (1 << 30)
        daytime.step(now)
    assert daytime.uptime == 25
    assert ask["set-time"]({"board": BOARD, "time": 1700000000}) == {"time": 1700000000}
    for _ in range(14):
        now = (now + 250) % (1 << 30)
        daytime.step(now)
    journal.append(records.END)
    assert ask["set-time"]({"board": BOARD, "time": 1700000004}) == {"time": 1700000004}, "too little to be recorded"
    told = [(fields[records.KIND], fields[records.TIME], fields[records.SOURCE]) for fields in all_records(journal)]
    assert told == [
        (records.RESULT, 0, records.TIME_UNKNOWN), (records.CONFIG, 1700000000, records.TIME_HOST),
        (records.END, 1700000003, records.TIME_HOST),
    ]  # fmt: skip
