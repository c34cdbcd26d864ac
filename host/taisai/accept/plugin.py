"""The pytest plugin: makes steps of tests, in the order of the plan, and gives them what they need.

`taisai accept` runs pytest with it; so can a technician: `pytest --taisai-port /dev/ttyACM0 --taisai-serial-number
SN0001 --taisai-operator NAME -k lamps`, with every option of pytest's own. Without --taisai-port it does nothing.
"""

from pathlib import Path

import pytest

STEPS = Path(__file__).with_name("steps")
_OPTIONS = (
    ("port", "PORT", "Test the unit at this serial port, or a simulated one: sim:TABLE."),
    ("serial-number", "SN", "The unit's serial number."),
    ("operator", "NAME", "Who tests it."),
    ("station", "FOLDER", "The station's folder."),
    ("bundle", "FILE", "What the unit has to carry."),
)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("taisai", "acceptance of a Tai-Sai table's electronics")
    for name, metavar, text in _OPTIONS:
        group.addoption(f"--taisai-{name}", metavar=metavar, help=text)


def pytest_configure(config: pytest.Config) -> None:
    port = config.getoption("--taisai-port")
    if port is None or config.getoption("collectonly"):
        return
    from taisai.accept.by_hand import Finish, run_by_hand
    from taisai.accept.pytest_run import RunPlugin
    from taisai.errors import TaisaiError

    if config.args_source != config.ArgsSource.ARGS:
        config.args = [str(STEPS)]
    given = {name: config.getoption(f"--taisai-{name}") for name, *_ in _OPTIONS}
    try:
        run = run_by_hand(given)
    except TaisaiError as error:
        raise pytest.UsageError(str(error)) from error
    config.pluginmanager.register(RunPlugin(run), "taisai-run")
    config.pluginmanager.register(Finish(run), "taisai-finish")
