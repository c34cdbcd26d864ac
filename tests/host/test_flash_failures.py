"""`taisai flash` and `taisai verify` where something is wrong: in time, in one sentence, with the exit code."""

import json
import time

import pytest
import serial
from fake_ports import PICO, DeafPort, FakePort, Table, attach, prompt
from uf2_edit import RP2350_ARM, block, pages_of, program, uf2

from taisai.boards.table import load_table
from taisai.build.bundle import build_bundle
from taisai.build.signing import load_private, new_key
from taisai.cli import main

TABLE = "nz1-pico-hc595"


@pytest.fixture
def run(capsys):
    """Run a command line; returns (exit code, what it said), and checks that it ended in time and in plain words."""

    def run(*arguments, within_s=15.0):
        start = time.monotonic()
        code = main([*map(str, arguments)])
        assert time.monotonic() - start < within_s
        printed = capsys.readouterr()
        assert "a defect of taisai" not in printed.err
        return code, printed.err + printed.out

    return run


@pytest.fixture(scope="module")
def bundles(tmp_path_factory):
    """A folder with release.zip, signed, unsigned.zip, and the public key of the release."""
    folder = tmp_path_factory.mktemp("bundles")
    new_key(folder / "release.pem")
    new_key(folder / "other.pem")
    signed = build_bundle(load_table(TABLE), load_private(folder / "release.pem"))
    (folder / "release.zip").write_bytes(signed.pack())
    (folder / "unsigned.zip").write_bytes(build_bundle(load_table(TABLE)).pack())
    (folder / "truncated.zip").write_bytes(signed.pack()[:-100])
    altered = bytearray(signed.pack())
    altered[len(altered) // 2] ^= 1
    (folder / "altered.zip").write_bytes(altered)
    return folder


FLASH = ("flash", "--table", TABLE)
VERBS = [FLASH, ("verify",)]


# --- ports ---


@pytest.mark.parametrize("verb", VERBS, ids=["flash", "verify"])
@pytest.mark.parametrize(
    ("far_end", "code", "words"),
    [
        (lambda: FakePort(lambda data: data), 2, "comes back unchanged"),
        (lambda: FakePort(always=b"tick\r\n" * 500), 2, "sends without end"),
        (lambda: FakePort(), 3, "nothing answers"),
    ],
    ids=["echo", "flood", "silent"],
)
def test_what_is_no_board(run, verb, far_end, code, words):
    with far_end() as port:
        ended, said = run(*verb, "--port", port.path)
        assert (ended, words in said) == (code, True), said


@pytest.mark.parametrize("verb", VERBS, ids=["flash", "verify"])
def test_a_port_that_takes_nothing(run, verb):
    with DeafPort() as port:
        port.fill()
        ended, said = run(*verb, "--port", port.path)
        assert ended == 2 and "takes no bytes" in said


@pytest.mark.parametrize("verb", VERBS, ids=["flash", "verify"])
def test_a_port_in_use(run, verb):
    with FakePort(Table()) as port, serial.Serial(port.path, exclusive=True):
        ended, said = run(*verb, "--port", port.path, within_s=3)
        assert ended == 2 and "is in use" in said


@pytest.mark.parametrize("verb", VERBS, ids=["flash", "verify"])
def test_a_port_that_this_user_may_not_write(run, verb, monkeypatch):
    def denied(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("serial.Serial.open", denied)
    with FakePort(Table()) as port:
        ended, said = run(*verb, "--port", port.path, within_s=3)
        assert ended == 2 and "may not open" in said


@pytest.mark.parametrize("verb", VERBS, ids=["flash", "verify"])
def test_no_such_port(run, verb, tmp_path):
    ended, said = run(*verb, "--port", tmp_path / "absent", within_s=3)
    assert ended == 2 and "no such port" in said


@pytest.mark.parametrize("verb", VERBS, ids=["flash", "verify"])
def test_two_boards_and_none_named(run, verb, monkeypatch):
    with FakePort(Table(board="aa" * 8)) as one, FakePort(prompt) as two:
        attach(monkeypatch, (one.path, PICO), (two.path, PICO))
        ended, said = run(*verb)
        assert ended == 2 and "2 are attached" in said and one.path in said and two.path in said
        # Both were asked who they are, and nothing was changed.
        assert b"service" not in one.heard and b"\x03" not in one.heard + two.heard


@pytest.mark.parametrize("verb", VERBS, ids=["flash", "verify"])
def test_no_board_at_all(run, verb, monkeypatch):
    attach(monkeypatch)
    ended, said = run(*verb, within_s=3)
    assert ended == 2 and "no board answers" in said


def test_a_board_that_is_not_attached(run, monkeypatch):
    with FakePort(Table(board="aa" * 8)) as port:
        attach(monkeypatch, (port.path, PICO))
        ended, said = run(*FLASH, "--port", "id:bb")
        assert ended == 2 and "board bb is not attached" in said
        assert b"service" not in port.heard


def test_a_prompt_that_does_not_let_anybody_in(run):
    """It answers as a prompt does, and never enters raw REPL."""
    with FakePort(prompt) as port:
        ended, said = run(*FLASH, "--port", port.path, within_s=30)
        assert ended == 2 and "not MicroPython's prompt" in said


# --- tables and games ---


@pytest.mark.parametrize("verb", VERBS, ids=["flash", "verify"])
def test_a_table_whose_result_is_lit_is_left_alone(run, verb):
    table = Table()
    table.state = "result"
    with FakePort(table) as port:
        ended, said = run(*verb, "--port", port.path)
        assert ended == 2 and "a result is lit" in said and "end the game" in said
        assert table.writes == 0


def test_another_table_than_the_board_is(run):
    table = Table()
    with FakePort(table) as port:
        ended, said = run("flash", "--table", "kr-pico-tpic6b595", "--port", port.path)
        assert ended == 2 and "--change-table" in said and TABLE in said
        assert table.writes == 0


def test_another_chip_than_the_board_has(run):
    table = Table()
    with FakePort(table) as port:
        ended, said = run("flash", "--table", "nz1-esp32-tpic6b595", "--change-table", "--port", port.path)
        assert ended == 2 and "the board has the chip rp2040" in said
        assert table.writes == 0


# --- bundles ---


@pytest.mark.parametrize(
    ("file", "more", "words"),
    [
        ("unsigned.zip", [], "say --allow-unsigned"),
        ("unsigned.zip", ["--key", "release.pub.pem"], "is not signed"),
        ("release.zip", [], "trusted: no key; name the signer's public key with --key FILE if you trust it"),
        ("release.zip", ["--key", "other.pub.pem"], "which is not trusted here"),
        ("altered.zip", ["--key", "release.pub.pem"], "altered.zip"),
        ("altered.zip", ["--allow-unsigned"], "altered.zip"),
        ("truncated.zip", ["--allow-unsigned"], "truncated.zip is cut off"),
        ("release.pem", ["--allow-unsigned"], "is no bundle"),
        ("absent.zip", ["--allow-unsigned"], "cannot be read"),
        ("release.zip", ["--table", "kr-pico-tpic6b595", "--key", "release.pub.pem"], "not for kr-pico-tpic6b595"),
    ],
)
def test_a_bundle_that_is_not_to_be_trusted(run, bundles, file, more, words):
    with FakePort(Table()) as port:
        more = [bundles / word if word.endswith(".pem") else word for word in more]
        ended, said = run("flash", "--bundle", bundles / file, *more, "--port", port.path, within_s=5)
        assert ended == 2 and words in said
        assert port.heard == b""


def test_without_a_table_and_without_a_bundle(run):
    ended, said = run("flash", within_s=3)
    assert ended == 2 and "--table TABLE" in said and "--bundle FILE" in said


# --- images ---


def pages(start=0x10000000, size=6000):
    return pages_of(program(size=size), start)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (uf2(pages())[:-512], "is cut off"),
        (uf2(pages())[: 512 * 3] + uf2(pages())[512 * 4 :], "has a gap"),
        (uf2(pages(), RP2350_ARM), "an RP2040 would ignore it"),
        (uf2(pages())[:-512] + block(23, 24, 0x10001700, bytes(256), RP2350_ARM), "families"),
        (b"MZ" * 600, "no UF2"),
        (uf2(pages_of(program(version="v1.16.0"))), "needs 1.24"),
        (uf2(pages_of(program(board="pimoroni"))), "pimoroni"),
    ],
    ids=["truncated", "gapped", "foreign family", "two families", "other file", "too old", "other board"],
)
def test_a_micropython_image_that_does_not_fit(run, tmp_path, data, words):
    image = tmp_path / "image.uf2"
    image.write_bytes(data)
    with FakePort(Table()) as port:
        ended, said = run(*FLASH, "--micropython", image, "--port", port.path, within_s=5)
        assert ended == 2 and words in said and "image.uf2" in said
        assert port.heard == b""


