"""A unit's own files, settings and identity: through an upgrade, power cuts at every flash operation, and damage."""

import json
import random
from pathlib import Path

import deploy_tools
import pytest
from link_bench import TABLE

from tablecore import servicekey, settings, shelf
from taisai.boards.table import load_table
from taisai.build import application_files, volume_files
from taisai.client import Board
from taisai.client.errors import LinkError, Refused
from taisai.client.session import answer
from taisai.client.simport import SimPort
from taisai.client.transport import Transport
from taisai.journal.reading import read
from taisai.sim.board import OFF, VirtualBoard

GOLDEN = Path(__file__).parents[1] / "golden/data-format-1"
# A unit as version 0.1.0 left it, and its records as `taisai journal export` of that version had them.
OLD = {f"/data/{path.relative_to(GOLDEN)}": path.read_bytes() for path in GOLDEN.rglob("*") if path.is_file()}
RECORDS = [json.loads(line) for line in GOLDEN.with_suffix(".jsonl").read_text().splitlines()]
EXPORTED = 20
SETTINGS, IDENTITY = "/data/settings.json", "/data/identity.json"
KEY = bytes(range(32))
OTHER_KEY = bytes(range(1, 33))


class Unit:
    """A board with these files of its own, switched on; `host` when it answers."""

    def __init__(self, own, seed=0):
        self.port = SimPort.__new__(SimPort)
        self.port.timeout = 0.02
        self.port._kept = b""
        self.board = self.port.board = VirtualBoard(
            load_table(TABLE), files={**application_files(load_table(TABLE)), **own}, seed=seed
        )

    def __enter__(self):
        return self.on()

    def __exit__(self, *_):
        self.board.power_off()

    def on(self):
        self.board.power_on()
        self.host = Board.identify(Transport(self.port, "the virtual board", self.port.now))
        return self

    def off(self):
        self.board.power_off()
        self.port._kept = b""
        self.board.serial.read(0)

    def own(self):
        files = volume_files(bytes(self.board.bench.flash.content))
        return {path: data for path, data in files.items() if path.startswith("/data/")}

    def play(self):
        for each in "136E":
            self.board.bench.keys.press(each, 50, 2)
            self.board.run_ms(150)
        assert "total-10" in self.board.bench.observe().lit
        self.board.bench.keys.press("E", 1600, 2)
        self.board.run_ms(1800)
        assert self.board.bench.observe().lit == []


def test_an_upgrade_keeps_settings_identity_and_journal_of_format_1(monkeypatch):
    deploy_tools.fast_flash(monkeypatch)
    assert {SETTINGS, IDENTITY, shelf.TAIL, shelf.MARK, shelf.FOLDER + "/00000001.seg"} == set(OLD)
    with Unit(OLD) as unit:
        # With `taisai flash`: another release of the application. It is the unit's own files that are old.
        done = deploy_tools.flash(unit.board, deploy_tools.second())
        assert done.state == "idle" and done.sent
        unit.off()
        unit.on()
        assert deploy_tools.is_exactly(unit.board, deploy_tools.second())
        assert unit.host.state()["faults"] == []
        assert unit.host.settings()["brightness_percent"] == 40
        assert unit.board.bench.enable.share == pytest.approx(0.4, abs=0.001)
        told = unit.host.identity
        assert (told.serial_number, told.manufactured) == ("TS-000123", "29/02/2024")
        assert unit.own()[SETTINGS] == OLD[SETTINGS]  # not written before something is changed
        unit.host.set_settings({"brightness_percent": 50})
        assert json.loads(unit.own()[SETTINGS])["format"] == settings.FORMAT
        unit.off()
        unit.on()
        assert unit.host.settings()["brightness_percent"] == 50 and unit.host.state()["faults"] == []
        found = list(read(unit.host, 1))
        assert found[: len(RECORDS)] == RECORDS
        state = unit.host.journal_state()
        assert state["exported"] == EXPORTED and state["damaged"] == 0 and state["game"] == RECORDS[-1]["game"]
        unit.board.run_ms(1000)
        unit.play()
        assert next(read(unit.host, state["next"]))["game"] == RECORDS[-1]["game"] + 1


def cut(board, place):
    """Take the power in the middle of flash operation number `place` from now on; torn at a random part of it."""
    index = board.port.flash_operations + place
    rng = random.Random(place)

    def before(number, kind, _):
        if number == index:
            lasts_us = 45_000 if kind == "erase" else 400
            board.bench.schedule(board.bench.now_us + rng.randrange(lasts_us), board.power_off)

    board.port.on_flash = before


