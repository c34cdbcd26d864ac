"""The files of the volume: read, written, replaced in one step, listed. Nothing here ever formats it.

What is written is on the flash when the call returns, and a power cut leaves the old content or the new: littlefs
takes a file's new content into its folder in one step, when the file is closed. A file that is made anew is there
without content for a moment.
"""

import os

_FOLDER = 0x4000  # in the type that the file system gives
_TEMPORARY = ".new"
_ENOENT = 2
_EEXIST = 17


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
    make_folder(path.rpartition("/")[0])
    temporary = path + _TEMPORARY
    try:
        write(temporary, data)
        rename(temporary, path)
    except OSError:
        _remove(temporary)
        raise


def write(path, data):
    """Make `data` the file's content. OSError when it does not fit; the file may then be there without content."""
    with open(path, "wb") as file:
        file.write(data)


def append(path, data):
    """Add `data` at the end of a file. OSError when it does not fit."""
    with open(path, "ab") as file:
        file.write(data)


def rename(path, new_path):
    """Give a file another name, in one step; one that has that name already is replaced."""
    os.rename(path, new_path)


def remove(path):
    """Remove a file. OSError when there is none."""
    os.remove(path)


def make_folder(path):
    """Make a folder where there is none; the one that it lies in is there already."""
    try:
        os.mkdir(path)
    except OSError as error:
        if error.errno != _EEXIST:
            raise


def read_into(path, at, view):
    """Read into `view` from place `at` of a file on; returns how many bytes there were, 0 also without such a file."""
    try:
        with open(path, "rb") as file:
            file.seek(at)
            return file.readinto(view)
    except OSError as error:
        if error.errno != _ENOENT:
            raise
        return 0


def names(folder):
    """(name, bytes) of everything in a folder, in no order; None instead of bytes for a folder. OSError if none."""
    return list(entries(folder))


def entries(folder):
    """The same, one after the other, so that a long folder needs little memory."""
    for entry in os.ilistdir(folder):
        yield entry[0], None if entry[1] == _FOLDER else entry[3]


def remove_folder(path):
    """Remove an empty folder. OSError when that is not possible."""
    os.rmdir(path)


def open_file(path):
    """An open binary file to read from. OSError when there is none."""
    return open(path, "rb")


def _remove(path):
    try:
        os.remove(path)
    except OSError:
        pass  # it was never made