@pytest.mark.parametrize(
    ("table", "image", "words"),
    [
        (TABLE, "esp32.bin", "is no UF2 file"),
        ("nz1-esp32-tpic6b595", "pico.uf2", "is no image for an ESP32"),
    ],
)
def test_an_image_for_another_chip(run, tmp_path, table, image, words):
    (tmp_path / "pico.uf2").write_bytes(uf2(pages()))
    (tmp_path / "esp32.bin").write_bytes(b"\xe9" + bytes(4095))
    with FakePort(Table()) as port:
        ended, said = run("flash", "--table", table, "--micropython", tmp_path / image, "--port", port.path, within_s=5)
        assert ended == 2 and f"{image} {words}" in said
        assert port.heard == b""


def test_a_full_image_for_a_board_whose_records_cannot_be_asked_for(run, tmp_path):
    drive, image = tmp_path / "RPI-RP2", tmp_path / "image.uf2"
    drive.mkdir()
    (drive / "INFO_UF2.TXT").write_text("UF2 Bootloader v3.0\nModel: Raspberry Pi RP2\nBoard-ID: RPI-RP2\n")
    image.write_bytes(uf2(pages()))
    ended, said = run(*FLASH, "--micropython", image, "--full-image", "--port", drive, within_s=5)
    assert ended == 2 and "would destroy them: say --discard-records" in said
    assert [path.name for path in drive.iterdir()] == ["INFO_UF2.TXT"]


