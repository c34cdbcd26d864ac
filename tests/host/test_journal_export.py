"""Exports: what is in them, one after the other without a gap, and every way of tampering with them is found."""

import csv
import json

import pytest
from journal_board import BOARD, board

from tablecore import records
from taisai.build.signing import load_private, new_key, public_path, raw_public
from taisai.cli import main
from taisai.errors import TaisaiError
from taisai.journal import files
from taisai.journal.chain import Export, first_hash, next_hash
from taisai.journal.exporting import RecordsMissing, export
from taisai.journal.verify import verify

THROW_361 = records.throw_index(3, 6, 1)
THROW_136 = records.throw_index(1, 3, 6)


@pytest.fixture(scope="module")
def station(tmp_path_factory):
    path = tmp_path_factory.mktemp("keys") / "station.pem"
    new_key(path)
    return path


@pytest.fixture
def key(station):
    return load_private(station)


def play(made, games):
    for _ in range(games):
        made.journal.append(records.RESULT, THROW_361)
        made.journal.append(records.AMEND, THROW_136, THROW_361)
        made.journal.append(records.END)


def judged(paths, key):
    return verify(paths, [raw_public(key.public_key())])


def rewrite(path, change):
    """Load an export, change it, work every plain hash out anew, and write it with the old signature."""
    found = files.load(path)
    found.entries[:] = change(found.entries)
    head = first_hash(found.heading)
    hashes = []
    for entry in found.entries:
        head = next_hash(head, entry)
        hashes.append(head)
    seal = {**found.seal, "count": len(hashes), "head": head}
    path.unlink()
    files.write(path, Export(found.heading, found.entries, hashes, seal), "jsonl" if path.suffix == ".jsonl" else "csv")


@pytest.mark.parametrize("form", files.FORMS)
def test_an_export_says_in_plain_values_what_was_recorded(form, key, tmp_path):
    made, client = board()
    made.journal.append(records.BOOT, detail=b"watchdog")
    made.daytime.tell(1_767_225_599)
    play(made, 1)
    made.journal.append(records.FAULT, detail=b"C07")
    made.journal.append(records.CONFIG, detail=b"\x01\x02\xff")
    done = export(client, key, tmp_path, form)
    assert done.path.name == f"journal-{BOARD}-00000001-00000006.{form}"
    found = files.load(done.path)
    told = {"time_utc": "31/12/2025 23:59:59", "time_source": "host", "uptime_s": 0}
    assert found.entries == [
        {"sequence": 1, "kind": "boot", "uptime_s": 0, "detail": "watchdog"},
        {"sequence": 2, "kind": "result", "game": 1, "throw": "361", "total": 10, **told},
        {"sequence": 3, "kind": "amend", "game": 1, "throw": "136", "previous": "361", "total": 10, **told},
        {"sequence": 4, "kind": "end", "game": 1, **told},
        {"sequence": 5, "kind": "fault", **told, "detail": "C07"},
        {"sequence": 6, "kind": "config", **told, "detail": "0102ff"},
    ]
    assert found.heading["board"] == BOARD and found.heading["table"] == "nz1-pico-hc595"
    (finding,) = judged([done.path], key)
    assert finding.problems == [] and finding.missing == [] and (finding.count, finding.last) == (6, 6)


def test_csv_is_read_by_any_program(key, tmp_path):
    made, client = board()
    play(made, 2)
    path = export(client, key, tmp_path, "csv").path
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["sequence"] for row in rows[:6]] == ["1", "2", "3", "4", "5", "6"]
    assert rows[0]["throw"] == "361" and rows[0]["time_utc"] == "" and len(rows[0]["hash"]) == 64


