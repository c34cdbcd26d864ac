"""When garbage is collected: not while a key is down, as long as that can wait, and never without need."""

from tablecore.garbage import Collector
from tablecore.ticks import PERIOD, add

START = PERIOD - 3000  # the clock wraps in each of these


class Counted:
    def __init__(self):
        self.times = 0
        self.collector = Collector(self.collect, START)

    def collect(self):
        self.times += 1

    def messages(self, count):
        for _ in range(count):
            self.collector.count()


def test_nothing_happens_nothing_is_collected_before_its_time():
    memory = Counted()
    for ms in range(0, 10000, 5):
        assert not memory.collector.step(add(START, ms), True)
    assert memory.collector.step(add(START, 10000), True)
    assert not memory.collector.step(add(START, 10005), True)
    assert memory.collector.step(add(START, 20000), True)
    assert memory.times == 2


def test_after_eight_messages():
    memory = Counted()
    memory.messages(7)
    assert not memory.collector.step(START, True)
    memory.messages(1)
    assert memory.collector.step(START, True)
    memory.messages(7)
    assert not memory.collector.step(START, True)
    assert memory.times == 1


def test_not_while_a_key_is_down_unless_there_are_too_many_messages():
    memory = Counted()
    memory.messages(15)
    assert not memory.collector.step(add(START, 60000), False)
    memory.messages(1)
    assert memory.collector.step(add(START, 60005), False)
    assert not memory.collector.step(add(START, 60010), True)
    assert memory.times == 1
