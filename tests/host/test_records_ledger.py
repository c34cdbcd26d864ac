"""The station's ledger: what is written is read back, and every way of tampering with it is found."""

import json
import os

import pytest
from records_made import record, tamper

from taisai.errors import TaisaiError
from taisai.records.model import Measurement, Outcome, Unit
from taisai.records.running import KILLED
from taisai.records.station import PortClaimed, Station
from taisai.records.verify import verify


@pytest.fixture
def station(tmp_path):
    return Station(tmp_path / "station")


def fill(station, count=4):
    return [station.ledger.append(record(f"SN000{number}"), station.key) for number in range(1, count + 1)]


def problems(station, witnesses=None):
    return verify(station.ledger.path, [station.public_key], witnesses).problems


def test_what_is_recorded_is_read_back_and_proved(station):
    made = fill(station)
    assert [entry.record for entry in station.ledger.entries()] == [entry.record for entry in made]
    assert [entry.number for entry in made] == [1, 2, 3, 4]
    finding = verify(station.ledger.path, [station.public_key])
    assert finding.problems == [] and finding.count == 4 and finding.notes == []


def test_an_altered_byte_is_found_at_every_place(station):
    fill(station, 2)
    content = station.ledger.path.read_bytes()
    for at in range(0, len(content), 7):
        changed = bytearray(content)
        changed[at] ^= 1
        station.ledger.path.write_bytes(changed)
        try:
            assert problems(station), f"byte {at}"
        except TaisaiError:
            pass  # it is no text of plain characters any more
    station.ledger.path.write_bytes(content)
    assert problems(station) == []


CHANGES = {
    "altered": lambda entries: [
        {**each, "record": {**each["record"], "outcome": "PASS", "operator": "Eve"}} if number == 1 else each
        for number, each in enumerate(entries)
    ],
    "dropped last": lambda entries: entries[:-1],
    "dropped": lambda entries: entries[:1] + entries[2:],
    "swapped": lambda entries: [entries[0], entries[2], entries[1], entries[3]],
    "doubled": lambda entries: entries[:2] + entries[1:],
}


@pytest.mark.parametrize("name", CHANGES)
def test_tampering_is_found_although_every_plain_hash_was_worked_out_anew(station, name):
    fill(station)
    tamper(station.ledger, CHANGES[name])
    assert problems(station), name


def test_an_untouched_ledger_survives_the_tamperers_rewriting(station):
    fill(station)
    tamper(station.ledger, lambda entries: entries)
    assert problems(station) == []


def test_the_last_record_cut_off_is_found_with_and_without_the_old_seal(station):
    fill(station)
    lines = station.ledger.path.read_text().splitlines(keepends=True)
    station.ledger.path.write_text("".join(lines[:-1]))
    assert "the last ones were cut off" in problems(station)[0]
    station.ledger.seal_path.unlink()
    assert "missing or damaged" in problems(station)[0]


def test_an_older_pair_of_files_put_back_is_found_by_the_database(station):
    fill(station, 2)
    old = station.ledger.path.read_bytes(), station.ledger.seal_path.read_bytes()
    entry = fill(station, 1)[0]
    station.ledger.path.write_bytes(old[0])
    station.ledger.seal_path.write_bytes(old[1])
    assert problems(station) == []
    assert "record 3 is in the database and not here" in problems(station, {entry.number: entry.hash})[0]


def test_another_stations_key_is_none_of_the_trusted(station, tmp_path):
    fill(station)
    other = Station(tmp_path / "other")
    assert "none of the trusted" in verify(station.ledger.path, [other.public_key]).problems[0]


def test_a_killed_program_between_record_and_seal_loses_nothing(station):
    fill(station, 2)
    seal = station.ledger.seal_path.read_bytes()
    fill(station, 1)
    station.ledger.seal_path.write_bytes(seal)
    finding = verify(station.ledger.path, [station.public_key])
    assert finding.problems == [] and "3 on were written when the station was interrupted" in finding.notes[0]


def test_a_line_that_was_cut_off_while_written_gives_way_to_the_next_record(station):
    fill(station, 2)
    with station.ledger.path.open("a") as file:
        file.write('{"number":3,"record":{"forma')
    fill(station, 1)
    assert problems(station) == [] and len(list(station.ledger.entries())) == 3


def test_a_full_disk_leaves_the_ledger_as_it_was_and_the_run_recoverable(station, monkeypatch):
    fill(station, 1)
    before = station.ledger.path.read_bytes()
    made = record("SN0009")
    running = station.begin(made)

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(TaisaiError, match="No space left"):
        station.store(made, running)
    monkeypatch.undo()
    assert station.ledger.path.read_bytes() == before
    (entry,) = station.recover()
    assert entry.record.run == made.run and entry.record.outcome == Outcome.ABORTED
    assert station.recover() == [] and problems(station) == []


def test_a_run_that_is_under_way_is_not_taken_for_a_leftover_and_a_dead_one_is_kept_with_its_steps(station):
    made = record("SN0042", steps=())
    running = station.begin(made)
    assert station.recover() == []
    running.unit(Unit(serial_number="SN0042", board="abcd"))
    running.step(record().steps[0])
    with running.path.open("a") as file:
        file.write('{"step": {"na')
    running.close(stored=False)  # as the system does when the program dies
    (entry,) = station.recover()
    found = entry.record
    assert (found.outcome, found.reason, found.unit.board) == (Outcome.ABORTED, KILLED, "abcd")
    assert [step.name for step in found.steps] == ["identify"]
    assert station.recover() == [] and not list((station.folder / "running").glob("*.jsonl"))


def test_a_program_killed_between_ledger_and_its_own_file_makes_no_second_record(station):
    made = record()
    running = station.begin(made)
    station.ledger.append(made, station.key)
    running.close(stored=False)
    assert station.recover() == [] and len(list(station.ledger.entries())) == 1


def test_a_port_is_claimed_once(station):
    held = station.claim("/dev/ttyACM0")
    with pytest.raises(PortClaimed, match="/dev/ttyACM0"):
        Station(station.folder).claim("/dev/ttyACM0")
    Station(station.folder).claim("/dev/ttyACM1").release()
    held.release()
    Station(station.folder).claim("/dev/ttyACM0").release()


def test_values_keep_their_kind_through_the_file(station):
    values = [True, 3, 3.5, "good", None]
    taken = [Measurement(name="x", unit="", value=v, lower=None, upper=None, good=True) for v in values]
    made = record(steps=(record().steps[0].model_copy(update={"measurements": tuple(taken)}),))
    station.ledger.append(made, station.key)
    (entry,) = station.ledger.entries()
    assert [each.value for each in entry.record.steps[0].measurements] == values
    assert json.loads(entry.line)["record"]["steps"][0]["measurements"][1]["value"] == 3
