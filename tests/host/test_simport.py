"""A simulated board as a port: time passes while somebody reads, however little of it."""

from taisai.client.simport import SimPort


class Board:
    """Counts the milliseconds that it is given."""

    ms = 0

    def __init__(self):
        self.serial = self

    def read(self, timeout_ms):
        self.ms += timeout_ms
        return b""

    def power_on(self):
        raise AssertionError("a board that was handed over is on already")


def test_a_wait_of_less_than_a_millisecond_comes_to_an_end():
    port = SimPort("nz1-pico-hc595", Board())
    port.timeout = 0.0004
    assert port.read(1) == b"" and port.board.ms == 1
