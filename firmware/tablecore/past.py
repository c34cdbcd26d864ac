"""What was recorded, and everything that reads it: the journal with its reader, its check and its verbs."""

from tablecore import faults, modules, records
from tablecore.journal import TAIL_RECORDS, TAIL_RECORDS_ELSEWHERE, Journal
from tablecore.journal_reader import JournalReader
from tablecore.journal_verbs import JournalVerbs


class Past:
    """Opens the journal and records the start, with the reason for it (8 characters). `mcu` None: unknown.

    `codes`: the faults that this shows.
    """

    def __init__(self, storage, mcu, daytime, reason):
        self.journal = Journal(storage, daytime, TAIL_RECORDS.get(mcu, TAIL_RECORDS_ELSEWHERE))
        written = self.journal.append(records.BOOT, detail=reason.encode())
        modules.forget("tablecore.recovery")
        self.codes = () if written else (faults.JOURNAL_FAILED,)
        self.reader = JournalReader(self.journal)
        self._check = self._start_check()
        self.verbs = JournalVerbs(self.journal, self.reader, daytime)

    def check_on(self):
        """Check the next slice of what was recorded before this start. False: that is done, and its memory given
        back.
        """
        if self._check is None:
            return False
        if not self._check.step():
            self._check = None
            modules.forget("tablecore.journal_check")
        return True

    def _start_check(self):
        from tablecore.journal_check import JournalCheck

        return JournalCheck(self.journal)
