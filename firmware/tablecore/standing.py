"""What the records of the journal add up to: the game that is open, the number of the last game, the latched faults."""

from tablecore import records


class Standing:
    """`game`: number of the last game, 0 before the first. `throw`: the throw that is lit, NO_THROW when none is; it
    belongs to the last game. `latched`: fault codes without a later clear, with whether each is overridden.
    """

    def __init__(self):
        self.reset(0, records.NO_THROW, {})

    def reset(self, game, throw, latched):
        """Begin from what a segment's header says."""
        self.game = game
        self.throw = throw
        self.latched = latched

    def apply(self, fields):
        """Take the next record, as `records.unpack` gives it."""
        kind = fields[records.KIND]
        if kind == records.RESULT or kind == records.AMEND:
            self.throw = fields[records.THROW]
            self.game = fields[records.GAME]
        elif kind == records.VOID:
            self.throw = records.NO_THROW
            self.game = fields[records.GAME]
        elif kind == records.END:
            self.throw = records.NO_THROW
        elif records.FAULT <= kind <= records.OVERRIDE:
            code = _code(fields[records.DETAIL])
            if kind == records.CLEAR:
                self.latched.pop(code, None)
            elif kind == records.OVERRIDE:
                self.latched[code] = True
            else:
                self.latched.setdefault(code, False)

    def game_of(self, kind):
        """Number of the game that a record of this kind, written now, belongs to: a new one, the open one, or 0."""
        if kind == records.RESULT or kind == records.VOID and self.throw == records.NO_THROW:
            return self.game + 1
        return 0 if self.throw == records.NO_THROW else self.game


def _code(detail):
    """The fault code in a record's detail."""
    return "".join([chr(byte) for byte in detail[: records.CODE_BYTES]])
