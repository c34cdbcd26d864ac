"""The wiring file: a good one is taken, a damaged one is refused before any pin could be touched."""

import json

from tablecore import hardwarefile


def sample():
    """A complete file, with every optional part."""
    return {
        "format": 1,
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
        "lamp_milliamp": 20,
        "group_budget_milliamp": 1000,
        "brightness_percent": 100,
        "watchdog_ms": 8000,
    }


def refused(hardware):
    try:
        hardwarefile.parse(hardware if isinstance(hardware, str) else json.dumps(hardware))
    except ValueError as error:
        return str(error)
    raise AssertionError("no ValueError")


def test_a_good_file_is_taken():
    assert hardwarefile.parse(json.dumps(sample())) == sample()


def test_optional_parts_may_be_absent_or_null():
    hardware = sample()
    hardware["sense"] = None
    hardware["chain"]["clear"] = None
    hardwarefile.parse(json.dumps(hardware))
    del hardware["sense"]
    del hardware["chain"]["clear"]
    hardwarefile.parse(json.dumps(hardware))


def test_every_display_driver():
    hardware = sample()
    hardware["display"] = {"driver": "tm1637", "clk": 8, "dio": 9}
    hardwarefile.parse(json.dumps(hardware))
    hardware["display"] = {"driver": "hc595", "spi": 1, "sck": 10, "mosi": 11, "latch": 13, "baud": 1000000}
    hardwarefile.parse(json.dumps(hardware))
    hardware["display"]["driver"] = "lcd"
    assert "display driver" in refused(hardware)


def test_every_missing_or_spoilt_setting_is_named():
    hardware = sample()
    texts = ("table", "layout", "mcu", "driver")
    optional = ("game", "sense", "clear")
    for part in (hardware, hardware["beeper"], hardware["chain"], hardware["display"], hardware["sense"]):
        for name in list(part):
            good = part.pop(name)
            if name not in optional:
                assert name in refused(hardware)
            for bad in (1, True, []) if name in texts else (-1, True, [], "1"):
                part[name] = bad
                if name != "game":
                    assert name in refused(hardware), (name, bad)
            part[name] = good
    assert hardwarefile.parse(json.dumps(hardware)) == sample()


def test_brightness_is_a_percentage():
    for percent in (0, 101, 1.5):
        hardware = sample()
        hardware["brightness_percent"] = percent
        assert "brightness_percent" in refused(hardware)


def test_keys_must_be_seven_pins():
    for keys in ([2, 3, 4, 5, 6, 7], [2, 3, 4, 5, 6, 7, 8, 9], [2, 3, 4, 5, 6, 7, "8"], [2, 3, 4, 5, 6, 7, -8]):
        hardware = sample()
        hardware["keys"] = keys
        assert "keys" in refused(hardware)


def test_what_is_no_json_object():
    for text in ("", "{", "[]", "null", "1", '"x"', "\x00\xff", "[" * 50):
        refused(text)


def test_every_cut_of_the_file_is_refused():
    text = json.dumps(sample())
    for length in range(len(text)):
        refused(text[:length])
