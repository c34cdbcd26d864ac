"""Settings and identity: what is accepted, how their files are told from damaged ones, and that a change is all or
nothing.
"""

import json

from refusals import refused
from small_volume import Volume

from tablecore import document, fields, settings

GOOD = {"serial_number": "TS-000123", "model": "TS-2", "hardware_revision": "B", "manufactured": "29/02/2024"}


def test_brightness_is_a_whole_number_from_10_to_100():
    for value in (10, 11, 99, 100):
        assert settings.check(settings.SETTINGS, {"brightness_percent": value}) == []
    for value in (9, 101, -10, 0, 50.0, "50", True, None, [50], {}, 1 << 70):
        ((name, text),) = settings.check(settings.SETTINGS, {"brightness_percent": value})
        assert name == "brightness_percent" and text == "must be a whole number from 10 to 100"


def test_identity_takes_text_and_dates_that_exist():
    assert settings.check(settings.IDENTITY, GOOD) == []
    assert settings.check(settings.IDENTITY, {name: None for name in GOOD}) == []
    for name, value in (
        ("serial_number", ""), ("serial_number", "x" * 25), ("serial_number", 'a"b'), ("serial_number", "a\\b"),
        ("serial_number", "\n"), ("serial_number", "caf\u00e9"), ("serial_number", 123), ("model", "x" * 25),
        ("hardware_revision", "x" * 17), ("manufactured", "29/02/2100"), ("manufactured", ""),
        ("manufactured", "2024-02-29"), ("manufactured", "29/02/2023"), ("manufactured", "31/04/2024"),
        ("manufactured", "00/01/2024"), ("manufactured", "01/13/2024"), ("manufactured", "01/01/1999"),
        ("manufactured", " 1/01/2024"), ("manufactured", "1/1/2024"),
    ):  # fmt: skip
        ((wrong, text),) = settings.check(settings.IDENTITY, {name: value})
        assert wrong == name and text.startswith("must be ") and text.endswith(" or null"), (name, value)


def test_unknown_names_are_wrong_whatever_they_are():
    for name in ("brightness", "", 1, None, True):
        assert settings.check(settings.SETTINGS, {name: 50}) == [(name, "no such name")]


def test_a_file_comes_back_as_it_was_written():
    for rows, values in ((settings.IDENTITY, GOOD), (settings.SETTINGS, {"brightness_percent": 42})):
        data = settings.dump(values)
        assert settings.load(rows, data) == values
        assert json.loads(data)["values"] == values and json.loads(data)["format"] == 2


def test_any_flipped_bit_and_any_truncation_is_noticed():
    data = settings.dump(GOOD)
    damaged = [data[:length] for length in range(len(data))] + [data + b" ", b"", b"null", b"[]" * 20, b"\xff" * 200]
    for at in range(len(data)):
        for bit in range(8):
            flipped = bytearray(data)
            flipped[at] ^= 1 << bit
            damaged.append(bytes(flipped))
    for each in damaged:
        try:
            settings.load(settings.IDENTITY, each)
        except ValueError:
            continue
        raise AssertionError(each)


def _sealed(text):
    from tablecore import framing

    rest = text.encode()
    return b'{"crc":"' + framing.crc(rest).encode() + b'",' + rest


def test_a_file_of_a_later_version_loses_only_what_is_not_known():
    data = _sealed('"format":2,"values":{"brightness_percent":70,"colour":"red"}}')
    assert settings.load(settings.SETTINGS, data) == {"brightness_percent": 70}


def test_a_good_seal_over_wrong_content_is_refused():
    for text in (
        '"format":3,"values":{}}', '"format":0,"values":{}}', '"format":true,"values":{}}', '"format":"1","values":{}}',
        '"values":{}}', '"format":1}', '"format":1,"values":[]}', '"format":2,"values":[]}',
        '"format":1,"values":{"brightness_percent":5}}', '"format":2,"values":{"brightness_percent":5}}', "",
    ):  # fmt: skip
        try:
            settings.load(settings.SETTINGS, _sealed(text))
        except ValueError:
            continue
        raise AssertionError(text)


