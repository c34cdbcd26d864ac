"""The files on a board against its manifest, by the real firmware: what is named, and what the table then does."""

import pytest
from access_bench import accesses, key, restart, wait_checked
from altered import altered_files
from link_bench import TABLE

from taisai.boards.table import load_table
from taisai.build import application_files

TIDY_MS = 32_000


def test_files_as_in_the_manifest_are_good_within_a_second_and_games_can_be_played(start):
    desk = start()
    assert wait_checked(desk) == ("good", None, None)
    assert desk.bench.now_us < 1_500_000
    desk.play()


@pytest.mark.parametrize(
    "path, content, reason",
    [
        ("/app-1/tablecore/game.mpy", "altered", "altered"),
        ("/app-1/manifest.json", None, "missing"),
        ("/app-1/manifest.json", "altered", "damaged"),
        ("/app-1/tablehw/display_tm1637.mpy", None, "missing"),
        ("/main.py", "longer", "wrong size"),
        ("/app-1/tablecore/extra.py", b"pass\n", "not in the manifest"),
        ("/boot.py", b"pass\n", "not in the manifest"),
        ("/lib/x/y.py", b"pass\n", "not in the manifest"),
    ],
)
def test_a_file_that_differs_is_named_and_no_game_begins(start, path, content, reason):
    files = application_files(load_table(TABLE))
    if content is None:
        del files[path]
    elif content == "longer":
        files[path] += b"# x\n"
    elif content == "altered":
        # In the last text of the file, so that the module still loads.
        at = max(files[path].rfind(name) for name in (b"_key", b'"version"'))
        files[path] = files[path][:at] + bytes([files[path][at] ^ 1]) + files[path][at + 1 :]
    else:
        files[path] = content
    desk = start(files)
    named = path if not path.startswith("/lib") else "/lib"
    assert wait_checked(desk) == ("bad", named, reason)
    assert desk.host.state()["faults"] == ["E14"] and desk.host.state()["state"] == "fault"
    key(desk, "136E")
    assert desk.bench.observe().lit == [] and desk.bench.observe().display == "E14"


def test_no_entry_counts_before_the_comparison_has_ended(start):
    """With many files more it takes a while; meanwhile digits are taken and ENTRY is not."""
    more = {f"/app-1/x/{n:02d}.bin": bytes(16_000) for n in range(54)}
    desk = start(altered_files(TABLE, more))
    for each in "136E":
        desk.bench.keys.press(each, 50, 0)
        desk.board.run_ms(100)
    assert desk.host.integrity()[0] == "checking"
    assert desk.bench.observe().lit == [] and desk.bench.observe().display == "136"
    assert wait_checked(desk)[0] == "good"
    key(desk, "E")
    assert "total-10" in desk.bench.observe().lit


def test_what_an_update_left_behind_is_removed_when_the_table_is_idle(start):
    files = application_files(load_table(TABLE))
    left = {"/app-2/wiring.mpy": b"x", "/app-2/tablecore/game.mpy": b"y" * 5000, "/current.new": b"app-2"}
    desk = start({**files, **left})
    assert wait_checked(desk) == ("good", None, None)
    key(desk, "136E")
    desk.board.run_ms(TIDY_MS)
    assert "/app-2/wiring.mpy" in desk.files()  # a result is lit
    desk.press("E", 1600)
    desk.board.run_ms(1000)
    assert {path for path in desk.files() if not path.startswith("/data")} == set(files)
    assert accesses(desk) == ["-app-2", "-current"]
    assert wait_checked(desk) == ("good", None, None)
    assert restart(desk).state()["faults"] == []
