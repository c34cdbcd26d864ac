"""What the verbs do: identity and settings, lists of files, salted hashes, events, restarts."""

import hashlib
from binascii import hexlify, unhexlify

from journal_store import Store, Watch
from refusals import refused

from tablecore import faults, framing, protocol, records, replies, settings
from tablecore.access import Access
from tablecore.daytime import DayTime
from tablecore.document import Document
from tablecore.hmac import hmac_sha256
from tablecore.integrity import Integrity
from tablecore.journal import Journal
from tablecore.journal_reader import JournalReader
from tablecore.journal_verbs import JournalVerbs
from tablecore.servicekey import KeyStore
from tablecore.verbs import Verbs

BOARD = "e6614103e7452d2f"
FACTS = {
    "firmware": "100.100.100-dev", "application": "app-4294967295", "protocol": 1, "digest": "0" * 16,
    "table": "x" * 32, "table_digest": "0" * 64, "board": BOARD, "mcu": "rp2040", "micropython": "1.100.100",
    "reset": "watchdog",
}  # fmt: skip
NONCE = "00112233445566778899aabbccddeeff"


class File:
    """An open file; `breaks` makes its next read fail."""

    def __init__(self, data):
        self.data = data
        self.closed = False
        self.breaks = False

    def readinto(self, buffer):
        if self.breaks:
            raise OSError(5)
        count = min(len(buffer), len(self.data))
        buffer[:count] = self.data[:count]
        self.data = self.data[count:]
        return count

    def close(self):
        self.closed = True


class Volume:
    def __init__(self):
        self.files = {}
        self.folder = []
        self.opened = None

    def read(self, path):
        return self.files.get(path)

    def replace(self, path, data):
        if path == "/data/service" and self.folder is None:
            raise OSError(28)
        self.files[path] = data

    def names(self, folder):
        if folder != "/app-1":
            raise OSError(2)
        return self.folder

    def open_file(self, path):
        if path not in self.files:
            raise OSError(2)
        self.opened = File(self.files[path])
        return self.opened


class Part:
    lit = False
    events = b""


class Terminal:
    def __init__(self):
        self.scanner = self.game = Part()
        self.faults = faults.Faults()
        self.state = {"state": "idle", "digits": "", "lit": None, "faults": [], "switch": False}
        self.recorded = []
        self.check = None

    def clear(self, code):
        self.faults.remove(code)

    def record(self, kind, detail):
        assert len(detail) <= 8
        self.recorded.append((records.KINDS[kind], detail))

    def snapshot(self):
        return dict(self.state)


def unit(volume=None):
    volume = volume or Volume()
    options = Document(settings.SETTINGS, "/data/s", volume, {"brightness_percent": 80})
    identity = Document(settings.IDENTITY, "/data/i", volume, settings.defaults(settings.IDENTITY))
    terminal = Terminal()
    return Verbs(FACTS, terminal, options, identity, volume, bytearray(1024)), terminal, volume


def test_every_verb_has_a_handler_and_replies_as_the_table_says():
    verbs, _, volume = unit()
    games = Journal(Store(), Watch(), 15)
    games.open()
    verbs.handlers.update(JournalVerbs(games, JournalReader(games), DayTime(0)).handlers)
    volume.files["/main.py"] = b"x"
    store = KeyStore(volume)
    access = Access(BOARD, store, lambda text: None, lambda count: bytes(count), lambda: False)
    verbs.handlers.update(access.handlers)
    verbs.handlers.update(Integrity(volume, "/app-1", bytearray(64), None, None).handlers)
    answer = hexlify(hmac_sha256(bytes(32), bytes(16) + BOARD.encode())).decode()
    asked = {
        "session-start": {"board": BOARD},
        "session-open": {"board": BOARD, "answer": answer},
        "session-end": {"board": BOARD},
        "set-key": {"board": BOARD, "key": "0" * 64},
        "set-settings": {"board": BOARD, "values": {"brightness_percent": 50}},
        "set-identity": {"board": BOARD, "values": {"model": "TS-2"}},
        "files": {"folder": "/app-1", "first": 0},
        "hash": {"nonce": NONCE, "path": "/main.py"},
        "journal": {"first": 1},
        "mark-exported": {"board": BOARD, "upto": 7},
        "set-time": {"board": BOARD, "time": 1700000000},
        "calibrate": {"board": BOARD},
        "restart": {"board": BOARD},
        "service": {"board": BOARD},
        "fixture": {"board": BOARD, "do": "end", "data": ""},
    }
    assert sorted(verbs.handlers) == sorted([row.name for row in protocol.VERBS])
    for row in protocol.VERBS:
        fields = asked.get(row.name, {})
        if row.name == "session-open":
            store.replace(bytes(32))
        assert protocol.check("1", row.name, fields, "idle") is row
        if row.name == "calibrate":  # this terminal has no current sense; test_lamp_check.py has one
            assert refused(verbs.handlers[row.name], fields)[0] == "failed"
            continue
        reply = verbs.handlers[row.name](fields)
        while not isinstance(reply, dict):
            reply = reply.step() or reply
        assert protocol.fields_problem(replies.reply_to(row.name).fields, reply) is None, row.name


