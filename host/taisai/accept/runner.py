"""One run from beginning to end: makes it, sends the plan through pytest, stores the record, whatever happens."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from taisai.accept.bay import Bay
from taisai.accept.operator import Operator
from taisai.accept.plugin import STEPS
from taisai.accept.pytest_run import RunPlugin
from taisai.accept.run import Run, Sizes
from taisai.accept.unit import Unit
from taisai.build.bundle import Bundle
from taisai.client.servicekeys import ServiceKeys
from taisai.errors import TaisaiError
from taisai.records.ledger import Entry
from taisai.records.model import Record
from taisai.records.station import Station

# Of pytest's own plugins those that a run has no use for; and nothing of the installation's is loaded.
_QUIET = ("-p", "no:terminal", "-p", "no:cacheprovider", "-p", "no:faulthandler", "-s", "--import-mode=importlib")


@dataclass(frozen=True)
class Order:
    """What is to be tested. `bundle` None: what the unit says it is, from this installation. `only`, `skip`: names of
    steps. `step_files`: a customer's own."""

    serial_number: str
    operator: str
    bundle: Bundle | None = None
    only: Sequence[str] | None = None
    skip: Sequence[str] = ()
    step_files: Sequence[Path] = ()
    sizes: Sizes = field(default_factory=Sizes)


def make_run(order: Order, station: Station, bay: Bay, operator: Operator, tell: Callable[[str, dict], None]) -> Run:
    """The run, not begun yet. The service key that it makes is kept in the station's folder, in a file for each serial
    number: programs side by side that wrote into one would lose each other's keys. TaisaiError when it cannot.
    """
    folder = station.folder / "service-keys"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise TaisaiError(f"{folder}: cannot keep the service keys: {error.strerror or error}") from error
    keys = ServiceKeys(folder / order.serial_number)
    unit = Unit(bay, order.serial_number, order.bundle, keys)
    return Run(station, bay, unit, operator, order.operator, order.sizes, tell)


def run_unit(
    order: Order, station: Station, bay: Bay, operator: Operator, tell: Callable[[str, dict], None]
) -> tuple[Record, Entry, int]:
    """Run the plan on one unit; its record, the line of the ledger, and the exit code that says the same.

    TaisaiError when nothing could be recorded.
    """
    run = make_run(order, station, bay, operator, tell)
    plugin = RunPlugin(run, order.only, order.skip)
    arguments = [*_QUIET, "-c", os.devnull, f"--rootdir={STEPS}", str(STEPS), *map(str, order.step_files)]
    try:
        code = pytest.main(arguments, plugins=[plugin])
    except BaseException as error:
        run.fail(error)
        if not isinstance(error, Exception | KeyboardInterrupt):
            raise
    else:
        if run.plan == ():
            bay.close()
            raise TaisaiError(plugin.problem or f"the plan could not be read (pytest ends with {code})")
    return *run.finish(), run.exit_code
