"""Service sessions: proving to a board that this station has its key, and giving it another one."""

import hmac
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256

from taisai.client.board import Board
from taisai.client.errors import LinkError, NeedsKey, Refused, WrongKey
from taisai.client.servicekeys import ServiceKeys

# A board makes whoever answered wrongly wait, twice as long each time. So long a person is willing to sit there.
LONGEST_WAIT_S = 40


@contextmanager
def session(board: Board, keys: ServiceKeys | None) -> Iterator[None]:
    """A session for as long as the block lasts, where the board wants one."""
    opened = open_session(board, keys)
    try:
        yield
    finally:
        if opened:
            try:
                board.session_end()
            except LinkError:
                pass  # it restarts, or has gone: the session has ended with it, or ends by itself


def open_session(board: Board, keys: ServiceKeys | None) -> bool:
    """Open a session; False when the board wants none. It lasts until it is ended, the board restarts, or 10 minutes
    pass without a change.

    NeedsKey without a key for this board; WrongKey when the board accepts none of those there are, or wants no answer
    for longer than LONGEST_WAIT_S.
    """
    try:
        told = board.session_start()
    except Refused as error:
        if error.code == "verb":
            return False  # firmware from before there were sessions
        raise
    if not told["needed"]:
        return False
    known = [] if keys is None else keys.of(board.identity.board)
    if not known:
        raise NeedsKey(board.port, board.identity.board, None if keys is None else str(keys.path))
    for key in known:
        if _opens(board, key):
            return True
    raise WrongKey(board.port, f"board {board.identity.board} does not accept the key in {keys.path}")


def give_key(board: Board, keys: ServiceKeys) -> None:
    """Give the board a new key, which is in the file before the board has it. The old one is forgotten afterwards."""
    name = board.identity.board
    open_session(board, keys)
    key = keys.new(name)
    try:
        board.set_key(key)
    except Refused:
        keys.drop(name, key)  # the board says that it has not taken it
        raise
    # Any other failure leaves both in the file: the board has one of them.
    keys.keep(name, key)


def tell_time(board: Board, seconds: float) -> str | None:
    """Tell the board the time, in Unix seconds, for its records; returns what is wrong with its clock or its journal.

    A board that is busy with a game goes on without it.
    """
    try:
        board.set_time(int(seconds))
    except Refused as error:
        if error.code not in ("state", "verb"):  # "verb": firmware from before it kept the time
            return str(error)
    return None


def answer(key: bytes, nonce: bytes, board: str) -> str:
    """What opens the session that the nonce was given for, in hex."""
    return hmac.new(key, nonce + board.encode("ascii"), sha256).hexdigest()


def _opens(board: Board, key: bytes) -> bool:
    """Try one key; False when it is wrong."""
    told = board.session_start()
    if told["wait_s"]:
        if told["wait_s"] > LONGEST_WAIT_S:
            text = f"too many wrong answers: the board takes the next one in {told['wait_s']} s"
            raise WrongKey(board.port, text)
        board.link.wait(told["wait_s"])
        told = board.session_start()
    try:
        board.session_open(answer(key, bytes.fromhex(told["nonce"]), board.identity.board))
    except Refused as error:
        if error.code == "answer":
            return False
        raise
    return True
