"""A volume in memory for what keeps one file: settings, identity, the service key."""


class Volume:
    """`files`: path to content. `full` makes every change fail. `writes` counts those that did not."""

    def __init__(self, files=None):
        self.files = files or {}
        self.full = False
        self.writes = 0

    def read(self, path, limit=1024):
        return self.files.get(path)

    def replace(self, path, data):
        self._change()
        self.files[path] = data

    def remove(self, path):
        self._change()
        del self.files[path]

    def _change(self):
        if self.full:
            raise OSError(28, "ENOSPC")
        self.writes += 1
