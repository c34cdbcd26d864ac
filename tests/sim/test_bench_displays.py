"""The three displays against hand-made waveforms, and the observer's glyphs against drawings of digits."""

import pytest
from bench_parts import HC595, MAX7219, TM1637, Wired

from taisai.sim.displays import character

ONE, THREE, SIX, POINT = 0x06, 0x4F, 0x7D, 0x80


def drawn(picture):
    """A segment byte from three lines of a drawn digit, three characters each."""
    top, middle, bottom = picture
    places = [(top, 1), (middle, 2), (bottom, 2), (bottom, 1), (bottom, 0), (middle, 0), (middle, 1)]
    return sum(1 << bit for bit, (line, column) in enumerate(places) if line[column] != " ")


@pytest.mark.parametrize(
    ("picture", "read"),
    [
        ((" _ ", "| |", "|_|"), "0"),
        (("   ", "  |", "  |"), "1"),
        ((" _ ", " _|", "|_ "), "2"),
        ((" _ ", " _|", " _|"), "3"),
        (("   ", "|_|", "  |"), "4"),
        ((" _ ", "|_ ", " _|"), "5"),
        ((" _ ", "|_ ", "|_|"), "6"),
        ((" _ ", "  |", "  |"), "7"),
        ((" _ ", "|_|", "|_|"), "8"),
        ((" _ ", "|_|", " _|"), "9"),
        ((" _ ", "|_ ", "|_ "), "E"),
        (("   ", " _ ", "   "), "-"),
        (("   ", "   ", "   "), " "),
        ((" _ ", "|_ ", "|  "), "F"),
        (("   ", "|_ ", "|_|"), "b"),
        ((" _ ", "|  ", "|_|"), "G"),
        (("   ", "   ", "|_ "), "?"),
        (("   ", "  |", "   "), "?"),
    ],
)
def test_glyphs_are_read_as_a_person_reads_them(picture, read):
    assert character(drawn(picture)) == read
    assert character(drawn(picture) | POINT) == read


class TestStatic:
    """Three 74HC595: left digit at the far end of the chain, output n lights segment n."""

    def test_three_bytes_left_to_right_appear_with_the_latch(self):
        wired = Wired(HC595, random_bits=False)
        display = wired.table.controller.display
        wired.bench.spi(display.spi, bytes([ONE, THREE | POINT, SIX]), wired.bench.now_us)
        assert wired.bench.observe().display == "   "
        wired.pulse(display.latch)
        assert wired.bench.observe().display == "136"
        assert wired.bench.observe().points == (False, True, False)
        assert wired.bench.display.segments == bytes([ONE, THREE | POINT, SIX])

    def test_the_same_by_clock_and_data_edges(self):
        wired = Wired(HC595)
        display = wired.table.controller.display
        for bit in f"{ONE:08b}{THREE:08b}{SIX:08b}":
            wired.pin(display.mosi, int(bit))
            wired.pulse(display.sck)
        wired.pulse(display.latch)
        assert wired.bench.observe().display == "136"

    def test_it_shows_rubbish_until_the_first_latch(self):
        shown = {Wired(HC595, seed).bench.display.segments for seed in range(5)}
        assert len(shown) == 5

    def test_lamp_and_display_chains_do_not_hear_each_other(self):
        wired = Wired(HC595, random_bits=False)
        display = wired.table.controller.display
        wired.show(wired.zone("big"))
        wired.pulse(display.latch)
        assert wired.bench.observe().display == "   "
        wired.bench.spi(display.spi, b"\xff" * 7, wired.bench.now_us)
        wired.pulse(wired.chain.latch)
        assert wired.bench.observe().lit == ["big"]


