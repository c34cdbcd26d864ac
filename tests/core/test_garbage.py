"""When garbage is collected: not while a key is down, as long as that can wait, and never without need."""

from tablecore.garbage import Collector
from tablecore.ticks import PERIOD, add

START = PERIOD - 3000  # the clock wraps in each of these


class Counted:
    def __init__(self):
        self.times = 0
        self.looks = 0
        self.free = 100000
        self.low = 0
        self.collector = Collector(self.collect, self.look, self.is_low, START)
        self.collector.step(add(START, 10000), True)  # the first collection, and the look behind it
        self.collector.step(add(START, 10000), True)
        self.times = self.looks = 0

    def collect(self):
        self.times += 1

    def look(self):
        self.looks += 1
        return self.free

    def is_low(self):
        self.low += 1

    def messages(self, count):
        for _ in range(count):
            self.collector.count()


def test_nothing_happens_nothing_is_collected_before_its_time():
    memory = Counted()
    for ms in range(10000, 20000, 5):
        assert not memory.collector.step(add(START, ms), True)
    assert memory.collector.step(add(START, 20000), True)
    assert not memory.collector.step(add(START, 20005), True)
    assert memory.collector.step(add(START, 30000), True)
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


def test_the_free_memory_is_looked_at_now_and_then_after_a_collection_and_told_when_it_is_low():
    memory = Counted()
    for turn in range(100):
        memory.free = 100000 if turn < 50 else 12000
        memory.messages(8)
        assert memory.collector.step(START, True)
        before = memory.looks
        assert not memory.collector.step(START, False) and memory.looks == before, "not while a key is down"
        if memory.collector.step(START, True):
            assert memory.looks == before + 1
    assert memory.looks == 3 and memory.low == 2 and memory.times == 100
