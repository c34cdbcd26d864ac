"""Receives, copies and switches. Runs on the board, after look.py and with its names. Tells whether it can unpack.

One frame: length and CRC-32 of its body in 4 and 8 hex digits, then the body, in which byte 3 never occurs (3 is sent
as 16 19, and 16 as 16 32). So Ctrl-C still interrupts here at any moment: a transfer whose link was cut never leaves
the board deaf, and no other tool needs to know of it. A "+" asks for the next frame: while flash is written nothing is
on its way, since many a port loses bytes then.
"""

import io

try:
    import deflate

    print(1)
except ImportError:
    print(0)


def say(mark):
    sys.stdout.buffer.write(mark)


def frame():
    say(b"+")
    take = sys.stdin.buffer.read
    head = take(12)
    body = take(int(head[:4], 16))
    if binascii.crc32(body) != int(head[4:], 16):
        raise ValueError("frame damaged on the link")
    return body.replace(b"\x10\x13", b"\x03").replace(b"\x10\x20", b"\x10")


def put(count, packed, head):
    """Receive `count` bytes and unpack them: `head` bytes with the list of (path, size), then the files one by one."""
    stream = io.BytesIO(count)
    while count:
        count -= stream.write(frame())
    stream.seek(0)
    if packed:
        stream = deflate.DeflateIO(stream, deflate.ZLIB)
    for path, left in json.loads(stream.read(head)):
        with open(path, "wb") as file:
            while left:
                got = stream.readinto(view[: min(left, len(block))])
                if not got:
                    raise ValueError("stream ends early")
                file.write(view[:got])
                left -= got
        say(b".")


def copy(pairs):
    for source, target in pairs:
        with open(source, "rb") as old, open(target, "wb") as new:
            while True:
                got = old.readinto(block)
                if not got:
                    break
                new.write(view[:got])
        say(b".")


def make(folders):
    for path in folders:
        os.mkdir(path)


def remove(paths):
    """Files, and folders that are empty by then; these end in a slash."""
    for path in paths:
        if path[-1] == "/":
            os.rmdir(path[:-1])
        else:
            os.remove(path)
        say(b".")


def switch(name, loader):
    """From here on the board starts this version; the loader follows, or the loader at the next start does it."""
    with open("/current.new", "w") as file:
        file.write(name)
    os.rename("/current.new", "/current")
    if loader:
        os.rename("/" + name + "/main.py", "/main.py")