class TestMax7219:
    """Maxim 19-4452: D11..D8 address, D7..D0 data, taken on the rising edge of LOAD; segments DP A B C D E F G."""

    @staticmethod
    def send(wired, *words):
        display = wired.table.controller.display
        for word in words:
            wired.pin(display.cs, 0)
            wired.bench.spi(display.spi, word.to_bytes(2, "big"), wired.bench.now_us)
            wired.pin(display.cs, 1)
        return wired.bench.observe()

    def ready(self):
        wired = Wired(MAX7219)
        self.send(wired, 0x0F00, 0x0900, 0x0B02, 0x0A0F, 0x0C01)
        return wired

    def test_segments_go_straight_to_the_digits_from_the_left(self):
        # "1" is B and C: 0110000; "3" is A B C D G: 1111001; "6" is A C D E F G: 1011111; the point is D7.
        seen = self.send(self.ready(), 0x0130, 0x0200 | 0xF9, 0x035F)
        assert (seen.display, seen.points) == ("136", (False, True, False))

    def test_each_segment_line(self):
        wired = self.ready()
        for bit, segment in zip(range(8), [6, 5, 4, 3, 2, 1, 0, 7], strict=True):
            self.send(wired, 0x0100 | 1 << bit)
            assert wired.bench.display.segments[0] == 1 << segment

    def test_it_powers_up_in_shutdown_and_scans_one_digit(self):
        # Table 3 and "Initial power-up": blank, shutdown, one digit, no decode, least intensity.
        wired = Wired(MAX7219)
        assert self.send(wired, 0x0130, 0x0230, 0x0330).display == "   "
        assert wired.bench.display.intensity == 0
        assert self.send(wired, 0x0C01).display == "1  "
        assert self.send(wired, 0x0B01).display == "11 "
        assert self.send(wired, 0x0B07).display == "111"
        assert self.send(wired, 0x0C00).display == "   "

    def test_decode_mode_uses_the_code_b_font(self):
        wired = self.ready()
        seen = self.send(wired, 0x0905, 0x0107, 0x0230, 0x038B)
        assert (seen.display, seen.points) == ("71E", (False, False, True)), "the middle digit is not decoded"
        assert self.send(wired, 0x010A, 0x030F).display == "-1 "

    def test_display_test_lights_everything_even_in_shutdown(self):
        wired = self.ready()
        assert self.send(wired, 0x0C00, 0x0F01).display == "888"
        assert wired.bench.observe().points == (True, True, True)
        assert self.send(wired, 0x0F00).display == "   "

    def test_only_the_last_16_bits_before_the_edge_count(self):
        wired = self.ready()
        display = wired.table.controller.display
        wired.pin(display.cs, 0)
        wired.bench.spi(display.spi, bytes([0x0F, 0x01, 0x01, 0x30]), wired.bench.now_us)
        assert wired.bench.observe().display != "1", "nothing before the edge"
        wired.pin(display.cs, 1)
        assert wired.bench.observe().display[0] == "1"

    def test_the_same_by_edges(self):
        wired = self.ready()
        display = wired.table.controller.display
        for word in (0x0130, 0x0279, 0x035F):
            wired.pin(display.cs, 0)
            for bit in f"{word:016b}":
                wired.pin(display.mosi, int(bit))
                wired.pulse(display.sck)
            wired.pin(display.cs, 1)
        assert wired.bench.observe().display == "136"

    def test_no_op_and_unused_addresses_change_nothing(self):
        wired = self.ready()
        before = self.send(wired, 0x0130, 0x0279, 0x035F)
        assert self.send(wired, 0x00FF, 0x0DFF, 0x0EFF) == before


