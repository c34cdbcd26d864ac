"""What the lamps can be asked to show, as frames: a throw, one zone, a group of zones, or nothing."""


class Frames:
    """`table`: a LampTable, or None: then everything is dark and there are no zones. `registers`: length of the chain.
    `group_lamps`: most lamps that a lamp test may light at once, at least those of one zone.
    """

    def __init__(self, table, registers, group_lamps):
        self.dark = bytes(registers)
        self.zones = table.zone_count if table else 0
        self.table = table
        self._group_lamps = group_lamps

    def throw(self, window):
        """The winners of the three digits in a full window."""
        if self.table is None:
            return self.dark
        chars = window.chars
        return self.table.frame(chars[0] - 48, chars[1] - 48, chars[2] - 48)

    def zone(self, number):
        """All lamps of one zone, counted from 1."""
        return self._of(number, number)

    def lit(self, frame):
        """Numbers of the zones that a frame lights, each as often as it has lamps."""
        found = []
        if self.table is not None:
            for output, zone in enumerate(self.table.lamps):
                if zone and frame[len(frame) - 1 - output // 8] >> output % 8 & 1:
                    found.append(zone)
        return found

    def group(self, first):
        """(frame, last): the zones from `first` on whose lamps fit within a group. A zone's lamps are never split."""
        last = first
        lamps = self._count(first)
        while last < self.zones:
            lamps += self._count(last + 1)
            if lamps > self._group_lamps:
                break
            last += 1
        return self._of(first, last), last

    def _count(self, number):
        count = 0
        for zone in self.table.lamps:
            count += zone == number
        return count

    def _of(self, first, last):
        frame = bytearray(len(self.dark))
        for output, zone in enumerate(self.table.lamps):
            if first <= zone <= last:
                frame[len(frame) - 1 - output // 8] |= 1 << output % 8
        return frame
