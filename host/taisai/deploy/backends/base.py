"""What the ways of writing share: a target, a job, and the question whether they fit each other."""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from taisai.boards.pins import Mcu
from taisai.build.bundle import Bundle
from taisai.build.images import MicroPythonImage, check_micropython
from taisai.client.drives import Drive
from taisai.deploy.errors import Unfit
from taisai.deploy.flash import Result, Watcher
from taisai.deploy.preflight import Policy


@dataclass(frozen=True)
class Target:
    """A board as it was found: the port or drive, a kind of client.probe, and words about it."""

    where: str
    kind: str
    text: str
    drive: Drive | None = None


@dataclass(frozen=True)
class Interpreter:
    """A MicroPython image given by the user, checked for the board."""

    file: str
    data: bytes
    image: MicroPythonImage

    def as_dict(self) -> dict:
        """What a result records of it."""
        return {"file": self.file, "version": self.image.version, "sha256": self.image.sha256}


@dataclass(frozen=True)
class Job:
    """What is to be written. `named`: the backend asked for, if any; `full_image`: MicroPython and files in one."""

    bundle: Bundle
    policy: Policy
    board: Mcu
    interpreter: Interpreter | None = None
    full_image: bool = False
    named: str | None = None


class Backend(Protocol):
    """One way of writing; each is a module."""

    NAME: str

    def fits(self, target: Target, job: Job) -> str | None:
        """None when it can write this target, else why it cannot."""

    def run(self, target: Target, job: Job, watcher: Watcher) -> Result:
        """Do the job."""


def read_interpreter(path: Path, board: Mcu) -> Interpreter:
    """The image in a file; Unfit when it cannot be read, a TaisaiError that names it when it does not fit the board."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise Unfit(f"{path} cannot be read: {error.strerror}") from error
    return Interpreter(str(path), data, check_micropython(data, board, str(path)))
