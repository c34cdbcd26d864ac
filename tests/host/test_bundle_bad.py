"""Every bundle that must not be used, each refused with its own kind of error."""

import json
import random
import zipfile

import pytest
from bundle_edit import members_of, packed, with_file, with_manifest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from taisai.boards.table import load_table
from taisai.build import bundle_errors as errors
from taisai.build.bundle import build_bundle, check_bundle, open_bundle, require_key, require_table
from taisai.build.mpy import mpy_fault

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
OTHER_KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33)))


def public(key: Ed25519PrivateKey) -> bytes:
    return key.public_key().public_bytes_raw()


@pytest.fixture(scope="module")
def good() -> bytes:
    return build_bundle(load_table("nz1-pico-hc595"), KEY).pack()


@pytest.fixture(scope="module")
def unsigned(good) -> dict[str, bytes]:
    members = members_of(good)
    del members["manifest.sig"]
    return members


def refused(kind: type, text: str, data: bytes) -> None:
    with pytest.raises(errors.BundleError, match=text) as caught:
        check_bundle(data, "x.zip")
    assert type(caught.value) is kind
    assert str(caught.value).startswith("x.zip")


@pytest.mark.parametrize("data", [b"", b"P", b"UF2\n" * 128, b"\x7fELF" + bytes(100), bytes(1000)])
def test_not_a_zip(data):
    refused(errors.NotABundle, "does not begin as a zip", data)


def test_no_such_file(tmp_path):
    with pytest.raises(errors.NotABundle, match="none.zip cannot be read: No such file"):
        open_bundle(tmp_path / "none.zip")


def test_a_zip_of_something_else():
    refused(errors.NotABundle, "no manifest.json", packed({"readme.txt": b"hello"}))


@pytest.mark.parametrize("part", [0.001, 0.3, 0.8, 0.99])
def test_cut_off(good, part):
    refused(errors.BundleTruncated, "cut off or damaged", good[: int(len(good) * part)])


def test_last_byte_missing(good):
    refused(errors.BundleTruncated, "cut off or damaged", good[:-1])


def test_altered_file_with_the_old_checksum(good):
    at = good.index(members_of(good)["app/table.bin"]) + 700
    changed = bytearray(good)
    changed[at] ^= 1
    refused(errors.BundleFileAltered, "app/table.bin is damaged", bytes(changed))


def test_altered_file_in_a_sound_zip(good):
    members = members_of(good)
    content = bytearray(members["app/table.bin"])
    content[700] ^= 1
    refused(errors.BundleFileAltered, "table.bin: altered", packed({**members, "app/table.bin": bytes(content)}))
    longer = {**members, "app/table.bin": bytes(content) + b"x"}
    refused(errors.BundleFileAltered, "table.bin: wrong size", packed(longer))
    refused(errors.BundleFileAltered, "/main.py: altered", packed({**members, "main.py": members["main.py"].upper()}))


@pytest.mark.parametrize("name", ["app/wiring.mpy", "app/table.bin", "main.py"])
def test_missing_file(good, name):
    members = members_of(good)
    del members[name]
    refused(errors.BundleFileMissing, f"{name.removeprefix('app/')}: missing", packed(members))


@pytest.mark.parametrize(
    "name", ["app/spy.mpy", "app/tablecore/x.py", "boot.py", "../boot.py", "app/../x", "app/manifest.json"]
)
def test_extra_file(good, name):
    refused(errors.BundleFileExtra, "not in the manifest", packed({**members_of(good), name: b"x"}))


def test_altered_manifest(good):
    """All files agree with the new list, and the signature does not."""
    members = with_file(members_of(good), "tablecore/version.mpy", b"M\x06\x00\x1fother")
    refused(errors.BundleSignatureWrong, "does not fit the manifest", packed(members))


def test_altered_signature(good):
    members = members_of(good)
    stated = json.loads(members["manifest.sig"])
    for content in (b"", b"{}", b"[]", b"\xff", b'{"key": "00", "signature": "00"}'):
        refused(errors.BundleSignatureWrong, "manifest.sig is damaged", packed({**members, "manifest.sig": content}))
    for name in ("key", "signature"):
        flipped = ("0" if stated[name][0] != "0" else "1") + stated[name][1:]
        raw = (json.dumps({**stated, name: flipped}, indent=1, sort_keys=True) + "\n").encode()
        refused(errors.BundleSignatureWrong, "does not fit", packed({**members, "manifest.sig": raw}))


