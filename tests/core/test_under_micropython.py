"""The tests of this folder once more, in the interpreter that runs on the board."""

import ast
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def interpreter() -> str:
    beside = Path(sys.executable).with_name("micropython")
    found = str(beside) if beside.exists() else shutil.which("micropython")
    assert found, "no micropython beside the Python interpreter or on PATH: make install"
    return found


def functions_here() -> int:
    """How many test functions pytest collects from the other files here."""
    count = 0
    for path in HERE.glob("test_*.py"):
        if path.name != Path(__file__).name:
            tree = ast.parse(path.read_text(encoding="utf-8"))
            count += sum(isinstance(node, ast.FunctionDef) and node.name.startswith("test_") for node in tree.body)
    return count


def test_the_same_tests_pass_under_micropython():
    command = [interpreter(), str(HERE / "run_micropython.py")]
    run = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, run.stdout + run.stderr
    passed = int(re.search(r"(\d+) passed, 0 failed", run.stdout).group(1))
    assert passed >= functions_here() > 0
