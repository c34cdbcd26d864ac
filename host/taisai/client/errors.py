"""What can go wrong between the PC and a board. Each class has its own message and the exit code it ends with."""

from taisai.errors import EXIT_LINK_LOST, EXIT_UNIT_FAILED, TaisaiError

_REMEDIES = {
    "session": ": name the file with its key with --service-keys",
    "locked": ": fit it inside the housing, and take it off again afterwards",
}


class LinkError(TaisaiError):
    """Any of the below. `port` is the port as the user knows it."""

    def __init__(self, port: str, text: str):
        self.port = port
        super().__init__(f"{port}: {text}")


class PortMissing(LinkError):
    """There is no such port."""


class NotSerial(PortMissing):
    """What is there is something else."""


class PortDenied(LinkError):
    """This user may not open the port."""


class PortBusy(LinkError):
    """Another program has the port open. `holders` names it where the operating system tells."""

    def __init__(self, port: str, holders: list[str]):
        self.holders = holders
        by = f" by {', '.join(holders)}" if holders else " by another program"
        super().__init__(port, f"the port is in use{by}: close that program and try again")


class NoBoard(LinkError):
    """No board was found, or not the one that was named."""

    def __init__(self, text: str):
        super().__init__("no board", text)


class SeveralBoards(LinkError):
    """More than one board is attached and none was named."""

    def __init__(self, boards: list[str]):
        self.boards = boards
        lines = "\n".join(f"  {board}" for board in boards)
        super().__init__("which board", f"{len(boards)} are attached; name one with --port:\n{lines}")


class NotOurs(LinkError):
    """Something answers, but not as a table does."""


class AtPrompt(NotOurs):
    """MicroPython at its prompt: no table is running there."""

    def __init__(self, port: str):
        super().__init__(port, "MicroPython is at its prompt there, no table is running: reset the board, or flash it")


class Mismatch(LinkError):
    """The board's firmware speaks another version of the protocol, or it is not the board that it was."""


class Refused(LinkError):
    """The board answered with an error; `code` is one of the protocol's."""

    def __init__(self, port: str, code: str, text: str):
        self.code = code
        # "failed" is the unit's doing; every other code says that the request should not have been made.
        self.exit_code = EXIT_UNIT_FAILED if code == "failed" else TaisaiError.exit_code
        super().__init__(port, f"the board refuses: {text}{_REMEDIES.get(code, '')}")


class NeedsKey(LinkError):
    """The board wants a service session, and there is no key for it."""

    def __init__(self, port: str, board: str, file: str | None):
        text = f"board {board} has a service key: "
        text += "name the file that holds it with --service-keys" if file is None else f"{file} has none for it"
        super().__init__(port, text)


class WrongKey(LinkError):
    """The board does not accept the service key."""


class StillBooting(LinkError):
    """The self-tests of the board do not end."""

    exit_code = EXIT_UNIT_FAILED


class Silent(LinkError):
    """Nothing has come from the port at all."""

    exit_code = EXIT_LINK_LOST


class NotReading(LinkError):
    """The other end of the port takes no bytes."""

    exit_code = EXIT_LINK_LOST


class LinkLost(LinkError):
    """The port has gone, or a board that had answered before answers no more."""

    exit_code = EXIT_LINK_LOST


class Restarted(LinkLost):
    """The board that had answered before has started anew."""

    def __init__(self, port: str):
        super().__init__(port, "the board has restarted and is in its self-tests: try again in a moment")
