"""The command reference in host/README.md is that of the verbs, and going stale is noticed."""

from pathlib import Path

import pytest

from taisai.cli.reference import replace_in

README = Path(__file__).resolve().parents[2] / "host" / "README.md"


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
