"""The whole journal is read once after each start, one slice at a time, and each segment compared with what its
successor says about it. What is damaged is kept aside; games need not wait for this.
"""

from tablecore import shelf


class JournalCheck:
    """`step()` does one slice and is True; False once the check is over. A read that fails sets the journal's `failed`.
    """

    def __init__(self, journal):
        self._journal = journal
        self._waiting = list(journal.files.ring)
        self._scan = None
        self._before = None  # (number, digest) of the segment that was read last

    def step(self):
        """Read and judge the next slice, of 1 KiB."""
        try:
            return self._step()
        except OSError:
            self._journal.failed = True
            self._waiting = []
            self._scan = None
            return False

    def _step(self):
        files = self._journal.files
        if self._scan is None:
            if not self._waiting:
                return False
            number = self._waiting.pop(0)
            if number in files.ring:  # and not overwritten meanwhile
                self._scan = shelf.Scan(files, number)
            return True
        if self._scan.number not in files.ring:
            self._scan = None
        elif not self._scan.step():
            self._judge(self._scan)
            self._scan = None
        return True

    def _judge(self, scan):
        if not scan.sound:
            if scan.number != self._journal.active:
                self._journal.put_aside(scan.number, scan.bad)
            self._before = None
            return
        before = self._before
        if before is not None and before[0] == scan.number - 1 and scan.header[5] != before[1]:
            self._journal.put_aside(before[0], 0)
        self._before = (scan.number, scan.sha256.digest())
