"""The service key of this unit: 32 bytes that let a host open a session, in a file of their own in /data.

Absent: no key was ever set, and every host may do everything. Damaged: nobody may change anything until the lost-key
way in was taken, for a byte that has tipped over must not open the table.
"""

import binascii
import struct

PATH = "/data/key"
KEY_BYTES = 32
_MAGIC = b"TSK1"
_BYTES = len(_MAGIC) + KEY_BYTES + 4


def answer_of(nonce, board):
    """What a host signs with the key to open a session: the board's nonce (bytes), and for which board it is meant."""
    return nonce + board.encode()


def dump(key):
    """The file's content: a mark, the key and the CRC-32 of both."""
    head = _MAGIC + key
    return head + struct.pack("<I", binascii.crc32(head) & 0xFFFFFFFF)


def load(data):
    """The key in a file's content; ValueError when it is damaged."""
    if len(data) != _BYTES or data != dump(data[len(_MAGIC) : -4]):
        raise ValueError("damaged")
    return data[len(_MAGIC) : -4]


class KeyStore:
    """The key as it lies on the volume. `storage` reads, replaces and removes files."""

    def __init__(self, storage):
        self.key = None
        self.damaged = False
        self._storage = storage
        data = storage.read(PATH)
        if data is not None:
            try:
                self.key = load(data)
            except ValueError:
                self.damaged = True

    @property
    def needed(self):
        """A session is needed for whatever changes something."""
        return self.damaged or self.key is not None

    def replace(self, key):
        """Set a key or another one. OSError when it cannot be stored; then the old one stays."""
        self._storage.replace(PATH, dump(key))
        self.key = key
        self.damaged = False

    def remove(self):
        """Be without a key again. OSError when the file cannot be removed; then it stays."""
        self._storage.remove(PATH)
        self.key = None
        self.damaged = False
