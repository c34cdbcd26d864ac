"""Read a TOML data file and check it against a pydantic model, with errors a technician can act on.

Every problem names the file, the dotted key and the value found. Entries of a list are counted from 1, as a person
counts them in the file: `class[3].odds` is the key `odds` of the third `[[class]]`.
"""

import re
import tomllib
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from taisai.errors import DataErrors, Problem

ModelT = TypeVar("ModelT", bound=BaseModel)

WHOLE_FILE = "(file)"

_DEEPEST = 20
_TOO_DEEP = "is nested too deeply to be a data file"
_TOO_LONG = "holds a number that is too long"

_POSITION = re.compile(r"^(?P<what>.*) \(at line (?P<line>\d+), column (?P<column>\d+)\)$", re.DOTALL)

# pydantic's words for what goes wrong most often, said for somebody who edits the file and does not know pydantic.
_PLAIN_TEXT = {
    "extra_forbidden": "unknown key: correct its spelling or remove it",
    "missing": "missing key: add it",
    "union_tag_not_found": "missing key: add it",
    "model_type": "must be a table of keys",
    "model_attributes_type": "must be a table of keys",
    "tuple_type": "must be a list",
}


class _Absent:
    """Stands for the value of a key that is not in the file, where TOML itself has no word for it."""

    def __repr__(self) -> str:
        return "(absent)"


ABSENT = _Absent()


def is_file(id_or_path: Path | str) -> bool:
    """Whether a layout, controller or table is named by its file, which ends in .toml, and not by its id."""
    return Path(id_or_path).suffix.lower() == ".toml"


def read_toml(path: Path | str) -> dict:
    """Return the content of a TOML file; a file that cannot be read or parsed raises DataErrors with its position."""
    path = Path(path)
    try:
        # Some editors put a byte order mark in front, which TOML does not know.
        text = path.read_bytes().decode("utf-8").removeprefix("\ufeff")
    except OSError as error:
        reason = f"cannot be read ({error.strerror}): check the path"
        raise DataErrors([Problem(str(path), WHOLE_FILE, ABSENT, reason)]) from error
    except UnicodeDecodeError as error:
        reason = f"is not UTF-8 text (byte {error.start + 1}): save it as UTF-8"
        raise DataErrors([Problem(str(path), WHOLE_FILE, error.object[error.start], reason)]) from error
    except ValueError as error:  # a zero byte
        raise DataErrors([Problem(str(path), WHOLE_FILE, ABSENT, "is no path that can be")]) from error
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DataErrors([_parse_problem(path, text, str(error))]) from error
    except RecursionError as error:
        raise DataErrors([Problem(str(path), WHOLE_FILE, ABSENT, _TOO_DEEP)]) from error
    except ValueError as error:  # int() takes 4,300 digits at most
        raise DataErrors([Problem(str(path), WHOLE_FILE, ABSENT, _TOO_LONG)]) from error
    if reason := _excess(data):
        raise DataErrors([Problem(str(path), WHOLE_FILE, ABSENT, reason)])
    return data


def _excess(data: dict) -> str | None:
    """What no data file needs, and would overwhelm the checks: depth, and numbers beyond the 64 bits of TOML."""
    level: list[object] = [data]
    for _ in range(_DEEPEST):
        if any(type(value) is int and not -(1 << 63) <= value < 1 << 63 for value in level):
            return _TOO_LONG
        inside = [value for value in level if isinstance(value, (dict, list))]
        level = [item for value in inside for item in (value.values() if isinstance(value, dict) else value)]
        if not level:
            return None
    return _TOO_DEEP


def check(model: type[ModelT], data: object, path: Path | str) -> tuple[ModelT | None, list[Problem]]:
    """`data` as an instance of `model` and no problems, or None and every problem pydantic found.

    Nothing is raised, because a loader goes on and looks for what else is wrong with the file. Lists become tuples
    first, so that strict frozen models can hold them in `tuple` fields.
    """
    try:
        return model.model_validate(frozen(data)), []
    except ValidationError as error:
        return None, _problems(error, data, str(path))


def frozen(value: object) -> object:
    """The value with tuples for its lists."""
    if isinstance(value, dict):
        return {key: frozen(item) for key, item in value.items()}
    if isinstance(value, list):
        return tuple(frozen(item) for item in value)
    return value


def _parse_problem(path: Path, text: str, message: str) -> Problem:
    """A syntax error as a Problem: the key is the one written on the line at fault, the value the whole line."""
    match = _POSITION.match(message)
    lines = text.splitlines()
    if match is None or int(match["line"]) > len(lines):
        last = lines[-1].strip() if lines else ""
        return Problem(str(path), _key_on(last), last, f"not valid TOML: {message}: is the file complete?")
    line = lines[int(match["line"]) - 1].strip()
    what = match["what"]
    if what.startswith(("Cannot overwrite", "Cannot declare", "Duplicate", "Cannot mutate", "Cannot redefine")):
        what += "; the key is stated twice, keep one"
    return Problem(
        str(path), _key_on(line), line, f"not valid TOML: line {match['line']}, column {match['column']}: {what}"
    )


def _key_on(line: str) -> str:
    """The key or table name written on a line of TOML, or the place-holder for the whole file where there is none."""
    if line.startswith("["):
        return line.strip("[] ") or WHOLE_FILE
    return line.partition("=")[0].strip() or WHOLE_FILE


def _problems(error: ValidationError, data: object, file: str) -> list[Problem]:
    """One Problem per key: what pydantic reports once per alternative of a type is joined with 'or'."""
    found: dict[str, tuple[object, list[str]]] = {}
    for item in error.errors(include_url=False):
        key, value = _locate(item, data)
        text = _plain_text(item)
        found.setdefault(key, (value, []))[1].append(text)
    return [Problem(file, key, value, ", or: ".join(dict.fromkeys(texts))) for key, (value, texts) in found.items()]


def _plain_text(item: dict) -> str:
    if item["type"] == "union_tag_invalid":
        return f"must be one of {item['ctx']['expected_tags']}"
    return _PLAIN_TEXT.get(item["type"], item["msg"].removeprefix("Value error, "))


def _locate(item: dict, data: object) -> tuple[str, object]:
    """Dotted key and value of one pydantic error.

    pydantic puts the names of union alternatives into its locations; whatever cannot be found in the data is left out.
    """
    key, node = "", data
    path = item["loc"]
    if item["type"].startswith("union_tag_"):
        path += (item["ctx"]["discriminator"].strip("'"),)
    missing = item["type"] in ("missing", "union_tag_not_found")
    last = len(path) - 1
    for position, part in enumerate(path):
        if isinstance(node, dict) and part in node:
            key, node = f"{key}.{part}", node[part]
        elif isinstance(node, list) and isinstance(part, int) and part < len(node):
            key, node = f"{key}[{part + 1}]", node[part]
        elif missing and position == last:
            key, node = f"{key}[{part + 1}]" if isinstance(part, int) else f"{key}.{part}", ABSENT
    return key.lstrip(".") or WHOLE_FILE, node
