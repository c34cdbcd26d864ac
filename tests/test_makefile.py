"""The Makefile: its help is complete, and a missing tool is named with the command that installs it."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def make(tmp_path):
    """Run make on a copy of the Makefile in an empty folder."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    (tmp_path / "pyproject.toml").touch()

    def make(*arguments: str) -> subprocess.CompletedProcess:
        return subprocess.run(["make", "-C", tmp_path, *arguments], capture_output=True, text=True, timeout=60)

    return make


def test_help_lists_every_target(make):
    phony = re.search(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE).group(1).split()
    listed = re.findall(r"^  make (\S+) +\S", make("help").stdout, re.MULTILINE)
    assert sorted(listed) == sorted(phony)


def test_an_old_or_missing_python_is_named(make, tmp_path):
    done = make("install", "PYTHON=/bin/false")
    assert done.returncode == 2
    assert re.search(r"Python 3\.11 or newer is missing; install it with: \S+", done.stderr)
    assert not (tmp_path / ".venv").exists()


def test_a_missing_venv_module_is_named(make, tmp_path):
    """As on Debian, where python3-venv is a package of its own."""
    python = tmp_path / "python3"
    python.write_text('#!/bin/sh\ncase "$2" in *ensurepip*) exit 1;; esac\n')
    python.chmod(0o755)
    done = make("install", f"PYTHON={python}")
    assert done.returncode == 2
    assert re.search(r"lacks the venv module; install it with: \S+", done.stderr)
    assert not (tmp_path / ".venv").exists()
