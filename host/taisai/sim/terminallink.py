"""The symbolic link that gives a pseudo-terminal a name of the user's choice."""

import os
from pathlib import Path


class TerminalLink:
    """A link at `path` to the terminal `terminal`, for example /dev/pts/7."""

    def __init__(self, path: Path, terminal: str):
        """Make it; OSError when anything is there but what a simulation that was killed has left."""
        self._path = path
        self._terminal = terminal
        if self._is_dead():
            path.unlink()
        path.symlink_to(terminal)

    def remove(self) -> None:
        """Remove it, unless others have put something else there."""
        if _target(self._path) == self._terminal:
            self._path.unlink(missing_ok=True)

    def _is_dead(self) -> bool:
        """A link to a terminal of this kind that is gone, or whose number this terminal has now."""
        target = _target(self._path)
        if target is None or target.rstrip("0123456789") != self._terminal.rstrip("0123456789"):
            return False
        return target == self._terminal or not os.path.exists(target)


def _target(path: Path) -> str | None:
    """Where a symbolic link points to; None when there is no link."""
    try:
        return os.readlink(path)
    except OSError:
        return None
