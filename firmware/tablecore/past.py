"""What was recorded, and everything that reads it: the journal with its reader, its check and its verbs."""

from tablecore import faults, records
from tablecore.journal import TAIL_RECORDS, TAIL_RECORDS_ELSEWHERE, Journal
from tablecore.journal_check import JournalCheck
from tablecore.journal_reader import JournalReader
from tablecore.journal_verbs import JournalVerbs


class Past:
    """Opens the journal and records the start, with the reason for it (8 characters). `mcu` None: unknown.

    `codes`: the faults that this shows.
    """

    def __init__(self, storage, mcu, daytime, reason):
        self.journal = Journal(storage, daytime, TAIL_RECORDS.get(mcu, TAIL_RECORDS_ELSEWHERE))
        written = self.journal.append(records.BOOT, detail=reason.encode())
        self.codes = () if written else (faults.JOURNAL_FAILED,)
        self.reader = JournalReader(self.journal)
        self.check = JournalCheck(self.journal)
        self.verbs = JournalVerbs(self.journal, self.reader, daytime)
