"""The results display at a running table: the real firmware, keys in, pictures out, in the time of the bench."""

import pytest
from journal_bench import DOWN_MS, HOLD_MS, TABLE, AttachedPort, end_game, host_of, turn_switch
from link_bench import LinkBench
from serial import SerialException

from tablecore import framing, protocol
from taisai.boards.table import load_table
from taisai.client import Board
from taisai.client.transport import Transport
from taisai.display import listener as listening
from taisai.display.listener import Listener, Source
from taisai.errors import TaisaiError
from taisai.journal.reading import read
from taisai.sim.board import OFF, VirtualBoard

SHOWN_S = 0.5  # from a key to the display: the record, the event and a page of the journal
LOST_S = 3.0  # of the issue of the display: it says so that soon
READERS = {verb.name for verb in protocol.VERBS if verb.access == protocol.READ}


class Cable(AttachedPort):
    """The board's port. While `out` nothing passes; without power there is no port. `lines`: what the display said."""

    def __init__(self, board):
        super().__init__(board)
        self.out = False
        self.lines = []

    def read(self, size=1):
        self._check()
        data = super().read(size)
        return b"" if self.out else data

    def write(self, data):
        self._check()
        self.lines += [line for line in data.decode().splitlines() if line]
        return len(data) if self.out else super().write(data)

    def _check(self):
        if self.board.mode == OFF:
            raise SerialException("the device is gone")


class Desk:
    """A table, and a display that looks at it while `run` lets time pass. `told` is what it has shown: (s, picture)."""

    def __init__(self, board, monkeypatch):
        self.board = board
        self.bench = board.bench
        self.cable = Cable(board)
        self.opened = 0
        self.told, self.said = [], []
        self._source = Source("the port", None, 5, 50)
        monkeypatch.setattr(listening, "open_port", self._open)
        monkeypatch.setattr(listening, "RETRY_S", 0)
        self.restart()

    def restart(self):
        """Another display, which knows nothing."""
        self.told.clear()
        self._listener = Listener(self._source, self._tell, self.said.append)
        self._listener.start()

    @property
    def now_s(self):
        return self.bench.now_us / 1_000_000

    @property
    def picture(self):
        return self.told[-1][1]

    def at(self, ms, action):
        """Do something so many ms from now."""
        self.bench.schedule(self.bench.now_us + ms * 1000, action)

    def key(self, ms, name, down_ms=DOWN_MS):
        self.at(ms, lambda: self.bench.keys.press(name, down_ms))

    def run(self, ms):
        """Let the display look on for so long."""
        self.at(ms, self._listener.stop)
        self._listener.run()
        self._listener._stopped.clear()

    def first(self, condition):
        """When a picture first was so, in seconds."""
        return next(s for s, picture in self.told if condition(picture))

    def _open(self, name):
        self.opened += 1
        if self.board.mode == OFF:
            self.board.power_on()
            raise listening.PortMissing(name, "there is no such port")
        return Transport(self.cable, name, lambda: self.now_s)

    def _tell(self, picture):
        self.told.append((self.now_s, picture))


@pytest.fixture(scope="module")
def board():
    with VirtualBoard(load_table(TABLE)) as made:
        made.power_on()
        made.run_ms(1500)
        yield made


@pytest.fixture
def desk(board, monkeypatch):
    """When a test begins no game is open, and the key-switch is off."""
    made = Desk(board, monkeypatch)
    yield made
    turn_switch(board, False)
    if board.bench.observe().lit:
        end_game(board)


def dice(picture):
    return ["".join(each.get("faces", "-")) for each in picture["results"]]


def keyed(desk, throw, at_ms=100):
    """Key a throw and ENTRY; returns when ENTRY went down, in seconds."""
    for place, name in enumerate(throw):
        desk.key(at_ms + 100 * place, name)
    desk.key(at_ms + 400, "E")
    return desk.now_s + (at_ms + 400) / 1000


def test_a_result_its_amendment_and_a_void_are_shown_as_they_are_entered(desk):
    desk.run(500)
    assert desk.picture["connected"] and dice(desk.picture) == []
    entered = keyed(desk, "613")
    desk.run(2000)
    assert desk.first(lambda picture: dice(picture) == ["136"]) - entered < SHOWN_S
    # Rule 7.2, under the key-switch; before that a test run (5.1), which nobody sees.
    desk.at(100, lambda: desk.bench.switch.turn(True))
    desk.key(400, "E", HOLD_MS)
    desk.run(12_000)
    keyed(desk, "555")
    desk.run(2000)
    desk.at(100, lambda: desk.bench.switch.turn(False))
    desk.run(1000)
    assert dice(desk.picture) == ["136"]
    desk.at(100, lambda: desk.bench.switch.turn(True))
    entered = keyed(desk, "236", 500)
    desk.run(2000)
    assert desk.first(lambda picture: dice(picture) == ["236"]) - entered < SHOWN_S
    assert desk.picture["results"][0]["amended"]
    desk.key(100, "1", HOLD_MS)
    desk.run(3000)
    assert desk.picture["results"] == [{"game": 1, "void": True, "amended": False}]
    kinds = [entry["kind"] for entry in read(host_of(desk.board), 1)]
    assert {"result", "amend", "void", "test"} <= set(kinds)


