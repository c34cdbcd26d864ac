"""One file of this unit's own data, read at start and changed as a whole: settings or identity."""

from tablecore import settings
from tablecore.protocol import ProtocolError


class Document:
    """`values` is always complete and in range; the file on the volume is the old one or the new one, never a mix.

    `storage` reads and replaces files. `defaults` stand where the file has no value. `apply(values)` carries the values
    out, at start and after each change. `damaged`: the file was there but could not be used, and the defaults are in
    force until the next change.
    """

    def __init__(self, rows, path, storage, defaults, apply=None):
        self.values = dict(defaults)
        self.damaged = False
        self.locked = None  # when set: tells whether the write-lock jumper is missing
        self._rows = rows
        self._path = path
        self._storage = storage
        self._apply = apply
        data = storage.read(path)
        if data is not None:
            try:
                self.values.update(settings.load(rows, data))
            except ValueError:
                self.damaged = True
        self._carry_out()

    def change(self, changes):
        """Take new values for some rows, all or none; returns the names of those that are others than before.

        ProtocolError "field", "locked" or "failed"; then nothing has changed.
        """
        wrong = settings.check(self._rows, changes)
        if wrong:
            name, text = wrong[0]
            # A name that no row has is not repeated: it may be anything, and longer than a reply.
            raise ProtocolError("field", text=f"{name} {text}" if settings.find(self._rows, name) else "no such name")
        if self.locked is not None and self.locked():
            raise ProtocolError("locked")
        values = dict(self.values)
        values.update(changes)
        changed = [name for name in changes if values[name] != self.values[name]]
        if not changed and not self.damaged:
            return changed
        try:
            self._storage.replace(self._path, settings.dump(values))
        except OSError as error:
            raise ProtocolError("failed", text=f"cannot be stored (error {error.errno}); nothing has changed") from None
        self.values = values
        self.damaged = False
        self._carry_out()
        return changed

    def _carry_out(self):
        if self._apply is not None:
            self._apply(self.values)
