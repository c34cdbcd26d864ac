"""What a host may ask of a running table, and who may: the handlers of all verbs and what stands behind them."""

from tablecore import faults, modules, protocol, records
from tablecore.protocol import CHECKING
from tablecore.ticks import add, diff

# The time that a program which flashes a board has to clear away after its update, before the board does it.
TIDY_AFTER_MS = 30000


class Service:
    """`past` has what was recorded, `verbs` what is always there, `guard` the inputs of the housing, `access` the
    sessions; `integrity` compares the files with their manifest, once. `options` and `identity` are documents.
    """

    def __init__(self, terminal, past, verbs, guard, access, integrity, options, identity):
        self.verbs = verbs
        self.access = access
        self._terminal = terminal
        self._past = past
        self._guard = guard
        self._integrity = integrity
        self.handlers = verbs.handlers
        self.handlers.update(access.handlers)
        self.handlers.update(integrity.handlers)
        self.handlers.update(past.serve())
        options.locked = identity.locked = guard.locked
        self._tidy_at = 0
        terminal.on_lost_key = self._lose_key
        terminal.set_integrity(CHECKING)

    def scan(self, now):
        """After each reading of the keys, made at `now`."""
        self._guard.step()
        self.access.step(now)

    def rest(self, now):
        """Between two readings: one slice of the comparison with the manifest, once the lamps are as they should be,
        then of the check of the journal. True while there is more of either.
        """
        integrity = self._integrity
        if integrity is None:
            return self._past.check_on()
        if integrity.state == CHECKING:
            if self.verbs.state() != protocol.BOOTING:
                integrity.step()
                self._tell(now)
            return True
        if not integrity.untidy:
            self._conclude()
            return True
        if diff(now, self._tidy_at) < 0 or self.verbs.state() != protocol.IDLE:
            return self._past.check_on()
        integrity.tidy()
        self._tell(now)
        return True

    def _conclude(self):
        """The comparison is over. What was found is still told; the memory that it took is given back."""
        verdict = self._integrity.handlers["integrity"]({})
        self.handlers["integrity"] = lambda fields: verdict
        self._integrity = None
        modules.drop("integrity", "manifestlines")

    def _tell(self, now):
        """Whoever flashes a board clears away what is left behind, and is given the time to do so."""
        if self._integrity.state != self._terminal.integrity:
            self._terminal.set_integrity(self._integrity.state)
            self._tidy_at = add(now, TIDY_AFTER_MS)

    def _lose_key(self):
        gone = self.access.remove_key()
        if gone:
            self._terminal.clear(faults.KEY_DAMAGED)
        return gone


def note_for(terminal):
    """The function that journals what somebody did, in up to 8 characters."""

    def note(text):
        terminal.record(records.ACCESS, detail=text.encode()[: records.DETAIL_BYTES])

    return note