@pytest.mark.parametrize("raw", [b"", b"{}", b"not json", b'{"format": 2}'])
def test_unreadable_manifest(unsigned, raw):
    refused(errors.BundleManifestBad, "manifest", packed({**unsigned, "manifest.json": raw}))


def test_manifest_in_another_spelling(unsigned):
    raw = json.dumps(json.loads(unsigned["manifest.json"])).encode()
    refused(errors.BundleManifestBad, "not written as", packed({**unsigned, "manifest.json": raw}))


@pytest.mark.parametrize(
    "key, value", [("table", "nz2"), ("layout", "other"), ("mcu", "esp32"), ("table_digest", "0" * 64)]
)
def test_manifest_at_odds_with_its_files(unsigned, key, value):
    members = with_manifest(unsigned, lambda manifest: manifest.update({key: value}))
    refused(errors.BundleManifestBad, "not of the same table", packed(members))


def test_lamp_table_or_wiring_that_is_none(unsigned):
    for name in ("table.bin", "hardware.json"):
        refused(errors.BundleManifestBad, "cannot be used", packed(with_file(unsigned, name, b"{}")))


@pytest.mark.parametrize(
    "head, word",
    [
        (b"M\x05\x00\x1f", ".mpy version 5, not 6"),
        (b"C\x06\x00\x1f", "CircuitPython"),
        (b"M\x06\x13\x1f", "native code"),
        (b"M\x06\x00\x3f", "63 bits"),
        (b"X\x06\x00\x1f", "not a .mpy file"),
        (b"M\x06", "too short"),
    ],
)
def test_compiled_file_that_no_board_would_import(unsigned, head, word):
    assert word in mpy_fault(head)
    refused(errors.BundleManifestBad, f"wiring.mpy: .*{word}", packed(with_file(unsigned, "wiring.mpy", head)))


def test_packed_by_another_program(good):
    refused(errors.BundleRepacked, "compressed", packed(members_of(good), zipfile.ZIP_DEFLATED))
    refused(errors.BundleRepacked, "packed anew", good + b"junk")
    refused(errors.BundleRepacked, "packed anew", good[:-2] + b"\x03\x00abc")


def test_the_same_name_twice(good, tmp_path):
    path = tmp_path / "x.zip"
    path.write_bytes(good)
    with pytest.warns(UserWarning, match="Duplicate name"), zipfile.ZipFile(path, "a") as archive:
        archive.writestr("app/table.bin", b"another")
    refused(errors.BundleRepacked, "there twice", path.read_bytes())


def test_any_altered_byte_is_noticed(good, campaign):
    """Bytes all over the file, those of the container too: a bundle is these bytes and no others."""
    rng = random.Random(3)
    for _ in range(campaign(4000)):
        changed = bytearray(good)
        changed[rng.randrange(len(good))] ^= 1 << rng.randrange(8)
        with pytest.raises(errors.BundleError):
            check_bundle(bytes(changed), "x.zip")


def test_any_cut_is_noticed(good, campaign):
    rng = random.Random(4)
    for _ in range(campaign(1000)):
        with pytest.raises(errors.BundleError):
            check_bundle(good[: rng.randrange(len(good))], "x.zip")


def test_keys(good, unsigned):
    bundle = check_bundle(good, "x.zip")
    require_key(bundle, [public(OTHER_KEY), public(KEY)], "x.zip")
    with pytest.raises(errors.BundleForeignKey, match=f"key {public(KEY).hex()[:16]}, which is not trusted"):
        require_key(bundle, [public(OTHER_KEY)], "x.zip")
    with pytest.raises(errors.BundleUnsigned, match="is not signed"):
        require_key(check_bundle(packed(unsigned), "x.zip"), [public(KEY)], "x.zip")


def test_a_signature_by_a_key_of_ones_own_is_foreign(unsigned):
    """Whoever alters a bundle can sign it anew, with a key that nobody trusts."""
    forged = build_bundle(load_table("nz1-pico-hc595"), OTHER_KEY)
    with pytest.raises(errors.BundleForeignKey):
        require_key(check_bundle(forged.pack(), "x.zip"), [public(KEY)], "x.zip")


def test_another_table(good):
    bundle = check_bundle(good, "x.zip")
    require_table(bundle, "nz1-pico-hc595", "x.zip")
    with pytest.raises(errors.BundleForOtherTable, match="for table nz1-pico-hc595, not for kr-pico-tpic6b595"):
        require_table(bundle, "kr-pico-tpic6b595", "x.zip")
