"""Who may change something: service sessions by challenge and response, and the write-lock jumper.

A host asks for a nonce, signs it and the board's id with the board's key, and may then change things until it ends the
session, leaves it idle for IDLE_MS, sets another key, or the board restarts. A nonce is good for one answer, so an
answer that was overheard is worth nothing. Reading needs no session, and before a key is first set nothing does.

After a wrong answer the next one is judged only after a wait, which doubles with each wrong answer up to
LONGEST_WAIT_MS. The count is in memory: a restart forgets it, but costs as long as the board takes to start and is
journaled as such. A guess at a random key of 32 bytes is hopeless either way; the wait keeps the journal from being
flooded.

The session belongs to the cable and not to a program: there is one link, and whoever has the cable has the session.
"""

from binascii import hexlify, unhexlify

from tablecore import protocol
from tablecore.hmac import hmac_sha256, same
from tablecore.servicekey import KEY_BYTES, answer_of
from tablecore.ticks import add, diff

IDLE_MS = 600000
FIRST_WAIT_MS = 2000
LONGEST_WAIT_MS = 256000
NONCE_BYTES = protocol.CHALLENGE_DIGITS // 2
_MOST_COUNTED = 999

# What the journal says of an access; 8 characters are the most.
OPENED = "opened"
ENDED = "ended"
LEFT_IDLE = "idle"
WRONG = "wrong%d"  # with the number of wrong answers in a row
KEY_SET = "key set"
KEY_REMOVED = "key gone"


class Access:
    """`handlers` are those of the session verbs; `permit` is asked before a verb is carried out; `step` counts time.

    `board` is this board's id, `store` its KeyStore, `note(text)` journals an access, `random_bytes(n)` gives bytes
    that nobody can foresee, `locked()` tells whether the write-lock jumper is missing where the controller has one.
    """

    def __init__(self, board, store, note, random_bytes, locked):
        self.open = False
        self._board = board
        self._store = store
        self._note = note
        self._random_bytes = random_bytes
        self._locked = locked
        self._nonce = None
        self._wrong = 0  # wrong answers in a row
        self._now = 0
        self._judge_at = None  # until then no answer is judged
        self._idle_at = 0
        self.handlers = {
            "session-start": self._start,
            "session-open": self._open,
            "session-end": self._end,
            "set-key": self._set_key,
        }

    def step(self, now):
        """Let time pass: `now` in ms, wrapping; called at least once in a few minutes."""
        self._now = now
        if self._judge_at is not None and diff(now, self._judge_at) >= 0:
            self._judge_at = None
        if self.open and diff(now, self._idle_at) >= 0:
            self._close(LEFT_IDLE)

    def permit(self, verb):
        """ProtocolError "session" or "locked" when this verb may not be carried out now."""
        if verb.access in protocol.IN_SESSION:
            if self._store.needed and not self.open:
                raise protocol.ProtocolError("session")
            self._idle_at = add(self._now, IDLE_MS)
        if verb.access == protocol.WRITE and self._locked():
            raise protocol.ProtocolError("locked")

    def remove_key(self):
        """The lost-key way in: the key goes, everything else stays. False when it could not be removed."""
        if self._locked():
            return False
        if not self._store.needed:
            return True
        try:
            self._store.remove()
        except OSError:
            return False
        self.open = False
        self._note(KEY_REMOVED)
        return True

    def _start(self, fields):
        self._nonce = self._random_bytes(NONCE_BYTES)
        return {"nonce": hexlify(self._nonce).decode(), "needed": self._store.needed, "wait_s": self._wait_s()}

    def _open(self, fields):
        if self._store.damaged:
            raise protocol.ProtocolError("failed", text="the key file is damaged: remove the key at the table")
        if self._store.key is None:
            raise protocol.ProtocolError("failed", text="no key is set, so that no session is needed")
        if self._judge_at is not None:
            raise protocol.ProtocolError("wait", text=f"a wrong answer came before: wait {self._wait_s()} s")
        nonce = self._nonce
        self._nonce = None
        if nonce is None or not self._is_right(nonce, fields["answer"]):
            self._refuse()
        self._wrong = 0
        self.open = True
        self._idle_at = add(self._now, IDLE_MS)
        self._note(OPENED)
        return {"idle_s": IDLE_MS // 1000}

    def _is_right(self, nonce, answer):
        return same(hmac_sha256(self._store.key, answer_of(nonce, self._board)), unhexlify(answer))

    def _refuse(self):
        self._wrong = min(self._wrong + 1, _MOST_COUNTED)
        wait_ms = min(FIRST_WAIT_MS << min(self._wrong - 1, 16), LONGEST_WAIT_MS)
        self._judge_at = add(self._now, wait_ms)
        self._note(WRONG % self._wrong)
        raise protocol.ProtocolError("answer", text=f"wrong answer: wait {wait_ms // 1000} s")

    def _end(self, fields):
        self._close(ENDED)
        return {}

    def _close(self, word):
        if self.open:
            self.open = False
            self._note(word)

    def _set_key(self, fields):
        try:
            self._store.replace(unhexlify(fields["key"]))
        except OSError as error:
            raise protocol.ProtocolError("failed", text=f"cannot be stored (error {error.errno})") from None
        self.open = False
        self._note(KEY_SET)
        return {"bytes": KEY_BYTES}

    def _wait_s(self):
        """Whole seconds until an answer is judged, rounded up."""
        return 0 if self._judge_at is None else (diff(self._judge_at, self._now) + 999) // 1000
