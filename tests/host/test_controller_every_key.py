"""Every key of the controller and table files: taken away, or with nonsense in it, it is named and nothing crashes."""

import copy
import random
import tomllib

import pytest
from board_edit import BOARDS, dump, keys_of, problems_of, shipped, text_of

# All controllers; of the tables, which have the same keys, one with options and one without.
FILES = [("controllers", name) for name in shipped("controllers")]
FILES += [("tables", "kr-pico-tpic6b595"), ("tables", "nz1-esp32-tpic6b595")]
# Keys that a file may do without, because other hardware has no such part or because there is a default.
OPTIONAL = {("chain", "clear"), ("chain", "lamp_driver"), ("sense",), ("options",), ("options", "brightness_percent")}
OPTIONAL |= {("guard",), ("guard", "door"), ("guard", "write_lock"), ("lamps", "tolerance_percent")}
NONSENSE = ["nonsense", -3, 1e9, True, [], {"nonsense": 1}, ["nonsense"], [[1]]]


def read(kind: str, name: str) -> dict:
    return tomllib.loads(text_of(kind, name))


def change(data: dict, key: tuple[str, ...], value: object) -> dict:
    """A copy with another value at this key, or without the key where the value is None."""
    data = copy.deepcopy(data)
    section = data
    for part in key[:-1]:
        section = section[part]
    if value is None:
        del section[key[-1]]
    else:
        section[key[-1]] = value
    return data


def named(problems, key: tuple[str, ...]) -> bool:
    """Whether a problem names this key, something inside it, or an item of its list."""
    dotted = ".".join(key)
    return any(one.key == dotted or one.key.startswith((dotted + ".", dotted + "[")) for one in problems)


@pytest.mark.parametrize(("kind", "name"), FILES)
def test_the_dump_of_a_shipped_file_is_the_file(kind, name):
    """Else the tests below would test their own writer."""
    assert tomllib.loads(dump(read(kind, name))) == read(kind, name)


@pytest.mark.parametrize(("kind", "name"), FILES)
def test_a_missing_key_is_named(tmp_path, kind, name):
    data = read(kind, name)
    keys = [key for key in keys_of(data) if key not in OPTIONAL and key[0] != "harness" or key == ("harness",)]
    for key in keys:
        problems = problems_of(tmp_path, kind, name, dump(change(data, key, None)))
        assert named(problems, key), (key, [str(one) for one in problems])


@pytest.mark.parametrize(("kind", "name"), FILES)
def test_nonsense_in_any_key_is_named(tmp_path, kind, name):
    data = read(kind, name)
    keys = keys_of(data)
    harness = [key for key in keys if key[0] == "harness"]
    for key in [key for key in keys if key not in harness] + harness[:3]:
        for value in NONSENSE:
            if key == ("title",) and value == "nonsense":
                continue
            problems = problems_of(tmp_path, kind, name, dump(change(data, key, value)))
            assert named(problems, key), (key, value, [str(one) for one in problems])


@pytest.mark.parametrize(("kind", "name"), FILES)
def test_several_nonsense_values_are_all_named(tmp_path, kind, name):
    """Twenty seeded files of each, with three bad keys: the loader never stops at the first."""
    data = read(kind, name)
    dice = random.Random(f"several {name}")
    for _ in range(20):
        keys = dice.sample([key for key in keys_of(data) if len(key) > 1 or not isinstance(data[key[0]], dict)], k=3)
        broken = data
        for key in keys:
            broken = change(broken, key, {"nonsense": 1})
        problems = problems_of(tmp_path, kind, name, dump(broken))
        for key in keys:
            assert named(problems, key), (key, [str(one) for one in problems])


def test_the_folders_hold_nothing_but_toml():
    for kind in ("controllers", "tables"):
        assert {path.suffix for path in (BOARDS / kind).iterdir()} == {".toml"}
