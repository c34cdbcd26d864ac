"""HMAC-SHA256 against the test cases of RFC 4231."""

from binascii import unhexlify

from tablecore.hmac import hmac_sha256, same

# RFC 4231, section 4: key, data, HMAC-SHA-256. Case 5 states a shortened value only.
CASES = (
    (
        b"\x0b" * 20,
        b"Hi There",
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
    ),
    (
        b"Jefe",
        b"what do ya want for nothing?",
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    ),
    (
        b"\xaa" * 20,
        b"\xdd" * 50,
        "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe",
    ),
    (
        bytes(range(1, 26)),
        b"\xcd" * 50,
        "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b",
    ),
    (b"\x0c" * 20, b"Test With Truncation", "a3b6167473100ee06e0c796c2955552b"),
    (
        b"\xaa" * 131,
        b"Test Using Larger Than Block-Size Key - Hash Key First",
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
    ),
    (
        b"\xaa" * 131,
        b"This is a test using a larger than block-size key and a larger than block-size data. "
        b"The key needs to be hashed before being used by the HMAC algorithm.",
        "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2",
    ),
)


def test_the_cases_of_rfc_4231():
    for key, data, expected in CASES:
        digest = hmac_sha256(key, data)
        assert len(digest) == 32
        assert digest[: len(expected) // 2] == unhexlify(expected)


def test_a_key_of_a_whole_block_is_not_hashed_first():
    # RFC 2104: only a key longer than a block is; 64 bytes with zeros at the end equal the shorter key.
    assert hmac_sha256(b"k" + bytes(63), b"x") == hmac_sha256(b"k", b"x")
    assert hmac_sha256(b"k" + bytes(64), b"x") != hmac_sha256(b"k", b"x")


def test_same_compares_every_byte():
    value = bytes(range(32))
    assert same(value, bytes(value)) and same(b"", b"")
    for at in range(32):
        other = bytearray(value)
        other[at] ^= 0x80
        assert not same(value, bytes(other))
    assert not same(value, value[:31]) and not same(value[:31], value)
