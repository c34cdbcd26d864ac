"""Boards for the tests of access: started with files of a test, a host on the link, and what the journal says of it."""

from link_bench import TABLE, LinkBench

from tablecore import records, servicekey, shelf
from taisai.boards.table import load_table
from taisai.build import application_files
from taisai.client import Board
from taisai.client.errors import Refused
from taisai.client.session import answer
from taisai.client.transport import Transport
from taisai.sim.board import VirtualBoard

KEY = bytes(range(32))


def started(files=None, table=TABLE, before=lambda bench: None):
    """A board of `table` with this on its volume, switched on, and a host on its link. To be closed by `port.close`."""
    desk = LinkBench()
    desk.port.close()
    board = VirtualBoard(load_table(table), files=application_files(load_table(table)) if files is None else files)
    before(board.bench)
    board.power_on()
    desk.port.board, desk.board, desk.bench, desk.serial = board, board, board.bench, board.serial
    return desk.__enter__()


def identified(desk):
    """The host's new view of the board, after a restart."""
    desk.host = Board.identify(Transport(desk.port, "the virtual board", desk.port.now))
    return desk.host


def restart(desk):
    """Off and on again."""
    desk.board.power_off()
    desk.board.power_on()
    return identified(desk)


def wait_checked(desk):
    """Let the comparison with the manifest end; what the board says of it then."""
    assert desk.board.run_until(lambda: desk.host.integrity()[0] != "checking", 5000)
    return desk.host.integrity()


def key(desk, keys):
    for each in keys:
        desk.press(each)


def keyed(start, **options):
    """A board that has a service key."""
    desk = start({**application_files(load_table(TABLE)), servicekey.PATH: servicekey.dump(KEY)}, **options)
    wait_checked(desk)
    return desk


def answered(desk, key, board=None):
    """The error code of an answer to a new nonce, None when it opened a session."""
    nonce = bytes.fromhex(desk.host.session_start()["nonce"])
    return code_of(desk.host.session_open, answer(key, nonce, board or desk.host.identity.board))


def code_of(call, *arguments):
    try:
        call(*arguments)
    except Refused as error:
        return error.code
    return None


def change(desk):
    """The error code of a change, None when it was made."""
    return code_of(desk.host.set_settings, {"brightness_percent": 60})


def accesses(desk):
    """What the journal has of accesses, oldest first, read from the flash itself."""
    tail = memoryview(desk.files()[shelf.TAIL])
    found = [records.unpack(tail, at) for at in range(0, len(tail), records.RECORD_BYTES)]
    return [each[records.DETAIL].rstrip(b"\0").decode() for each in found if each[records.KIND] == records.ACCESS]


def lose_key(desk, ms=3500, keys="16"):
    """Off, and on again with keys held and the switch on."""
    desk.board.power_off()
    desk.bench.switch.turn(True)
    for each in keys:
        desk.bench.keys[each].move(True)
    desk.bench.advance(desk.bench.now_us + 20_000)
    desk.board.power_on()
    desk.board.run_ms(ms)
    for each in keys:
        desk.bench.keys[each].move(False)
    desk.bench.switch.turn(False)
    desk.board.run_ms(300)
    identified(desk)
