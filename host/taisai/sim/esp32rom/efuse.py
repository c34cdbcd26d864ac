"""The eFuse words a host can read, by register address.

ESP32: TRM chapter eFuse Controller, EFUSE_BLK0_RDATA0 to RDATA6 and blocks 1 to 3. ESP32-S3: TRM chapter eFuse
Controller, EFUSE_RD_REPEAT_DATA0 to 4 (block 0), EFUSE_RD_MAC_SPI_SYS_0 to 5 (block 1), block 2. What is not named here
is unburnt: 0.
"""

ESP32_BASE = 0x3FF5A000
ESP32S3_BASE = 0x60007000

# Key purposes of the ESP32-S3 (TRM, table "Secure Key Purpose Values").
XTS_AES_128_KEY = 4
SECURE_BOOT_DIGEST0 = 9


def mac_crc(mac: bytes) -> int:
    """Return the CRC-8 that ESP32 keeps beside its MAC address: x^8+x^5+x^4+1, least significant bit first."""
    crc = 0
    for byte in mac:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x8C if crc & 1 else 0)
    return crc


def esp32_words(mac: bytes, faults: frozenset[str]) -> dict[int, int]:
    """Return the words of an ESP32-D0WD-V3, revision 3.1."""
    words = dict.fromkeys(range(ESP32_BASE, ESP32_BASE + 0x98, 4), 0)
    words[ESP32_BASE + 0x11C] = 0  # EFUSE_DEC_STATUS: no coding errors

    def burn(index: int, value: int) -> None:
        words[ESP32_BASE + 4 * index] |= value

    burn(1, int.from_bytes(mac[2:], "big"))
    burn(2, int.from_bytes(mac[:2], "big") | mac_crc(mac) << 16)
    burn(3, 1 << 9 | 1 << 13 | 1 << 15)  # package 1, rated for 240 MHz, revision bit 0
    burn(4, 50 | 0x12 << 8)  # CK8M_FREQ, see RTCCALICFG1; ADC_VREF
    burn(5, 1 << 20 | 1 << 24)  # revision bit 1, minor revision 1
    if "secure-boot-v1" in faults:
        burn(6, 1 << 4)  # ABS_DONE_0
    if "secure-boot" in faults:
        burn(6, 1 << 5)  # ABS_DONE_1
    if "flash-encryption" in faults:
        burn(0, 0x7F << 20 | 1 << 16)  # FLASH_CRYPT_CNT: an odd number of ones; the key block cannot be read
        burn(5, 0xF << 28)  # FLASH_CRYPT_CONFIG
        burn(6, 1 << 7)  # DISABLE_DL_ENCRYPT
    return words


def esp32s3_words(mac: bytes, faults: frozenset[str]) -> dict[int, int]:
    """Return the words of an ESP32-S3 (QFN56), revision 0.2."""
    words = dict.fromkeys(range(ESP32S3_BASE, ESP32S3_BASE + 0x200, 4), 0)

    def burn(offset: int, value: int) -> None:
        words[ESP32S3_BASE + offset] |= value

    burn(0x44, int.from_bytes(mac[2:], "big"))
    burn(0x48, int.from_bytes(mac[:2], "big"))
    burn(0x50, 2 << 18 | 3 << 24)  # minor revision 2, block version 1.3
    burn(0x6C, 1)
    if "secure-boot" in faults:
        burn(0x38, 1 << 20)  # SECURE_BOOT_EN
        burn(0x34, SECURE_BOOT_DIGEST0 << 28)  # KEY_PURPOSE_1
    if "flash-encryption" in faults:
        burn(0x30, 1 << 20)  # DIS_DOWNLOAD_MANUAL_ENCRYPT
        burn(0x34, 7 << 18 | XTS_AES_128_KEY << 24)  # SPI_BOOT_CRYPT_CNT: an odd number of ones; KEY_PURPOSE_0
    return words


def esp32s3_security_info(words: dict[int, int], chip_id: int) -> bytes:
    """Return the 20 bytes of GET_SECURITY_INFO: flags, crypt count, seven key purposes, chip id, API version.

    The seventh purpose belongs to no key block; real chips of this generation report 12 there.
    """
    data1, data2 = words[ESP32S3_BASE + 0x34], words[ESP32S3_BASE + 0x38]
    flags = data2 >> 20 & 1
    purposes = bytes((data1 >> 24 & 0xF, data1 >> 28, *(data2 >> shift & 0xF for shift in (0, 4, 8, 12)), 12))
    return (
        flags.to_bytes(4, "little")
        + bytes((data1 >> 18 & 7,))
        + purposes
        + chip_id.to_bytes(4, "little")
        + bytes(4)
    )
