"""The lamp table while games are played: index, slice, shift out. tablefile.py has read and verified it."""

from tablecore.records import throw_index


class LampTable:
    """`frames`: one for each outcome of the game, one after the other in index order. `lamps`: zone number of each
    output, 0 = none. `outcomes`: how many frames there are.
    """

    def __init__(self, layout_id, layout_version, zone_count, digest, frames, lamps):
        self.layout_id = layout_id
        self.layout_version = layout_version
        self.zone_count = zone_count
        self.digest = digest
        self.lamps = lamps
        self.frame_bytes = len(lamps) // 8
        self.outcomes = len(frames) // self.frame_bytes
        self._frames = frames

    def frame(self, d1, d2, d3):
        """The frame of a throw of dice 1 to 6, see `entry`."""
        return self.entry(throw_index(d1, d2, d3))

    def entry(self, index):
        """The frame of an outcome, N bytes in sending order: a view into the file, nothing is copied."""
        start = index * self.frame_bytes
        return self._frames[start : start + self.frame_bytes]
