"""Service sessions from the PC's side, against the firmware's own access and dispatcher: keys, files, failures."""

import json
import stat

import pytest
from fake_ports import FakePort, Table

from tablecore import servicekey
from taisai.cli import main
from taisai.client import open_board
from taisai.client.errors import LinkError, NeedsKey, Refused, WrongKey
from taisai.client.servicekeys import ServiceKeys
from taisai.client.session import answer, give_key, open_session, session
from taisai.errors import TaisaiError

BOARD = "e6614103e7452d2f"
KEY = bytes(range(32))
OTHER = bytes(range(1, 33))


@pytest.fixture
def table():
    return Table()


@pytest.fixture
def port(table):
    with FakePort(table) as port:
        yield port


@pytest.fixture
def board(port):
    with open_board(port.path) as board:
        yield board


@pytest.fixture
def keys(tmp_path):
    return ServiceKeys(tmp_path / "keys")


def have(keys, *known):
    keys.path.write_text("".join(f"{BOARD} {key.hex()}\n" for key in known))


def give(table, key=KEY):
    table.access._store.replace(key)


def test_the_answer_is_an_hmac_of_nonce_and_board():
    # Worked out with: printf '%s' NONCE BOARD | openssl dgst -sha256 -mac HMAC -macopt hexkey:KEY
    assert answer(KEY, b"0123456789abcdef", BOARD) == "420561ca8e685ec25a92ee641dfa44000f143c8e43e2c27ff21f940d1661f27f"


def test_without_a_key_no_session_is_needed(board, table):
    assert open_session(board, None) is False
    assert board.set_settings({"brightness_percent": 50})["brightness_percent"] == 50
    assert table.journal == []


def test_a_change_without_a_session_is_refused_with_the_remedy(board, table):
    give(table)
    with pytest.raises(Refused, match="needs a service session: name the file with its key with --service-keys"):
        board.set_settings({"brightness_percent": 50})
    with pytest.raises(NeedsKey, match=f"board {BOARD} has a service key: name the file"):
        open_session(board, None)
    assert board.settings()["brightness_percent"] == 100  # reading is open


def test_a_session_lasts_for_its_block(board, table, keys):
    give(table)
    have(keys, KEY)
    with session(board, keys):
        board.set_settings({"brightness_percent": 50})
    with pytest.raises(Refused):
        board.set_settings({"brightness_percent": 60})
    assert table.journal == ["opened", "ended"]


def test_a_file_without_a_key_for_this_board_or_with_a_wrong_one(board, table, keys):
    give(table)
    keys.path.write_text(f"{BOARD[:-1]}0 {KEY.hex()}  # another board\n")
    with pytest.raises(NeedsKey, match="has none for it"):
        open_session(board, keys)
    have(keys, OTHER)
    with pytest.raises(WrongKey, match="does not accept the key in"):
        open_session(board, keys)
    assert table.journal == ["wrong1"]


def test_after_a_wrong_key_the_right_one_is_tried_when_the_board_takes_answers_again(board, table, keys):
    give(table)
    have(keys, KEY, OTHER)
    assert open_session(board, keys) is True
    assert table.journal == ["wrong1", "opened"]


def test_nobody_waits_for_minutes(board, table, keys):
    give(table)
    have(keys, KEY)
    table.access._wrong = 7
    with pytest.raises(Refused):
        board.session_open("0" * 64)
    with pytest.raises(WrongKey, match="takes the next one in 25[56] s"):
        open_session(board, keys)


def test_the_first_key_and_the_next_ones(board, table, keys):
    give_key(board, keys)
    (first,) = keys.of(BOARD)
    assert servicekey.load(table.files["/data/key"]) == first
    assert stat.S_IMODE(keys.path.stat().st_mode) == 0o600
    give_key(board, keys)
    (second,) = keys.of(BOARD)
    assert second != first and servicekey.load(table.files["/data/key"]) == second
    assert table.journal == ["key set", "opened", "key set"]


def test_keys_of_other_boards_stay_in_the_file(board, keys):
    other = f"0000000000000000 {OTHER.hex()}"
    keys.path.write_text(f"# mine\n{other}\n")
    give_key(board, keys)
    assert keys.of("0000000000000000") == [OTHER] and len(keys.of(BOARD)) == 1


def test_a_refused_key_is_not_kept_and_one_that_may_have_been_taken_is(board, table, keys, port):
    give(table)
    have(keys, KEY)
    table.locked = True
    with pytest.raises(Refused, match="the write-lock jumper is not fitted: fit it inside the housing"):
        give_key(board, keys)
    assert keys.of(BOARD) == [KEY]
    table.locked = False
    replace = table.replace
    table.replace = lambda path, data: (replace(path, data), port.unplug())
    with pytest.raises(LinkError):
        give_key(board, keys)
    newest, oldest = keys.of(BOARD)
    assert oldest == KEY and servicekey.load(table.files["/data/key"]) == newest


@pytest.mark.parametrize("text", ["nonsense\n", f"{BOARD} 00\n", f"{BOARD}{KEY.hex()}\n", f"X {KEY.hex()}\n", "\xff"])
def test_a_line_that_is_none_is_named(keys, text):
    keys.path.write_bytes(b"# first\n" + text.encode("latin-1"))
    with pytest.raises(TaisaiError, match="line 2 is not a board id|cannot be read as a file of service keys"):
        keys.of(BOARD)


def test_configure_with_and_without_the_file(port, table, keys, capsys, monkeypatch):
    monkeypatch.delenv("TAISAI_SERVICE_KEYS", raising=False)
    line = ["configure", "set", "brightness_percent=70", "--port", port.path]
    assert main(["configure", "service-key", "--port", port.path]) == 2
    assert "--service-keys FILE" in capsys.readouterr().err
    assert main(["configure", "service-key", "--port", port.path, "--service-keys", str(keys.path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"board": BOARD, "service_keys": str(keys.path)}
    assert main(line) == 2
    assert "has a service key: name the file that holds it with --service-keys" in capsys.readouterr().err
    assert main([*line, "--service-keys", str(keys.path)]) == 0
    monkeypatch.setenv("TAISAI_SERVICE_KEYS", str(keys.path))
    assert main(line) == 0
    assert table.journal == ["key set", "opened", "ended", "opened", "ended"]
