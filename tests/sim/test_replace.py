"""`taisai replace`: a spare takes the place of a failed controller, from its exports alone; and when it must not."""

import json
from types import SimpleNamespace

import pytest
from board_port import BoardPort
from link_bench import TABLE, LinkBench

from tablecore import servicekey
from taisai.boards.table import load_table
from taisai.build import application_files
from taisai.build.signing import load_private, new_key, public_path
from taisai.cli import main
from taisai.client.transport import Transport
from taisai.journal.exporting import export
from taisai.journal.reading import read
from taisai.sim.board import PROMPT, VirtualBoard

IDENTITY = {"serial_number": "TS-7", "model": "TS-2", "hardware_revision": "B", "manufactured": "29/02/2024"}
KEY = bytes(range(32))


@pytest.fixture(scope="module")
def failed(tmp_path_factory):
    """What is left of a controller: its exports. It played two games, amended a third, and died while that was lit."""
    folder = tmp_path_factory.mktemp("failed")
    new_key(folder / "station.pem")
    with LinkBench(seed=9) as desk:
        desk.host.set_settings({"brightness_percent": 60})
        desk.host.set_unit_identity(IDENTITY)
        desk.play()
        desk.play()
        export(desk.host, load_private(folder / "station.pem"), folder, "jsonl")
        for key in "136E":
            desk.press(key)
        export(desk.host, load_private(folder / "station.pem"), folder, "csv")
        unit = {"format": 1, "board": desk.host.identity.board, "table": TABLE, "settings": desk.host.settings()}
        unit["identity"] = desk.host.unit_identity()
        (folder / "unit.json").write_text(json.dumps(unit))
        records = list(read(desk.host, 1))
    exports = sorted(map(str, folder.glob("journal-*")))
    assert len(exports) == 2
    return SimpleNamespace(folder=folder, records=records, board=unit["board"], exports=exports)


def in_bench_time(board, where):
    return Transport(BoardPort(board), where, lambda: board.bench.now_us / 1_000_000)


@pytest.fixture
def spare(monkeypatch):
    """Makes a spare that `taisai replace` finds."""
    boards = []

    def make(own=None, table=TABLE, seed=77):
        files = {**application_files(load_table(table)), **(own or {})}
        board = VirtualBoard(load_table(table), files=files, seed=seed)
        boards.append(board)
        board.power_on()
        board.run_ms(1500)
        target = SimpleNamespace(where="spare")
        monkeypatch.setattr("taisai.deploy.targets.find_targets", lambda ports, every: [target])
        monkeypatch.setattr("taisai.client.transport.open_port", lambda where: in_bench_time(board, where))
        return board

    yield make
    for board in boards:
        board.power_off()


def replace(failed, *more, exports=None):
    unit = str(failed.folder / "unit.json")
    key = ["--key", str(public_path(failed.folder / "station.pem"))]
    return main(["replace", unit, *(failed.exports if exports is None else exports), *key, *more])


def host_of(board):
    desk = LinkBench()
    desk.port.close()
    desk.port.board = desk.board = board
    desk.bench, desk.serial = board.bench, board.serial
    return desk.__enter__()


def test_the_spare_becomes_the_unit_and_its_records_go_on(failed, spare, capsys):
    board = spare()
    assert replace(failed, "--yes", "--json") == 0
    told = capsys.readouterr()
    assert json.loads(told.out)["state"]["lit"] == [1, 3, 6]
    assert "game 3 (136) was lit" in told.err and "has not been calibrated" in told.err
    assert "total-10" in board.bench.observe().lit
    desk = host_of(board)
    assert desk.host.settings()["brightness_percent"] == 60 and desk.host.unit_identity() == IDENTITY
    assert desk.host.state()["faults"] == []
    found = list(read(desk.host, 1))
    assert found[: len(failed.records)] == failed.records
    assert found[len(failed.records)]["detail"] == "replaced"
    desk.press("E", 1600)
    desk.play()
    later = list(read(desk.host, len(failed.records) + 1))
    assert [entry["sequence"] for entry in later] == list(
        range(len(failed.records) + 1, len(failed.records) + len(later) + 1)
    )
    assert [entry["game"] for entry in later if entry["kind"] == "result"] == [4]
    # And once more: the next export continues the exports of the failed controller's records.
    assert desk.host.journal_state()["exported"] == failed.records[-1]["sequence"]


