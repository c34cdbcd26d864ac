"""`taisai calibrate`: have a table measure the current of each area, so that from then on one dark lamp shows."""

from taisai.cli.options import Json, PortName, ServiceKeysFile
from taisai.cli.output import print_json, talk
from taisai.cli.trust import service_keys_in


def calibrate(port: PortName = None, service_keys: ServiceKeysFile = None, as_json: Json = False) -> None:
    """Calibrate the lamps of a table that has a current sense.

    Do this once the lamps are fitted, after every repair of lamps or sense, and when a controller was replaced: see in
    a test run that every lamp lights, then calibrate. The table lights each area alone for a moment, measures what it
    takes, and keeps that. An area that does not take what the table file declares, within its tolerance, is named, and
    nothing changes. Until the first calibration the declared current stands in, by which one dark lamp shows only
    among few. Refused while a result is lit.
    """
    from taisai.client import open_board
    from taisai.client.session import session

    keys = service_keys_in(service_keys)
    with open_board(port) as board:
        talk(f"taisai: board {board.identity.board} lights each of its areas alone: look whether all lamps are lit")
        with session(board, keys):
            zones = board.calibrate()
        name, where = board.identity.board, board.port
    if as_json:
        print_json({"board": name, "port": where, "zones": zones})
    else:
        print(f"{where}: board {name}: {zones} areas calibrated")
