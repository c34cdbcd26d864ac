"""Every file of the application, read back and hashed, against the bundle that the unit has to carry."""

from hashlib import sha256

from taisai.accept import Limit, StepFailed, step
from taisai.accept.parts import of_file
from taisai.accept.watcher import StepWatcher
from taisai.client.errors import Refused
from taisai.deploy.preflight import Policy
from taisai.deploy.verify import verify_board


@step("files", restarts=True, limits=[Limit("files", "", lower=1), Limit("wrong_files", "", upper=0)])
def test_files(unit, measurements, record):
    verify_unit(unit, measurements, record)


def _differing(unit, record):
    """The first file that is not the bundle's, by the unit's own hashes: a manifest that was changed with its file says
    nothing about it. None when all are, or the unit does not run.
    """
    try:
        unit.wait_started()
    except StepFailed:
        return None
    found = []
    for path, content in unit.bundle.files.items():
        nonce = unit.board.new_nonce()
        try:
            told = unit.board.file_hash(f"/{unit.identity.application}/{path}", nonce)
        except Refused as error:
            found.append(f"{path}: {error}")
            continue
        if told != (len(content), sha256(nonce + content).hexdigest()):
            found.append(f"{path}: it is not the bundle's")
    for problem in found:
        record.log(problem)
    return found[0] if found else None


def verify_unit(unit, measurements, record):
    """Also the last step of the plan."""
    report = verify_board(unit.reach(), unit.bundle, Policy(service_keys=unit.keys), StepWatcher(record))
    record.log(f"manifest {report.signature or 'without a signature'}")
    for problem in report.problems:
        record.log(problem)
    measurements.take("files", report.read_back)
    if report.problems:
        first = _differing(unit, record) or report.problems[0]
        raise StepFailed(of_file(first), f"{of_file(first)}: {first}")
    measurements.take("wrong_files", 0)
    unit.wait_started()
