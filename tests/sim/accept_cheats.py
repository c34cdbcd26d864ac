"""Units that are not what they should be, as files: altered, of another table, or with a firmware that cheats."""

from dataclasses import replace
from functools import cache

from altered import altered_files

from tablecore import manifest, tablepack
from taisai.boards.table import load_table
from taisai.build import application_files
from taisai.build.bundle import Bundle, build_bundle
from taisai.build.mpy import compile_module
from taisai.build.tablebin import frames_of, lamps_of
from taisai.paths import firmware_dir

TABLE = "nz1-pico-hc595"
FOLDER = "/app-1/"


def wrong_firmware_file() -> dict[str, bytes]:
    """One module is another one, and the manifest was made to fit."""
    source = (firmware_dir() / "tablecore" / "tone.py").read_bytes() + b"\nCHANGED = 1\n"
    return altered_files(TABLE, {FOLDER + "tablecore/tone.mpy": compile_module("tablecore/tone.py", source)})


def altered_table() -> dict[str, bytes]:
    """Two throws of the lamp table changed places; its digest and the manifest were made to fit."""
    table = load_table(TABLE)
    frames = frames_of(table)
    frames[1], frames[2] = frames[2], frames[1]
    layout = table.layout
    raw = tablepack.pack(layout.id, layout.version, len(layout.zones), frames, lamps_of(table))
    return altered_files(TABLE, {FOLDER + "table.bin": raw})


def wrong_layout() -> dict[str, bytes]:
    """A sound unit, of another table for the same controller."""
    return application_files(load_table("nz-gazette-pico-hc595"))


@cache
def cheating() -> tuple[dict[str, bytes], Bundle]:
    """A firmware that tells what the table says, and lights nothing on a throw; and a bundle that orders just that."""
    core = firmware_dir() / "tablecore"
    testrun = (core / "testrun.py").read_text()
    fixture = (core / "fixture.py").read_text()
    lit = "        self.light(self._frames.throw(self._window))\n        self._record"
    told = "        frame, milliamp = self._terminal.lamps_seen()\n        if self._output"
    assert lit in testrun and told in fixture
    testrun = testrun.replace(lit, "        self.asked = bytes(self._frames.throw(self._window))\n        self._record")
    testrun = testrun.replace("elif self._shown and self._ms >= BLINK_MS:", "elif False:")
    told_instead = told.replace(
        "        if", "        frame = getattr(self._terminal.game.supervisor.view, 'asked', frame)\n        if"
    )
    fixture = fixture.replace(told, told_instead)
    change = {
        f"{FOLDER}tablecore/{name}.mpy": compile_module(f"tablecore/{name}.py", text.encode())
        for name, text in (("testrun", testrun), ("fixture", fixture))
    }
    files = altered_files(TABLE, change)
    raw = files[FOLDER + manifest.NAME]
    inside = {
        path.removeprefix(FOLDER): content
        for path, content in files.items()
        if path.startswith(FOLDER) and path != FOLDER + manifest.NAME
    }
    whole = build_bundle(load_table(TABLE))
    return files, replace(whole, manifest=manifest.parse(raw), manifest_raw=raw, main=files["/main.py"], files=inside)
