"""What differs between the two chips: addresses, boot messages, what the loader knows.

Register addresses are those of the Technical Reference Manuals (ESP32 TRM 5.x, ESP32-S3 TRM 1.x); the boot messages are
those which the ROMs of these revisions print.
"""

from collections.abc import Callable
from dataclasses import dataclass

from taisai.sim.esp32rom.efuse import esp32_words, esp32s3_words
from taisai.sim.esp32rom.spi import SpiMap


@dataclass(frozen=True)
class Chip:
    """One chip. `fixed` holds registers and ROM words that only ever have one value here."""

    name: str
    mac: str
    banner: str
    # The value of the strapping pins and what the ROM calls it, in download mode and when the application is to start.
    download_strap: tuple[int, str]
    flash_strap: tuple[int, str]
    reset_names: dict[int, str]
    bootloader_offset: int
    before_load: str
    load_line: str
    strap_register: int
    clock_divider_register: int
    fixed: dict[int, int]
    # Registers a tool may write and read back, with no effect here.
    plain: tuple[int, ...]
    spi: SpiMap
    efuse_words: Callable[[bytes, frozenset[str]], dict[int, int]]
    # GET_SECURITY_INFO and a fifth word in the two flash begin commands: ESP32-S2 and later.
    modern_loader: bool
    # Chip number in GET_SECURITY_INFO, also in image headers.
    chip_id: int


ESP32 = Chip(
    name="esp32",
    mac="24:0a:c4:5e:00:01",
    banner="ets Jul 29 2019 12:21:46\r\n\r\n",
    download_strap=(0x03, "DOWNLOAD_BOOT(UART0/UART1/SDIO_REI_REO_V2)"),
    flash_strap=(0x13, "SPI_FAST_FLASH_BOOT"),
    reset_names={0x01: "POWERON_RESET", 0x03: "SW_RESET", 0x10: "RTCWDT_RTC_RESET"},
    bootloader_offset=0x1000,
    before_load=(
        "configsip: 0, SPIWP:0xee\r\nclk_drv:0x00,q_drv:0x00,d_drv:0x00,cs0_drv:0x00,hd_drv:0x00,wp_drv:0x00\r\n"
    ),
    load_line="load:0x{address:08x},len:{length}\r\n",
    strap_register=0x3FF44038,
    clock_divider_register=0x3FF40014,
    fixed={
        0x40001000: 0x00F01D83,  # a word of the ROM that is another on each chip: the "chip detect magic"
        0x3FF6607C: 0x96042000,  # SYSCON_DATE: bit 31 is set from revision 3 on
        # TIMG0 RTCCALICFG1, RTC_CALI_VALUE in bits 31..7: the 8 MHz clock against the crystal. With CK8M_FREQ in eFuse
        # the ROM works out a crystal of exactly 40 MHz from it.
        0x3FF5F06C: 2048 << 7,
    },
    plain=(0x3FF48074,),  # RTC_CNTL_SDIO_CONF: no override of the flash voltage
    spi=SpiMap(
        command=0x3FF42000, address=0x3FF42004, user=0x3FF4201C, user1=0x3FF42020, user2=0x3FF42024,
        mosi_bits=0x3FF42028, miso_bits=0x3FF4202C, data=0x3FF42080, address_at_top=True,
    ),
    efuse_words=esp32_words,
    modern_loader=False,
    chip_id=0,
)

ESP32S3 = Chip(
    name="esp32s3",
    mac="7c:df:a1:5e:00:01",
    banner="ESP-ROM:esp32s3-20210327\r\nBuild:Mar 27 2021\r\n",
    download_strap=(0x00, "DOWNLOAD(USB/UART0)"),
    flash_strap=(0x08, "SPI_FAST_FLASH_BOOT"),
    reset_names={0x01: "POWERON", 0x03: "RTC_SW_SYS_RST", 0x10: "RTCWDT_RTC_RST"},
    bootloader_offset=0x0,
    before_load="SPIWP:0xee\r\n",
    load_line="load:0x{address:08x},len:0x{length:x}\r\n",
    strap_register=0x60004038,
    clock_divider_register=0x60000014,
    fixed={0x40001000: 0x00000009},
    plain=(0x6000812C,),  # RTC_CNTL_OPTION1: bit 0 forces download mode at the next reset; tools clear it
    spi=SpiMap(
        command=0x60002000, address=0x60002004, user=0x60002018, user1=0x6000201C, user2=0x60002020,
        mosi_bits=0x60002024, miso_bits=0x60002028, data=0x60002058, address_at_top=False,
    ),
    efuse_words=esp32s3_words,
    modern_loader=True,
    chip_id=9,
)

CHIPS = {chip.name: chip for chip in (ESP32, ESP32S3)}
