"""The loader: starts the application version that /current names.

The volume holds complete versions side by side (/app-1, /app-2, ...); an update fills a new folder and switches by one
rename of /current. This file hardly changes from version to version and therefore does little else.

It ends in the MicroPython prompt, with a plain line on the console, when there is nothing to start or when the service
flag was set. From there the tools on the PC can put things right; the lamps stay off, since no pin was touched.
"""

import gc
import os
import sys

import micropython

CURRENT = "/current"
SERVICE_FLAG = "/data/service"

# While the application is loaded, collect after so many bytes and not only when the heap is full: else what stays is
# scattered over the whole heap, and the largest free block falls from over 100 KB to under 10 KB. The application ends
# this when it is loaded.
COLLECT_AFTER_BYTES = 16 * 1024


def service_wanted():
    """True once after the flag file was made: removing it is the test, so that a second start is a normal one."""
    try:
        os.remove(SERVICE_FLAG)
    except OSError:
        return False
    return True


def application():
    """Folder of the application to start, or None."""
    try:
        with open(CURRENT) as file:
            name = file.read().strip()
        if not name.startswith("app-"):
            return None
        os.stat("/" + name)
    except (OSError, ValueError):  # ValueError: not text
        return None
    return "/" + name


def finish_update(folder):
    """Put this version's own loader in place, where an update was cut off between the switch and that."""
    try:
        os.rename(folder + "/main.py", "/main.py")
    except OSError:
        pass  # nothing was left to be done, as nearly always


def start():
    """Run the application, or explain why there is none."""
    if service_wanted():
        print("taisai: service mode. The table is not running; a reset starts it.")
        return
    folder = application()
    if folder is None:
        print("taisai: no application to start: /current is missing or names no folder. Flash this board again.")
        return
    finish_update(folder)
    # From here on a byte 3 on the link is data: nothing a host sends may stop a table in the middle of a game.
    micropython.kbd_intr(-1)
    gc.threshold(COLLECT_AFTER_BYTES)
    sys.path.insert(0, folder)
    import wiring

    wiring.run(folder)


start()
