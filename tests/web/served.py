"""A table served to browsers, and the screens that they have."""

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

TAISAI = Path(sys.executable).with_name("taisai")
SIZES = {"small screen": (1280, 720), "large screen": (1920, 1080), "turned": (1080, 1920), "phone": (390, 844)}


class Served:
    """A table at an address, served by the command of the README."""

    def __init__(self, table: str, *more: str, command: Sequence[str | Path] = (TAISAI,)):
        command = [*command, "simulate", "--web", "--table", table, "--address", "127.0.0.1:0"]
        self.process = subprocess.Popen([*command, *more], stderr=subprocess.PIPE, text=True)
        said = self.process.stderr.readline()
        self.url = re.search(r"http://\S+", said)[0]
        self.socket = self.url.replace("http", "ws") + "table"

    def stop(self) -> int:
        """The exit code after Ctrl-C."""
        self.process.send_signal(2)
        try:
            return self.process.wait(30)
        finally:
            self.process.stderr.close()