def opens(host, key):
    """Whether this key opens a session, once the board takes an answer."""
    host.link.wait(host.session_start()["wait_s"])
    nonce = bytes.fromhex(host.session_start()["nonce"])
    try:
        host.session_open(answer(key, nonce, host.identity.board))
    except Refused:
        return False
    return True


def rotate(host):
    assert opens(host, KEY)
    host.set_key(OTHER_KEY)


def key_of(host):
    """The key that the board has; it has exactly one of these."""
    (found,) = [key for key in (KEY, OTHER_KEY) if opens(host, key)]
    return found


# Name: what is on the volume besides, the change, and how to see whether it was made.
CHANGES = {
    "settings": ({}, lambda host: host.set_settings({"brightness_percent": 60}), lambda host: host.settings()),
    "identity": ({}, lambda host: host.set_unit_identity({"model": "TS-3"}), lambda host: host.unit_identity()),
    "first key": ({}, lambda host: host.set_key(KEY), lambda host: host.session_start()["needed"]),
    "next key": ({servicekey.PATH: servicekey.dump(KEY)}, rotate, key_of),
    "exported": ({}, lambda host: host.mark_exported(EXPORTED + 1), lambda host: host.journal_state()["exported"]),
}


@pytest.mark.parametrize("what", CHANGES)
def test_power_cut_in_every_flash_operation_of_a_change(what):
    """Old or new, never a mix, and the next change works. A change has few operations: every place is tried."""
    more, change, ask = CHANGES[what]
    with Unit({**OLD, **more}) as unit:
        unit.board.run_ms(1000)
        old = ask(unit.host)
        before = unit.board.port.flash_operations
        change(unit.host)
        operations = unit.board.port.flash_operations - before
        new = ask(unit.host)
    assert old != new and 0 < operations < 40
    outcomes = []
    for place in range(operations):
        unit = Unit({**OLD, **more}, seed=place).on()
        try:
            unit.board.run_ms(1000)
            cut(unit.board, place)
            with pytest.raises(LinkError):
                change(unit.host)
            assert unit.board.mode == OFF
            unit.board.port.on_flash = None
            unit.off()
            unit.on()
            now = ask(unit.host)
            assert now in (old, new), place
            outcomes.append(now == new)
            assert unit.host.state()["faults"] == []
            assert set(unit.own()) >= {*OLD, *more}
            numbers = [entry["sequence"] for entry in read(unit.host, 1)]
            assert numbers == list(range(1, len(numbers) + 1)) and len(numbers) >= len(RECORDS) + 2
            if now == old:
                change(unit.host)
                assert ask(unit.host) == new
        finally:
            unit.board.power_off()
    assert outcomes == sorted(outcomes)  # once it is the new one, it stays so


@pytest.mark.soak
def test_damaged_settings_and_identity_are_told_and_the_table_is_open(campaign):
    """Any byte flipped, cut anywhere, noise: the values of delivery, a fault that says so, games, and a way out."""
    rng = random.Random(5)
    damages = []
    for path, code in ((SETTINGS, "E51"), (IDENTITY, "E52")):
        good = OLD[path]
        for at in range(len(good)):
            damages.append((path, code, good[:at] + bytes([good[at] ^ 1 << rng.randrange(8)]) + good[at + 1 :]))
            damages.append((path, code, good[:at]))
        damages += [(path, code, rng.randbytes(length)) for length in (1, 100, 1000, 5000)]
        damages += [(path, code, b"\xff" * 64), (path, code, bytes(64))]
    for path, code, content in rng.sample(damages, campaign(len(damages))):
        with Unit({**OLD, path: content}) as unit:
            assert unit.host.state()["faults"] == [code], (path, content)
            assert unit.host.state()["state"] == "idle"
            if path == SETTINGS:
                assert unit.host.settings()["brightness_percent"] == 100
                assert unit.host.identity.serial_number == "TS-000123"
                unit.host.set_settings({"brightness_percent": 40})
            else:
                assert unit.host.unit_identity()["serial_number"] is None
                assert unit.host.settings()["brightness_percent"] == 40
                unit.host.set_unit_identity({"model": "TS-2"})
            assert unit.host.state()["faults"] == []
            unit.play()
