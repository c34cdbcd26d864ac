"""`taisai build` and `taisai key` as a person runs them."""

import hashlib
import json
import os
from types import SimpleNamespace

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from esp32_edit import newer_image
from uf2_edit import pages_of, program, uf2

from taisai.build.bundle import open_bundle
from taisai.build.signing import load_private, load_public
from taisai.cli import main

TABLE = "nz1-pico-hc595"
BUNDLE = f"taisai-{TABLE}-0.1.0.zip"


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """The command in an empty folder, in this process."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> SimpleNamespace:
        returncode = main(list(arguments))
        out, err = capsys.readouterr()
        return SimpleNamespace(returncode=returncode, stdout=out, stderr=err)

    return run


def names(folder) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_an_unsigned_bundle(taisai, tmp_path):
    done = taisai("build", "--table", TABLE, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    sheet = BUNDLE.removesuffix(".zip") + "-wiring.html"
    assert names(tmp_path) == {BUNDLE, sheet} and sheet in done.stdout
    assert open_bundle(tmp_path / BUNDLE).signature is None
    assert hashlib.sha256((tmp_path / BUNDLE).read_bytes()).hexdigest() in done.stdout
    assert done.stderr == "not signed\n"


def test_a_signed_bundle_as_json(run, tmp_path):
    made = json.loads(run("key", "release.pem", "--new", "--json").stdout)
    done = run("build", "--table", TABLE, "--sign", "release.pem", "--output", "r.zip", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    data = (tmp_path / "r.zip").read_bytes()
    assert told["files"] == [
        {"file": "r.zip", "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest(), "offset": None}
    ]
    bundle = open_bundle(tmp_path / "r.zip")
    assert told["signed_by"] == made["public_key"] == bundle.signature.key.hex()
    assert (told["table"], told["mcu"], told["mpy"], told["version"]) == (TABLE, "rp2040", 6, "0.1.0")
    assert told["layout_digest"] == bundle.manifest["layout_digest"]


def test_twice_is_the_same(run, tmp_path):
    run("key", "release.pem", "--new")
    for name in ("a.zip", "b.zip"):
        run("build", "--table", TABLE, "--sign", "release.pem", "--output", name)
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    assert (tmp_path / "a-wiring.html").read_bytes() == (tmp_path / "b-wiring.html").read_bytes()


def test_full_image_for_a_pico(run, tmp_path):
    given = uf2(pages_of(program()))
    (tmp_path / "pico.uf2").write_bytes(given)
    done = run("build", "--table", TABLE, "--micropython", "pico.uf2", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert [(file["file"], file["offset"]) for file in told["files"]] == [
        (BUNDLE, None), (f"taisai-{TABLE}-0.1.0.uf2", 0),
    ]  # fmt: skip
    assert told["micropython"] == {
        "file": "pico.uf2", "version": "v1.28.0", "sha256": hashlib.sha256(given).hexdigest(), "offset": 0,
    }  # fmt: skip


def test_full_image_for_an_esp32(run, tmp_path):
    (tmp_path / "esp32.bin").write_bytes(newer_image())
    table = "nz1-esp32-tpic6b595"
    done = run("build", "--table", table, "--micropython", "esp32.bin")
    assert done.returncode == 0, done.stderr
    assert f"taisai-{table}-0.1.0-vfs.bin: 2,097,152 bytes" in done.stdout
    assert ", at 0x200000\n" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("esp32.bin: MicroPython v1.28")
    assert done.stdout.splitlines()[-1].endswith(", at 0x1000")


@pytest.mark.parametrize(
    "arguments, text",
    [
        ([], "Missing option '--table'"),
        (["--table", "nz9"], "no such table"),
        (["--table", TABLE, "--sign", "none.pem"], "none.pem cannot be read: No such file"),
        (["--table", TABLE, "--micropython", "none.uf2"], "none.uf2 cannot be read: No such file"),
        (["--table", TABLE, "--micropython", "short.uf2"], "short.uf2 is cut off"),
        (["--table", TABLE, "--micropython", "text.txt"], "text.txt is no UF2 file"),
        (["--table", "nz1-esp32-tpic6b595", "--micropython", "short.uf2"], "short.uf2 is no image for an ESP32"),
        (["--table", TABLE, "--output", "no/such/folder.zip"], "folder.zip cannot be written: No such file"),
        (["--table", TABLE, "--sign", "text.txt"], "text.txt is not a private key"),
    ],
)
def test_what_goes_wrong_leaves_nothing_behind(run, tmp_path, arguments, text):
    (tmp_path / "short.uf2").write_bytes(uf2(pages_of(program()))[:-100])
    (tmp_path / "text.txt").write_text("hello\n")
    done = run("build", *arguments)
    assert done.returncode == 2
    assert text in done.stderr
    assert done.stdout == "" and "Traceback" not in done.stderr
    assert names(tmp_path) == {"short.uf2", "text.txt"}


# --- keys ---


def pem(key, encryption=None) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption or NoEncryption())


def test_a_new_key(run, tmp_path):
    done = run("key", "release.pem", "--new")
    assert done.returncode == 0, done.stderr
    assert names(tmp_path) == {"release.pem", "release.pub.pem"}
    private = load_private(tmp_path / "release.pem")
    shown = private.public_key().public_bytes_raw().hex()
    assert done.stdout == f"key {shown}\nprivate: release.pem\npublic:  release.pub.pem\n"
    assert load_public(tmp_path / "release.pub.pem") == private.public_key() == load_public(tmp_path / "release.pem")
    for name in ("release.pem", "release.pub.pem"):
        assert run("key", name).stdout == f"key {shown}\n"


@pytest.mark.skipif(os.name != "posix", reason="file modes are POSIX")
def test_only_the_owner_can_read_the_private_key(run, tmp_path):
    run("key", "release.pem", "--new")
    assert (tmp_path / "release.pem").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("there", ["release.pem", "release.pub.pem"])
def test_a_key_is_never_overwritten(run, tmp_path, there):
    (tmp_path / there).write_text("precious")
    done = run("key", "release.pem", "--new")
    assert done.returncode == 2
    assert f"{there} exists already" in done.stderr
    assert names(tmp_path) == {there} and (tmp_path / there).read_text() == "precious"


@pytest.mark.parametrize("name, text", [("release", "must end in .pem"), ("a.pub.pem", "must end in .pem"),
                                        ("no/such.pem", "cannot be written: No such file")])  # fmt: skip
def test_a_key_needs_a_good_name(run, tmp_path, name, text):
    done = run("key", name, "--new")
    assert done.returncode == 2 and text in done.stderr
    assert names(tmp_path) == set()


def test_files_that_hold_no_key_of_ours(run, tmp_path):
    good = Ed25519PrivateKey.generate()
    contents = {
        "text.pem": (b"hello", "not a key in PEM form"),
        "locked.pem": (pem(good, BestAvailableEncryption(b"secret")), "is not a private key without a password"),
        "other.pem": (pem(X25519PrivateKey.generate()), "is not an Ed25519 key"),
        "other.pub.pem": (
            X25519PrivateKey.generate().public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo),
            "is not an Ed25519 key",
        ),
        "cut.pem": (pem(good)[:60], "is not a private key"),
    }
    for name, (content, text) in contents.items():
        (tmp_path / name).write_bytes(content)
        done = run("key", name)
        assert done.returncode == 2 and text in done.stderr, (name, done.stderr)
        assert "Traceback" not in done.stderr


def test_the_public_key_cannot_sign(run):
    run("key", "release.pem", "--new")
    done = run("build", "--table", TABLE, "--sign", "release.pub.pem")
    assert done.returncode == 2 and "it is the public half: name the private key" in done.stderr
