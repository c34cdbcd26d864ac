"""The board's side of the link: what it answers, what it carries out, and that no input can upset it."""

import binascii
import json

from tablecore import dispatch, protocol

BOARD = "e6614103e7452d2f"


def sealed(head):
    """A request line with its CRC and line end."""
    return head.encode() + b" *%08x\n" % (binascii.crc32(head.encode()) & 0xFFFFFFFF)


class Job:
    """Longer work: done with its last slice, or given up for want of memory in the first one."""

    def __init__(self, slices, hungry):
        self.slices = slices
        self.hungry = hungry

    def step(self):
        if self.hungry:
            raise MemoryError
        self.slices -= 1
        return None if self.slices else {"size": 5, "sha256": "00"}


class Board:
    """A dispatcher with handlers that count their calls."""

    def __init__(self):
        self.state = "idle"
        self.calls = []
        self.refuses = False
        self.hungry = False
        handlers = {"identify": self._identify, "state": self._state, "service": self._service, "hash": self._hash}
        self.forbidden = None
        self.link = dispatch.Dispatcher(handlers, lambda: self.state, BOARD, self._permit)

    def _permit(self, verb):
        if self.forbidden and verb.access != "read":
            raise protocol.ProtocolError(self.forbidden)

    def _identify(self, fields):
        self.calls.append("identify")
        return {"state": self.state, "board": BOARD}

    def _state(self, fields):
        self.calls.append("state")
        if self.hungry:
            raise MemoryError
        return {"state": self.state, "digits": "136"}

    def _service(self, fields):
        self.calls.append("service")
        if self.refuses:
            raise protocol.ProtocolError("failed", text="no room")
        return {"state": "restarting"}

    def _hash(self, fields):
        self.calls.append("hash")
        return Job(3, self.hungry)

    def send(self, data):
        for byte in data:
            self.link.receive(byte)

    def lines(self):
        """Everything in the output queue as lines, each checked against its CRC."""
        raw = bytearray()
        while len(self.link.out):
            raw.append(self.link.out.peek())
            self.link.out.drop()
        assert not raw or raw[-1] == 10
        lines = bytes(raw).split(b"\n")[:-1]
        for line in lines:
            head, seal = line[:-10], line[-10:]
            assert seal == b" *%08x" % (binascii.crc32(head) & 0xFFFFFFFF)
            assert len(line) <= 512
        return [line[:-10].decode() for line in lines]

    def ask(self, data):
        """The replies to one input as (id, word, fields)."""
        self.send(data)
        replies = []
        for line in self.lines():
            id, word, fields = line.split(" ", 2)
            replies.append((id, word, json.loads(fields)))
        return replies

    def error(self, data):
        """(id, error code) of the only reply to an input."""
        ((id, word, fields),) = self.ask(data)
        assert word == "error" and fields["text"]
        return id, fields["code"]


def numbers(seed):
    """Endless pseudo-random numbers of 0 to 32767, the same under both interpreters."""
    while True:
        seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
        yield seed >> 16


def test_each_request_is_answered_once():
    board = Board()
    assert board.ask(sealed("7 state {}")) == [("7", "ok", {"state": "idle", "digits": "136"})]
    assert board.ask(b"identify\n") == [("-", "ok", {"state": "idle", "board": BOARD})]
    assert board.ask(b"\n\r\n\r\r\n") == []


def test_any_line_end_and_any_split():
    board = Board()
    for end in (b"\n", b"\r", b"\r\n"):
        assert len(board.ask(b"state" + end)) == 1
    board.send(b"sta")
    assert board.lines() == []
    assert len(board.ask(b"te\n")) == 1


def test_a_repeated_change_is_answered_not_repeated():
    board = Board()
    line = sealed('41 service {"board":"%s"}' % BOARD)
    first = board.ask(line)
    assert board.ask(line) == first == [("41", "ok", {"state": "restarting"})]
    assert board.calls == ["service"]


def test_a_repeat_is_answered_the_same_though_the_state_has_changed():
    board = Board()
    line = sealed('41 service {"board":"%s"}' % BOARD)
    board.ask(line)
    board.state = "result"
    assert board.ask(line) == [("41", "ok", {"state": "restarting"})]
    assert board.error(sealed('42 service {"board":"%s"}' % BOARD)) == ("42", "state")


