"""Sessions: what opens one, what does not, how fast somebody can guess, how one ends; the service key and its file."""

import hashlib
from binascii import hexlify, unhexlify

from small_volume import Volume

from tablecore import protocol, servicekey
from tablecore.access import Access
from tablecore.servicekey import KeyStore
from tablecore.ticks import PERIOD

BOARD = "e6614103e7452d2f"
OTHER_BOARD = "e6614103e7452d30"
KEY = bytes(range(32))
NEW_KEY = bytes(range(100, 132))


class Unit:
    """A board whose clock starts just below its wrap."""

    def __init__(self, key=KEY):
        self.volume = Volume()
        if key is not None:
            self.volume.files["/data/key"] = servicekey.dump(key)
        self.ms = PERIOD - 500
        self.noted = []
        self.locked = False
        self.nonces = 0
        self.start()

    def start(self):
        """Power on: everything in memory is gone."""
        self.access = Access(BOARD, KeyStore(self.volume), self.noted.append, self._random, lambda: self.locked)
        self.access.step(self.ms)

    def _random(self, count):
        self.nonces += 1
        return hashlib.sha256(b"%d" % self.nonces).digest()[:count]

    def wait(self, ms):
        while ms > 0:
            self.ms = (self.ms + min(ms, 60000)) % PERIOD
            ms -= 60000
            self.access.step(self.ms)

    def ask(self, verb, **fields):
        """(None, reply) or (error code, text), as the dispatcher would carry it out."""
        fields["board"] = BOARD
        row = protocol.check("1", verb, fields, "idle")
        try:
            self.access.permit(row)
            handler = self.access.handlers.get(verb)
            return None, handler(fields) if handler else {}
        except protocol.ProtocolError as error:
            return error.code, error.text

    def answer(self, key=KEY, board=BOARD):
        """The answer to a new nonce."""
        nonce = unhexlify(self.ask("session-start")[1]["nonce"])
        return sign(key, nonce + board.encode())

    def open(self, key=KEY):
        return self.ask("session-open", answer=self.answer(key))[0]

    def writes(self):
        return self.ask("set-settings", values={"brightness_percent": 50})[0]


def sign(key, message):
    """RFC 2104 written out, for a key of 32 bytes."""
    inner = hashlib.sha256(bytes([b ^ 0x36 for b in key]) + b"\x36" * 32 + message).digest()
    outer = hashlib.sha256(bytes([b ^ 0x5C for b in key]) + b"\x5c" * 32 + inner).digest()
    return hexlify(outer).decode()


def test_without_a_key_everything_is_open_and_no_session_can_be():
    unit = Unit(None)
    assert unit.writes() is None and unit.ask("restart")[0] is None
    start = unit.ask("session-start")[1]
    assert start["needed"] is False and start["wait_s"] == 0
    assert unit.ask("session-open", answer="0" * 64)[0] == "failed"
    assert unit.noted == []


def test_with_a_key_only_reading_is_open():
    unit = Unit()
    for verb in protocol.VERBS:
        try:
            unit.access.permit(verb)
            allowed = True
        except protocol.ProtocolError as error:
            assert error.code == "session"
            allowed = False
        assert allowed == (verb.access in ("read", "open")), verb.name
    assert unit.ask("session-start")[1]["needed"] is True


def test_the_right_answer_opens_and_is_journaled():
    unit = Unit()
    assert unit.open() is None
    assert unit.writes() is None
    assert unit.noted == ["opened"]


def test_an_answer_is_good_once_for_its_nonce_and_board():
    unit = Unit()
    answer = unit.answer()
    assert unit.ask("session-open", answer=answer)[0] is None
    assert unit.ask("session-end")[0] is None
    # Replayed without a nonce, and for another nonce.
    assert unit.ask("session-open", answer=answer)[0] == "answer"
    unit.wait(10000)
    unit.ask("session-start")
    assert unit.ask("session-open", answer=answer)[0] == "answer"
    unit.wait(10000)
    assert unit.ask("session-open", answer=unit.answer(board=OTHER_BOARD))[0] == "answer"
    assert unit.writes() == "session"
    assert unit.noted == ["opened", "ended", "wrong1", "wrong2", "wrong3"]


def test_a_restart_forgets_nonce_and_session():
    unit = Unit()
    answer = unit.answer()
    unit.start()
    assert unit.ask("session-open", answer=answer)[0] == "answer"
    unit.wait(10000)
    assert unit.open() is None
    unit.start()
    assert unit.writes() == "session"


def test_one_wrong_bit_is_wrong():
    unit = Unit()
    for at in range(64):
        unit.start()
        answer = unit.answer()
        digit = "0123456789abcdef"[int(answer[at], 16) ^ 1]
        assert unit.ask("session-open", answer=answer[:at] + digit + answer[at + 1 :])[0] == "answer"


