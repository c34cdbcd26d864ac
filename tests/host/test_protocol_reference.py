"""firmware/PROTOCOL.md is that of the protocol's tables, and going stale is noticed."""

from pathlib import Path

from tablecore import protocol, settings
from taisai.client.reference import reference

PAGE = Path(__file__).resolve().parents[2] / "firmware" / "PROTOCOL.md"


def test_the_page_is_fresh():
    assert PAGE.read_text(encoding="utf-8") == reference(), "run: make docs"


def test_every_verb_event_error_and_setting_is_on_it():
    page = reference()
    for row in (*protocol.VERBS, *protocol.EVENTS):
        assert f"### `{row.name}`" in page
    for code, text in protocol.ERRORS:
        assert f"| `{code}` | {text} |" in page
    for row in (*settings.SETTINGS, *settings.IDENTITY):
        assert f"| `{row.name}` |" in page


def test_a_changed_verb_makes_the_page_stale(monkeypatch):
    before = reference()
    changed = protocol.VERBS[0]._replace(text="something else")
    monkeypatch.setattr(protocol, "VERBS", (changed, *protocol.VERBS[1:]))
    assert reference() != before
