"""A bundle is the same every time, holds what it lists, and is signed by whom it says."""

import hashlib
import io
import json
import os
import subprocess
import sys
import zipfile

import pytest
from bundle_edit import members_of, packed
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from layout_edit import edit_class, save, text_of

from taisai.boards.layout import load_layout
from taisai.boards.table import list_tables, load_table
from taisai.build.application import application_files
from taisai.build.bundle import build_bundle, check_bundle
from taisai.build.manifest import layout_digest
from taisai.build.volume import volume_files, volume_image

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))


@pytest.fixture(scope="module")
def table():
    return load_table("nz1-pico-hc595")


@pytest.fixture(scope="module")
def signed(table):
    return build_bundle(table, KEY)


def test_the_same_bytes_twice(table, signed):
    assert build_bundle(table, KEY).pack() == signed.pack()


ELSEWHERE = """
import sys
from hashlib import sha256
from taisai.boards.table import load_table
from taisai.build.bundle import build_bundle
print(sha256(build_bundle(load_table(sys.argv[1])).pack()).hexdigest())
"""


@pytest.mark.parametrize("seed, zone", [("0", "Pacific/Auckland"), ("77", "America/St_Johns")])
def test_the_same_bytes_in_another_process(table, tmp_path, seed, zone):
    """Another folder, another hash seed, another time zone, another umask."""
    environment = {**os.environ, "PYTHONHASHSEED": seed, "TZ": zone}
    command = [sys.executable, "-c", ELSEWHERE, table.id]
    run = subprocess.run(command, cwd=tmp_path, env=environment, umask=0o077, capture_output=True, text=True)
    assert run.stdout.split() == [hashlib.sha256(build_bundle(table).pack()).hexdigest()], run.stderr


def test_its_form(signed):
    """Stored, sorted, without a date, and as written down: a program that knows only that makes the same bytes."""
    with zipfile.ZipFile(io.BytesIO(signed.pack())) as archive:
        infos = archive.infolist()
    names = [info.filename for info in infos]
    assert names == sorted(names)
    assert {info.compress_type for info in infos} == {zipfile.ZIP_STORED}
    assert {info.date_time for info in infos} == {(1980, 1, 1, 0, 0, 0)}
    assert packed(members_of(signed.pack())) == signed.pack()


def test_the_manifest_lists_every_file_with_its_hash(signed, table):
    members = members_of(signed.pack())
    listed = json.loads(members["manifest.json"])
    found = {name.removeprefix("app/"): data for name, data in members.items() if name.startswith("app/")}
    assert set(members) - {f"app/{name}" for name in found} == {"main.py", "manifest.json", "manifest.sig"}
    assert listed["files"] == {
        name: {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()} for name, data in found.items()
    }
    assert listed["main"]["sha256"] == hashlib.sha256(members["main.py"]).hexdigest()
    assert (listed["table"], listed["layout"], listed["mcu"]) == (table.id, table.layout.id, "rp2040")
    # The digest inside table.bin: 32 bytes that end its header of 76.
    assert listed["table_digest"] == found["table.bin"][44:76].hex()


def test_compiled_files_are_bytecode_of_version_6(signed):
    """A .mpy file begins with the letter M, its version, the architecture (0: none), the bits of a small integer."""
    compiled = {path: data for path, data in signed.files.items() if path.endswith(".mpy")}
    assert "wiring.mpy" in compiled and "tablecore/game.mpy" in compiled
    assert {data[:4] for data in compiled.values()} == {b"M\x06\x00\x1f"}
    assert not [path for path in signed.files if path.endswith(".py")]


def test_the_signature_is_of_the_manifest(signed):
    members = members_of(signed.pack())
    stated = json.loads(members["manifest.sig"])
    key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(stated["key"]))
    key.verify(bytes.fromhex(stated["signature"]), members["manifest.json"])
    assert key.public_bytes_raw() == KEY.public_key().public_bytes_raw()


@pytest.mark.parametrize("key", [None, KEY], ids=["unsigned", "signed"])
def test_what_is_built_can_be_opened(table, key):
    built = build_bundle(table, key)
    assert check_bundle(built.pack(), "x.zip") == built


@pytest.mark.parametrize("name", list_tables())
def test_every_table_has_its_own_bundle(name):
    built = build_bundle(load_table(name))
    assert built.table == name
    assert check_bundle(built.pack(), "x.zip") == built


def test_the_volume_holds_the_bundle(signed):
    """Written as a littlefs image, read back as files."""
    files = volume_files(volume_image(signed.volume(), 352))
    assert files == signed.volume()
    assert files["/current"] == b"app-1"
    members = members_of(signed.pack())
    assert files["/main.py"] == members["main.py"]
    for name, data in members.items():
        if name != "main.py":
            assert files["/app-1/" + name.removeprefix("app/")] == data


def test_the_virtual_board_runs_the_same_files(table):
    assert application_files(table) == build_bundle(table).volume()


def test_the_layout_digest_covers_what_the_lamp_table_does_not(tmp_path):
    """Odds are in no lamp frame: a layout with other odds has another digest; one with another comment has not."""
    text = text_of("nz-div9-appendix1")
    digest = layout_digest(load_layout("nz-div9-appendix1"))
    commented = save(tmp_path, "nz-div9-appendix1", "# another comment\n" + text)
    assert layout_digest(load_layout(commented)) == digest
    other_odds = save(tmp_path, "nz-div9-appendix1", edit_class(text, "Any Triple", "odds = 31", "odds = 30"))
    assert layout_digest(load_layout(other_odds)) != digest
