"""firmware/PROTOCOL.md and the board's digest are those of the protocol's tables, and going stale is noticed."""

from pathlib import Path

from tablecore import digest, protocol, replies, settings
from taisai.client.reference import digest_module, reference

FIRMWARE = Path(__file__).resolve().parents[2] / "firmware"
PAGE = FIRMWARE / "PROTOCOL.md"


def test_the_page_and_the_digest_are_fresh():
    assert PAGE.read_text(encoding="utf-8") == reference(), "run: make docs"
    assert (FIRMWARE / "tablecore/digest.py").read_text(encoding="utf-8") == digest_module(), "run: make docs"
    assert digest.PROTOCOL == replies.digest()


def test_every_verb_event_error_and_setting_is_on_it():
    page = reference()
    for row in (*protocol.VERBS, *replies.EVENTS):
        assert f"### `{row.name}`" in page
    for code, text in protocol.ERRORS:
        assert f"| `{code}` | {text} |" in page
    for row in (*settings.SETTINGS, *settings.IDENTITY):
        assert f"| `{row.name}` |" in page


def test_a_changed_verb_makes_the_page_stale(monkeypatch):
    before = reference()
    changed = replies.REPLIES[0]._replace(text="something else")
    monkeypatch.setattr(replies, "REPLIES", (changed, *replies.REPLIES[1:]))
    assert reference() != before


def test_a_changed_field_makes_the_digest_stale(monkeypatch):
    before = digest_module()
    changed = replies.REPLIES[0]._replace(fields=replies.REPLIES[0].fields[1:])
    monkeypatch.setattr(replies, "REPLIES", (changed, *replies.REPLIES[1:]))
    assert digest_module() != before
