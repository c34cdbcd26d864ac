"""The folders look only where they may (tests/architecture.py), and each of those rules is able to fail."""

import shutil
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from architecture import HOST_ARROWS, MAX_LINES, sources, violations

ROOT = Path(__file__).resolve().parent.parent

# (file to break, text appended to it or, for a new file, its content, words of the complaint)
SEEDS = [
    ("firmware/tablecore/version.py", "import machine\n", "tablecore is pure and may not import machine"),
    ("firmware/tablecore/version.py", "import time\n", "may not import time"),
    ("firmware/tablecore/version.py", "import os\n", "may not import os"),
    ("firmware/tablecore/seeded.py", "import sys\n", "may not import sys"),
    ("firmware/tablecore/modules.py", "import os\n", "may not import os"),
    ("firmware/wiring.py", "from tablehw import lamps\n", "only assembly.py may import tablehw"),
    ("firmware/tablecore/version.py", "def f():\n    from tablehw import lamps\n", "may not import tablehw"),
    ("firmware/tablecore/version.py", "import taisai.rules\n", "the firmware may not import the host's taisai.rules"),
    ("firmware/tablecore/version.py", "from . import version\nprint(version)\n", "may not use print"),
    ("firmware/tablecore/version.py", "__import__('machine')\n", "may not use __import__"),
    ("firmware/tablehw/seeded.py", "from tablecore.app import Terminal\n", "may not import tablecore.app"),
    ("firmware/tablehw/seeded.py", "from tablecore import game\n", "may not import tablecore.game"),
    ("firmware/tablehw/seeded.py", "from tablecore.journal import Journal\n", "may not import tablecore.journal"),
    ("firmware/tablehw/seeded.py", "import typing\n", "tablehw may not import typing"),
    ("firmware/main.py", "from machine import Pin\n", "only tablehw may import machine"),
    ("firmware/main.py", "from tablehw import lamps\n", "only assembly.py may import tablehw"),
    ("firmware/main.py", "import tablecore.app\n", "the loader knows wiring alone"),
    ("firmware/seeded.py", "from tablecore import app\nimport tablehw.lamps\n", "only assembly.py may import tablehw"),
    ("firmware/wiring.py", "import machine\n", "only tablehw may import machine"),
    ("host/taisai/rules/seeded.py", "import tablehw.lamps\n", "the host may look at tablecore alone"),
    ("host/taisai/build/seeded.py", "import wiring\n", "not at wiring"),
    ("host/taisai/build/seeded.py", "import machine\n", "only tablehw may import machine"),
    ("host/taisai/sim/seeded.py", "from tablecore.segments import GLYPHS\n", "the bench models the parts"),
    ("host/taisai/sim/script.py", "from tablecore import tablefile\n", "the bench models the parts"),
    ("host/taisai/sim/seeded.py", "from tablecore.protocol import VERBS\n", "the bench models the parts"),
    ("host/taisai/sim/seeded.py", "from taisai.cli import main\n", "taisai.sim may not import taisai.cli"),
    ("host/taisai/rules/seeded.py", "from ..sim import bench\n", "taisai.rules may not import taisai.sim"),
    ("host/taisai/rules/seeded.py", "from taisai.boards import layout\n", "taisai.rules may not import taisai.boards"),
    ("host/taisai/errors.py", "def f():\n    import taisai.boards\n", "taisai.errors may not import taisai.boards"),
    ("host/taisai/cli/seeded.py", "def f():\n    import termios\n", "termios is absent on Windows"),
    ("host/taisai/boards/seeded.py", "import pty\n", "pty is absent on Windows"),
    ("host/taisai/cli/seeded.py", "from taisai.sim import board\n", "a base install has no simulator"),
    ("host/taisai/cli/seeded.py", "from importlib import import_module\nimport_module('fcntl')\n", "fcntl is absent"),
    ("host/taisai/build/seeded.py", "from tests.core import fakes\n", "nothing may import tests"),
    ("firmware/tablecore/version.py", "import tests\n", "nothing may import tests"),
    ("host/taisai/seeded.py", "try:\n    pass\nexcept:\n    pass\n", "a bare except hides real errors"),
    ("tests/core/seeded.py", "try:\n    pass\nexcept:\n    pass\n", "a bare except hides real errors"),
    ("host/taisai/seeded.py", "# line\n" * (MAX_LINES + 1), f"more than {MAX_LINES}"),
    ("boards/layouts/seeded.py", "ODDS = 1\n", "board data are data"),
]

