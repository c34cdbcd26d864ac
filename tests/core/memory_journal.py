"""A journal in memory with the interface that the game sees. It outlives a Desk as flash outlives a power cut."""

from tablecore import records

KINDS = (
    None, "result", "amend", "void", "end", "test", "boot", "fault", "clear", "override", "config", "access",
)  # fmt: skip


class MemoryJournal:
    def __init__(self):
        self.log = []  # (kind in words, game, throw as text, previous as text, detail)
        self.full = False  # nothing can be written
        self.game = 0
        self.lit = None  # throw index of the open game
        self.damaged = 0
        self.low_storage = False
        self.export_due = False

    def append(self, kind, throw=records.NO_THROW, previous=records.NO_THROW, game=None, detail=b""):
        assert len(detail) <= 8
        if self.full:
            return False
        if kind == records.RESULT or kind == records.VOID and self.lit is None:
            self.game += 1
        if kind in (records.RESULT, records.AMEND):
            self.lit = throw
        elif kind in (records.VOID, records.END):
            self.lit = None
        self.log.append((KINDS[kind], self.game, text(throw), text(previous), detail.decode()))
        return True

    def open_result(self):
        return None if self.lit is None else (self.game, self.lit)

    def latched(self):
        found = {}
        for kind, _, _, _, detail in self.log:
            if kind == "clear":
                found.pop(detail, None)
            elif kind == "override":
                found[detail] = True
            elif kind == "fault":
                found.setdefault(detail, False)
        return found

    def recent(self, count):
        if self.full:
            raise OSError(5)
        games = {}
        for kind, game, throw, _, _ in reversed(self.log):
            if kind in ("result", "amend", "void") and game not in games:
                games[game] = (game, number(throw), KINDS.index(kind))
        return [games[game] for game in sorted(games, reverse=True)][:count]


def text(throw):
    if throw == 255:
        return "---"
    return "%d%d%d" % (throw // 36 + 1, throw // 6 % 6 + 1, throw % 6 + 1)


def number(dice):
    if dice == "---":
        return 255
    return (int(dice[0]) - 1) * 36 + (int(dice[1]) - 1) * 6 + int(dice[2]) - 1