def test_without_agreement_nothing_changes(failed, spare, capsys):
    board = spare()
    before = bytes(board.bench.flash.content)
    assert replace(failed) == 2
    assert "say --yes to agree" in capsys.readouterr().err
    assert bytes(board.bench.flash.content) == before


@pytest.mark.parametrize("which, words", [
    ([1], "one before it is missing"),
    ([0, 0], "which"),
    ([], ""),
])  # fmt: skip
def test_exports_that_do_not_prove_everything(failed, spare, capsys, which, words):
    board = spare()
    before = bytes(board.bench.flash.content)
    assert replace(failed, "--yes", exports=[failed.exports[number] for number in which]) in (1, 2)
    assert words in capsys.readouterr().err
    assert bytes(board.bench.flash.content) == before


def test_a_changed_export_and_one_of_another_station(failed, spare, capsys, tmp_path):
    spare()
    text = open(failed.exports[0]).read()
    changed = tmp_path / "journal.jsonl"
    changed.write_text(text.replace('"kind": "result"', '"kind": "void"', 1))
    assert replace(failed, "--yes", exports=[str(changed), failed.exports[1]]) == 1
    assert "the hash is wrong" in capsys.readouterr().err
    new_key(tmp_path / "other.pem")
    unit = str(failed.folder / "unit.json")
    assert main(["replace", unit, *failed.exports, "--key", str(public_path(tmp_path / "other.pem")), "--yes"]) == 1
    assert "none of the trusted ones" in capsys.readouterr().err


def test_a_spare_for_another_table_or_the_failed_one_itself(failed, spare, capsys, tmp_path):
    spare(table="nz-gazette-pico-hc595")
    assert replace(failed, "--yes") == 2
    assert "the spare is table nz-gazette-pico-hc595" in capsys.readouterr().err
    spare(seed=0)  # the id of a virtual board is of its seed
    assert replace(failed, "--yes") == 2
    assert f"this is board {failed.board} itself" in capsys.readouterr().err


def test_a_spare_with_games_of_its_own(failed, spare, capsys):
    board = spare()
    host_of(board).play()
    assert replace(failed, "--yes") == 1
    assert "records of games that were never exported" in capsys.readouterr().err
    assert replace(failed, "--yes", "--discard-records") == 0


def test_a_spare_with_a_service_key_keeps_it(failed, spare, capsys, tmp_path):
    board = spare({servicekey.PATH: servicekey.dump(KEY)})
    assert replace(failed, "--yes") == 2
    assert "has a service key" in capsys.readouterr().err
    keys = tmp_path / "keys"
    keys.write_text(f"{host_of(board).host.identity.board} {KEY.hex()}\n")
    assert replace(failed, "--yes", "--service-keys", str(keys)) == 0
    desk = host_of(board)
    assert desk.files()[servicekey.PATH] == servicekey.dump(KEY)


def test_run_again_after_a_cut_it_goes_through(failed, spare, capsys):
    """The power fails in the middle of each of some flash operations, from the first to the last."""
    board = spare()
    before = board.port.flash_operations
    assert replace(failed, "--yes") == 0
    count = board.port.flash_operations - before
    assert count > 20
    for place in range(1, count - 4, count // 5):
        board = spare()
        index = board.port.flash_operations + place

        def cut(number, *_, board=board, index=index):
            if number == index:
                board.bench.schedule(board.bench.now_us + 10, board.power_off)

        board.port.on_flash = cut
        assert replace(failed, "--yes") in (1, 2, 3)
        assert not board.bench.powered, place
        board.port.on_flash = None
        board.power_on()
        board.run_ms(1500)
        if board.mode == PROMPT:  # it was to go into service mode, once
            assert replace(failed, "--yes") == 2
            board.hard_reset()
            board.run_ms(1500)
        assert replace(failed, "--yes") == 0
        assert list(read(host_of(board).host, 1))[: len(failed.records)] == failed.records
        board.power_off()
