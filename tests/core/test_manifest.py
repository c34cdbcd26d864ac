"""The manifest's format, every way it can be damaged, and what it finds on a board."""

import json

from tablecore import manifest

DIGEST = "0123456789abcdef" * 4
OTHER = "f" * 64
GOOD = {"size": 1, "sha256": DIGEST}


def sample():
    return {
        "format": 1,
        "version": "0.1.0",
        "table": "nz1-pico-hc595",
        "layout": "nz-div9-appendix1",
        "mcu": "rp2040",
        "mpy": 6,
        "table_digest": DIGEST,
        "layout_digest": DIGEST,
        "main": {"size": 10, "sha256": DIGEST},
        "files": {
            "wiring.mpy": {"size": 3, "sha256": DIGEST},
            "tablecore/app.mpy": {"size": 0, "sha256": OTHER},
            "table.bin": {"size": 1588, "sha256": DIGEST},
        },
    }


def found():
    """The files of `sample` as a board would report them."""
    files = {path: (entry["size"], entry["sha256"]) for path, entry in sample()["files"].items()}
    files["manifest.json"] = (1, OTHER)
    files["manifest.sig"] = (1, OTHER)
    return files


def raw(content):
    return json.dumps(content).encode()


def reason(data):
    """Text of the ValueError that parsing raises; the test fails when it raises none."""
    try:
        manifest.parse(data)
    except ValueError as error:
        return str(error)
    raise AssertionError("no ValueError for " + repr(data))


def changed(key, value):
    content = sample()
    content[key] = value
    return raw(content)


def with_file(path, entry):
    content = sample()
    content["files"][path] = entry
    return raw(content)


def test_a_good_one_is_taken():
    assert manifest.parse(raw(sample())) == sample()


def test_what_is_no_manifest_is_refused():
    for data in (b"", b"{", b"\xff\xfe", b"nonsense", b"{'a': 1}", raw(sample())[:-1], b"[" * 5000):
        assert "not JSON" in reason(data)
    for data in (b"[]", b"7", b'"x"', b"null"):
        assert "not an object" in reason(data)
    assert "more than" in reason(b" " * 24577)


def test_every_key_is_needed_and_no_other_is_known():
    for key in sample():
        content = sample()
        del content[key]
        reason(raw(content))
    assert "unknown key signed" in reason(changed("signed", True))


def test_wrong_values_are_refused():
    for value in (0, 2, "1", 1.0, True, None):
        assert "format" in reason(changed("format", value))
    for value in (0, 256, -6, "6", 6.0, True, None):
        assert "mpy" in reason(changed("mpy", value))
    for key in ("version", "table", "layout", "mcu"):
        for value in ("", "two words", "tab\t", "x" * 65, "\u00e4", 7, None, ["a"]):
            assert "no text for " + key in reason(changed(key, value))
    for key in ("table_digest", "layout_digest"):
        for value in ("", DIGEST[:-1], DIGEST + "0", DIGEST[:-1] + "G", DIGEST.upper(), 7, None):
            assert "no SHA-256 for " + key in reason(changed(key, value))


def test_wrong_entries_are_refused():
    good = dict(GOOD)
    wrong = [None, [], "x", {}, {"size": 1}, {"sha256": DIGEST}, dict(good, extra=1)]
    wrong += [dict(good, size=value) for value in (-1, 1.5, "1", True, None)]
    wrong += [dict(good, sha256=value) for value in ("", OTHER[1:], 5, None)]
    for entry in wrong:
        assert "lib.mpy" in reason(with_file("lib.mpy", entry))
        assert "main.py" in reason(changed("main", entry))
    for value in (None, [], {}, "x"):
        assert "files must name" in reason(changed("files", value))
    many = {"f" + str(number): good for number in range(121)}
    assert "1 to 120" in reason(changed("files", many))


def test_a_path_cannot_leave_the_folder_or_hide():
    outside = ("", "/etc/x", "../x", "a/../b", "a//b", "a/", "./a", "a/.b", ".hidden")
    strange = ("a\\b", "c:x", "a b", "\u00e4", "x" * 65)
    for path in outside + strange:
        assert "not a path" in reason(with_file(path, GOOD))
    for path in ("manifest.json", "manifest.sig"):
        assert "not a path" in reason(with_file(path, GOOD))
    for path in ("a/b/c/d.mpy", "A-1_b.py", "x" * 64):
        manifest.parse(with_file(path, GOOD))


def test_a_file_cannot_be_a_folder_too():
    assert "at once: tablecore" in reason(with_file("tablecore", GOOD))
    assert "at once: table.bin" in reason(with_file("table.bin/a/b", GOOD))


def test_equal_files_have_no_differences():
    assert manifest.differences(sample(), found(), (10, DIGEST)) == []


def test_each_difference_is_named():
    files = found()
    del files["wiring.mpy"]
    files["table.bin"] = (1588, OTHER)
    files["tablecore/app.mpy"] = (1, OTHER)
    files["tablecore/spy.mpy"] = (5, DIGEST)
    assert manifest.differences(sample(), files, (10, OTHER)) == [
        ("/main.py", manifest.ALTERED),
        ("table.bin", manifest.ALTERED),
        ("tablecore/app.mpy", manifest.SIZE),
        ("tablecore/spy.mpy", manifest.EXTRA),
        ("wiring.mpy", manifest.MISSING),
    ]
    assert manifest.differences(sample(), found(), None) == [("/main.py", manifest.MISSING)]


def test_names_in_another_folder_are_not_excused():
    files = found()
    files["tablecore/manifest.json"] = (1, OTHER)
    assert manifest.differences(sample(), files, (10, DIGEST)) == [("tablecore/manifest.json", manifest.EXTRA)]
