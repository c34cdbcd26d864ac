"""HMAC-SHA256 (RFC 2104): proof that whoever made an answer has the key. MicroPython has no module for it."""

import hashlib

_BLOCK = 64  # bytes that SHA-256 takes at a time


def hmac_sha256(key, message):
    """The 32 bytes of HMAC-SHA256. `key` and `message` are bytes of any length."""
    if len(key) > _BLOCK:
        key = hashlib.sha256(key).digest()
    key = key + bytes(_BLOCK - len(key))
    inner = hashlib.sha256(bytes([byte ^ 0x36 for byte in key]))
    inner.update(message)
    outer = hashlib.sha256(bytes([byte ^ 0x5C for byte in key]))
    outer.update(inner.digest())
    return outer.digest()


def same(one, other):
    """Whether two byte strings are equal, in a time that does not tell where they differ."""
    if len(one) != len(other):
        return False
    difference = 0
    for a, b in zip(one, other):
        difference |= a ^ b
    return difference == 0
