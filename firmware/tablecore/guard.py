"""The door contact of the housing and the write-lock jumper, both optional inputs of a controller.

What happens while the board has no power is not seen: a door that was opened and closed again by then leaves no trace.
"""

_READINGS = 10  # in a row, some 50 ms: a knock on the housing does not open the door


class Guard:
    """`inputs.door_open()` and `inputs.writing_allowed()` are the contacts as read this moment; False and True where
    the controller has none. `terminal` is told of the door, `note(text)` journals that it was opened.
    """

    def __init__(self, inputs, terminal, note):
        self._inputs = inputs
        self._terminal = terminal
        self._note = note
        self._open = False
        self._readings = 0

    def locked(self):
        """The jumper is not fitted: nothing may be written."""
        return not self._inputs.writing_allowed()

    def step(self):
        """Take one reading of the door; every 5 ms."""
        if self._inputs.door_open() == self._open:
            self._readings = 0
            return
        self._readings += 1
        if self._readings == _READINGS:
            self._readings = 0
            self._open = not self._open
            self._terminal.set_door(self._open)
            if self._open:
                self._note("door")
