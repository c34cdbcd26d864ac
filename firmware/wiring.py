"""What the loader starts: has the table put together, and runs it.

assembly.py, which puts it together, and what only it needs are dropped when they have done their work: the main loop is
entered from here, where nothing refers to them any more.
"""

import os
import sys

from vfs import mount, umount

_DIRECTORY = 0x4000
_SHORTCUT = "/quick"


class Shortcut:
    """A file system for imports, in front of a folder whose files it knows by name.

    For every module MicroPython asks for a folder, then for a .py file, then for a .mpy file of that name, and for
    modules of its own, like `struct`, too. In a folder of 70 files littlefs takes 6 ms for each answer, and most are
    no: on an emulated RP2040 all imports took 1.6 s, and with this they take 1.0 s.
    """

    def __init__(self, folder):
        self._folder = folder
        self._kinds = {}
        self._look("")

    def mount(self, readonly, mkfs):
        """Called by `mount`."""

    def umount(self):
        """Called by `umount`."""

    def stat(self, path):
        kind = self._kinds.get(path)
        if kind is None:
            raise OSError(2)  # ENOENT
        return (kind, 0, 0, 0, 0, 0, 0, 0, 0, 0)

    def open(self, path, mode):
        return open(self._folder + path, mode)

    def _look(self, folder):
        for entry in os.ilistdir(self._folder + folder):
            path = folder + "/" + entry[0]
            self._kinds[path] = entry[1]
            if entry[1] == _DIRECTORY:
                self._look(path)


def run(folder):
    """Run the table whose files lie in `folder`. Returns only by an exception."""
    mount(Shortcut(folder), _SHORTCUT)
    sys.path.insert(0, _SHORTCUT)
    from assembly import assemble
    from tablecore import modules

    loop = assemble(folder)
    sys.path.pop(0)
    umount(_SHORTCUT)
    for package in ("tablecore", "tablehw"):  # what is imported later comes from the folder itself
        sys.modules[package].__path__ = folder + "/" + package
    del assemble
    modules.forget("assembly", "tablecore.tablefile", "tablehw.cause")
    loop.run()
