"""The comparison of the files on a board with its manifest: every way in which one can differ is found and named."""

import gc
import hashlib
from binascii import hexlify

from tablecore.integrity import BAD, CHECKING, GOOD, Integrity
from tablecore.manifestlines import ManifestLines

FILES = {
    "hardware.json": b"{}\n",
    "table.bin": bytes(range(256)) * 9,
    "tablecore/__init__.mpy": b"",
    "tablecore/app.mpy": b"M" * 700,
    "tablehw/keys.mpy": b"M" * 300,
    "wiring.mpy": b"W" * 2048,
}
MAIN = b"print()\n"


def digest(data):
    return hexlify(hashlib.sha256(data).digest()).decode()


def manifest(files=None, main=MAIN):
    """As the PC writes it, spelled out: `json.dumps(indent=1, sort_keys=True)` is not there on a board."""
    files = files or FILES
    text = '{\n "files": {\n'
    entries = []
    for path in sorted(files):
        data = files[path]
        entries.append('  "%s": {\n   "sha256": "%s",\n   "size": %d\n  }' % (path, digest(data), len(data)))
    text += ",\n".join(entries) + '\n },\n "format": 1,\n "layout": "nz",\n "layout_digest": "%s",\n' % ("0" * 64)
    text += ' "main": {\n  "sha256": "%s",\n  "size": %d\n },\n "mcu": "rp2040",\n' % (digest(main), len(main))
    return (text + ' "mpy": 6,\n "table": "t",\n "table_digest": "%s",\n "version": "1"\n}\n' % ("0" * 64)).encode()


