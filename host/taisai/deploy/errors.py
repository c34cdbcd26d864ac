"""What can go wrong while a board is written or read, beside the errors of the link and of bundles.

Each class has its own message and the exit code it ends with.
"""

from taisai.errors import EXIT_UNIT_FAILED, TaisaiError


class DeployError(TaisaiError):
    """Any of the below."""


class NoPrompt(DeployError):
    """What is on the port does not answer as MicroPython does."""


class OnBoardError(DeployError):
    """The board reported an exception. `kind` is its name, for example OSError; `number` the errno of an OSError."""

    def __init__(self, text: str, kind: str, number: int | None):
        self.kind = kind
        self.number = number
        super().__init__(text)


class Unfit(DeployError):
    """Pre-flight: this bundle or image is not for this board, or the board is not ready for it."""


class WriteFailed(DeployError):
    """What was written does not read back as it was sent, even after another try."""

    exit_code = EXIT_UNIT_FAILED


class NotStarted(DeployError):
    """The board does not come back as the version that was written."""

    exit_code = EXIT_UNIT_FAILED
