"""Clock arithmetic, the digit window, the queue of bytes, glyphs and tone patterns."""

from desk import SHAPES

from tablecore import bytequeue, segments, ticks, tone
from tablecore.window import Window

LIMIT = 1 << 30


class Small:
    """A number that refuses to leave the small integers of a 32-bit board."""

    def __init__(self, value):
        assert -LIMIT <= value < LIMIT, value
        self.value = value

    def __add__(self, other):
        return Small(self.value + plain(other))

    def __radd__(self, other):
        return Small(plain(other) + self.value)

    def __sub__(self, other):
        return Small(self.value - plain(other))

    def __rsub__(self, other):
        return Small(plain(other) - self.value)

    def __lt__(self, other):
        return self.value < plain(other)

    def __ge__(self, other):
        return self.value >= plain(other)


def plain(number):
    return number.value if isinstance(number, Small) else number


EDGES = (0, 1, 2, 49, LIMIT // 2 - 1, LIMIT // 2, LIMIT // 2 + 1, LIMIT - 50, LIMIT - 2, LIMIT - 1)
STEPS = (0, 1, -1, 5, -5, 400, 1 << 28, -(1 << 28), (1 << 29) - 1, -((1 << 29) - 1))


def test_ticks_wrap_and_stay_small():
    for start in EDGES:
        for step in STEPS:
            later = plain(ticks.add(Small(start), Small(step)))
            assert later == (start + step) % ticks.PERIOD, (start, step)
            assert plain(ticks.diff(Small(later), Small(start))) == step, (start, step)


def test_window_rolls():
    window = Window()
    for keyed, chars, count in (("", "   ", 0), ("1", "  1", 1), ("3", " 13", 2), ("6", "136", 3), ("2", "362", 3)):
        if keyed:
            window.push(int(keyed))
        assert (bytes(window.chars).decode(), window.count, window.text()) == (chars, count, chars.strip())
    assert window.dice() == (3, 6, 2)
    window.clear()
    assert (bytes(window.chars), window.count, window.text()) == (b"   ", 0, "")


def test_glyphs_look_like_their_characters():
    out = bytearray(3)
    for shape, char in SHAPES.items():
        for points in range(8):
            segments.render(char.encode() * 3, points, out)
            expected = 0
            for name in shape:
                expected |= 1 << "abcdefg".index(name)
            assert bytes(out) == bytes([expected | (points >> place & 1) << 7 for place in range(3)]), char


def test_every_character_of_a_name_can_be_shown():
    """A layout may have any printable ASCII in its id, capitals look like small letters, the unknown like a low dash.
    """
    out = bytearray(3)
    for code in range(0x20, 0x7F):
        segments.render(bytes([code] * 3), 0, out)
        known = chr(code).isalpha() or chr(code).isdigit() or chr(code) in " -"
        assert (out[0] == 0x08) == (not known), code
        small = bytearray(3)
        segments.render(chr(code).lower().encode() * 3, 0, small)
        assert out == small


def played(pattern, step, interrupt=None):
    """Lengths of sound and silence, in turn, when the tone is asked every `step` ms."""
    player = tone.Tone(2700)
    player.start(pattern)
    lengths = []
    sounding = None
    for i in range(4000 // step):
        if interrupt and i == 10:
            player.start(interrupt)
        hz = player.hz
        assert hz in (0, 2700)
        if bool(hz) != sounding:
            sounding = bool(hz)
            lengths.append(0)
        lengths[-1] += step
        player.step(step)
    return lengths[:-1]  # the silence at the end


def test_tone_patterns_last_as_written():
    for pattern in (tone.KEY, tone.DONE, tone.ERROR, tone.FAULT):
        assert played(pattern, 5) == list(pattern)
    assert played(tone.ERROR, 1) == list(tone.ERROR)


def test_a_late_call_skips_what_is_over():
    player = tone.Tone(2700)
    player.start(tone.ERROR)
    assert player.hz == 2700
    player.step(1000)
    assert player.hz == 0
    player.step(1)
    assert player.hz == 0


def test_fault_tone_is_long_and_cannot_be_cut_short():
    assert sum(played(tone.FAULT, 5, interrupt=tone.KEY)) >= 1500
    assert played(tone.FAULT, 5, interrupt=tone.ERROR) == list(tone.FAULT)
    assert played(tone.ERROR, 5, interrupt=tone.KEY) == [50 + tone.KEY[0]]


def test_queue_takes_lines_whole_or_not_at_all():
    queue = bytequeue.ByteQueue(10)
    assert queue.put(b"12345678") and not queue.put(b"abc") and queue.put(b"")
    for expected in b"123456":
        assert queue.peek() == expected
        queue.drop()
    assert queue.put(b"abcdefgh") and queue.room() == 0
    out = bytearray()
    while len(queue):
        out.append(queue.peek())
        queue.drop()
    assert bytes(out) == b"78abcdefgh"