def test_each_export_has_what_the_ones_before_lack_and_they_form_one_chain(key, tmp_path):
    made, client = board()
    paths = []
    for number, form in enumerate(("jsonl", "csv", "jsonl")):
        play(made, 50 + number)
        paths.append(export(client, key, tmp_path, form).path)
        client.mark_exported(made.journal.next - 1)
    assert export(client, key, tmp_path, "jsonl").path is None
    findings = judged(list(reversed(paths)), key)
    assert all(finding.problems == [] for finding in findings)
    assert [(finding.first, finding.last) for finding in findings] == [(1, 150), (151, 303), (304, 459)]
    before = made.requests
    play(made, 1)
    export(client, key, tmp_path, "jsonl")
    assert made.requests - before <= 4, "only what is new is read"
    found = judged([paths[0], paths[2]], key)
    assert "an export is missing before it: records 151 to 303" in found[1].problems[0]
    assert "has too" in judged([paths[0], paths[0]], key)[1].problems[0]


def test_an_export_that_continues_another_file_is_found(key, tmp_path):
    made, client = board()
    play(made, 5)
    first = export(client, key, tmp_path, "jsonl").path
    play(made, 5)
    second = export(client, key, tmp_path, "jsonl").path
    other, strange = board()
    play(other, 4)
    other.journal.append(records.VOID)
    other.journal.append(records.VOID)
    other.journal.append(records.VOID)
    (tmp_path / "other").mkdir()
    swapped = export(strange, key, tmp_path / "other", "jsonl").path
    assert [finding.problems for finding in judged([first, second], key)] == [[], []]
    assert "does not continue" in judged([swapped, second], key)[1].problems[0]


ATTACKS = {
    "changed": lambda entries: [{**entries[0], "throw": "666"}, *entries[1:]],
    "last dropped": lambda entries: entries[:-1],
    "first dropped": lambda entries: entries[1:],
    "one dropped": lambda entries: entries[:3] + entries[4:],
    "reordered": lambda entries: [*entries[:2], entries[3], entries[2], *entries[4:]],
    "renumbered": lambda entries: [{**entry, "sequence": entry["sequence"] + 1} for entry in entries],
    "one twice": lambda entries: entries[:3] + entries[2:],
    "one added": lambda entries: [*entries, {**entries[-1], "sequence": entries[-1]["sequence"] + 1}],
}


@pytest.mark.parametrize("form", files.FORMS)
@pytest.mark.parametrize("attack", ATTACKS)
def test_tampering_is_found_even_when_every_plain_hash_was_worked_out_anew(attack, form, key, tmp_path):
    made, client = board()
    play(made, 4)
    path = export(client, key, tmp_path, form).path
    rewrite(path, ATTACKS[attack])
    (finding,) = judged([path], key)
    assert any("signature does not fit" in problem for problem in finding.problems)


def test_lines_that_are_changed_dropped_moved_or_added_are_found_and_named(key, tmp_path):
    made, client = board()
    play(made, 4)
    path = export(client, key, tmp_path, "jsonl").path
    lines = path.read_text().splitlines(keepends=True)
    for changed in (
        lines[:3] + lines[4:], lines[:-2] + lines[-1:], lines[:2] + [lines[3], lines[2]] + lines[4:],
        lines[:3] + lines[2:], [lines[0], lines[1].replace('"361"', '"136"'), *lines[2:]],
    ):  # fmt: skip
        path.write_text("".join(changed))
        (finding,) = judged([path], key)
        assert "hash is wrong" in finding.problems[0] or "its seal says" in finding.problems[0]
    for changed in (
        lines[:-1], lines[1:], [], [*lines, "\n"], ["x"], ["[]\n"], ["{}\n"], ["{\n"], lines[:1] + lines[-1:] * 2,
        [lines[0], lines[1].replace("{", '{"throw": "666", ', 1), *lines[2:]],
        [line.replace(" ", "") for line in lines],
    ):  # fmt: skip
        path.write_text("".join(changed))
        (finding,) = judged([path], key)
        assert "form that this tool writes" in finding.problems[0] or "empty" in finding.problems[0], changed


