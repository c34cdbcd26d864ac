"""Serial numbers as they come from a scanner or a keyboard."""

import re

from taisai.errors import TaisaiError

PATTERN = r"[A-Z]{2}[0-9]{4,12}"
# AIM identifiers (ISO/IEC 15424): a scanner may say before each code which kind of bar code it was.
_AIM = re.compile(r"\][A-Za-z][0-9A-Za-z]")


def cleaned(text: str) -> str:
    """What was scanned, without what a scanner adds: line ends, blanks, the kind of bar code; in capitals."""
    return _AIM.sub("", "".join(text.split()), count=1).upper()


def checked(text: str, pattern: str = PATTERN) -> str:
    """The serial number; TaisaiError that shows what was read when it has not the pattern."""
    found = cleaned(text)
    try:
        fits = re.fullmatch(pattern, found)
    except re.error as error:
        raise TaisaiError(f"--pattern {pattern}: is no pattern: {error}") from error
    if not fits:
        raise TaisaiError(f"serial number {found!r}: it has not the form {pattern}; scan it again")
    return found
