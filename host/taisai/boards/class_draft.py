"""What is sound in a [[class]] of a layout that is not: so that one run also finds what its sound values do wrong."""

from pydantic import RootModel, TypeAdapter, ValidationError

from taisai.boards.layout_classes import AnyClass, ZoneClass
from taisai.boards.tomlfile import check, frozen

_CLASS = TypeAdapter(AnyClass)

_TEXTS = ("name", "clause", "note", "zero_edge_note")
_UNREADABLE = "unreadable"
# Where each item is a zone of its own, so that the others stand without it. The totals of a group make one zone.
_ITEMS = ("numbers", "totals", "combinations")
_ONE_ZONE = "total-group"


class _OneClass(RootModel[AnyClass]):
    """A single [[class]]."""


def class_draft(stated: object, path: str) -> tuple[ZoneClass | None, bool]:
    """The class without what is wrong in it, and whether all its zones are there; None where too little is left.

    Texts are replaced, odds become "absent", unknown keys and bad zones are left out.
    """
    if not isinstance(stated, dict):
        return None, False
    mended, complete = _mended(stated)
    part = None if mended is None else check(_OneClass, mended, path)[0]
    return (None, False) if part is None else (part.root, complete)


def _mended(stated: dict) -> tuple[dict | None, bool]:
    mended = dict(stated)
    left_out: dict[str, set[int]] = {}
    for error in _errors(stated):
        _, *place = error["loc"]  # behind the name of the kind
        key = place[0] if place else None
        if len(place) == 1 and error["type"] == "extra_forbidden":
            del mended[key]
        elif key in _TEXTS:
            mended[key] = _UNREADABLE
        elif key == "odds":
            mended["odds"] = "absent"
            mended.pop("zero_edge_note", None)
        elif key in _ITEMS and stated["kind"] != _ONE_ZONE and len(place) > 1:
            left_out.setdefault(key, set()).add(place[1])
        else:
            return None, False
    for key, places in left_out.items():
        mended[key] = [item for place, item in enumerate(stated[key]) if place not in places]
    return mended, not left_out


def _errors(stated: dict) -> list[dict]:
    try:
        _CLASS.validate_python(frozen(stated))
    except ValidationError as error:
        if any(not item["loc"] for item in error.errors()):  # no kind, or an unknown one
            return [{"loc": (None,), "type": ""}]
        return error.errors(include_url=False)
    return []
