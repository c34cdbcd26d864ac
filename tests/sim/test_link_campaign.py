"""Whatever comes in on the link while keys are pressed: no key is missed, nothing restarts, the next request is
answered.
"""

import pytest
from link_bench import LinkBench

from tablecore import framing

JOURNAL = ("/data/journal", "/data/tail")
PRINTABLE = bytes(range(0x20, 0x7F))


@pytest.fixture
def desk():
    with LinkBench(seed=3) as desk:
        yield desk


def changeable(desk):
    """The files that a request could change. The games that are played meanwhile go to the journal."""
    return {path: data for path, data in desk.files().items() if not path.startswith(JOURNAL)}


@pytest.mark.soak
def test_random_bytes(desk, campaign):
    """Half of it with a host that reads what comes back, half with one that does not."""
    size = campaign(1_000_000)
    sent = 0
    while sent < size:
        noise = desk.random.randbytes(20_000)
        desk.send_all(noise, desk.play)
        sent += len(noise)
        if desk.random.random() < 0.5:
            desk.serial.read(0)
    desk.settles()
    assert "/data/settings.json" not in desk.files()


@pytest.mark.soak
def test_lines_of_every_length_split_anywhere(desk, campaign):
    count = campaign(2000)
    for length in range(2000 // count, 2001, 2000 // count):
        line = bytes(desk.random.choices(PRINTABLE, k=length)) + b"\n"
        while line:
            cut = desk.random.randint(1, len(line))
            desk.send_all(line[:cut])
            line = line[cut:]
        if desk.random.random() < 0.1:
            desk.play()
        if length % 10 == 0:
            desk.serial.read(0)
    desk.settles()


def test_every_single_byte(desk):
    for value in range(256):
        desk.serial.write(bytes([value]))
        desk.board.run_ms(10)
        if value % 16 == 0:
            desk.play()
    desk.settles()
    for value in range(256):
        desk.serial.write(bytes([value, 10]))
        desk.board.run_ms(15)
    desk.play()
    desk.settles()


@pytest.mark.soak
def test_one_flipped_bit_anywhere_in_a_request_changes_nothing(desk, campaign):
    board = desk.host.identity.board
    requests = [
        framing.encode("81", "set-settings", {"board": board, "values": {"brightness_percent": 42}}),
        framing.encode("82", "set-identity", {"board": board, "values": {"model": "*M-J*", "serial_number": "-J"}}),
        framing.encode("83", "service", {"board": board}),
        framing.encode("84", "restart", {"board": board}),
    ]
    before = changeable(desk)
    places = [(line, place) for line in requests for place in range(8 * len(line))]
    step = len(places) // campaign(len(places))
    for line, place in places[desk.random.randrange(step) :: step]:
        flipped = bytearray(line)
        flipped[place // 8] ^= 1 << place % 8
        desk.send_all(bytes(flipped) + b"\n")
        if place % 97 == 0:
            desk.play()
        desk.serial.read(0)
    desk.settles()
    assert changeable(desk) == before
    # The check can fail: the same line unharmed does change it.
    desk.send_all(requests[0])
    desk.board.run_ms(500)
    assert changeable(desk) != before and desk.host.settings()["brightness_percent"] == 42


def test_a_host_that_subscribes_and_never_reads_costs_only_its_events(desk):
    following = desk.host.subscribe()
    rounds = 30
    for _ in range(rounds):
        desk.play()
    told = b""
    while more := desk.serial.read(300):
        told += more
    *lines, rest = told.split(b"\n")
    assert rest == b"" and lines
    numbers = []
    for line in lines:
        head, checked = framing.unseal(line)
        assert checked and head.startswith("! state ")
        numbers.append(framing.parse_fields(head[8:], "-")["seq"])
    assert numbers == sorted(set(numbers)) and numbers[0] == following
    assert len(numbers) < rounds * 5, "the port never filled: nothing was tried here"
    # The reply that nobody waited for comes whole, and tells how many there have been.
    assert desk.host.subscribe() > numbers[-1] + 1
    desk.settles()


def test_a_host_that_asks_and_never_reads_gets_its_last_reply_when_it_does(desk):
    for round in range(40):
        desk.serial.write(framing.encode(str(round), "identify", {}))
        desk.play()
    desk.settles()