def test_the_longest_identity_fits_in_a_line():
    verbs, terminal, _ = unit()
    terminal.state["state"] = "booting"
    longest = {"serial_number": "x" * 24, "model": "x" * 24, "hardware_revision": "x" * 16}
    longest["manufactured"] = "01/01/2000"
    assert settings.check(settings.IDENTITY, longest) == []
    for name in ("serial_number", "model", "hardware_revision"):
        assert settings.check(settings.IDENTITY, {name: longest[name] + "x"})
    verbs.handlers["set-identity"]({"values": longest})
    reply = verbs.handlers["identify"]({})
    assert reply["serial_number"] == "x" * 24 and reply["board"] == BOARD
    assert len(framing.encode("999999999", "ok", reply)) <= 513
    request = framing.encode("999999999", "set-identity", {"board": "0" * 32, "values": longest})
    assert len(request) <= 513


def test_writing_settings_clears_the_fault_of_damaged_ones():
    volume = Volume()
    volume.files["/data/s"] = b"noise"
    volume.files["/data/i"] = b"noise"
    verbs, terminal, _ = unit(volume)
    terminal.faults.add(faults.SETTINGS_DAMAGED)
    terminal.faults.add(faults.IDENTITY_DAMAGED)
    assert not terminal.faults.blocking
    verbs.handlers["set-settings"]({"values": {"brightness_percent": 80}})
    assert terminal.faults.codes == ["E52"]
    verbs.handlers["set-identity"]({"values": {"model": None}})
    assert terminal.faults.codes == []


def test_every_change_of_settings_and_identity_is_recorded_and_no_other():
    verbs, terminal, _ = unit()
    verbs.handlers["set-settings"]({"values": {"brightness_percent": 60}})
    verbs.handlers["set-settings"]({"values": {"brightness_percent": 60}})
    verbs.handlers["set-identity"]({"values": {"model": "TS-2", "manufactured": "01/01/2026", "serial_number": None}})
    assert sorted(terminal.recorded) == [("config", b"bri=60"), ("config", b"manufact"), ("config", b"model")]
    refused(verbs.handlers["set-settings"], {"values": {"brightness_percent": 5}})
    assert len(terminal.recorded) == 3
    # What the record says must tell the rows apart.
    for rows, length in ((settings.SETTINGS, 3), (settings.IDENTITY, 8)):
        assert len({row.name[:length] for row in rows}) == len(rows)


def test_every_setting_can_be_recorded():
    for row in settings.SETTINGS:
        assert row.kind == "flag" or row.kind == "integer" and len(str(row.upper)) <= 4, row.name


def test_without_the_jumper_no_document_changes():
    verbs, terminal, volume = unit()
    verbs._settings.locked = lambda: True
    assert refused(verbs.handlers["set-settings"], {"values": {"brightness_percent": 60}})[0] == "locked"
    assert volume.files == {} and terminal.recorded == []


def test_a_bad_value_clears_no_fault():
    verbs, terminal, _ = unit()
    terminal.faults.add(faults.SETTINGS_DAMAGED)
    assert refused(verbs.handlers["set-settings"], {"values": {"brightness_percent": 1}})[0] == "field"
    assert terminal.faults.codes == ["E51"]


def test_hash_is_salted_sliced_and_closes_the_file():
    verbs, _, volume = unit()
    for length in (0, 1, 1023, 1024, 1025, 5000):
        data = bytes([n * 7 & 0xFF for n in range(length)])
        volume.files["/main.py"] = data
        job = verbs.handlers["hash"]({"nonce": NONCE, "path": "/main.py"})
        steps = 1
        reply = job.step()
        while reply is None:
            reply = job.step()
            steps += 1
        whole = hashlib.sha256(unhexlify(NONCE) + data).digest()
        assert unhexlify(reply["sha256"]) == whole and reply["size"] == length
        assert steps == (length + 1023) // 1024 + 1 and volume.opened.closed


