"""Salted hashes of files, worked out a slice at a time: the caller gives one slice to each pass of the main loop."""

import hashlib
from binascii import hexlify, unhexlify

from tablecore.protocol import ProtocolError

SLICE_BYTES = 1024  # read and hashed in one pass: some 2 ms on an RP2040


class FileHash:
    """One file's hash on its way. `file` is an open binary file with `readinto` and `close`; it is closed at the end.

    The nonce comes first, so that nobody can have worked the hash out beforehand.
    """

    def __init__(self, nonce, file, buffer):
        self._hash = hashlib.sha256(unhexlify(nonce))
        self._file = file
        self._buffer = buffer
        self._size = 0

    def step(self):
        """Work on the next slice. None while there is more to do, then the reply's fields. ProtocolError "failed"."""
        try:
            count = self._file.readinto(self._buffer)
        except OSError:
            self._file.close()
            raise ProtocolError("failed", text="the file cannot be read") from None
        if count:
            self._hash.update(memoryview(self._buffer)[:count])
            self._size += count
            return None
        self._file.close()
        return {"size": self._size, "sha256": hexlify(self._hash.digest()).decode()}
