"""The terminal of a table whose wiring file is unusable: no pin is known, so the link is all there is."""

from tablecore import faults, protocol, records


class NoTerminal:
    """As Terminal, for what the main loop and the link ask of it. It has a fault from the start."""

    def __init__(self, daytime, journal):
        self.integrity = None
        self.scanner = None
        self.check = None  # of the lamps
        self.faults = faults.Faults()
        self._daytime = daytime
        self._journal = journal
        self.fault(faults.HARDWARE_DAMAGED)

    def step(self, now, key_bits):
        """Nothing can be scanned or shown."""
        self._daytime.step(now)

    def record(self, kind, detail):
        """Write to the journal; a fault is shown already."""
        self._journal.append(kind, detail=detail)

    def fault(self, code):
        """Raise a fault, and record it once."""
        if self.faults.add(code) and code not in self._journal.latched():
            self.record(records.FAULT, code.encode())

    def clear(self, code):
        """The cause of a fault is gone."""
        if self.faults.remove(code):
            self.record(records.CLEAR, code.encode())

    def set_integrity(self, state):
        """Tell that the files are not as in the manifest; most likely it is the wiring file itself."""
        self.integrity = state
        if state == protocol.BAD:
            self.fault(faults.FILES_DIFFER)
        elif state == protocol.GOOD:
            self.clear(faults.FILES_DIFFER)

    def silence(self):
        """There is no beeper."""

    def darken(self):
        """There are no lamps."""

    def set_door(self, is_open):
        """Its pin is unknown too."""

    def snapshot(self):
        codes = list(self.faults.codes)
        return {"state": protocol.FAULT, "digits": "", "lit": None, "faults": codes, "switch": False}