def test_a_hundred_wrong_keys_are_refused_journaled_and_never_faster():
    unit = Unit()
    waits = []
    for count in range(1, 101):
        assert unit.open(NEW_KEY) == "answer"
        assert unit.noted == ["wrong%d" % n for n in range(1, count + 1)]
        waits.append(unit.ask("session-start")[1]["wait_s"])
        # Until the wait is over not even the right answer is judged, and asking makes it neither longer nor shorter.
        assert unit.open() == "wait"
        unit.wait(waits[-1] * 1000 - 1)
        assert unit.open() == "wait"
        unit.wait(1)
    assert waits == sorted(waits) and waits[0] == 2 and waits[6] == 128 and waits[99] == 256
    assert unit.open() is None and unit.open(NEW_KEY) == "answer" and unit.noted[-1] == "wrong1"


def test_the_wait_is_told():
    unit = Unit()
    unit.open(NEW_KEY)
    assert unit.ask("session-start")[1]["wait_s"] == 2
    unit.wait(1500)
    assert unit.ask("session-start")[1]["wait_s"] == 1
    assert unit.ask("session-open", answer=unit.answer())[1] == "a wrong answer came before: wait 1 s"
    unit.wait(500)
    assert unit.ask("session-start")[1]["wait_s"] == 0


def test_a_session_ends_when_nothing_is_changed_for_ten_minutes():
    unit = Unit()
    unit.open()
    for _ in range(5):
        unit.wait(9 * 60000)
        assert unit.writes() is None
    unit.wait(9 * 60000)
    assert unit.ask("session-start")[0] is None  # reading keeps nothing open
    unit.wait(60000)
    assert unit.writes() == "session"
    assert unit.noted == ["opened", "idle"]


def test_set_key_needs_a_session_once_there_is_a_key_and_refuses_the_old_one():
    unit = Unit(None)
    assert unit.ask("set-key", key=hexlify(KEY).decode())[0] is None
    assert unit.writes() == "session"
    assert unit.ask("set-key", key=hexlify(NEW_KEY).decode())[0] == "session"
    assert unit.open() is None
    assert unit.ask("set-key", key=hexlify(NEW_KEY).decode())[0] is None
    assert unit.writes() == "session"  # the session was that of the old key
    assert unit.open(KEY) == "answer"
    unit.wait(10000)
    assert unit.open(NEW_KEY) is None
    unit.start()
    assert unit.open(KEY) == "answer"
    assert unit.noted == ["key set", "opened", "key set", "wrong1", "opened", "wrong1"]


def test_a_key_that_cannot_be_stored_leaves_the_old_one_in_force():
    unit = Unit()
    unit.open()
    unit.volume.full = True
    assert unit.ask("set-key", key=hexlify(NEW_KEY).decode())[0] == "failed"
    assert unit.writes() is None and unit.noted == ["opened"]
    unit.ask("session-end")
    assert unit.open(KEY) is None


def test_the_lost_key_way_in_removes_the_key_alone():
    unit = Unit()
    unit.volume.files["/data/settings.json"] = b"x"
    assert unit.access.remove_key() and unit.noted == ["key gone"]
    assert unit.volume.files == {"/data/settings.json": b"x"}
    assert unit.writes() is None
    assert unit.access.remove_key() and unit.noted == ["key gone"]
    unit = Unit()
    unit.volume.full = True
    assert not unit.access.remove_key() and unit.writes() == "session" and unit.noted == []


def test_without_the_jumper_nothing_is_written():
    unit = Unit(None)
    unit.locked = True
    for verb in protocol.VERBS:
        try:
            unit.access.permit(verb)
            assert verb.access != "write", verb.name
        except protocol.ProtocolError as error:
            assert error.code == "locked" and verb.access == "write"
    written = [verb.name for verb in protocol.VERBS if verb.access == "write"]
    assert sorted(written) == ["calibrate", "service", "set-identity", "set-key", "set-settings"]
    unit = Unit()
    unit.locked = True
    assert not unit.access.remove_key() and "/data/key" in unit.volume.files
    assert unit.writes() == "session" and unit.open() is None and unit.writes() == "locked"


def test_a_damaged_key_file_opens_nothing():
    good = servicekey.dump(KEY)
    assert servicekey.load(good) == KEY and len(good) == 40
    bad = [good[:at] for at in range(40)] + [good + b"x", b"\xff" * 40, bytes(40)]
    for at in range(40):
        flipped = bytearray(good)
        flipped[at] ^= 0x10
        bad.append(bytes(flipped))
    for data in bad:
        unit = Unit()
        unit.volume.files["/data/key"] = data
        unit.start()
        assert unit.writes() == "session", data
        assert unit.open() == "failed"
    assert unit.access.remove_key() and unit.writes() is None
