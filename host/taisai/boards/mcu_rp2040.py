"""The RP2040 on a Raspberry Pi Pico, as its datasheets and MicroPython's source describe it."""

from taisai.boards.pins import Mcu

# RP2040 datasheet, section 1.4.3, table 2, column F1: the pattern RX, CSn, SCK, TX repeats every four pins; pins with
# bit 3 clear belong to SPI0, the others to SPI1.
_GPIO = frozenset(range(30))
_SPI = {
    (bus, role): frozenset(pin for pin in _GPIO if pin % 4 == remainder and pin // 8 % 2 == bus)
    for bus in (0, 1)
    for role, remainder in (("miso", 0), ("sck", 2), ("mosi", 3))
}

PICO = Mcu(
    name="rp2040",
    board="raspberry-pi-pico",
    source="RP2040 datasheet 1.4.3, 4.5.2, 5.5.3; Raspberry Pi Pico datasheet 2.1; MicroPython ports/rp2/machine_spi.c",
    # Raspberry Pi Pico datasheet, section 2: 2 MByte of QSPI flash (W25Q16JV).
    flash_bytes=2 * 1024 * 1024,
    gpio=_GPIO,
    header=frozenset(range(23)) | {26, 27, 28},
    # Raspberry Pi Pico datasheet, section 2.1: GPIO used for internal board functions.
    taken={
        23: "it sets the power-save mode of the Pico's regulator",
        24: "it senses the Pico's USB voltage",
        25: "it drives the Pico's LED",
        29: "it measures the Pico's supply",
    },
    input_only=frozenset(),
    strapping=frozenset(),
    # RP2040 datasheet, section 2.19: every bank 0 pad starts as an input with pull-down; the boot ROM drives none.
    boot_moving=frozenset(),
    analogue=frozenset({26, 27, 28}),
    spi_buses=(0, 1),
    spi_pins=_SPI,
    # The Pico's board definition makes 16 the default of SPI0; machine_spi.c gives SPI1 its 8.
    spi_default_miso={0: 16, 1: 8},
    # RP2040 datasheet, section 4.5.2, table 525: 8 slices of two pins each, repeating from GPIO16.
    pwm_slice={pin: pin // 2 % 8 for pin in _GPIO},
    # RP2040 datasheet, section 5.5.3: VOH 2.62 V, VIH 2.0 V, at most IOVDD + 0.3 V; 4 mA is the drive after reset.
    output_high_volt=2.62,
    input_high_volt=2.0,
    input_max_volt=3.6,
    sink_milliamp=4.0,
    analogue_max_volt=3.3,
    # RP2040 datasheet, section 4.7: the 24-bit counter runs down twice per microsecond tick (erratum E1).
    watchdog_max_ms=8388,
    # RP2040 datasheet, section 3.4.5: IN takes pins that follow each other, from the state machine's base on.
    counts_neighbours=True,
    # MicroPython, ports/rp2/machine_timer.c: only Timer(-1), which takes hard=True.
    hardware_timers=0,
)
