"""From what the user names to an identified board: by port, by board id, or the only one attached."""

from concurrent.futures import ThreadPoolExecutor

from taisai.client.board import IDENTIFY_S, Board
from taisai.client.errors import LinkError, NoBoard, SeveralBoards
from taisai.client.ports import KNOWN_USB, serial_ports
from taisai.client.transport import open_port

ID = "id:"


def open_board(spec: str | None = None, timeout_s: float = IDENTIFY_S) -> Board:
    """The board that is named, or the only one: identified, its port held until it is closed.

    SeveralBoards lists them when more than one is attached and none was named; NoBoard says what was tried.
    """
    if spec is None or spec.startswith(ID):
        return _search(None if spec is None else spec.removeprefix(ID).lower(), timeout_s)
    return _open(spec, timeout_s)


def _open(spec: str, timeout_s: float) -> Board:
    transport = open_port(spec)
    try:
        return Board.identify(transport, timeout_s)
    except BaseException:
        transport.close()
        raise


def _search(board_id: str | None, timeout_s: float) -> Board:
    """Ask at every port that a board of ours can be behind, at all of them at once."""
    ports = [port.device for port in serial_ports() if port.known]
    if not ports:
        kinds = ", ".join(KNOWN_USB.values())
        raise NoBoard(f"no serial port is one that boards have ({kinds}): plug one in, or name a port with --port")
    with ThreadPoolExecutor(len(ports)) as pool:
        outcomes = list(pool.map(lambda device: _try(device, timeout_s), ports))
    boards = [each for each in outcomes if isinstance(each, Board)]
    chosen = [each for each in boards if board_id in (None, each.identity.board.lower())]
    for board in boards:
        if len(chosen) != 1 or board is not chosen[0]:
            board.close()
    if len(chosen) == 1:
        return chosen[0]
    if chosen:
        raise SeveralBoards([f"{board.port}: {board.identity}" for board in chosen])
    seen = [f"{each.port}: {each.identity}" if isinstance(each, Board) else str(each) for each in outcomes]
    wanted = "no table answers" if board_id is None else f"board {board_id} is not attached"
    raise NoBoard("\n  ".join([f"{wanted}; found:", *seen]))


def _try(device: str, timeout_s: float) -> Board | LinkError:
    try:
        return _open(device, timeout_s)
    except LinkError as error:
        return error
