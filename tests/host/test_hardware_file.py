"""hardware.json: the form that the firmware reads, written out here key by key, and the same bytes every time."""

import json
from hashlib import sha256

import pytest

from tablecore import hardwarefile
from taisai.boards.table import list_tables, load_table
from taisai.build.hardware import hardware_json

CHAIN_PICO = {
    "spi": 0, "sck": 18, "mosi": 19, "miso": 16, "latch": 17, "enable": 20, "clear": 21, "baud": 1_000_000,
}  # fmt: skip
COMMON = {
    "format": 2, "game": "tai-sai", "lamp_milliamp": 20, "brightness_percent": 100, "watchdog_ms": 8000,
    "lamp_tolerance_percent": 10, "guard": None, "clock": None,
}  # fmt: skip
EXPECTED = {
    "nz1-pico-hc595": COMMON | {
        "table": "nz1-pico-hc595", "layout": "nz-div9-appendix1", "mcu": "rp2040",
        "keys": [2, 3, 4, 5, 6, 7, 14], "switch": 15, "beeper": {"pin": 22, "frequency_hz": 2700},
        "chain": CHAIN_PICO | {"registers": 7},
        "display": {"driver": "hc595", "spi": 1, "sck": 10, "mosi": 11, "latch": 13, "baud": 1_000_000},
        "sense": None, "group_budget_milliamp": 400,
    },
    # Noise at the largest result: 24 lamps of 20 mA are 480 mA, 0.3 % of which is 1.44 mA, and 2.5 mA beside.
    "nz2-double-pico-tpic6b595": COMMON | {
        "table": "nz2-double-pico-tpic6b595", "layout": "nz-div9-appendix2", "mcu": "rp2040",
        "keys": [2, 3, 4, 5, 6, 7, 14], "switch": 15, "beeper": {"pin": 22, "frequency_hz": 2700},
        "chain": CHAIN_PICO | {"registers": 27},
        "display": {"driver": "max7219", "spi": 1, "sck": 10, "mosi": 11, "cs": 13, "baud": 1_000_000},
        "sense": {"pin": 26, "milliamp_per_volt": 400, "noise_milliamp": 3.94},
        "lamp_tolerance_percent": 5, "group_budget_milliamp": 600,
        "guard": {"door": 27, "write_lock": 28},
    },
    "nz1-esp32-tpic6b595": COMMON | {
        "table": "nz1-esp32-tpic6b595", "layout": "nz-div9-appendix1", "mcu": "esp32",
        "keys": [13, 16, 17, 21, 22, 25, 26], "switch": 27, "beeper": {"pin": 4, "frequency_hz": 2700},
        "chain": {"spi": 2, "sck": 18, "mosi": 23, "miso": 34, "latch": 19, "enable": 32, "clear": None,
                  "baud": 1_000_000, "registers": 7},
        "display": {"driver": "tm1637", "clk": 14, "dio": 33},
        "sense": None, "group_budget_milliamp": 400,
    },
}  # fmt: skip


@pytest.mark.parametrize("name", EXPECTED)
def test_the_file_says_exactly_this(name):
    data = hardware_json(load_table(name))
    digest = json.loads(data)["sha256"]
    assert sha256(data.replace(digest.encode(), b"0" * 64)).hexdigest() == digest
    assert json.loads(data) == EXPECTED[name] | {"sha256": digest}


def test_an_option_reaches_the_board():
    assert json.loads(hardware_json(load_table("kr-pico-tpic6b595")))["brightness_percent"] == 80


@pytest.mark.parametrize("name", list_tables())
def test_the_firmware_reads_every_file(name):
    data = hardware_json(load_table(name))
    assert hardwarefile.parse(data)["table"] == name


@pytest.mark.parametrize("name", list_tables())
def test_the_firmware_refuses_every_flipped_bit(name):
    data = bytearray(hardware_json(load_table(name)))
    for place in range(len(data)):
        for bit in range(8):
            data[place] ^= 1 << bit
            with pytest.raises(ValueError, match="hardware file"):
                hardwarefile.parse(bytes(data))
            data[place] ^= 1 << bit


@pytest.mark.parametrize("name", list_tables())
def test_the_bytes_are_reproducible(name):
    data = hardware_json(load_table(name))
    assert data == hardware_json(load_table(name))
    assert data.endswith(b"}\n") and b"\r" not in data
    assert data.decode("ascii") == json.dumps(json.loads(data), indent=1, sort_keys=True) + "\n"