class File:
    def __init__(self, volume, data):
        self.volume = volume
        self.data = data
        self.at = 0
        self.breaks = False
        volume.open += 1

    def _take(self, count):
        if self.breaks:
            raise OSError(5)
        data = self.data[self.at : self.at + count]
        self.at += len(data)
        self.volume.most = max(self.volume.most, len(data))
        return data

    def read(self, count):
        return self._take(count)

    def readline(self, limit):
        end = self.data.find(b"\n", self.at)
        return self._take(min(limit, end - self.at + 1) if end >= 0 else limit)

    def readinto(self, buffer):
        data = self._take(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def close(self):
        self.volume.open -= 1


class Volume:
    """Absolute path to content; folders follow from the paths, and `folders` are empty ones."""

    def __init__(self, files=None):
        self.files = {"/app-1/" + path: data for path, data in (files or FILES).items()}
        self.files["/app-1/manifest.json"] = manifest()
        self.files["/main.py"] = MAIN
        self.files["/current"] = b"app-1"
        self.files["/data/settings.json"] = b"anything"
        self.folders = set()
        self.open = 0
        self.most = 0
        self.broken = None
        self.read_only = False

    def open_file(self, path):
        if path not in self.files:
            raise OSError(2)
        file = File(self, self.files[path])
        file.breaks = path == self.broken
        return file

    def names(self, folder):
        found = {}
        folder = folder.rstrip("/") + "/"
        for path in list(self.files) + [each + "/" for each in self.folders]:
            if path.startswith(folder):
                name, mark, _ = path[len(folder) :].partition("/")
                found[name] = None if mark else len(self.files[path])
        return sorted(found.items())

    def entries(self, folder):
        return iter(self.names(folder))

    def remove(self, path):
        if self.read_only:
            raise OSError(30)
        del self.files[path]

    def remove_folder(self, path):
        assert self.names(path) == []
        self.folders.discard(path)


def look(volume, locked=False):
    """Run the comparison; (state, path, reason, what was removed)."""
    noted = []
    work = Integrity(volume, "/app-1", bytearray(1024), noted.append, lambda: locked)
    steps = 0
    while work.state == CHECKING:
        assert work.handlers["integrity"]({}) == {"integrity": "checking", "path": None, "reason": None}
        work.step()
        steps += 1
        assert steps < 1000
    while work.untidy:
        assert work.state == GOOD
        work.tidy()
    told = work.handlers["integrity"]({})
    assert told["integrity"] == work.state and (told["path"] is None) == (work.state == GOOD)
    assert volume.open == 0
    return work.state, told["path"], told["reason"], noted


def test_a_board_as_its_manifest_says_is_good():
    volume = Volume()
    before = dict(volume.files)
    assert look(volume) == (GOOD, None, None, [])
    assert volume.files == before and volume.most <= 1024


def test_a_signature_may_lie_beside_the_manifest():
    volume = Volume()
    volume.files["/app-1/manifest.sig"] = b"anything"
    assert look(volume)[0] == GOOD


def test_every_missing_file_is_named():
    for path in ["/app-1/" + path for path in FILES] + ["/main.py", "/app-1/manifest.json"]:
        volume = Volume()
        del volume.files[path]
        assert look(volume) == (BAD, path, "missing", [])


def test_every_altered_byte_is_found():
    for path in ["/app-1/" + path for path in FILES] + ["/main.py"]:
        for at in (0, 1, 299, 1023, 1024, 2303):
            volume = Volume()
            data = bytearray(volume.files[path])
            if at < len(data):
                data[at] ^= 1
                volume.files[path] = bytes(data)
                assert look(volume) == (BAD, path, "altered", [])


def test_a_longer_or_shorter_file_is_found():
    for path in ["/app-1/" + path for path in FILES] + ["/main.py"]:
        for change in (b"\0", None):
            volume = Volume()
            data = volume.files[path]
            if data or change:
                volume.files[path] = data + change if change else data[:-1]
                assert look(volume) == (BAD, path, "wrong size", [])


def test_an_extra_file_is_named_wherever_it_lies():
    extra = ["/app-1/extra.py", "/app-1/tablecore/app.py", "/app-1/lib/x/y.mpy", "/app-1/manifest.json.new"]
    for path in extra + ["/boot.py", "/lib/x.py", "/main.mpy", "/app-2", "/data2/x", "/Current"]:
        volume = Volume()
        volume.files[path] = b""
        state, named, reason, removed = look(volume)
        assert (state, reason, removed) == (BAD, "not in the manifest", [])
        assert path == named or path.startswith(named + "/") and path not in extra, (path, named)


def test_foreign_names_are_named_in_plain_text():
    volume = Volume()
    volume.files['/"\u00e9' + "x" * 100] = b""
    assert look(volume)[1] == '/"?' + "x" * 61


def test_what_is_in_data_is_none_of_its_business():
    volume = Volume()
    volume.files["/data/journal/1.seg"] = b"x" * 5000
    volume.files["/data/boot.py"] = b"x"
    assert look(volume)[0] == GOOD


def test_leftovers_of_an_update_are_removed_and_told():
    volume = Volume()
    before = dict(volume.files)
    volume.files.update({"/app-2/wiring.mpy": b"x", "/app-2/tablecore/app.mpy": b"y", "/current.new": b"app-2"})
    assert look(volume) == (GOOD, None, None, ["-app-2", "-current"])
    assert volume.files == before


def test_leftovers_stay_while_the_running_version_is_not_whole():
    volume = Volume()
    volume.files.update({"/app-2/wiring.mpy": b"x", "/app-1/wiring.mpy": b"x"})
    assert look(volume)[:2] == (BAD, "/app-1/wiring.mpy") and "/app-2/wiring.mpy" in volume.files


def test_leftovers_that_may_not_or_cannot_be_removed_are_extra():
    volume = Volume()
    volume.files["/app-2/wiring.mpy"] = b"x"
    assert look(volume, locked=True) == (BAD, "/app-2", "not in the manifest", [])
    volume.read_only = True
    assert look(volume) == (BAD, "/app-2", "not in the manifest", [])


def test_a_file_that_cannot_be_read_is_named():
    for path, reason in (("/app-1/wiring.mpy", "cannot be read"), ("/app-1/manifest.json", "damaged")):
        volume = Volume()
        volume.broken = path
        assert look(volume) == (BAD, path, reason, [])


def test_no_flipped_bit_in_the_manifest_passes_unless_nothing_on_the_board_hangs_on_it():
    good = manifest()
    volume = Volume()
    for at in range(len(good)):
        damaged = bytearray(good)
        damaged[at] ^= 1 << at % 7
        volume.files["/app-1/manifest.json"] = bytes(damaged)
        state = look(volume)[0]
        line = bytes(damaged).split(b"\n")[good[:at].count(b"\n")]
        # Names of the table and the layout, and their digests, are for the PC; the signature covers them.
        free = (b' "layout', b' "mcu', b' "mpy', b' "table', b' "version')
        original = good.split(b"\n")[good[:at].count(b"\n")]
        assert state == BAD or original.startswith(free), line


def test_a_manifest_cut_anywhere_is_damaged():
    good = manifest()
    volume = Volume()
    for length in range(0, len(good), 7):
        volume.files["/app-1/manifest.json"] = good[:length]
        assert look(volume)[:3] == (BAD, "/app-1/manifest.json", "damaged")
    for added in (b"\n", b"x", b"{}"):
        volume.files["/app-1/manifest.json"] = good + added
        assert look(volume)[:3] == (BAD, "/app-1/manifest.json", "damaged")


def test_noise_in_place_of_the_manifest_is_damaged():
    volume = Volume()
    for noise in (b"\xff" * 3000, bytes(3000), b"\n" * 3000, b"{" * 3000, manifest().replace(b"\n", b"")):
        volume.files["/app-1/manifest.json"] = noise
        assert look(volume)[:3] == (BAD, "/app-1/manifest.json", "damaged")


def test_reading_takes_little_memory():
    """Measured under MicroPython, where the board's memory is short; CPython has no such count."""
    if not hasattr(gc, "mem_alloc"):
        return
    volume = Volume()
    lines = ManifestLines(File(volume, manifest({"tablecore/%03d.mpy" % number: b"x" for number in range(100)})))
    gc.collect()
    kept = gc.mem_alloc()
    for _ in range(100):
        gc.collect()
        before = gc.mem_alloc()
        lines.next()
        assert gc.mem_alloc() - before < 3000
    gc.collect()
    assert gc.mem_alloc() - kept < 1000


def test_entries_out_of_order_or_twice_are_refused():
    volume = Volume()
    text = manifest({"b": b"", "a": b""})
    swapped = text.replace(b'"a"', b'"c"')
    twice = text.replace(b'"a"', b'"b"')
    for each in (swapped, twice):
        lines = ManifestLines(File(volume, each))
        lines.next()
        try:
            lines.next()
        except ValueError:
            continue
        raise AssertionError(each)
