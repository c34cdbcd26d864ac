"""The PC's side of the link to a board: find the port, open it, identify what is there, ask and change.

`open_board(spec)` is the way in; spec is PORT, id:BOARD, sim:TABLE, an rfc2217:// address, or None for the only board.
"""

from taisai.client.board import Board
from taisai.client.find import open_board
from taisai.client.transport import Transport, open_port

__all__ = ["Board", "Transport", "open_board", "open_port"]
