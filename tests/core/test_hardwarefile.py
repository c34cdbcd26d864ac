"""The wiring file: a good one is taken, a damaged one is refused before any pin could be touched."""

import hashlib
import json
from binascii import hexlify

from tablecore import hardwarefile


def sample():
    """A complete file, with every optional part."""
    return {
        "format": 2,
        "table": "a-table",
        "layout": "a-layout",
        "game": "tai-sai",
        "mcu": "rp2040",
        "keys": [2, 3, 4, 5, 6, 7, 14],
        "switch": 15,
        "beeper": {"pin": 22, "frequency_hz": 2700},
        "chain": {
            "spi": 0,
            "sck": 18,
            "mosi": 19,
            "miso": 16,
            "latch": 17,
            "enable": 20,
            "clear": 21,
            "baud": 1000000,
            "registers": 7,
        },
        "display": {"driver": "max7219", "spi": 1, "sck": 10, "mosi": 11, "cs": 13, "baud": 1000000},
        "sense": {"pin": 26, "milliamp_per_volt": 400, "noise_milliamp": 2.5},
        "guard": {"door": 27, "write_lock": 28},
        "clock": {"scl": 1, "sda": 0},
        "lamp_milliamp": 20,
        "lamp_tolerance_percent": 5,
        "group_budget_milliamp": 1000,
        "brightness_percent": 100,
        "watchdog_ms": 8000,
        "sha256": "0" * 64,
    }


def sealed(hardware):
    """The file with the right digest: that of its bytes with zeros in its place."""
    text = json.dumps(hardware).encode()
    assert text.count(b"0" * 64) == 1
    return text.replace(b"0" * 64, hexlify(hashlib.sha256(text).digest()))


def refused(data):
    try:
        hardwarefile.parse(data if isinstance(data, bytes) else sealed(data))
    except ValueError as error:
        return str(error)
    raise AssertionError("no ValueError")


def taken(hardware):
    """Parse the file of these settings; the digest aside, they come back."""
    found = hardwarefile.parse(sealed(hardware))
    found["sha256"] = "0" * 64
    assert found == hardware


def test_a_good_file_is_taken():
    taken(sample())


def test_sealing_writes_the_digest_whatever_stood_there():
    text = json.dumps(sample()).encode()
    assert hardwarefile.seal(text) == sealed(sample())
    assert hardwarefile.seal(text.replace(b"0" * 64, b"f" * 64)) == sealed(sample())


def test_a_place_for_the_digest_must_be_there_and_only_one():
    hardware = sample()
    for bad in (b"{}", json.dumps([sample(), sample()]).encode()):
        try:
            hardwarefile.seal(bad)
        except ValueError as error:
            assert "digest" in str(error)
        else:
            raise AssertionError(bad)
        assert "digest" in refused(bad)
    del hardware["sha256"]
    assert "digest" in refused(json.dumps(hardware).encode())


def test_every_flipped_bit_is_refused():
    good = sealed(sample())
    data = bytearray(good)
    for place in range(len(data)):
        for bit in range(8):
            data[place] ^= 1 << bit
            refused(bytes(data))
            data[place] ^= 1 << bit
    assert bytes(data) == good


def test_every_swap_of_two_numbers_is_refused():
    """What one flipped bit cannot do: the pins exchanged, each of them a good one."""
    good = sealed(sample())
    assert "damaged" in refused(good.replace(b'"latch": 17', b'"latch": 16').replace(b'"miso": 16', b'"miso": 17'))


def test_every_cut_of_the_file_is_refused():
    good = sealed(sample())
    for length in range(len(good)):
        refused(good[:length])


def test_optional_parts_may_be_absent_or_null():
    hardware = sample()
    hardware["sense"] = None
    hardware["chain"]["clear"] = None
    taken(hardware)
    del hardware["sense"]
    del hardware["chain"]["clear"]
    taken(hardware)


def test_every_display_driver():
    hardware = sample()
    hardware["display"] = {"driver": "tm1637", "clk": 8, "dio": 9}
    taken(hardware)
    hardware["display"] = {"driver": "hc595", "spi": 1, "sck": 10, "mosi": 11, "latch": 13, "baud": 1000000}
    taken(hardware)
    hardware["display"]["driver"] = "lcd"
    assert "display driver" in refused(hardware)


