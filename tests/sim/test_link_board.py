"""The link on the virtual board: settings and identity, hashes, lists, events and restarts of the real firmware."""

import hashlib
import json

import pytest
from link_bench import TABLE, LinkBench

from tablecore import framing
from taisai.boards.table import load_table
from taisai.build import application_files
from taisai.cli import main
from taisai.client import Board
from taisai.client.errors import LinkError, Refused
from taisai.client.transport import Transport
from taisai.sim.board import VirtualBoard


@pytest.fixture
def desk():
    with LinkBench() as desk:
        yield desk


def again(desk):
    """The host's view after a restart."""
    return Board.identify(Transport(desk.port, "the virtual board", desk.port.now))


def test_a_setting_acts_at_once_and_after_a_restart(desk):
    desk.board.run_ms(300)
    assert desk.bench.enable.share == pytest.approx(1.0, abs=0.001)
    assert desk.host.set_settings({"brightness_percent": 40})["brightness_percent"] == 40
    desk.board.run_ms(10)
    assert desk.bench.enable.share == pytest.approx(0.4, abs=0.001)
    desk.board.hard_reset()
    desk.host = again(desk)
    assert desk.host.settings()["brightness_percent"] == 40
    assert desk.bench.enable.share == pytest.approx(0.4, abs=0.001)


def test_a_bad_value_changes_nothing(desk):
    before = desk.files()
    for values in ({"brightness_percent": 101}, {"brightness_percent": 50, "colour": 1}, {"brightness_percent": "50"}):
        with pytest.raises(Refused):
            desk.host.set_settings(values)
    assert desk.files() == before and desk.host.settings()["brightness_percent"] == 100


def test_identity_is_told_by_identify_and_survives_another_application(desk):
    values = {"serial_number": "TS-000123", "model": "TS-2", "hardware_revision": "B", "manufactured": "29/02/2024"}
    assert desk.host.set_unit_identity(values) == values
    desk.board.hard_reset()
    told = again(desk).identity
    assert (told.serial_number, told.model) == ("TS-000123", "TS-2")
    assert (told.hardware_revision, told.manufactured) == ("B", "29/02/2024")
    # A new version in a folder of its own: the unit's own data lie outside it.
    files = {path.replace("/app-1/", "/app-2/"): data for path, data in desk.files().items()}
    files["/current"] = b"app-2"
    with VirtualBoard(load_table(TABLE), files=files) as board:
        board.power_on()
        desk.port.board = board
        identity = again(desk).identity
        assert identity.application == "app-2" and identity.serial_number == "TS-000123"


