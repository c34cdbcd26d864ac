"""Flashing the virtual board: blank, again, one file changed, another loader, what is foreign; over both transports."""

import json

import pytest
from deploy_tools import (
    TABLE,
    Quiet,
    blank,
    first,
    flash,
    is_exactly,
    restart,
    second,
    started_version,
    volume,
    with_new_loader,
    with_release,
)

from taisai.deploy.backends import ampy, mpremote
from taisai.paths import firmware_dir


@pytest.mark.parametrize("transport", [mpremote, ampy])
def test_a_blank_board_becomes_a_table(transport):
    with blank() as board:
        result = flash(board, first(), transport=transport)
        assert is_exactly(board, first())
        assert board.mode == "firmware"
        assert (result.table, result.application, result.state) == (TABLE, "app-1", "idle")
        assert result.sent_bytes == sum(map(len, first().folder.values())) + len(first().main)
        assert result.copied == result.unchanged == 0
        json.dumps(result.as_dict())


def test_flashed_again_nothing_is_sent_and_nothing_is_written():
    with with_release(first()) as board:
        written = board.port.flash_operations
        result = flash(board, first())
        assert result.sent == [] and result.sent_bytes == 0 and result.copied == 0
        assert result.unchanged == len(first().folder) + 1
        # The service flag is made and removed, and that is all.
        assert board.port.flash_operations - written < 12
        assert is_exactly(board, first()) and board.mode == "firmware"


def test_only_the_changed_file_and_the_manifest_are_sent():
    with with_release(first()) as board:
        watcher = Quiet()
        result = flash(board, second(), watcher=watcher)
        assert result.sent == ["/app-2/hardware.json", "/app-2/manifest.json"]
        assert result.copied == result.unchanged == len(first().folder) - 2
        assert result.application == "app-2"
        assert is_exactly(board, second())
        # The old version was there until the new one had identified itself.
        assert watcher.plans[0].writes and not watcher.plans[1].writes
        assert set(watcher.plans[1].remove) == {f"/app-1/{path}" for path in first().folder} | {
            "/app-1/", "/app-1/tablecore/", "/app-1/tablehw/",
        }  # fmt: skip


def test_another_loader_comes_with_its_version():
    with with_release(first()) as board:
        result = flash(board, with_new_loader())
        assert "/app-2/main.py" in result.sent
        assert is_exactly(board, with_new_loader())


def test_the_loader_finishes_an_update_that_was_cut_off_before_its_own_turn():
    new = with_new_loader()
    files = {**first().volume(), **{f"/app-2/{path}": content for path, content in new.folder.items()}}
    files.update({"/current": b"app-2", "/app-2/main.py": new.main})
    with blank(files=files) as board:
        assert started_version(board, first(), new) is new
        flash(board, new)
        assert is_exactly(board, new)


def test_an_altered_loader_alone_is_put_right_without_a_new_version():
    with blank(files={**first().volume(), "/main.py": b"import wiring\n"}) as board:
        result = flash(board, first())
        assert result.sent == ["/app-1/main.py"] and result.application == "app-1"
        assert is_exactly(board, first())


@pytest.mark.parametrize("path", ["/app-1/extra.py", "/app-1/wiring.mpy"])
def test_an_extra_or_altered_file_in_the_running_version_leads_to_a_clean_one(path):
    with blank(files={**first().volume(), path: first().files["wiring.mpy"] + b"\0"}) as board:
        result = flash(board, first())
        assert result.application == "app-2"
        assert is_exactly(board, first())


def test_foreign_files_are_removed_and_the_unit_s_own_are_kept():
    own = {"/data/journal-1": b"\0" * 100, "/data/identity.json": b"{}"}
    foreign = {"/boot.py": b"pass\n", "/lib/x/y.py": b"", "/app-7/wiring.mpy": b"old"}
    with blank(files={**own, **foreign, "/main.py": b"print('demo')\n"}) as board:
        result = flash(board, first())
        assert set(result.removed) == set(foreign)
        assert is_exactly(board, first())
        assert {path: volume(board)[path] for path in own} == own


def test_a_board_whose_application_crashed_is_flashed_before_its_watchdog_bites():
    broken = {**first().volume(), "/app-1/tablehw/keys.mpy": b"M"}
    crashing = (firmware_dir() / "tablehw/keys.py").read_bytes() + (
        b"class Keys(Keys):\n def take(self):\n  if ticks_ms() > 1000: raise OSError(5)\n  return super().take()\n"
    )
    del broken["/app-1/tablehw/keys.mpy"]
    broken["/app-1/tablehw/keys.py"] = crashing
    with blank(files=broken) as board:
        board.run_ms(1500)
        assert board.mode == "prompt" and board.bench.watchdog.running
        flash(board, first())
        assert is_exactly(board, first())
        assert "watchdog" not in board.starts
        restart(board)
        assert board.mode == "firmware"
