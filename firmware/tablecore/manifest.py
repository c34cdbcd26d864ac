"""The manifest: which files make up one version of the application, with the size and SHA-256 of each.

The PC writes manifest.json, signs it and checks a bundle with it; the board keeps it in the folder of its version and
checks the files there with it, by manifestlines.py, which needs less memory than this module.

One JSON object in ASCII with exactly these keys:

    format         1
    version        version of the product, for example "0.1.0"
    table, layout  ids of the table and of its layout
    mcu            the chip that the table's wiring is for: "rp2040" or "esp32"
    mpy            version of the .mpy files: what sys.implementation._mpy & 0xff must be
    table_digest   digest of table.bin, as its header carries it
    layout_digest  SHA-256 of the layout: zones, odds, texts
    main           {"size": bytes, "sha256": hex} of /main.py
    files          the same for every file in the folder of the application, by its path in there

The manifest and its signature lie in that folder too and are not listed.
"""

import json

from tablecore.manifestlines import ALTERED, EXTRA, FORMAT, MAIN, MISSING, NAME, SIGNATURE, SIZE

# The PC makes and takes no more than this, since a board reads through all of it at every start. Now: 10 KB, 75 files.
MAX_BYTES = 24576
MAX_FILES = 120
MAX_PATH = 64

_TEXTS = ("version", "table", "layout", "mcu")
_DIGESTS = ("table_digest", "layout_digest")
_KEYS = ("format", "mpy", "main", "files") + _TEXTS + _DIGESTS
_HEX = "0123456789abcdef"
_PATH_MARKS = "._-/"


def parse(raw):
    """The manifest as a dict, from the bytes of the file; ValueError with a plain reason when it is not one."""
    if len(raw) > MAX_BYTES:
        raise ValueError("manifest has " + str(len(raw)) + " bytes, more than " + str(MAX_BYTES))
    try:
        manifest = json.loads(raw)
    except (ValueError, RuntimeError):  # RuntimeError: nested too deep
        raise ValueError("manifest is not JSON") from None
    if type(manifest) is not dict:
        raise ValueError("manifest is not an object")
    if type(manifest.get("format")) is not int or manifest["format"] != FORMAT:
        raise ValueError("manifest has another format than " + str(FORMAT))
    for key in manifest:
        if key not in _KEYS:
            raise ValueError("manifest: unknown key " + key)
    for key in _TEXTS:
        if not _is_text(manifest.get(key)):
            raise ValueError("manifest: no text for " + key)
    for key in _DIGESTS:
        if not _is_digest(manifest.get(key)):
            raise ValueError("manifest: no SHA-256 for " + key)
    if type(manifest.get("mpy")) is not int or not 1 <= manifest["mpy"] <= 255:
        raise ValueError("manifest: mpy must be 1 to 255")
    _check_entry(MAIN, manifest.get("main"))
    _check_files(manifest.get("files"))
    return manifest


def differences(manifest, files, main):
    """What on the board is not as a parsed manifest says: (path, MISSING, EXTRA, SIZE or ALTERED), sorted by path.

    files: path in the folder of the application to (size, SHA-256 in hex), for everything found there; main: the same
    two of /main.py, or None when there is none. Equal means an empty list.
    """
    found = [(path, EXTRA) for path in files if path not in manifest["files"] and path not in (NAME, SIGNATURE)]
    for path in manifest["files"]:
        reason = _difference(manifest["files"][path], files.get(path))
        if reason:
            found.append((path, reason))
    reason = _difference(manifest["main"], main)
    if reason:
        found.append(("/" + MAIN, reason))
    found.sort()
    return found


def _difference(entry, found):
    if found is None:
        return MISSING
    if found[0] != entry["size"]:
        return SIZE
    return None if found[1] == entry["sha256"] else ALTERED


def _check_files(files):
    if type(files) is not dict or not 1 <= len(files) <= MAX_FILES:
        raise ValueError("manifest: files must name 1 to " + str(MAX_FILES) + " files")
    for path in files:
        if not _is_path(path) or path in (NAME, SIGNATURE):
            raise ValueError("manifest: not a path of a file of the application: " + path)
        _check_entry(path, files[path])
        end = path.find("/")
        while end >= 0:
            if path[:end] in files:
                raise ValueError("manifest: a file and a folder at once: " + path[:end])
            end = path.find("/", end + 1)


def _check_entry(path, entry):
    if type(entry) is not dict or len(entry) != 2 or not _is_digest(entry.get("sha256")):
        raise ValueError("manifest: no size and SHA-256 for " + path)
    if type(entry.get("size")) is not int or entry["size"] < 0:
        raise ValueError("manifest: no size for " + path)


def _is_text(value):
    """1 to 64 printable ASCII characters without blanks."""
    return type(value) is str and 1 <= len(value) <= 64 and all(0x21 <= ord(character) <= 0x7E for character in value)


def _is_digest(value):
    return type(value) is str and len(value) == 64 and all(character in _HEX for character in value)


def _is_path(path):
    """A relative path without tricks: letters, digits, . _ - and /, no empty part, no part that begins with a dot."""
    if not 1 <= len(path) <= MAX_PATH:
        return False
    for character in path:
        if not ("a" <= character <= "z" or "A" <= character <= "Z" or "0" <= character <= "9"):
            if character not in _PATH_MARKS:
                return False
    for part in path.split("/"):
        if not part or part[0] == ".":
            return False
    return True