@pytest.mark.parametrize("damage", [b"", b"noise", b"\x00" * 500, "flipped", "huge"])
def test_a_damaged_settings_file_is_told_and_the_table_can_be_used(desk, damage):
    desk.host.set_settings({"brightness_percent": 40})
    files = desk.files()
    good = bytearray(files["/data/settings.json"])
    good[len(good) // 2] ^= 4
    content = {"flipped": bytes(good), "huge": b"x" * 100_000}.get(damage, damage)
    with VirtualBoard(load_table(TABLE), files={**files, "/data/settings.json": content}) as board:
        board.power_on()
        desk.port.board = board
        desk.board, desk.bench, desk.serial = board, board.bench, board.serial
        host = again(desk)
        assert host.state()["faults"] == ["E51"] and host.state()["state"] == "idle"
        assert host.settings()["brightness_percent"] == 100
        desk.play()
        host.set_settings({"brightness_percent": 40})
        assert host.state()["faults"] == []


def test_hashes_are_those_of_the_files_and_salted(desk):
    nonce = bytes(range(16))
    on_board = dict(desk.host.tree())
    files = desk.files()
    assert on_board == {path: len(data) for path, data in files.items()}
    for path in ("/main.py", "/app-1/table.bin", "/app-1/tablecore/protocol.mpy"):
        expected = hashlib.sha256(nonce + files[path]).hexdigest()
        assert desk.host.file_hash(path, nonce) == (len(files[path]), expected)
        assert desk.host.file_hash(path, b"another nonce 16")[1] != expected
    with pytest.raises(Refused, match="no such file"):
        desk.host.file_hash("/app-1", nonce)


def test_keys_are_seen_while_a_large_file_is_hashed():
    files = application_files(load_table(TABLE))
    files["/data/large"] = bytes(range(256)) * 1200
    with LinkBench() as desk, VirtualBoard(load_table(TABLE), files=files) as board:
        board.power_on()
        desk.port.board = board
        desk.board, desk.bench, desk.serial = board, board.bench, board.serial
        host = again(desk)
        nonce = bytes(8)
        desk.serial.read(0)
        line = framing.encode("7", "hash", {"nonce": nonce.hex(), "path": "/data/large"})
        desk.serial.write(line)
        desk.play()
        reply = b""
        while b"\n" not in reply:
            reply += desk.serial.read(1000)
        expected = hashlib.sha256(nonce + files["/data/large"]).hexdigest()
        assert reply.startswith(b"7 ok ") and expected.encode() in reply
        assert host.state()["faults"] == []


def test_events_tell_a_game_as_it_happens(desk):
    following = desk.host.subscribe()
    desk.play()
    seen = []
    while event := desk.host.link.next_event(0.2):
        seen.append(event[1])
    assert [fields["seq"] for fields in seen] == list(range(following, following + len(seen)))
    assert [len(fields["digits"]) for fields in seen] == [1, 2, 3, 3, 0]
    assert [fields["state"] for fields in seen] == ["idle", "idle", "idle", "result", "idle"]
    assert seen[3]["lit"] == [int(digit) for digit in seen[3]["digits"]]


def test_restart_comes_back_and_service_does_not(desk):
    desk.host.restart()
    desk.board.run_ms(1500)
    desk.host = again(desk)
    assert desk.board.starts == ["power", "program"] and desk.host.state()["state"] == "idle"
    desk.host.service()
    desk.board.run_ms(1500)
    assert desk.board.mode == "prompt" and b"service mode" in desk.serial.read(0)


def test_nothing_is_changed_or_restarted_while_a_result_is_lit(desk):
    for key in "136E":
        desk.press(key)
    for call, values in (
        (desk.host.set_settings, [{"brightness_percent": 40}]),
        (desk.host.set_unit_identity, [{"model": "X"}]),
        (desk.host.restart, []),
        (desk.host.service, []),
    ):
        with pytest.raises(Refused) as caught:
            call(*values)
        assert caught.value.code == "state"
    desk.board.run_ms(1000)
    assert desk.host.state()["lit"] == [1, 3, 6] and desk.board.starts == ["power"]


def test_the_commands_work_on_a_simulated_table(capsys):
    assert main(["configure", "set", "brightness_percent=40", "--port", f"sim:{TABLE}", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["settings"] == {"brightness_percent": 40}
    assert main(["devices", "--port", f"sim:{TABLE}", "--json"]) == 0
    (found,) = [each for each in json.loads(capsys.readouterr().out)["devices"] if each["port"] == f"sim:{TABLE}"]
    assert found["what"] == "table" and found["identity"]["table"] == TABLE
    assert main(["monitor", "--port", f"sim:{TABLE}", "--for", "60", "--json"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1


@pytest.mark.parametrize("slow", [0, 4])
def test_power_cut_at_any_flash_operation_of_a_change_leaves_old_or_new(slow):
    """The first change makes /data and the file; the second replaces it."""
    cuts = 0
    for place in range(60):
        with LinkBench(seed=place) as desk:
            desk.host.set_settings({"brightness_percent": 30})
            left = [place]
            for name in ("program", "erase"):
                _cut_at(desk, name, left)
            desk.bench.flash.slow_down(slow)
            try:
                desk.host.link.request(
                    "set-settings", {"board": desk.host.identity.board, "values": {"brightness_percent": 70}}, 4
                )
                done = True
            except LinkError:
                done = False
            cut = left[0] < 0
            if cut:
                cuts += 1
                desk.board.power_on()
            host = again(desk)
            assert host.state()["faults"] == []
            assert host.settings()["brightness_percent"] in ((70,) if done else (30, 70))
            if not cut:
                break
    else:
        raise AssertionError("the change never completes")
    assert cuts >= 2


def _cut_at(desk, name, left):
    """Count the flash operations down; in the middle of the chosen one the power goes."""
    real = getattr(desk.bench.flash, name)

    def operate(at, *rest):
        end = real(at, *rest)
        if left[0] == 0:
            desk.bench.schedule((desk.bench.now_us + end) // 2 + 1, desk.board.power_off)
        left[0] -= 1
        return end

    setattr(desk.bench.flash, name, operate)
