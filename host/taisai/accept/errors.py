"""How a step ends when it does not pass: the unit is at fault, or somebody ended it. Anything else is an ERROR."""

from taisai.errors import EXIT_INTERRUPTED, EXIT_UNIT_FAILED, TaisaiError


class StepFailed(TaisaiError):
    """The unit is not as it should be. `part`: what has to be looked at or replaced, in a technician's words."""

    exit_code = EXIT_UNIT_FAILED

    def __init__(self, part: str, reason: str):
        self.part = part
        super().__init__(reason)


class Aborted(TaisaiError):
    """A person or a time-out ended the run; nothing is known about the unit."""

    exit_code = EXIT_INTERRUPTED


class Swapped(TaisaiError):
    """Another unit is on this port than the one that was identified."""
