"""`taisai journal` at a running table: what a person types, and what the table then has on record and warns of."""

import json
from types import SimpleNamespace

import pytest
from aged_journal import with_full_ring
from journal_bench import TABLE, AttachedPort, end_game, host_of, key

from tablecore import servicekey
from taisai.boards.table import load_table
from taisai.build.signing import load_private, new_key, public_path
from taisai.cli import main
from taisai.client.transport import Transport
from taisai.journal import files
from taisai.journal.chain import Export, first_hash, next_hash
from taisai.journal.exporting import export
from taisai.journal.reading import read
from taisai.sim.board import VirtualBoard

KEY = bytes(range(32))
START_MS = 1500
OLD = 40  # of the records that were there before, those that a first export has


@pytest.fixture(scope="module")
def table():
    """A table with a service key and a full journal, which `taisai` finds at the port `board`."""
    volume = {**with_full_ring(), servicekey.PATH: servicekey.dump(KEY)}
    with VirtualBoard(load_table(TABLE), files=volume) as board:
        board.power_on()
        board.run_ms(START_MS)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("taisai.client.find.open_port", lambda where: _transport(board, where))
            yield board


@pytest.fixture
def station(table, tmp_path):
    """A folder with keys. Its `exports` has one that was made in a hurry: the table was never told of it."""
    new_key(tmp_path / "station.pem")
    host = host_of(table)
    (tmp_path / "keys").write_text(f"{host.identity.board} {KEY.hex()}\n")
    (tmp_path / "exports").mkdir()
    start = host.journal_state()["next"] - OLD
    late = SimpleNamespace(
        identity=host.identity, journal_state=host.journal_state, journal=lambda first: host.journal(max(first, start))
    )
    export(late, load_private(tmp_path / "station.pem"), tmp_path / "exports", "jsonl")
    return tmp_path


def _transport(board, where):
    port = AttachedPort(board)
    return Transport(port, where, port.now)


def run(capsys, *words):
    """The exit code, what was printed, and what was said."""
    capsys.readouterr()
    code = main(["journal", *map(str, words)])
    told = capsys.readouterr()
    return code, told.out, told.err


def exported(capsys, station, *more):
    words = ("--port", "board", "--key", station / "station.pem", "--to", station / "exports", "--json", *more)
    code, out, err = run(capsys, "export", *words)
    assert code == 0, err
    return json.loads(out), err


def game(board, throw):
    key(board, *throw, "E")
    assert board.bench.observe().lit
    end_game(board)


def test_the_warning_of_records_that_were_never_exported(table, station, capsys):
    game(table, "136")
    code, out, err = run(capsys, "list", "--port", "board", "--last", "2")
    assert code == 0 and [line.split()[1:4] for line in out.splitlines()[-2:]] == [
        ["result", "8416", "136"], ["end", "8416", "136"],
    ]  # fmt: skip
    assert "records will soon be overwritten that were never exported" in err
    # Without the service key the export is made, but the table cannot be told.
    told, err = exported(capsys, station, "--format", "csv")
    assert told["count"] == 2 and told["file"].endswith(".csv") and told["marked"] is None
    assert "not told that this was exported" in err and "--service-keys" in err
    assert "soon be overwritten" in run(capsys, "list", "--port", "board")[2]
    # Nothing is new, but now it is told.
    told, err = exported(capsys, station, "--service-keys", station / "keys")
    state = host_of(table).journal_state()
    assert told["file"] is None and told["marked"] == told["last"] == state["exported"] and err == ""
    code, out, err = run(capsys, "list", "--port", "board", "--last", "4", "--json")
    told = json.loads(out)
    assert err == "" and not told["journal"]["export_due"] and told["journal"]["source"] == "host"
    assert [(entry["kind"], entry["detail"]) for entry in told["records"]] == [
        ("access", "opened"), ("config", "time"), ("access", "ended"), ("clear", "E33"),
    ]  # fmt: skip
    # Once it knows the time, records carry it, and whence.
    assert "time_utc" not in next(read(host_of(table), state["exported"]))
    assert [entry["time_source"] for entry in told["records"][1:]] == ["host", "host", "host"]


def test_follow_prints_each_record_as_it_is_written(table, station, capsys):
    bench = table.bench
    for at_ms, name, down_ms in ((0, "2", 40), (100, "5", 40), (200, "4", 40), (300, "E", 40), (900, "E", 1550)):
        bench.schedule(bench.now_us + (500 + at_ms) * 1000, lambda name=name, ms=down_ms: bench.keys.press(name, ms))
    code, out, err = run(capsys, "follow", "--port", "board", "--for", "5", "--json")
    found = [json.loads(line) for line in out.splitlines()]
    assert (code, err) == (0, "") and [entry["kind"] for entry in found] == ["result", "end"]
    assert found[0]["throw"] == "254" and found[0]["total"] == 11
    assert found == list(read(host_of(table), found[0]["sequence"]))
    assert run(capsys, "follow", "--port", "board", "--for", "0") == (0, "", "")


def _rewritten(path, change):
    """As somebody without the station's key would do it: every plain hash is right again."""
    found = files.load(path)
    entries = change(found.entries)
    hashes = [first_hash(found.heading)]
    for entry in entries:
        hashes.append(next_hash(hashes[-1], entry))
    seal = {**found.seal, "count": len(entries), "head": hashes[-1], "last": entries[-1]["sequence"]}
    path.unlink()
    files.write(path, Export(found.heading, entries, hashes[1:], seal), path.suffix[1:])


def test_verify_proves_the_exports_and_finds_what_was_done_to_one(table, station, capsys):
    for form in ("csv", "jsonl"):
        game(table, "361")
        told, _ = exported(capsys, station, "--service-keys", station / "keys", "--format", form)
    paths = sorted((station / "exports").iterdir())
    assert len(paths) == 3 and str(paths[-1]) == told["file"]
    trusted = ("--key", public_path(station / "station.pem"))
    code, out, err = run(capsys, "verify", *reversed(paths), *trusted)
    assert code == 0 and [line.split(": ")[1] for line in out.splitlines()] == ["good"] * 3
    content = paths[-1].read_bytes()
    for name, change in {
        "a record changed": lambda entries: [{**entries[0], "uptime_s": 1}, *entries[1:]],
        "the last one dropped": lambda entries: entries[:-1],
        "two reordered": lambda entries: [entries[1], entries[0], *entries[2:]],
    }.items():
        _rewritten(paths[-1], change)
        code, out, err = run(capsys, "verify", *paths, *trusted)
        assert code == 1 and "NOT GOOD: its signature does not fit" in out, name
        paths[-1].write_bytes(content)
    assert run(capsys, "verify", paths[0], paths[2], *trusted)[0] == 1, "the one between them is missing"