def test_a_restarted_display_shows_the_same(desk):
    for throw in ("613", "222", "441"):
        keyed(desk, throw)
        desk.key(1500, "E", HOLD_MS)
        desk.run(3600)
    before = desk.picture
    assert dice(before)[:3] == ["144", "222", "136"]
    desk.restart()
    desk.run(500)
    assert desk.picture == before


def test_a_cable_that_is_out_shows_within_3_s_and_the_port_is_not_opened_anew(desk):
    cut = desk.now_s + 0.8
    desk.at(800, lambda: setattr(desk.cable, "out", True))
    desk.at(8000, lambda: setattr(desk.cable, "out", False))
    keyed(desk, "655", 4000)
    desk.run(14_000)
    assert desk.first(lambda picture: not picture["connected"]) - cut < LOST_S
    assert desk.picture["connected"] and dice(desk.picture)[0] == "556"
    assert desk.opened == 1
    assert desk.said[0].startswith("the port: board") and "no connection, still trying" in desk.said[1]


def test_a_table_without_power_shows_within_3_s_and_comes_back(desk):
    keyed(desk, "444")
    desk.run(2000)
    cut = desk.now_s + 0.3
    desk.at(300, desk.board.power_off)
    desk.run(8000)
    assert desk.first(lambda picture: not picture["connected"]) - cut < LOST_S
    assert desk.picture["connected"] and dice(desk.picture)[0] == "444"
    assert desk.bench.observe().lit  # the table has lit its result again, and the display has not stood in its way


def test_a_board_that_was_searched_for_is_found_again_at_its_port(desk, monkeypatch):
    """To search anew would speak to other tables."""
    found = []

    def search(port):
        found.append(port)
        return Board.identify(desk._open("the port that was found"))

    monkeypatch.setattr(listening, "open_board", search)
    desk._source = Source(None, None, 5, 50)
    desk.restart()
    desk.at(1500, desk.board.power_off)
    desk.run(8000)
    assert found == [None] and desk.picture["connected"]
    assert {picture["connected"] for _, picture in desk.told} == {True, False}
    assert desk.said[0].startswith("the port that was found: board")


def test_while_there_is_a_table_something_is_told_every_second(desk):
    desk.run(6000)
    times = [s for s, _ in desk.told]
    assert max(after - before for before, after in zip(times, times[1:], strict=False)) < 1.5


def test_the_display_asks_for_nothing_but_what_every_reader_may(desk):
    desk.run(500)
    keyed(desk, "613")
    desk.at(3000, desk.board.power_off)
    desk.run(8000)
    said = {line.split()[1] for line in desk.cable.lines}
    assert said == {"identify", "journal-state", "journal", "subscribe"} and said <= READERS
    assert not [entry for entry in read(host_of(desk.board), 1) if entry["kind"] in ("access", "config")]


def test_a_table_that_is_none_of_ours_is_said_at_the_start(desk, monkeypatch):
    monkeypatch.setattr(listening, "every_id", lambda folder: ["another"])
    with pytest.raises(TaisaiError, match=f"has the table {TABLE}, which is not a shipped one.*--table"):
        desk.restart()


# --- rule 7.5: whatever the display does, the table plays on ---


def test_a_display_that_fails_in_any_way_does_not_disturb_the_table(monkeypatch):
    monkeypatch.setattr(listening, "open_port", lambda name: Transport(AttachedPort(bench.board), name, bench.port.now))
    with LinkBench() as bench:
        games = 0

        def play():
            nonlocal games
            bench.play()  # every key is seen at once, and lights what it has to
            games += 1

        shown = []
        display = Listener(Source("the port", None, 5, 50), shown.append, lambda text: None)
        display.start()
        bench.bench.schedule(bench.bench.now_us + 500_000, display.stop)
        display.run()
        assert shown[-1]["connected"]
        # It hangs: it has subscribed, and reads no more.
        for _ in range(4):
            play()
        # It has gone mad: it asks without end, and reads nothing of what it gets.
        mad = b"".join(
            framing.encode(str(number), verb, fields)
            for number in range(1, 200)
            for verb, fields in (("journal", {"first": 1}), ("subscribe", {}), ("journal-state", {}))
        )
        bench.send_all(mad, play)
        # It was killed in the middle of a word.
        bench.serial.write(mad[:40])
        for _ in range(2):
            play()
        bench.settles()
        kept = [entry["kind"] for entry in read(bench.host, 1) if entry["kind"] in ("result", "end")]
        assert kept == ["result", "end"] * games and games >= 8