def test_noise_and_typed_lines_do_not_lose_the_kept_reply():
    board = Board()
    line = sealed('41 service {"board":"%s"}' % BOARD)
    board.ask(line)
    board.ask(b"state\n\xff\xfe\n41 service\n")
    board.ask(line)
    assert board.calls.count("service") == 1


def test_the_same_id_with_another_request_is_a_new_request():
    board = Board()
    board.ask(sealed("7 state {}"))
    assert board.ask(sealed("7 identify {}"))[0][2]["board"] == BOARD


def test_a_lost_reply_is_given_again():
    board = Board()
    while board.link.out.put(b"x" * 100):
        pass
    line = sealed('41 service {"board":"%s"}' % BOARD)
    board.send(sealed("8 state {}") + line)
    while len(board.link.out):
        board.link.out.drop()
    assert board.ask(line) == [("41", "ok", {"state": "restarting"})]
    assert board.calls.count("service") == 1


def test_without_an_id_nothing_is_changed():
    board = Board()
    head = 'service {"board":"%s"}' % BOARD
    assert board.error(head.encode() + b"\n") == ("-", "id")
    assert board.error(sealed(head)) == ("-", "id")
    assert board.error(b"41 " + head.encode() + b"\n") == ("-", "crc")
    assert board.calls == []


def test_a_change_for_another_board_is_refused():
    board = Board()
    assert board.error(sealed('41 service {"board":"another"}')) == ("41", "board")
    assert board.calls == []


def test_a_handler_can_refuse_and_is_not_asked_again_for_a_repeat():
    board = Board()
    board.refuses = True
    line = sealed('41 service {"board":"%s"}' % BOARD)
    assert board.ask(line) == board.ask(line) == [("41", "error", {"code": "failed", "text": "no room"})]
    assert board.calls == ["service"]


HASH = sealed('51 hash {"nonce":"0011223344556677","path":"/main.py"}')


def test_longer_work_is_done_in_slices_and_answered_once():
    board = Board()
    assert board.ask(HASH) == []
    assert [board.link.step() for _ in range(4)] == [False, False, True, False]
    answer = [("51", "ok", {"size": 5, "sha256": "00"})]
    assert board.ask(b"") == answer
    assert board.ask(HASH) == answer and board.calls == ["hash"]


def test_a_repeat_during_longer_work_is_not_begun_again_and_others_are_told_to_wait():
    board = Board()
    assert board.ask(HASH + HASH) == []
    assert board.error(sealed("52 state {}")) == ("52", "busy")
    assert board.error(b"state\n") == ("-", "busy")
    while not board.link.step():
        assert board.ask(HASH) == []
    assert len(board.ask(b"")) == 1 and board.calls == ["hash"]
    assert board.ask(sealed("52 state {}"))[0][:2] == ("52", "ok")


def test_what_there_is_no_memory_for_is_dropped_and_its_repeat_answered():
    board = Board()
    board.hungry = True
    assert board.ask(sealed("7 state {}")) == [] == board.ask(HASH)
    assert not board.link.step() and board.lines() == []
    board.hungry = False
    assert board.ask(sealed("7 state {}"))[0][:2] == ("7", "ok")
    assert board.ask(HASH) == []
    while not board.link.step():
        pass
    assert board.ask(b"")[0][:2] == ("51", "ok") and board.calls == ["state", "hash", "state", "hash"]


def test_longer_work_asked_for_by_hand_is_answered_too():
    board = Board()
    board.send(b'hash {"nonce":"0011223344556677","path":"/main.py"}\n')
    while not board.link.step():
        pass
    assert board.ask(b"") == [("-", "ok", {"size": 5, "sha256": "00"})]


def test_events_leave_room_for_two_replies():
    board = Board()
    sent = 0
    while board.link.event("state", {"seq": sent, "digits": "136"}):
        sent += 1
    assert 10 < sent < 40 and board.link.out.room() >= 2 * 513
    assert not board.link.event("state", {"seq": sent, "digits": "136"})
    board.send(sealed("7 state {}") + sealed("8 state {}"))
    lines = board.lines()
    assert lines[0].startswith("! state {") and len(lines) == sent + 2
    assert lines[-2].startswith("7 ok") and lines[-1].startswith("8 ok")


