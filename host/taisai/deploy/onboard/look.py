"""What is on the volume and which board this is. Runs on the board; /data belongs to the unit and is only listed.

What is found is told as a CRC-32 and JSON; the lines themselves only when they are asked for, their digest is told
before. Sent first of all, so it is short.
"""

import binascii
import hashlib
import json
import machine
import os
import sys

MOST = 400  # entries that are listed: ten applications' worth; a board with more is not one of ours
block = bytearray(1024)
view = memoryview(block)
lines = []


def hashed(path):
    total = hashlib.sha256()
    with open(path, "rb") as file:
        while True:
            count = file.readinto(block)
            if not count:
                return binascii.hexlify(total.digest()).decode()
            total.update(view[:count])


def walk(folder):
    for entry in sorted(os.ilistdir(folder or "/")):
        path = folder + "/" + entry[0]
        if len(lines) == MOST:
            return
        if not entry[1] & 0x4000:
            lines.append(path + " %d " % entry[3] + hashed(path))
        elif path not in ("/data", "/rom"):
            lines.append(path + "/")
            walk(path)


def look():
    lines.clear()
    walk("")
    total = hashlib.sha256()
    for line in lines:
        total.update(line.encode() + b"\n")
    return binascii.hexlify(total.digest()).decode()


def tell(found):
    text = json.dumps(found)
    print("%08x" % binascii.crc32(text.encode()), text)


def size(folder):
    total = 0
    try:
        for entry in os.ilistdir(folder):
            total += size(folder + "/" + entry[0]) if entry[1] & 0x4000 else entry[3]
    except OSError:
        pass
    return total


def facts():
    volume = os.statvfs("/")
    try:
        with open("/current") as file:
            current = file.read(16)
    except (OSError, ValueError):
        current = None
    tell({
        "listing": look(),
        "files": len(lines),
        "current": current,
        "data": size("/data"),
        "records": size("/data/journal") + size("/data/tail"),
        "block": volume[0],
        "blocks": volume[2],
        "free": volume[3],
        "platform": sys.platform,
        "machine": getattr(sys.implementation, "_machine", ""),
        "version": sys.implementation[1][:3],
        "mpy": getattr(sys.implementation, "_mpy", 0) & 255,
        "board": binascii.hexlify(machine.unique_id()).decode(),
    })  # fmt: skip


def hashes(paths):
    tell([[os.stat(path)[6], hashed(path)] for path in paths])
