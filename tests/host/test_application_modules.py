"""Which modules go to a board, and how those that have done their work are dropped there."""

import importlib
import sys
from types import ModuleType

import pytest

from taisai.build.application import modules
from taisai.paths import firmware_dir


def test_what_the_first_module_imports_is_deployed_and_nothing_else(tmp_path):
    files = {
        "wiring.py": "import gc\nfrom tablecore import a\nfrom tablehw.x import Y\n",
        "tablecore/__init__.py": "",
        "tablecore/a.py": "def f():\n    from tablecore.b import g\n",
        "tablecore/b.py": "import tablecore.c as d\n",
        "tablecore/c.py": "",
        "tablecore/words.py": "from tablecore import a\n",
        "tablehw/__init__.py": "",
        "tablehw/x.py": "from machine import Pin\nfrom tablecore.a import f\n",
        "tablehw/y.py": "",
    }
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    wanted = ["tablecore/__init__.py", "tablecore/a.py", "tablecore/b.py", "tablecore/c.py"]
    assert modules(tmp_path) == [*wanted, "tablehw/__init__.py", "tablehw/x.py", "wiring.py"]


def test_a_board_has_every_driver_and_none_of_the_words():
    deployed = modules(firmware_dir())
    assert {"tablehw/display_hc595.py", "tablehw/display_tm1637.py", "tablehw/display_max7219.py"} <= set(deployed)
    for name in ("replies", "faulttexts", "tablepack", "manifest"):
        assert (firmware_dir() / "tablecore" / f"{name}.py").exists() and f"tablecore/{name}.py" not in deployed


@pytest.fixture
def loaded(monkeypatch):
    """The board's modules.py, and a package `tablecore` of two modules."""
    monkeypatch.delitem(sys.modules, "tablecore.modules", raising=False)
    on_board = importlib.import_module("tablecore.modules")
    package = ModuleType("tablecore")
    monkeypatch.setitem(sys.modules, "tablecore", package)
    for name in ("used", "done"):
        module = ModuleType(f"tablecore.{name}")
        monkeypatch.setitem(sys.modules, f"tablecore.{name}", module)
        setattr(package, name, module)
    return on_board, package


def _chained(on_board):
    rest, found = on_board._chain, []
    while rest:
        rest, module = rest
        found.append(module)
    return found


def test_a_module_that_is_forgotten_is_nowhere_any_more(loaded):
    on_board, package = loaded
    done = package.done
    on_board.arrange()
    assert done in _chained(on_board)
    on_board.forget("tablecore.done", "tablecore.never loaded", "never loaded")
    assert "tablecore.done" not in sys.modules and not hasattr(package, "done")
    assert done not in _chained(on_board) and package.used in _chained(on_board)


def test_the_module_that_lies_highest_comes_first(loaded):
    on_board, _ = loaded
    on_board.arrange()
    places = [id(module) for module in _chained(on_board)]
    assert len(places) > 2 and places == sorted(places, reverse=True)
