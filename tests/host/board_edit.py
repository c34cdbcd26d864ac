"""Edited copies of the shipped controller and table files, for tests that need a wrong one."""

import json
from pathlib import Path

import pytest
from layout_edit import replace_once

from taisai.boards.controller import load_controller
from taisai.boards.table import load_table
from taisai.errors import DataErrors, Problem

BOARDS = Path(__file__).resolve().parents[2] / "boards"
LOADERS = {"controllers": load_controller, "tables": load_table}


def shipped(kind: str) -> list[str]:
    """Ids of the files in boards/controllers or boards/tables, from the folder itself."""
    return sorted(path.stem for path in (BOARDS / kind).glob("*.toml"))


def text_of(kind: str, name: str) -> str:
    """The shipped file as text."""
    return (BOARDS / kind / f"{name}.toml").read_text(encoding="utf-8")


def edited(kind: str, name: str, *edits: tuple[str, str]) -> str:
    """The shipped file with each (old, new) applied; every old text must stand exactly once."""
    text = text_of(kind, name)
    for old, new in edits:
        text = replace_once(text, old, new)
    return text


def problems_of(folder: Path, kind: str, name: str, text: str) -> list[Problem]:
    """What the loader says about this text; it must refuse it, and name this file in every problem."""
    path = folder / f"{name}.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataErrors) as caught:
        LOADERS[kind](path)
    problems = caught.value.problems
    assert problems, "refused without a reason"
    assert {problem.file for problem in problems} == {str(path)}
    for problem in problems:
        assert str(problem) in str(caught.value)
    return problems


def dump(data: dict, section: str = "") -> str:
    """The data of a board file as TOML: JSON's scalars and lists are TOML's, only tables are written differently."""
    plain = {key: value for key, value in data.items() if not isinstance(value, dict)}
    tables = {key: value for key, value in data.items() if isinstance(value, dict)}
    head = f"[{section}]\n" if section else ""
    lines = "".join(f"{key} = {json.dumps(value)}\n" for key, value in plain.items())
    return head + lines + "".join(dump(value, f"{section}.{key}".lstrip(".")) for key, value in tables.items())


def keys_of(data: dict, above: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """The path of every key of a board file, sections too."""
    found = []
    for key, value in data.items():
        found.append((*above, key))
        if isinstance(value, dict):
            found += keys_of(value, (*above, key))
    return found
