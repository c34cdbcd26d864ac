"""A service key is set, and the one before opens nothing any more."""

import secrets

from tablecore.servicekey import KEY_BYTES
from taisai.accept import Limit, StepFailed, step
from taisai.client.errors import Refused
from taisai.client.session import answer, give_key


@step("service-key", limits=[Limit("old_key_refused", "", lower=1), Limit("no_key_refused", "", lower=1)])
def test_service_key(unit, measurements):
    board, keys, name = unit.board, unit.keys, unit.identity.board
    give_key(board, keys)
    old = keys.of(name)[0]
    give_key(board, keys)
    if keys.of(name) == [old]:
        raise StepFailed("controller", "controller: the new service key is the old one")
    measurements.take("no_key_refused", _refused(lambda: board.set_time(1_800_000_000)), part="controller's access")
    for wrong in (old, secrets.token_bytes(KEY_BYTES)):
        nonce = bytes.fromhex(board.session_start()["nonce"])
        refused = _refused(lambda nonce=nonce, wrong=wrong: board.session_open(answer(wrong, nonce, name)))
        if wrong == old:
            measurements.take("old_key_refused", refused, part="controller's access")
        board.link.wait(board.session_start()["wait_s"])
    with unit.session():
        pass  # the new key opens one


def _refused(ask) -> bool:
    try:
        ask()
    except Refused as error:
        return error.code in ("session", "answer")
    return False