def test_the_files_of_an_earlier_format_are_taken_over():
    # As version 0.1.0 wrote them; also in tests/golden/data-format-1.
    data = b'{"crc":"ec966e4f","format":1,"values":{"brightness_percent":40}}'
    rows = settings.SETTINGS
    try:
        settings.SETTINGS = (rows[0], settings.Row("opening_test", "flag", None, None, True, ""))
        assert settings.load(settings.SETTINGS, data) == {"brightness_percent": 40, "opening_test": False}
    finally:
        settings.SETTINGS = rows
    data = (
        b'{"crc":"4fc1c760","format":1,"values":{"manufactured":"29/02/2024","serial_number":"TS-000123",'
        b'"model":"TS-2","hardware_revision":"B"}}'
    )
    assert settings.load(settings.IDENTITY, data) == GOOD


def test_there_is_a_way_from_every_format_to_this_one():
    assert sorted(settings._MIGRATIONS) == list(range(1, settings.FORMAT))


def _document(volume, applied=None):
    return document.Document(settings.SETTINGS, "/data/s", volume, {"brightness_percent": 80}, applied)


def test_what_was_never_set_is_as_delivered_and_is_carried_out():
    seen = []
    unit = _document(Volume(), lambda values: seen.append(values["brightness_percent"]))
    assert unit.values == {"brightness_percent": 80} and not unit.damaged and seen == [80]
    unit.change({"brightness_percent": 50})
    assert seen == [80, 50]


def test_a_change_is_there_after_a_restart():
    volume = Volume()
    _document(volume).change({"brightness_percent": 33})
    assert _document(volume).values == {"brightness_percent": 33}


def test_a_bad_value_and_a_full_volume_change_nothing():
    seen = []
    volume = Volume()
    unit = _document(volume, lambda values: seen.append(values["brightness_percent"]))
    for changes in ({"brightness_percent": 5}, {"brightness_percent": 50, "colour": 1}, {None: 1}, {"x" * 400: 1}):
        code, text = refused(unit.change, changes)
        assert code == "field" and len(text) < 100
    assert "10 to 100" in refused(unit.change, {"brightness_percent": 5})[1]
    volume.full = True
    code, text = refused(unit.change, {"brightness_percent": 50})
    assert code == "failed" and "28" in text
    assert volume.files == {} and unit.values == {"brightness_percent": 80} and seen == [80]


def test_the_same_value_again_wears_no_flash():
    volume = Volume()
    unit = _document(volume)
    unit.change({"brightness_percent": 50})
    unit.change({"brightness_percent": 50})
    assert volume.writes == 1


def test_a_damaged_file_gives_the_delivered_values_until_it_is_written_again():
    volume = Volume({"/data/s": b"noise"})
    unit = _document(volume)
    assert unit.damaged and unit.values == {"brightness_percent": 80}
    unit.change({"brightness_percent": 80})
    assert not unit.damaged and volume.writes == 1
    assert not _document(volume).damaged


def test_words_name_the_range():
    assert fields.words("text", 1, 32).startswith("must be 1 to 32 characters")
    assert fields.words("hex", 64, 64) == "must be 64 digits of 0 to 9 and a to f"
    assert fields.words("flag", None, None) == "must be true or false"


def test_kinds_do_not_mix():
    values = {"integer": 1, "flag": True, "text": "a", "hex": "0a", "date": "01/02/2024", "list": [], "object": {}}
    fits = {("hex", "text"), ("date", "text"), ("text", "hex")}  # (value of, given as): "a" is a hex digit too
    for kind in values:
        for other in values:
            good = fields.problem(kind, None, None, values[other]) is None
            assert good == (kind == other or (other, kind) in fits), (kind, other)
        assert fields.problem(kind, None, None, None) and not fields.problem(kind + "?", None, None, None)
