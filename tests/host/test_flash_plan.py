"""From what is on a board to the steps: what is sent, copied, kept and removed, and when; and what is refused first."""

from dataclasses import replace

import pytest

from taisai.boards.table import load_table
from taisai.build.bundle import build_bundle
from taisai.deploy.errors import Unfit
from taisai.deploy.installer import Entry, Facts, Listing, frame, listing_digest, program_text
from taisai.deploy.plan import entries, is_installed, make_plan, volume_of
from taisai.deploy.preflight import Policy, check_board, check_records, check_space, check_table

TABLE = "nz1-pico-hc595"


@pytest.fixture(scope="module")
def bundle():
    return build_bundle(load_table(TABLE))


def facts(**changes) -> Facts:
    pico = Facts(
        listing="", files=0, current=None, data=0, records=0, block=4096, blocks=352, free=350, platform="rp2",
        machine="Raspberry Pi Pico with RP2040", version=(1, 28, 0), mpy=6, board="e6614103e7452d2f",
    )  # fmt: skip
    return replace(pico, **changes)


def listing(files: dict[str, bytes], *folders: str) -> Listing:
    parents = {path[: at + 1] for path in files for at, mark in enumerate(path) if mark == "/" and at}
    return Listing(entries(files), frozenset(parents | set(folders)))


def test_a_blank_board_gets_everything_and_the_manifest_last(bundle):
    plan = make_plan(facts(), listing({}), bundle)
    assert plan.name == "app-1" and plan.loader and not plan.copy and not plan.remove and not plan.clear
    assert set(plan.send) == {f"/app-1/{path}" for path in bundle.files} | {"/app-1/main.py"}
    assert set(plan.last) == {"/app-1/manifest.json"}
    assert plan.folders == ("/app-1", "/app-1/tablecore", "/app-1/tablehw")


def test_the_same_again_is_nothing(bundle):
    files = volume_of(bundle, "app-4")
    there = facts(current="app-4", listing=listing_digest(entries(files)))
    assert is_installed(there, bundle)
    plan = make_plan(there, listing(files), bundle)
    assert not plan.writes and not plan.remove


@pytest.mark.parametrize("change", ["extra", "missing", "altered"])
def test_one_file_that_is_not_as_it_should_be(bundle, change):
    files = volume_of(bundle, "app-4")
    path = "/app-4/tablehw/keys.mpy"
    if change == "missing":
        del files[path]
    else:
        files["/app-4/extra" if change == "extra" else path] = b"M\6"
    there = facts(current="app-4", listing=listing_digest(entries(files)))
    assert not is_installed(there, bundle)
    plan = make_plan(there, listing(files), bundle)
    assert plan.name == "app-5" and not plan.loader
    assert set(plan.send) == (set() if change == "extra" else {"/app-5/tablehw/keys.mpy"})
    assert len(plan.copy) == len(bundle.files) - len(plan.send)
    assert plan.remove[-1] == "/app-4/" and set(plan.remove) >= {f"/app-4/{each}" for each in ("table.bin", "tablehw/")}


def test_equal_content_is_copied_wherever_it_lies(bundle):
    files = {"/old/name.mpy": bundle.files["wiring.mpy"]}
    plan = make_plan(facts(), listing(files), bundle)
    assert plan.copy == (("/old/name.mpy", "/app-1/wiring.mpy"),)
    assert plan.remove == ("/old/name.mpy", "/old/")


def test_an_attempt_that_was_broken_off_is_gone_on_with(bundle):
    old = volume_of(bundle, "app-1")
    old["/app-1/hardware.json"] = b"{}"
    half = {"/app-2/wiring.mpy": bundle.files["wiring.mpy"], "/app-2/table.bin": b"half", "/app-2/strange": b""}
    plan = make_plan(facts(current="app-1"), listing({**old, **half}, "/app-2/tablehw/"), bundle)
    assert plan.name == "app-2" and plan.kept == 1 and plan.clear == ("/app-2/strange",)
    assert ("/app-1/table.bin", "/app-2/table.bin") in plan.copy
    assert plan.folders == ("/app-2/tablecore",)


def test_a_file_where_a_folder_has_to_be_is_cleared_first(bundle):
    plan = make_plan(facts(), listing({"/app-1": b"a file"}), bundle)
    assert plan.clear == ("/app-1",) and plan.folders[0] == "/app-1"


