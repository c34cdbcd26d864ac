"""Every file of the application, read back and hashed, against the bundle that the unit has to carry."""

from taisai.accept import Limit, StepFailed, step
from taisai.accept.parts import of_file
from taisai.accept.watcher import StepWatcher
from taisai.deploy.preflight import Policy
from taisai.deploy.verify import verify_board


@step("files", restarts=True, limits=[Limit("files", "", lower=1), Limit("wrong_files", "", upper=0)])
def test_files(unit, measurements, record):
    verify_unit(unit, measurements, record)


def verify_unit(unit, measurements, record):
    """Also the last step of the plan."""
    report = verify_board(unit.reach(), unit.bundle, Policy(service_keys=unit.keys), StepWatcher(record))
    record.log(f"manifest {report.signature or 'without a signature'}")
    for problem in report.problems:
        record.log(problem)
    measurements.take("files", report.read_back)
    if report.problems:
        # The bundle's manifest names what differs; that a manifest was changed with its file is only said last.
        first = report.problems[0]
        raise StepFailed(of_file(first), f"{of_file(first)}: {first}")
    measurements.take("wrong_files", 0)
    unit.wait_started()
