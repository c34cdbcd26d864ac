"""A PostgreSQL server of its own: in a temporary folder, on a free port of loopback, never as root."""

import os
import shutil
import signal
import socket
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

_STARTS_S = 30


def programs() -> Path | None:
    """Where initdb and postgres are: Debian's packages keep them out of the PATH. None: not installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[-3]))
    if found:
        return found[-1].parent
    there = shutil.which("postgres")
    return Path(there).resolve().parent if there else None


class Server:
    """`url` to reach it; `stop` and `start` as an outage and its end."""

    def __init__(self, folder: Path, bin: Path):
        self._folder = folder
        self._bin = bin
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self._port = probe.getsockname()[1]
        self.url = f"postgresql://factory@127.0.0.1:{self._port}/postgres"
        # The server refuses to run as root; Debian's package has made a user for it.
        self._as = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.geteuid() == 0 else {}
        if self._as:
            shutil.chown(folder, "postgres", "postgres")
        self._run("initdb", "--pgdata", "data", "--username", "factory", "--auth", "trust", "--no-sync")
        self._process: subprocess.Popen | None = None

    def start(self) -> None:
        options = ["-D", "data", "-p", str(self._port), "-k", "", "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"]
        log = (self._folder / "log").open("ab")
        command = [self._bin / "postgres", *options]
        self._process = subprocess.Popen(command, cwd=self._folder, stdout=log, stderr=log, **self._as)
        end = time.monotonic() + _STARTS_S
        while time.monotonic() < end and self._process.poll() is None:
            try:
                self._run("pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self._port))
                return
            except subprocess.CalledProcessError:
                time.sleep(0.1)
        raise RuntimeError((self._folder / "log").read_text())

    def stop(self) -> None:
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)  # a "fast" shutdown, which does not wait for clients
            self._process.wait(_STARTS_S)
            self._process = None

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [self._bin / program, *arguments], cwd=self._folder, check=True, capture_output=True, timeout=60, **self._as
        )


@contextmanager
def server(folder: Path, bin: Path):
    made = Server(folder, bin)
    made.start()
    try:
        yield made
    finally:
        made.stop()
