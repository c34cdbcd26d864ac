"""What every test may use: the console script as a person runs it, and the size of the long campaigns."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

# They are for this run, which has read them, and not for those that acceptance starts inside of it.
os.environ.pop("PYTEST_ADDOPTS", None)

# Longest run of one command in a test, in seconds: a hang is a failure and not the end of the whole run.
COMMAND_TIMEOUT_S = 120


@pytest.fixture(scope="session")
def console_script() -> Path:
    """`taisai` of the environment that runs the tests; the one on the PATH may be another."""
    return Path(sys.executable).with_name("taisai")


@pytest.fixture(scope="session")
def taisai(console_script):
    """Run the console script without a terminal; returns the CompletedProcess with text output."""

    def run(*arguments: str, **options) -> subprocess.CompletedProcess:
        options.setdefault("timeout", COMMAND_TIMEOUT_S)
        options.setdefault("stdin", subprocess.DEVNULL)
        return subprocess.run([console_script, *arguments], capture_output=True, text=True, **options)

    return run


@pytest.fixture(scope="session")
def campaign():
    """Size of a long campaign: the whole number under `make soak`, a tenth of it in the ordinary run."""

    def size(whole: int) -> int:
        return whole if os.environ.get("TAISAI_SOAK") else max(1, whole // 10)

    return size