class TestTm1637:
    """Titan Micro TM1637 V2.4, "Interface interpretation": start, LSB first, acknowledge at the 8th falling edge."""

    @staticmethod
    def lines(wired):
        return wired.table.controller.display.clk, wired.table.controller.display.dio

    def start(self, wired):
        clk, dio = self.lines(wired)
        wired.pin(clk, None)
        wired.pin(dio, None)
        wired.pin(dio, 0)
        wired.pin(clk, 0)

    def byte(self, wired, value):
        """Eight clocks and the ninth; returns the level of DIO in the ninth, 0 = acknowledged."""
        clk, dio = self.lines(wired)
        for place in range(8):
            wired.pin(dio, None if value >> place & 1 else 0)
            wired.pin(clk, None)
            wired.pin(clk, 0)
        wired.pin(dio, None)
        wired.pin(clk, None)
        level = wired.bench.pin_input(dio)
        wired.pin(clk, 0)
        return level

    def stop(self, wired):
        clk, dio = self.lines(wired)
        wired.pin(dio, 0)
        wired.pin(clk, None)
        wired.pin(dio, None)

    def message(self, wired, *values):
        self.start(wired)
        levels = [self.byte(wired, value) for value in values]
        self.stop(wired)
        return levels

    def test_a_whole_update_is_shown_and_every_byte_acknowledged(self):
        wired = Wired(TM1637)
        assert self.message(wired, 0x40) == [0]
        assert self.message(wired, 0xC0, ONE, THREE | POINT, SIX) == [0, 0, 0, 0]
        assert wired.bench.observe().display == "   ", "it powers up switched off"
        assert self.message(wired, 0x8F) == [0]
        seen = wired.bench.observe()
        assert (seen.display, seen.points) == ("136", (False, True, False))
        assert wired.bench.display.brightness == 7
        assert wired.bench.display.errors == []

    def test_the_chip_pulls_from_the_eighth_falling_edge_to_the_ninth(self):
        wired = Wired(TM1637)
        clk, dio = self.lines(wired)
        self.start(wired)
        wired.pin(dio, None)
        for _ in range(7):
            wired.pulse(clk)
        wired.pin(clk, 1)
        assert wired.bench.pin_input(dio) == 1
        wired.pin(clk, 0)
        assert wired.bench.pin_input(dio) == 0
        wired.pin(clk, 1)
        assert wired.bench.pin_input(dio) == 0
        wired.pin(clk, 0)
        assert wired.bench.pin_input(dio) == 1

    def test_brightness_and_off(self):
        wired = Wired(TM1637)
        self.message(wired, 0x40)
        self.message(wired, 0xC0, ONE, ONE, ONE)
        for level in range(8):
            self.message(wired, 0x88 | level)
            assert (wired.bench.display.brightness, wired.bench.observe().display) == (level, "111")
        self.message(wired, 0x80)
        assert (wired.bench.display.brightness, wired.bench.observe().display) == (None, "   ")

    def test_fixed_and_automatic_addresses(self):
        wired = Wired(TM1637)
        self.message(wired, 0x40)
        self.message(wired, 0xC0, 0, 0, 0)
        self.message(wired, 0x8F)
        self.message(wired, 0x44)
        self.message(wired, 0xC1, ONE, SIX)
        assert wired.bench.observe().display == " 6 ", "a fixed address takes the last byte"
        self.message(wired, 0x40)
        self.message(wired, 0xC5, THREE, ONE)
        assert wired.bench.observe().display == "16 ", "after the sixth digit comes the first"

    @pytest.mark.parametrize(
        ("values", "error"),
        [
            ((0x41,), "0x41 is not a plain display write"),
            ((0x48,), "0x48 is not a plain display write"),
            ((0xBF,), "0xbf sets bits that must be 0"),
            ((0xC6,), "unknown command 0xc6"),
            ((0x00,), "unknown command 0x00"),
            ((0x40, ONE), "data after a command that takes none"),
        ],
    )
    def test_protocol_mistakes_are_named(self, values, error):
        wired = Wired(TM1637)
        self.message(wired, *values)
        assert len(wired.bench.display.errors) == 1 and error in wired.bench.display.errors[0]

    def test_a_stop_in_the_middle_of_a_byte_is_named_and_drops_it(self):
        wired = Wired(TM1637)
        clk, dio = self.lines(wired)
        self.message(wired, 0x40)
        self.message(wired, 0xC0, ONE, ONE, ONE)
        self.message(wired, 0x8F)
        self.start(wired)
        for _ in range(3):
            wired.pulse(clk)
        self.stop(wired)
        assert wired.bench.display.errors == ["stop in the middle of a byte"]
        assert wired.bench.observe().display == "111"
        self.message(wired, 0xC0, SIX)
        assert wired.bench.observe().display == "611"

    def test_data_without_a_start_is_not_heard(self):
        wired = Wired(TM1637)
        clk, _ = self.lines(wired)
        wired.pin(clk, 0)
        assert self.byte(wired, 0x8F) == 1
        assert wired.bench.display.brightness is None

    def test_an_absent_display_acknowledges_nothing(self):
        wired = Wired(TM1637)
        wired.bench.display.present = False
        assert self.message(wired, 0x40) == [1]
        assert self.message(wired, 0xC0, ONE, THREE, SIX) == [1] * 4
        assert self.message(wired, 0x8F) == [1]
        assert wired.bench.observe().display == "   "
        wired.bench.display.present = True
        assert self.message(wired, 0x8F) == [0]

    def test_a_driven_high_line_still_reads_low_while_the_chip_pulls(self):
        wired = Wired(TM1637)
        clk, dio = self.lines(wired)
        self.start(wired)
        wired.pin(dio, 1)
        for _ in range(8):
            wired.pulse(clk)
        assert wired.bench.pin_input(dio) == 0
        wired.bench.power_off()
        assert wired.bench.pin_input(dio) == 1
