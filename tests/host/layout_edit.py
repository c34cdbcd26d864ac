"""Edited copies of the shipped layout files, for tests that need a wrong one."""

import re
from pathlib import Path

LAYOUTS = Path(__file__).resolve().parents[2] / "boards" / "layouts"


def text_of(layout_id: str) -> str:
    """The shipped file as text."""
    return (LAYOUTS / f"{layout_id}.toml").read_text(encoding="utf-8")


def replace_once(text: str, old: str, new: str) -> str:
    """Replace the one place where `old` stands; a mutation that would change nothing or too much is a test error."""
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times, not once"
    return text.replace(old, new)


def edit_class(text: str, name: str, old: str, new: str) -> str:
    """Replace `old`, which must stand once, inside the [[class]] of this name."""
    blocks = re.split(r"(?=^\[\[class\]\]$)", text, flags=re.MULTILINE)
    places = [number for number, block in enumerate(blocks) if f'\nname = "{name}"\n' in block]
    assert len(places) == 1, f"{len(places)} classes are named {name!r}"
    blocks[places[0]] = replace_once(blocks[places[0]], old, new)
    return "".join(blocks)


def save(folder: Path, layout_id: str, text: str) -> Path:
    """Write the edited text under the name of the layout, as the loader wants it, and return its path."""
    path = folder / f"{layout_id}.toml"
    path.write_text(text, encoding="utf-8")
    return path
