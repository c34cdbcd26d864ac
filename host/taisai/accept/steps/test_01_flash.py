"""A blank unit gets the bundle; one that carries a table keeps what it has, and the next steps judge it."""

from taisai.accept import StepFailed, step
from taisai.accept.watcher import StepWatcher
from taisai.deploy.flash import flash_board
from taisai.deploy.installer import Installer
from taisai.deploy.plan import current_name
from taisai.deploy.preflight import Policy
from taisai.errors import TaisaiError


@step("flash", restarts=True)
def test_flash(unit, record):
    reach = unit.reach()
    try:
        board = reach.board(timeout_s=5)
        if board is not None:
            unit.take(board)
            unit.note_start()
            unit.release()
            record.log(f"carries {board.identity.table} {board.identity.firmware} already")
            return
        named = current_name(Installer(reach.prompt(None)).facts())
    finally:
        reach.close()
    if named is not None:
        raise StepFailed("firmware", f"firmware: there is an application in /{named}, and it does not run")
    if unit.bundle is None:
        raise TaisaiError(f"{unit.bay.port}: the unit is blank: name its table (--table) or bundle (--bundle)")
    policy = Policy(allow_unsigned=True, service_keys=unit.keys)
    done = flash_board(unit.reach(), unit.bundle, policy, StepWatcher(record))
    record.log(f"flashed with {done.table} {done.version}, {len(done.sent)} files, {done.sent_bytes} bytes")
