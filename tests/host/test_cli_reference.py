"""The command reference in host/README.md is that of the verbs, and going stale is noticed."""

import re
from pathlib import Path

import pytest

from taisai.cli import VERBS
from taisai.cli.reference import replace_in

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "host" / "README.md"


def test_the_reference_is_fresh():
    text = README.read_text(encoding="utf-8")
    assert replace_in(text) == text, "run: make docs"


def test_a_stale_reference_is_noticed():
    text = README.read_text(encoding="utf-8")
    stale = text.replace("--layout LAYOUT", "--cloth LAYOUT")
    assert stale != text
    assert replace_in(stale) == text


def test_a_readme_without_its_place_is_an_error():
    with pytest.raises(ValueError, match="no place"):
        replace_in("# Nothing here\n")


def test_the_front_page_has_every_verb():
    listed = re.findall(r"^\| `taisai ([a-z]+)", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert set(listed) == set(VERBS)
