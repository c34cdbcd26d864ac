"""The files of the volume, as whole files: read, replaced in one step, listed, opened for hashing."""

import os

_FOLDER = 0x4000  # in the type that the file system gives
_TEMPORARY = ".new"


def read(path, limit=1024):
    """A file's content, of which no more than `limit` bytes and one are read; None when there is no such file."""
    try:
        with open(path, "rb") as file:
            return file.read(limit + 1)
    except OSError:
        return None


def replace(path, data):
    """Make `data` the file's content, and make its folder if need be. OSError when it does not fit.

    Written beside the old file and renamed over it: after a power cut there is the old content or the new.
    """
    folder = path.rpartition("/")[0]
    if folder[1:] not in os.listdir("/"):
        os.mkdir(folder)
    temporary = path + _TEMPORARY
    try:
        with open(temporary, "wb") as file:
            file.write(data)
        os.rename(temporary, path)
    except OSError:
        _remove(temporary)
        raise


def names(folder):
    """(name, bytes) of everything in a folder, in no order; None instead of bytes for a folder. OSError if none."""
    return [(entry[0], None if entry[1] == _FOLDER else entry[3]) for entry in os.ilistdir(folder)]


def open_file(path):
    """An open binary file to read from. OSError when there is none."""
    return open(path, "rb")


def _remove(path):
    try:
        os.remove(path)
    except OSError:
        pass  # it was never made
