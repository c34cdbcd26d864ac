"""`--micropython download` with the package mpflash there: a stand-in with the functions of its release 1.29 that are
used, their parameters and what they do without internet.
"""

import sys
from types import ModuleType, SimpleNamespace

import pytest

from taisai.boards.controller import MCUS
from taisai.deploy.download import downloaded
from taisai.errors import TaisaiError

PICO = MCUS["raspberry-pi-pico"]


class MPFlashError(Exception):
    """As mpflash.errors has it."""


class Package:
    """mpflash, the site that it fetches from, and the folder that it fetches to. `calls`: what was asked of it."""

    def __init__(self, folder):
        self.calls = []
        self.versions = ["v1.27.0", "v1.28.0"]
        self.site = {"rp2": ["RPI_PICO-v1.28.0.uf2"], "esp32": ["ESP32_GENERIC-v1.28.0.bin"]}
        self.online = True
        self.folder = folder
        self._rows = None

    def create_database(self):
        self._rows = []

    def get_stable_mp_version(self, cache_it=True):
        return self.versions[-1] if self.online else ""

    def download(self, ports, boards, versions, force=False, clean=True, destination=None):
        self.calls.append((ports, boards, versions))
        if not self.online:
            raise MPFlashError("Could not connect to micropython.org")
        for name in [name for port in ports for name in self.site[port] if name.startswith(boards[0])]:
            (self.folder / ports[0]).mkdir(exist_ok=True)
            (self.folder / ports[0] / name).write_bytes(b"image")
            self._rows.append((boards[0], versions[0], ports[0], f"{ports[0]}/{name}"))  # fails without the database
        return len(self._rows)

    def find_downloaded_firmware(self, board_id, version="", port="", variants=False, custom=False):
        return [SimpleNamespace(firmware_file=row[3]) for row in self._rows if row[:3] == (board_id, version, port)]

    def install(self, monkeypatch):
        modules = {
            "mpflash": {}, "mpflash.db": {},
            "mpflash.config": {"config": SimpleNamespace(firmware_folder=self.folder)},
            "mpflash.db.core": {"create_database": self.create_database},
            "mpflash.download": {"download": self.download},
            "mpflash.downloaded": {"find_downloaded_firmware": self.find_downloaded_firmware},
            "mpflash.errors": {"MPFlashError": MPFlashError},
            "mpflash.versions": {"get_stable_mp_version": self.get_stable_mp_version},
        }  # fmt: skip
        for name, content in modules.items():
            module = ModuleType(name)
            vars(module).update(content)
            monkeypatch.setitem(sys.modules, name, module)


@pytest.fixture
def package(monkeypatch, tmp_path):
    package = Package(tmp_path)
    package.install(monkeypatch)
    return package


def test_the_newest_stable_image_of_the_board(package):
    assert downloaded(PICO) == package.folder / "rp2/RPI_PICO-v1.28.0.uf2"
    assert downloaded(MCUS["esp32-devkitc"]) == package.folder / "esp32/ESP32_GENERIC-v1.28.0.bin"
    assert package.calls == [(["rp2"], ["RPI_PICO"], ["v1.28.0"]), (["esp32"], ["ESP32_GENERIC"], ["v1.28.0"])]


def test_without_internet(package):
    package.online = False
    with pytest.raises(TaisaiError, match="is there an internet connection.*--micropython FILE"):
        downloaded(PICO)
    assert package.calls == []


def test_the_site_is_gone_after_its_list_was_read(package, monkeypatch):
    package.online = False
    monkeypatch.setattr(sys.modules["mpflash.versions"], "get_stable_mp_version", lambda: "v1.28.0")
    with pytest.raises(TaisaiError, match="Could not connect"):
        downloaded(PICO)


@pytest.mark.parametrize("names", [[], ["RPI_PICO-v1.28.0.dfu"]])
def test_no_image_of_the_right_form(package, names):
    package.site["rp2"] = names
    with pytest.raises(TaisaiError, match="found no image of MicroPython v1.28.0 for RPI_PICO"):
        downloaded(PICO)
