"""The one family of errors that a person can cause, and the exit codes they end with.

Exit codes of every verb: 0 pass, 1 the unit failed, 2 usage or environment, 3 link lost, 130 interrupted.
"""

from dataclasses import dataclass

EXIT_PASS = 0
EXIT_UNIT_FAILED = 1
EXIT_USAGE = 2
EXIT_LINK_LOST = 3
EXIT_INTERRUPTED = 130


class TaisaiError(Exception):
    """A mistake or a condition that the user can act on; its text is one sentence plus the next step."""

    exit_code = EXIT_USAGE


_SHOWN_CHARACTERS = 120


def shown(value: object) -> str:
    """A value as an error text shows it; what somebody has made absurdly long is cut short."""
    text = repr(value)
    if len(text) <= _SHOWN_CHARACTERS:
        return text
    return f"{text[:_SHOWN_CHARACTERS]}... ({len(text):,} characters)"


@dataclass(frozen=True)
class Problem:
    """One thing wrong in one data file: where it is, what stands there, and what to do about it."""

    file: str
    key: str
    value: object
    text: str

    def __str__(self) -> str:
        return f"{self.file}: {self.key} = {shown(self.value)}: {self.text}"


class DataErrors(TaisaiError):
    """Every problem found in a data file, collected so that one run names them all."""

    def __init__(self, problems: list[Problem]):
        self.problems = list(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))