def test_a_reply_that_is_too_long_becomes_an_error():
    board = Board()
    board.link._handlers["state"] = lambda fields: {"digits": "x" * 600}
    assert board.error(sealed("7 state {}")) == ("7", "failed")


def test_what_is_not_permitted_is_not_carried_out():
    board = Board()
    board.forbidden = "session"
    request = sealed('51 service {"board":"%s"}' % BOARD)
    assert board.ask(request)[0][1:] == ("error", {"code": "session", "text": "needs a service session"})
    assert board.ask(sealed("52 state {}"))[0][1] == "ok"
    assert board.calls == ["state"]


def test_a_request_for_another_board_is_told_so_before_anything_else():
    board = Board()
    board.forbidden = "session"
    for verb, more in (("service", ""), ("session-start", ""), ("session-open", ',"answer":"%s"' % ("0" * 64))):
        request = sealed('7 %s {"board":"%s"%s}' % (verb, "0" * 16, more))
        assert board.ask(request)[0][2]["code"] == "board"
    assert board.calls == []


def test_while_booting_only_that_is_told():
    board = Board()
    board.state = "booting"
    assert board.ask(sealed("1 identify {}")) == [("1", "ok", {"state": "booting"})]
    assert board.ask(b"state\n") == [("-", "ok", {"state": "booting"})]
    assert board.error(sealed('2 service {"board":"%s"}' % BOARD)) == ("2", "state")
    assert board.calls == []


def test_a_long_line_gets_one_answer_and_the_next_is_read():
    for length in (513, 514, 600, 1024, 2000, 10000):
        board = Board()
        assert board.error(b"a" * length + b"\n") == ("-", "long")
        assert len(board.ask(b"state\n")) == 1


def test_the_longest_line_is_read():
    board = Board()
    head = "7 state " + " " * (512 - 8 - 2 - 10) + "{}"
    line = sealed(head)
    assert len(line) == 513
    assert board.ask(line)[0][:2] == ("7", "ok")
    assert board.error(b" " + line) == ("-", "long")


def test_a_flood_without_line_ends_gets_one_answer():
    board = Board()
    for _ in range(20):
        board.send(b"z" * 1000)
    assert len(board.lines()) == 1


def test_every_single_byte_value():
    board = Board()
    for byte in range(256):
        replies = board.ask(bytes([byte]) + b"\n")
        if byte in (10, 13):
            assert replies == []
        else:
            assert len(replies) == 1 and replies[0][0] == "-" and replies[0][1] == "error"
    assert board.calls == []


def test_random_bytes_never_raise_and_real_requests_get_through():
    board = Board()
    source = numbers(5)
    for round in range(40):
        board.send(bytes(next(source) & 0xFF for _ in range(250)))
        board.send(b"\n" + sealed("%d state {}" % round))
        # Nobody has read the noise's answers: there is room for the real reply all the same.
        assert [line for line in board.lines() if line.startswith("%d ok " % round)]
    assert "service" not in board.calls


def test_noise_cannot_fill_the_queue():
    board = Board()
    board.send(b"?\n" * 500)
    assert board.link.out.room() >= 1026 - 100
    assert board.link.out.put(b"x" * 900)


def test_random_lines_built_from_the_protocols_own_words():
    words = ["7", "state", "service", "{}", '{"board":"x"}', "[", '"', " *", "00000000", "-", "ok", "\\u", "1e999", ":"]
    board = Board()
    source = numbers(11)
    for _ in range(600):
        head = " ".join(words[next(source) % len(words)] for _ in range(1 + next(source) % 6))
        board.send(sealed(head) if next(source) & 1 else head.encode() + b"\n")
        board.lines()
    assert "service" not in board.calls


def test_receive_tells_when_a_line_was_answered():
    link = Board().link
    assert [link.receive(byte) for byte in b"ab\n\n"] == [False, False, True, False]
