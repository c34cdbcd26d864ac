"""`taisai devices`: what is said of each kind of thing at a port, in time, and that strangers are left alone."""

import json
import time

import pytest
import serial
from fake_ports import PICO, FakePort, Table, attach, prompt, raw_prompt

from taisai.cli import main
from taisai.client.drives import Drive, uf2_drives
from taisai.client.probe import IDENTIFY_S, PROMPT_S, SYNC_S, probe
from taisai.sim.esp32rom import Esp32Rom
from taisai.sim.esp32rom.ptyserver import PtyServer

BOUND_S = IDENTIFY_S + PROMPT_S + SYNC_S + 1
ESP32 = (0x10C4, 0xEA60)


def look(port):
    start = time.monotonic()
    finding = probe(port.path)
    assert time.monotonic() - start < BOUND_S
    assert finding.port == port.path
    return finding.kind, finding.text


@pytest.mark.parametrize(
    ("far_end", "kind", "words"),
    [
        (lambda: FakePort(Table()), "table", "board e6614103e7452d2f, table nz1-pico-hc595, version 0.1.0, state idle"),
        (lambda: FakePort(Table(late_s=2)), "table", "board e6614103e7452d2f"),
        (lambda: FakePort(Table(digest="0" * 16)), "table", "board e6614103e7452d2f"),
        (lambda: FakePort(prompt), "micropython", "MicroPython 1.28.0 at its prompt, Raspberry Pi Pico with RP2040"),
        (lambda: FakePort(raw_prompt()), "micropython", "MicroPython 1.28.0 at its prompt"),
        (lambda: FakePort(lambda data: data), "other", "comes back unchanged"),
        (lambda: FakePort(always=b"log line\r\n" * 400), "other", "without end"),
        (lambda: FakePort(), "silent", "nothing answers"),
    ],
    ids=["table", "late table", "other version", "prompt", "raw prompt", "echo", "flood", "silent"],
)
def test_what_answers(far_end, kind, words):
    with far_end() as port:
        found, text = look(port)
        assert found == kind and words in text


def test_a_table_in_its_self_tests():
    table = Table()
    table.state = "booting"
    with FakePort(table) as port:
        assert look(port) == ("table", "a table in its self-tests")


def test_a_port_in_use():
    with FakePort(Table()) as port, serial.Serial(port.path, exclusive=True):
        kind, text = look(port)
        assert kind == "busy" and "in use" in text and port.heard == b""


@pytest.mark.parametrize("chip", ["esp32", "esp32s3"])
def test_an_esp32_in_download_mode(tmp_path, chip):
    rom = Esp32Rom(chip, tmp_path / "flash")
    with PtyServer(rom, None) as port:
        kind, text = look(port)
        assert (kind, text) == ("esp32-download", "ESP32 in download mode")


def test_a_port_that_is_not_there():
    finding = probe("/dev/no-such-port")
    assert finding.kind == "gone" and "no such port" in finding.text


def test_drives(tmp_path):
    boot, stick, broken = tmp_path / "RPI-RP2", tmp_path / "stick", tmp_path / "broken"
    for folder in (boot, stick, broken):
        folder.mkdir()
    info = "UF2 Bootloader v3.0\r\nModel: Raspberry Pi RP2\r\nBoard-ID: RPI-RP2\r\n"
    (boot / "INFO_UF2.TXT").write_bytes(info.encode())
    (broken / "INFO_UF2.TXT").mkdir()
    assert uf2_drives([boot, stick, broken, tmp_path / "none"]) == [Drive(boot, "Raspberry Pi RP2", "RPI-RP2")]
    assert isinstance(uf2_drives(), list)


def test_the_verb_lists_everything_and_speaks_only_to_what_may_be_a_board(monkeypatch, capsys, tmp_path):
    drive = Drive(tmp_path / "RPI-RP2", "Raspberry Pi RP2", "RPI-RP2")
    monkeypatch.setattr("taisai.client.drives.uf2_drives", lambda: [drive])
    with FakePort(Table()) as table, FakePort() as esp32, FakePort() as machine, FakePort(prompt) as named:
        attach(monkeypatch, (table.path, PICO), (esp32.path, ESP32), (machine.path, (0x1234, 1)), (named.path, None))
        start = time.monotonic()
        assert main(["devices", "--json", "--port", named.path, "--port", table.path]) == 0
        assert time.monotonic() - start < BOUND_S
        found = {each["port"]: each for each in json.loads(capsys.readouterr().out)["devices"]}
        assert machine.heard == b"" and b"identify" in table.heard
    assert {port: each["what"] for port, each in found.items()} == {
        table.path: "table",
        esp32.path: "silent",
        machine.path: "left alone",
        named.path: "micropython",
        str(drive.path): "rp2040-bootsel",
    }
    assert found[table.path]["identity"]["board"] == "e6614103e7452d2f"
    assert found[machine.path]["identity"] is None and "name it with --port" in found[machine.path]["text"]


def test_the_verb_as_text_and_with_nothing_attached(monkeypatch, capsys):
    monkeypatch.setattr("taisai.client.drives.uf2_drives", lambda: [])
    attach(monkeypatch)
    assert main(["devices"]) == 0
    said = capsys.readouterr()
    assert said.out == "" and "no serial port" in said.err
    with FakePort(Table()) as table:
        assert main(["devices", "--port", table.path]) == 0
    line = capsys.readouterr().out.splitlines()[1]
    assert line.startswith(table.path) and "table nz1-pico-hc595" in line
