"""When garbage is collected: between two readings of the keys and while no key is down, as far as that can wait.

Left to itself MicroPython collects in the middle of whatever happens to allocate, when the heap is full or a threshold
is reached. On an emulated RP2040 one collection takes 6 ms with 85 KB in use and 16 ms with 105 KB, where the marks no
longer fit the collector's stack; so it must not come on top of a message. To ask how much memory is in use takes 9 ms,
longer than to collect, so messages are counted instead.
"""

from tablecore.ticks import add, diff

# A message leaves some 1.5 KB behind. The heap has 100 KB or more for that.
MESSAGES = 8
MOST_MESSAGES = 16  # so many are not exceeded, whatever the keys do
# Keys, records and self-tests leave less behind, and are not counted.
EVERY_MS = 10000
LOOK_EVERY = 30  # collections, some 5 minutes of a table that nobody uses, until the free memory is looked at again
LOW_BYTES = 12288  # the largest of what comes and goes, a re-test with a sweep in it, takes some 6 KB


class Collector:
    """`collect()` collects; `free()` tells how many bytes are free; `low()` is called when these are few."""

    def __init__(self, collect, free, low, now):
        self._collect = collect
        self._free = free
        self._low = low
        self._turns = 0  # collections until the next look
        self._messages = 0
        self._at = add(now, EVERY_MS)

    def count(self):
        """A message was taken or made."""
        self._messages += 1

    def step(self, now, quiet):
        """Collect if it is time; True when it was. `quiet`: no key is down."""
        if self._turns < 0 and quiet:  # soon after a collection, and not together with it: that would take too long
            self._turns = LOOK_EVERY
            if self._free() < LOW_BYTES:
                self._low()
            return True
        late = self._messages >= MOST_MESSAGES
        if not (late or quiet and (self._messages >= MESSAGES or diff(now, self._at) >= 0)):
            return False
        self._collect()
        self._turns -= 1
        self._messages = 0
        self._at = add(now, EVERY_MS)
        return True