def test_any_flipped_bit_is_found(key, tmp_path):
    made, client = board()
    play(made, 1)
    for form in files.FORMS:
        path = export(client, key, tmp_path, form).path
        content = path.read_bytes()
        for at in range(len(content)):
            path.write_bytes(content[:at] + bytes([content[at] ^ 1 << at % 8]) + content[at + 1 :])
            (finding,) = judged([path], key)
            assert finding.problems, (form, at)
        path.unlink()


def test_another_key_proves_nothing(key, tmp_path, station):
    made, client = board()
    play(made, 1)
    stranger = tmp_path / "stranger.pem"
    new_key(stranger)
    path = export(client, load_private(stranger), tmp_path, "jsonl").path
    assert "none of the trusted ones" in judged([path], key)[0].problems[0]


def test_a_blank_board_and_an_exchanged_one_are_said_to_miss_records(key, tmp_path):
    made, client = board()
    play(made, 10)
    export(client, key, tmp_path, "jsonl")
    blank, empty = board()
    with pytest.raises(RecordsMissing, match="exported up to record 30, and its journal now ends at 0"):
        export(empty, key, tmp_path, "jsonl")
    blank.journal.append(records.BOOT)
    play(blank, 20)
    with pytest.raises(RecordsMissing, match="record 30 .* is not the one that was exported"):
        export(empty, key, tmp_path, "jsonl")
    assert RecordsMissing("").exit_code == 1
    assert len(list(tmp_path.iterdir())) == 1, "nothing was written"


def test_records_that_were_lost_or_overwritten_are_listed_as_missing(key, tmp_path):
    made, client = board()
    play(made, 400)
    path = "/data/journal/00000001.seg"
    content = bytearray(made.store.files[path])
    content[128 + 32 * 9] ^= 1
    made.store.files[path] = bytes(content)
    done = export(client, key, tmp_path, "jsonl")
    assert done.missing == [(10, 10)]
    play(made, 8000)
    oldest = client.journal_state()["oldest"]
    assert oldest > 1201
    done = export(client, key, tmp_path, "jsonl")
    assert done.missing == [(1201, oldest - 1)]
    findings = judged(list(tmp_path.iterdir()), key)
    assert [finding.problems for finding in findings] == [[], []]
    assert [finding.missing for finding in findings] == [[(10, 10)], [(1201, oldest - 1)]]


def test_an_export_is_never_overwritten_and_other_files_are_left_alone(key, tmp_path):
    made, client = board()
    play(made, 1)
    (tmp_path / "journal-notes.txt").write_text("x")
    done = export(client, key, tmp_path, "jsonl")
    with pytest.raises(TaisaiError, match="never overwritten"):
        files.write(done.path, files.load(done.path), "jsonl")
    done.path.write_text("spoiled")
    play(made, 1)
    with pytest.raises(TaisaiError, match="put it away"):
        export(client, key, tmp_path, "jsonl")


def test_verify_on_the_command_line(key, station, tmp_path, capsys):
    made, client = board()
    play(made, 2)
    path = str(export(client, key, tmp_path, "jsonl").path)
    public = str(public_path(station))
    assert main(["journal", "verify", path, "--key", public]) == 0
    assert "good: board e6614103e7452d2f, 6 records, 1 to 6" in capsys.readouterr().out
    assert main(["journal", "verify", path, "--key", public, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["problems"] == []
    rewrite(tmp_path / path, ATTACKS["last dropped"])
    assert main(["journal", "verify", path, "--key", public]) == 1
    assert "NOT GOOD" in capsys.readouterr().out
    assert main(["journal", "verify", path]) == 2
    assert main(["journal", "verify", "--key", public]) == 2
    assert main(["journal", "verify", str(tmp_path / "none"), "--key", public]) == 2
    assert main(["journal", "eat"]) == 2
    assert main(["journal", "list", path]) == 2
    assert main(["journal", "export"]) == 2
    assert main(["journal", "export", "--key", str(station), "--format", "xml"]) == 2
    assert main(["journal", "export", "--key", str(station), "--to", str(tmp_path / "none")]) == 2
