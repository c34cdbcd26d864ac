"""Error codes of the ROM loaders (esptool "Serial Protocol", section ROM Loader Errors)."""

INVALID = 0x05  # parameters or length field are invalid, or the command is unknown
NOT_DONE = 0x06  # the message is understood, acting on it failed
CHECKSUM = 0x07
FLASH_WRITE = 0x08
FLASH_READ = 0x09
READ_LENGTH = 0x0A
DEFLATE_FAILED = 0x0B
DEFLATE_ADLER = 0x0C


class RomError(Exception):
    """A command is answered with this error code."""

    def __init__(self, code: int) -> None:
        super().__init__(f"error {code:#04x}")
        self.code = code
