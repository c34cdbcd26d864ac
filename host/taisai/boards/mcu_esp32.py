"""The ESP32 in an ESP32-WROOM-32 module on an ESP32-DevKitC, as Espressif's documents describe it."""

from taisai.boards.pins import Mcu

_FLASH = "the module's flash is on it"
_CONSOLE = "the console, and so the link, is on it"

DEVKITC = Mcu(
    name="esp32",
    board="esp32-devkitc",
    source="ESP32 datasheet 2.2, 2.3, 5.3; ESP32-WROOM-32 datasheet table 2; ESP-IDF 'GPIO & RTC GPIO'",
    # ESP32-WROOM-32 datasheet, section 1: 4 MB of SPI flash in the module.
    flash_bytes=4 * 1024 * 1024,
    # ESP-IDF 'GPIO & RTC GPIO': 34 pads. GPIO20 exists only in the PICO-V3 package, 24 and 28 to 31 in none.
    gpio=frozenset(range(20)) | {21, 22, 23, 25, 26, 27} | frozenset(range(32, 40)),
    # ESP32-WROOM-32 datasheet, table 2: GPIO37 and 38 are not brought out of the module.
    header=frozenset(range(20)) | {21, 22, 23, 25, 26, 27} | frozenset(range(32, 40)) - {37, 38},
    taken={
        1: _CONSOLE,
        3: _CONSOLE,
        6: _FLASH,
        7: _FLASH,
        8: _FLASH,
        9: _FLASH,
        10: _FLASH,
        11: _FLASH,
    },
    # ESP-IDF 'GPIO & RTC GPIO': GPIO34 to 39 have neither output drivers nor pull-ups.
    input_only=frozenset(range(34, 40)),
    # ESP32 datasheet, section 2.4: GPIO0, GPIO2, MTDI (12), MTDO (15), GPIO5.
    strapping=frozenset({0, 2, 5, 12, 15}),
    # MTMS is pulled up for JTAG and toggles until the application configures it. The other pins known to move (0, 1, 3,
    # 5 to 11, 15) are refused above for a stronger reason.
    boot_moving=frozenset({14}),
    # ADC1 only: ADC2 is not available while the radio is on.
    analogue=frozenset({32, 33, 34, 35, 36, 39}),
    # MicroPython: SPI(1) is HSPI and SPI(2) is VSPI; the GPIO matrix brings any signal to any pin.
    spi_buses=(1, 2),
    spi_pins=None,
    # MicroPython quick reference for the ESP32, "Hardware SPI bus": the default pins.
    spi_default_miso={1: 12, 2: 19},
    # LEDC has 8 channels on 4 timers in each of two groups, on any pin; MicroPython gives each frequency its timer.
    pwm_slice=None,
    # ESP32 datasheet, section 5.3: VOH 0.8 VDD, VIH 0.75 VDD, VIH at most VDD + 0.3 V.
    output_high_volt=2.64,
    input_high_volt=2.475,
    input_max_volt=3.6,
    sink_milliamp=20.0,
    # ESP-IDF 'Analog to Digital Converter': 150 to 2450 mV at the widest attenuation.
    analogue_max_volt=2.45,
    # The task watchdog of ESP-IDF counts in software: no limit that a table could reach.
    watchdog_max_ms=None,
    # ESP32 Technical Reference Manual, "PCNT": the GPIO matrix brings any pin to its inputs.
    counts_neighbours=False,
    # ESP32 Technical Reference Manual, "Timer Group": two groups of two. MicroPython, ports/esp32/machine_timer.c:
    # Timer(0) to Timer(3), and hard=True is refused.
    hardware_timers=4,
)