def test_folders_are_removed_after_what_is_in_them(bundle):
    files = {**volume_of(bundle, "app-1"), "/a/b/c": b"", "/a/b-2": b"", "/a/bb": b""}
    there = facts(current="app-1")
    remove = make_plan(there, listing(files), bundle).remove
    assert set(remove) == {"/a/", "/a/b/", "/a/b/c", "/a/b-2", "/a/bb"}
    assert remove.index("/a/b/c") < remove.index("/a/b/") < remove.index("/a/") == len(remove) - 1


@pytest.mark.parametrize("current", ["app-0", "app-1\n", "app-", "../data", "app-1/..", None])
def test_a_current_that_this_product_did_not_write_names_nothing(bundle, current):
    files = volume_of(bundle, "app-1")
    plan = make_plan(facts(current=current), listing(files), bundle)
    assert plan.name == "app-1" and plan.kept == len(bundle.folder)


# --- refusals ---


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"platform": "esp32", "machine": "Generic ESP32 module with ESP32"}, "has the chip esp32"),
        ({"machine": "Raspberry Pi Pico2 with RP2350"}, "with RP2350"),
        ({"version": (1, 23, 0)}, "has MicroPython 1.23.0, and the firmware needs 1.24"),
        ({"mpy": 5}, ".mpy files of version 5"),
    ],
)
def test_boards_that_do_not_fit(bundle, changes, words):
    check_board(facts(), bundle, "x")
    with pytest.raises(Unfit, match=words):
        check_board(facts(**changes), bundle, "x")


def test_an_esp32_for_an_esp32():
    bundle = build_bundle(load_table("nz1-esp32-tpic6b595"))
    check_board(facts(platform="esp32", machine="Generic ESP32 module with SPIRAM with ESP32"), bundle, "x")
    with pytest.raises(Unfit, match="ESP32S3"):
        check_board(facts(platform="esp32", machine="Generic ESP32S3 module with ESP32S3"), bundle, "x")


def test_a_volume_that_is_too_full(bundle):
    plan = make_plan(facts(), listing({}), bundle)
    check_space(facts(free=plan.blocks), plan, "x")
    with pytest.raises(Unfit, match=r"needs \d+ KiB beside the old one: .*300 KiB lie in /data"):
        check_space(facts(free=plan.blocks - 1, data=300 * 1024), plan, "x")


def test_records_keep_a_full_image_away():
    check_records(facts(data=20), Policy(), "x")
    check_records(facts(records=96), Policy(discard_records=True), "x")
    with pytest.raises(Unfit, match="96 bytes of journal.*--discard-records"):
        check_records(facts(records=96), Policy(), "x")


def test_another_table_only_when_it_is_said(bundle):
    for table, policy in ((None, Policy()), (TABLE, Policy()), ("kr-pico-tpic6b595", Policy(change_table=True))):
        check_table(table, bundle, policy, "x")
    with pytest.raises(Unfit, match="--change-table"):
        check_table("kr-pico-tpic6b595", bundle, Policy(), "x")


# --- what travels ---


def test_the_byte_that_interrupts_never_travels():
    data = bytes(range(256)) * 4 + b"\x10\x13\x10\x20\x03\x10\x10\x03\x03"
    sent = frame(data)
    assert 3 not in sent
    head, body = sent[:12], sent[12:]
    assert int(head[:4], 16) == len(body)
    assert body.replace(b"\x10\x13", b"\x03").replace(b"\x10\x20", b"\x10") == data


@pytest.mark.parametrize("name", ["look", "take", "give"])
def test_programs_travel_without_their_documentation(name):
    text = program_text(name)
    assert '"""' not in text and "#" not in text
    compile(text, name, "exec")
    assert len(text) < 1800


def test_the_digest_of_a_listing_depends_on_every_part():
    files = {"/a/b": Entry(1, "0" * 64), "/main.py": Entry(2, "1" * 64)}
    known = {listing_digest(files)}
    for changed in (
        {**files, "/a/c": Entry(0, "2" * 64)},
        {"/a/b": Entry(1, "0" * 64)},
        {**files, "/a/b": Entry(2, "0" * 64)},
        {**files, "/a/b": Entry(1, "3" * 64)},
        {"/a-b": Entry(1, "0" * 64), "/main.py": Entry(2, "1" * 64)},
    ):
        assert listing_digest(changed) not in known
        known.add(listing_digest(changed))