def parts(hardware):
    return [hardware] + [hardware[name] for name in ("beeper", "chain", "display", "sense", "guard", "clock")]


def test_every_missing_or_spoilt_setting_is_named():
    hardware = sample()
    texts = ("table", "layout", "mcu", "driver")
    optional = ("game", "sense", "clear", "guard", "door", "write_lock", "clock")
    for part in parts(hardware):
        for name in list(part):
            if name == "sha256":
                continue
            good = part.pop(name)
            if name not in optional:
                assert name in refused(hardware)
            for bad in (1, True, []) if name in texts else (-1, True, [], "1"):
                part[name] = bad
                if name != "game":
                    assert name in refused(hardware), (name, bad)
            part[name] = good
    taken(hardware)


def test_every_number_has_its_range():
    ranges = {
        "brightness_percent": (1, 100),
        "watchdog_ms": (2000, 8388),  # RP2040 datasheet 4.7: 2^24 - 1 ticks, two to a microsecond
        "frequency_hz": (200, 10000),
        "registers": (1, 64),
        "baud": (100000, 4000000),
    }
    hardware = sample()
    seen = 0
    for part in parts(hardware):
        for name in part:
            if name in ranges:
                seen += 1
                good = part[name]
                least, most = ranges[name]
                for bad in (0, least - 1, most + 1, 1.5 * least):
                    part[name] = bad
                    assert name in refused(hardware), (name, bad)
                for edge in (least, most):
                    part[name] = edge
                    taken(hardware)
                part[name] = good
    assert seen == 6
    for part, name in ((hardware, "lamp_milliamp"), (hardware["sense"], "noise_milliamp")):
        part[name] = 100001
        assert name in refused(hardware)
        part[name] = 1


def pin_places(hardware):
    """(part, key) of everything in the sample that is a pin."""
    chain = [(hardware["chain"], name) for name in ("sck", "mosi", "miso", "latch", "enable", "clear")]
    display = [(hardware["display"], name) for name in ("sck", "mosi", "cs")]
    others = [(hardware, "switch"), (hardware["beeper"], "pin"), (hardware["sense"], "pin")]
    others += [(hardware["guard"], name) for name in ("door", "write_lock")]
    others += [(hardware["clock"], name) for name in ("scl", "sda")]
    return [(hardware["keys"], number) for number in range(7)] + chain + display + others


def test_no_pin_has_two_jobs():
    hardware = sample()
    places = pin_places(hardware)
    for part, name in places:
        good = part[name]
        for other, other_name in places:
            if (other, other_name) != (part, name):
                part[name] = other[other_name]
                assert "used twice" in refused(hardware), (name, other_name)
        part[name] = good
    taken(hardware)


def test_every_pin_is_one_that_the_chip_has():
    hardware = sample()
    for part, name in pin_places(hardware):
        good = part[name]
        for bad in (30, 60, -1, 1000000):
            part[name] = bad
            assert "pin of this chip" in refused(hardware)
        part[name] = good
    hardware["mcu"] = "esp32"
    hardware["chain"]["spi"] = 2
    hardware["switch"] = 39
    taken(hardware)
    hardware["switch"] = 40
    assert "switch" in refused(hardware)
    hardware["mcu"] = "esp8266"
    assert "mcu" in refused(hardware)


def test_the_display_is_not_on_the_bus_of_the_lamps():
    hardware = sample()
    for bus in (0, 2):
        hardware["display"]["spi"] = bus
        assert "display.spi" in refused(hardware)


def test_keys_must_be_seven_pins():
    for keys in ([2, 3, 4, 5, 6, 7], [2, 3, 4, 5, 6, 7, 8, 9], [2, 3, 4, 5, 6, 7, "8"], [2, 3, 4, 5, 6, 7, -8]):
        hardware = sample()
        hardware["keys"] = keys
        assert "keys" in refused(hardware)


def test_what_is_no_json_object():
    for text in (b"", b"{", b"[]", b"null", b"1", b'"x"', b"\x00\xff", b"[" * 50):
        refused(text)
        refused(hardwarefile.seal(text + b'"sha256": "' + b"0" * 64))
    digest = b'"sha256": "' + b"0" * 64 + b'"'
    for before, behind in ((b"[{", b"}]"), (b"{", b"}, 1"), (b"{", b""), (b"[" * 5000 + b"{", b"}" + b"]" * 5000)):
        refused(hardwarefile.seal(before + digest + behind))
