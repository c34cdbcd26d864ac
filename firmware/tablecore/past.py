"""What was recorded, and everything that reads it: the journal with its reader, its check and its verbs."""

from tablecore import faults, modules, records
from tablecore.journal import TAIL_RECORDS, TAIL_RECORDS_ELSEWHERE, Journal
from tablecore.journal_reader import JournalReader


class Past:
    """Opens the journal and records the start, with the reason for it (8 characters). `mcu` None: unknown.

    `codes`: the faults that this shows.
    """

    def __init__(self, storage, mcu, daytime, reason):
        self.journal = Journal(storage, daytime, TAIL_RECORDS.get(mcu, TAIL_RECORDS_ELSEWHERE))
        written = self.journal.append(records.BOOT, detail=reason.encode())
        modules.drop("recovery")
        self.codes = () if written else (faults.JOURNAL_FAILED,)
        self.reader = JournalReader(self.journal)
        self._daytime = daytime
        self._check = None

    def serve(self):
        """What a host may ask of the journal. From now on it is checked too."""
        from tablecore.journal_check import JournalCheck
        from tablecore.journal_verbs import JournalVerbs

        self._check = JournalCheck(self.journal)
        return JournalVerbs(self.journal, self.reader, self._daytime).handlers

    def check_on(self):
        """Check the next slice of what was recorded before this start. False: that is done, and its memory given
        back.
        """
        if self._check is None:
            return False
        if not self._check.step():
            self._check = None
            modules.drop("journal_check")
        return True
