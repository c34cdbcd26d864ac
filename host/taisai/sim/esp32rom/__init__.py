"""Models of the ROM serial loaders of `esp32` and `esp32s3`, for flashing tools that have no board at hand.

Unmodified esptool talks to them with `--no-stub`, on a pseudo terminal (ptyserver.py) or over RFC 2217
(rfc2217server.py):

    rom = Esp32Rom("esp32", "flash.bin", faults=["wrong-md5"])
    with PtyServer(rom) as port:
        ...  # esptool --port {port.path} --no-stub flash-id

Written from Espressif's serial protocol documentation (esptool: "Serial Protocol", "Boot Mode Selection"), the
Technical Reference Manuals of the two chips, and recorded traces of real chips. What is not modelled: RAM download (so
the flasher stub cannot run), encrypted writes, the time that a real flash chip and a real wire take.
"""

from taisai.sim.esp32rom.faults import FAULTS
from taisai.sim.esp32rom.model import Esp32Rom

__all__ = ["FAULTS", "Esp32Rom"]
