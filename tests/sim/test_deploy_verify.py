"""`taisai verify` on the virtual board: what is altered, missing or too many is named, and so is a lie."""

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from deploy_tools import TABLE, Quiet, blank, first, flash, is_exactly, reached, second, with_release

from taisai.boards.table import load_table
from taisai.build.bundle import build_bundle
from taisai.build.signing import raw_public
from taisai.deploy.preflight import Policy
from taisai.deploy.verify import verify_board
from taisai.paths import firmware_dir

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
OTHER = Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33)))


def public(key):
    return raw_public(key.public_key())


@pytest.fixture(scope="module")
def signed():
    return build_bundle(load_table(TABLE), KEY)


def verify(board, reference=None, keys=()):
    return verify_board(reached(board), reference, Policy(keys), Quiet())


def test_what_was_flashed_passes_and_the_table_runs_on(signed):
    with with_release(signed) as board:
        report = verify(board, signed, [public(KEY)])
        assert report.passed and report.notes == []
        assert report.read_back == report.hashed_by_board == len(signed.folder) + 2
        assert report.bytes_read == sum(map(len, signed.volume().values()))
        assert (report.table, report.version) == (TABLE, signed.manifest["version"])
        assert board.mode == "firmware" and is_exactly(board, signed)


@pytest.mark.parametrize(
    ("path", "content", "words"),
    [
        ("/app-1/table.bin", "flipped", ["/app-1/table.bin: altered"]),
        # Drivers that this table does not load: what altered bytecode does when it runs is anybody's guess.
        ("/app-1/tablehw/display_tm1637.mpy", "flipped", ["/app-1/tablehw/display_tm1637.mpy: altered"]),
        ("/app-1/tablehw/display_max7219.mpy", None, ["/app-1/tablehw/display_max7219.mpy: missing"]),
        ("/app-1/extra.py", b"", ["/app-1/extra.py: not in the manifest"]),
        ("/main.py", "longer", ["/main.py: wrong size"]),
        ("/boot.py", b"pass\n", ["/boot.py: not in the manifest"]),
        ("/lib/x.py", b"", ["/lib/: a folder that does not belong there", "/lib/x.py: not in the manifest"]),
        ("/app-2/x.py", b"", ["/app-2/: a folder that does not belong there", "/app-2/x.py: not in the manifest"]),
        ("/data/journal-0001", b"records", []),
    ],
)
def test_one_file_that_is_not_as_it_should_be(path, content, words):
    files = first().volume()
    if content == "flipped":
        changed = bytearray(files[path])
        changed[-1] ^= 1
        content = bytes(changed)
    elif content == "longer":
        content = files[path] + b"# more\n"
    files.pop(path, None)
    if content is not None:
        files[path] = content
    with blank(files=files) as board:
        report = verify(board)
        assert sorted(report.problems) == sorted(words)


def test_a_release_that_does_not_start_fails():
    """Only the manifest is whole: MicroPython's prompt is all that there is."""
    files = {**first().volume(), "/app-1/wiring.mpy": b"M\5\0\x1f"}
    with blank(files=files) as board:
        report = verify(board)
        assert report.problems[0] == "/app-1/wiring.mpy: wrong size"
        assert "ends in MicroPython's prompt" in report.problems[1]


def test_files_and_manifest_changed_together_need_a_reference(signed):
    with with_release(second()) as board:
        report = verify(board)
        assert report.passed and "name --bundle FILE" in report.notes[0]
        assert "is not that of the bundle" in verify(board, first()).problems[0]
        assert verify(board, keys=[public(KEY)]).problems == ["the manifest is not signed"]


def test_the_signature_counts_only_with_the_key_that_was_named(signed):
    with with_release(signed) as board:
        assert verify(board).signature == f"signed with key {public(KEY).hex()[:16]}"
        assert "is not the key that was named" in verify(board, keys=[public(OTHER)]).problems[0]


def test_a_signature_that_does_not_fit():
    files = second().volume()
    files["/app-1/manifest.sig"] = build_bundle(load_table(TABLE), KEY).folder["manifest.sig"]
    with blank(files=files) as board:
        assert "does not fit the manifest" in verify(board).problems[0]


def test_a_firmware_that_lies_about_a_file_is_found():
    """It answers with the hash of the right wiring file and uses another one."""
    files = dict(first().volume())
    source = (firmware_dir() / "tablehw" / "storage.py").read_bytes() + (
        b"_open = open_file\n"
        b"def open_file(path):\n"
        b" return _open('/data/original' if path.endswith('beeper.mpy') else path)\n"
    )
    del files["/app-1/tablehw/storage.mpy"]
    files["/app-1/tablehw/storage.py"] = source
    files["/data/original"] = files["/app-1/tablehw/beeper.mpy"]
    files["/app-1/tablehw/beeper.mpy"] += b"\0"
    with blank(files=files) as board:
        problems = verify(board).problems
        assert "/app-1/tablehw/beeper.mpy: wrong size" in problems
        assert "/app-1/tablehw/beeper.mpy: the board tells another hash than that of the file that was read" in problems


def test_a_board_at_its_prompt_is_verified_too(signed):
    with with_release(signed) as board:
        reach = reached(board)
        reach.board().service()
        board.run_ms(1000)
        assert board.mode == "prompt"
        assert verify(board, signed).passed
        assert board.mode == "firmware"


def test_a_blank_board_fails():
    with blank() as board:
        assert "no application" in verify(board).problems[0]


def test_verified_after_flashing(signed):
    with blank() as board:
        flash(board, signed)
        assert verify(board, signed, [public(KEY)]).passed
