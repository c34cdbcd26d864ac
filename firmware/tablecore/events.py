"""What a host that has subscribed is told without asking: every change of the table's state, numbered."""

from tablecore.ticks import add, diff

LOOK_MS = 50  # how often the state is compared with the one told last
# So many events in a row without room: the host has stopped reading, and is told nothing more until it asks again.
PATIENCE = 16


class Feed:
    """`snapshot()` gives the state as a dict."""

    def __init__(self, snapshot):
        self.listening = False
        self.next = 1  # number of the next event
        self._snapshot = snapshot
        self._told = None
        self._look_at = None
        self._lost = 0

    def subscribe(self):
        """Tell what changes from now on."""
        if not self.listening:
            self._told = self._snapshot()
            self._look_at = None
        self.listening = True
        self._lost = 0

    def unsubscribe(self):
        self.listening = False

    def step(self, now, send):
        """Look for a change when it is time. `send(name, fields)` queues an event, or returns False without room.

        True when an event was made.
        """
        if not self.listening or self._look_at is not None and diff(now, self._look_at) < 0:
            return False
        self._look_at = add(now, LOOK_MS)
        state = self._snapshot()
        if state == self._told:
            return False
        self._told = state
        fields = {"seq": self.next}
        fields.update(state)
        self.next += 1
        if send("state", fields):
            self._lost = 0
        else:
            self._lost += 1
            self.listening = self._lost < PATIENCE
        return True