def test_hash_of_nothing_and_of_what_cannot_be_read_is_refused():
    verbs, _, volume = unit()
    assert refused(verbs.handlers["hash"], {"nonce": NONCE, "path": "/none"})[0] == "failed"
    volume.files["/main.py"] = b"x" * 3000
    assert refused(verbs.handlers["hash"], {"nonce": NONCE + "0", "path": "/main.py"})[0] == "field"
    job = verbs.handlers["hash"]({"nonce": NONCE, "path": "/main.py"})
    assert job.step() is None
    volume.opened.breaks = True
    try:
        job.step()
    except protocol.ProtocolError as error:
        assert error.code == "failed" and volume.opened.closed
        return
    raise AssertionError("a broken file was hashed")


def _listed(verbs):
    """Every name in /app-1, page by page; each page is checked to fit in a line."""
    found = []
    for _ in range(100):
        reply = verbs.handlers["files"]({"folder": "/app-1", "first": len(found)})
        assert len(framing.encode("999999999", "ok", reply)) <= 513
        assert reply["names"] or not reply["more"]
        found += reply["names"]
        if not reply["more"]:
            return found
    raise AssertionError("the list does not end")


def test_lists_of_files_come_in_pages():
    verbs, _, volume = unit()
    assert _listed(verbs) == []
    volume.folder = [("f%03d.mpy" % n, n * n) for n in range(100)] + [("tablecore", None)]
    expected = [list(entry) for entry in volume.folder]
    volume.folder.reverse()
    assert _listed(verbs) == expected
    assert refused(verbs.handlers["files"], {"folder": "/none", "first": 0})[0] == "failed"


def test_foreign_names_are_listed_too():
    verbs, _, volume = unit()
    volume.folder = [('"' * 255, 1), ("\\" * 255, 2), ("\u00e9" * 127, 3), ("\n\x01", 4), ("a" * 255, 1 << 30)]
    listed = _listed(verbs)
    assert len(listed) == 5 and sorted([size for _, size in listed]) == [1, 2, 3, 4, 1 << 30]
    for name, _ in listed:
        assert name == "a" * 255 or set(name) == {"?"}


def test_service_leaves_the_flag_and_restart_does_not():
    verbs, _, volume = unit()
    assert verbs.handlers["restart"]({"board": BOARD}) == {"state": "restarting"}
    assert verbs.restart and volume.files == {}
    verbs, _, volume = unit()
    assert verbs.handlers["service"]({"board": BOARD}) == {"state": "restarting"}
    assert verbs.restart and volume.files == {"/data/service": b""}
    verbs, _, volume = unit()
    volume.folder = None
    assert refused(verbs.handlers["service"], {"board": BOARD})[0] == "failed" and not verbs.restart


class Host:
    """Takes the events; `deaf` has no room."""

    def __init__(self):
        self.heard = []
        self.deaf = False

    def send(self, name, fields):
        assert name == "state"
        if self.deaf:
            return False
        self.heard.append(fields)
        return True


def test_events_tell_changes_to_a_subscriber_only():
    verbs, terminal, _ = unit()
    host = Host()
    now = 1000
    terminal.state["digits"] = "1"
    assert not verbs.feed.step(now, host.send)
    first = verbs.handlers["subscribe"]({})["next"]
    for digits in ("1", "13", "13", "136"):
        terminal.state["digits"] = digits
        now += 60
        verbs.feed.step(now, host.send)
    assert [event["digits"] for event in host.heard] == ["13", "136"]
    assert [event["seq"] for event in host.heard] == [first, first + 1]
    assert protocol.fields_problem(replies.EVENTS[0].fields, host.heard[0]) is None
    assert verbs.handlers["unsubscribe"]({})["next"] == first + 2
    terminal.state["digits"] = ""
    assert not verbs.feed.step(now + 60, host.send)


def test_lost_events_leave_a_gap_and_a_deaf_host_is_forgotten():
    verbs, terminal, _ = unit()
    host = Host()
    verbs.handlers["subscribe"]({})
    now = (1 << 30) - 100
    host.deaf = True
    for round in range(3):
        terminal.state["digits"] = "1" * round
        now = (now + 60) & (1 << 30) - 1
        verbs.feed.step(now, host.send)
    host.deaf = False
    terminal.state["digits"] = "6"
    verbs.feed.step(now + 60, host.send)
    assert [event["seq"] for event in host.heard] == [3]
    host.deaf = True
    made = 0
    for round in range(100):
        terminal.state["digits"] = str(round)
        made += verbs.feed.step(now + 120 + 60 * round, host.send)
    assert made == 16 and not verbs.feed.listening
    assert verbs.handlers["subscribe"]({})["next"] == 4 + 16