def test_an_image_where_only_its_backend_could_write_it(run, tmp_path):
    image = tmp_path / "image.uf2"
    image.write_bytes(uf2(pages()))
    with FakePort(Table()) as port:
        ended, said = run(*FLASH, "--micropython", image, "--port", port.path)
        assert ended == 2
        for reason in (
            "mpremote: MicroPython cannot replace itself",
            "uf2: the board shows no BOOTSEL drive",
            "esptool: it writes ESP32",
        ):
            assert reason in said
        ended, said = run(*FLASH, "--backend", "esptool", "--port", port.path)
        assert ended == 2 and "esptool: it writes ESP32 chips" in said and "mpremote:" not in said
        ended, said = run(*FLASH, "--backend", "avrdude", "--port", port.path)
        assert ended == 2 and "no backend avrdude" in said
        ended, said = run(*FLASH, "--full-image", "--port", port.path)
        assert ended == 2 and "--micropython FILE" in said


def test_the_download_says_what_is_missing(run, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "mpflash", None)
    ended, said = run(*FLASH, "--micropython", "download", within_s=3)
    assert ended == 2 and "pip install mpflash" in said and "RPI_PICO" in said


# --- several ---


def test_all_boards_one_verdict_each(run, capsys):
    """Two that fail for different reasons: both are told, and the exit code is that of the first."""
    busy = Table(board="aa" * 8)
    busy.state = "result"
    with FakePort(busy) as one, FakePort(prompt) as two:
        ended, said = run(*FLASH, "--all", "--port", one.path, "--port", two.path, within_s=30)
        assert ended == 2
        lines = [line for line in said.splitlines() if line.startswith("FAIL")]
        assert len(lines) == 2 and "a result is lit" in lines[0] and "prompt" in lines[1]
        code = main([*FLASH, "--all", "--port", one.path, "--port", two.path, "--json"])
        told = json.loads(capsys.readouterr().out)["boards"]
        assert code == 2 and [each["port"] for each in told] == [one.path, two.path]
        assert [each["verdict"] for each in told] == ["fail", "fail"]
