"""The faults a model can be given, by name."""

from collections.abc import Iterable

FAULTS = {
    "wrong-boot-mode": "GPIO0 is not pulled low at reset: the application starts where download mode was wanted",
    "silent": "the chip's transmit wire is broken: it hears everything and nothing comes back",
    "garbage": "the first two SYNC frames after each reset are answered with noise",
    "wrong-md5": "the digest of a flash range is that of a range with one flipped bit",
    "small-flash": "the flash chip fitted is a quarter of the size ordered, and says so",
    "secure-boot": "secure boot is on (on esp32: version 2)",
    "secure-boot-v1": "secure boot version 1 is on (esp32 only)",
    "flash-encryption": "flash encryption is on in release mode: the download mode cannot encrypt",
}


def check_faults(names: Iterable[str], chip: str) -> frozenset[str]:
    """Return the names as a set.

    Raises ValueError for a name that is not in FAULTS or does not exist on that chip.
    """
    faults = frozenset(names)
    unknown = sorted(faults - FAULTS.keys())
    if unknown:
        raise ValueError(f"unknown fault {unknown[0]!r}; known are {', '.join(FAULTS)}")
    if "secure-boot-v1" in faults and chip != "esp32":
        raise ValueError(f"{chip} has no secure boot version 1")
    return faults
