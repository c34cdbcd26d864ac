"""A board as the journal's tools see it: the firmware's own journal and verbs, on a volume in memory."""

import sys
from pathlib import Path
from types import SimpleNamespace

from tablecore.daytime import DayTime
from tablecore.journal import Journal
from tablecore.journal_reader import JournalReader
from tablecore.journal_verbs import JournalVerbs

sys.path.insert(0, str(Path(__file__).parents[1] / "core"))

from journal_store import Store  # noqa: E402

BOARD = "e6614103e7452d2f"


class JournalBoard:
    """`store` is its volume, `journal` what runs on it; `requests` counts what was asked."""

    def __init__(self, store=None, board=BOARD):
        self.store = store or Store()
        self.identity = SimpleNamespace(
            board=board, serial_number="TS-1", table="nz1-pico-hc595", table_digest="0" * 64, firmware="0.1.0"
        )
        self.requests = 0
        self.start()

    def start(self):
        """Restart: what is on the volume is read anew."""
        self.daytime = DayTime(0)
        self.journal = Journal(self.store, self.daytime, 15)
        self.journal.open()
        self.handlers = JournalVerbs(self.journal, JournalReader(self.journal), self.daytime).handlers

    def journal_state(self):
        return self.handlers["journal-state"]({})

    def mark_exported(self, upto):
        return self.handlers["mark-exported"]({"upto": upto})["exported"]


def _journal(self, first):
    self.requests += 1
    reply = self.handlers["journal"]({"first": first})
    return reply["records"], reply["next"]


def board(**options):
    """A JournalBoard in the form that the tools take."""
    made = JournalBoard(**options)
    client = SimpleNamespace(
        identity=made.identity,
        journal=lambda first: _journal(made, first),
        journal_state=made.journal_state,
        mark_exported=made.mark_exported,
    )
    return made, client