# What looks like a violation and is none.
HARMLESS = [
    ("firmware/tablecore/seeded.py", "from micropython import const\nfrom tablecore import version\nimport json\n"),
    ("firmware/tablecore/modules.py", "import gc\nimport sys\n"),
    ("firmware/tablehw/seeded.py", "from tablecore import chain\nfrom tablecore.keys import KEYS\n"),
    ("firmware/assembly.py", "from tablecore import version\nfrom tablehw import lamps\n"),
    ("host/taisai/cli/live_seeded.py", "import termios\n"),
    ("host/taisai/cli/seeded.py", "def f():\n    from taisai.sim import board\n"),
    ("host/taisai/sim/shim/seeded.py", "import machine\n"),
    ("host/taisai/deploy/onboard/seeded.py", "import machine\n"),
    ("host/taisai/seeded.py", "# line\n" * MAX_LINES),
]


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the checked folders that a test may break."""
    root = tmp_path_factory.mktemp("tree")
    for folder in ("firmware", "host", "tests", "boards"):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))
    return root


@pytest.fixture
def plant(copy):
    """Append to a file of the copy, or make it; undone after the test."""
    undo = []

    def plant(name: str, text: str) -> None:
        path = copy / name
        before = path.read_bytes() if path.exists() else None
        undo.append((path, before))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes((before or b"") + text.encode())

    yield plant
    for path, before in undo:
        if before is None:
            path.unlink()
        else:
            path.write_bytes(before)


def test_this_repository_keeps_the_rules():
    assert violations(ROOT) == []


def test_the_readme_of_the_firmware_names_every_file():
    text = (ROOT / "firmware" / "README.md").read_text(encoding="utf-8")
    modules = {path.name for path in (ROOT / "firmware").rglob("*.py") if path.name != "__init__.py"}
    assert {name for name in modules if f"`{name}`" not in text and f"/{name}`" not in text} == set()


def test_no_two_parts_may_import_each_other():
    assert list(TopologicalSorter(HOST_ARROWS).static_order())


def test_every_folder_is_looked_at():
    looked_at = {path.as_posix() for path in sources(ROOT)}
    assert {"firmware/tablecore/version.py", "host/taisai/cli/__init__.py", "tests/architecture.py"} <= looked_at


@pytest.mark.parametrize(("name", "text", "complaint"), SEEDS, ids=[f"{s[0]}:{s[2]}" for s in SEEDS])
def test_a_broken_rule_is_found(copy, plant, name, text, complaint):
    plant(name, text)
    found = violations(copy)
    assert any(line.startswith(name) and complaint in line for line in found), found


@pytest.mark.parametrize(
    ("name", "text", "circle"),
    [
        (
            "host/taisai/sim/chain.py",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from taisai.sim.lamps import Lamps\n",
            {"taisai.sim.chain", "taisai.sim.lamps"},
        ),
        ("firmware/tablecore/chain.py", "from tablecore import faults\n", {"tablecore.chain", "tablecore.faults"}),
        ("host/taisai/rules/dice.py", "from taisai.rules import Zone\n", {"taisai.rules", "taisai.rules.dice"}),
    ],
)
def test_a_circle_of_imports_is_found(copy, plant, name, text, circle):
    plant(name, text)
    (found,) = violations(copy)
    assert circle <= set(found.partition("in a circle: ")[2].split(", ")), found


@pytest.mark.parametrize(("name", "text"), HARMLESS, ids=[h[0] for h in HARMLESS])
def test_what_is_allowed_is_not_refused(copy, plant, name, text):
    before = violations(copy)
    plant(name, text)
    assert violations(copy) == before
