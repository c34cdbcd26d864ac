"""Whether a board has exactly the files of its manifest, told twice: by the board, and by reading every file back.

The firmware answers with hashes salted by a number of ours, so that it cannot have them ready; the host then reads the
files through MicroPython alone and works the same hashes out. A board that lies in the first is found by the second.
"""

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field
from hashlib import sha256

from tablecore import manifest
from taisai.build.bundle import Bundle
from taisai.build.signing import Signature, short_name
from taisai.client.board import Board
from taisai.client.errors import Refused
from taisai.deploy.errors import NotStarted
from taisai.deploy.flash import Watcher
from taisai.deploy.installer import Facts, Installer
from taisai.deploy.plan import CURRENT, LOADER, current_name
from taisai.deploy.preflight import Policy
from taisai.deploy.reach import Reach

_STARTS_S = 20.0
_LEAVE_OUT = ("data", "rom")  # in the root: the unit's own, and what is part of MicroPython


@dataclass
class Report:
    """What was found on one board. `problems` empty: it passed. `notes`: what a pass does not prove."""

    port: str
    board: str = ""
    table: str = ""
    version: str = ""
    micropython: str = ""
    nonce: str = ""
    hashed_by_board: int = 0
    read_back: int = 0
    bytes_read: int = 0
    signature: str = ""
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        return not self.problems

    def as_dict(self) -> dict:
        """For `--json`."""
        return {**asdict(self), "verdict": "pass" if self.passed else "fail"}


def verify_board(reach: Reach, reference: Bundle | None, policy: Policy, watcher: Watcher) -> Report:
    """Check one board and leave it running. `reference`: the bundle it should have; else its own manifest must do."""
    report = Report(reach.name)
    try:
        watcher.stage("looking who is there")
        board = reach.board()
        told = None if board is None else _ask_for_hashes(board, report, watcher)
        watcher.stage("entering service mode")
        repl = reach.prompt(board)
        installer = Installer(repl)
        facts = installer.facts()
        report.board, report.micropython = facts.board, ".".join(map(str, facts.version))
        content = _read_all(installer, report, watcher)
        _judge(content, facts, installer.listing().folders, reference, policy, report)
        watcher.stage("restarting the board")
        reach.restart(repl)
        if board := _started(reach, report):
            _compare(told or _ask_for_hashes(board, report, watcher), content, report)
    finally:
        reach.close()
    return report


def _ask_for_hashes(board: Board, report: Report, watcher: Watcher) -> dict[str, tuple[int, str]]:
    """Path to size and salted hash of every file outside /data, as the firmware tells them."""
    watcher.stage("asking the board for its hashes")
    nonce = board.new_nonce()
    report.nonce = nonce.hex()
    told = {}
    for name, size in board.files("/").items():
        if size is None and name not in _LEAVE_OUT:
            told.update({path: _told(board, path, nonce) for path, _ in board.tree(f"/{name}")})
        elif size is not None:
            told[f"/{name}"] = _told(board, f"/{name}", nonce)
    report.hashed_by_board = len(told)
    return told


def _told(board: Board, path: str, nonce: bytes) -> tuple[int, str]:
    try:
        return board.file_hash(path, nonce)
    except Refused as error:
        return -1, str(error)


def _read_all(installer: Installer, report: Report, watcher: Watcher) -> dict[str, bytes]:
    """Every file outside /data, read to the last byte."""
    files = installer.listing().files
    watcher.total(sum(entry.size for entry in files.values()))
    watcher.stage("reading every file back")
    content = {}
    for path, entry in files.items():
        content[path] = installer.read(path, entry)
        watcher.moved(len(content[path]))
    report.read_back, report.bytes_read = len(content), sum(map(len, content.values()))
    return content


def _judge(
    content: Mapping[str, bytes],
    facts: Facts,
    folders: Collection[str],
    reference: Bundle | None,
    policy: Policy,
    report: Report,
) -> None:
    """The files that were read against the manifest among them, and that against the signature and the reference."""
    name = current_name(facts)
    folder = f"/{name}/"
    raw = None if name is None else content.get(folder + manifest.NAME)
    if raw is None:
        report.problems.append("no application: /current is missing, or names no folder with a manifest; flash it")
        return
    try:
        listed = manifest.parse(raw)
    except ValueError as error:
        report.problems.append(f"{folder}{manifest.NAME}: {error}")
        return
    report.table, report.version = listed["table"], listed["version"]
    inside = {path.removeprefix(folder): _seen(data) for path, data in content.items() if path.startswith(folder)}
    loader = _seen(content[LOADER]) if LOADER in content else None
    for path, reason in manifest.differences(listed, inside, loader):
        report.problems.append(f"{path if path.startswith('/') else folder + path}: {reason}")
    outside = [path for path in content if not path.startswith(folder) and path not in (LOADER, CURRENT)]
    report.problems += [f"{path}: {manifest.EXTRA}" for path in sorted(outside)]
    wanted = {folder} | {folder + path.rpartition("/")[0] + "/" for path in listed["files"] if "/" in path}
    report.problems += [f"{path}: a folder that does not belong there" for path in sorted(set(folders) - wanted)]
    _judge_signature(content.get(folder + manifest.SIGNATURE), raw, policy, report)
    if reference is not None and reference.manifest_raw != raw:
        report.problems.append(
            f"the board's manifest, of {listed['table']} {listed['version']}, is not that of the bundle, "
            f"which is {reference.table} {reference.manifest['version']}"
        )
    if reference is None and not policy.keys:
        report.notes.append(
            "compared with the board's own manifest only: name --bundle FILE, or the signer's key with --key FILE, "
            "to find files that were changed together with their manifest"
        )


def _judge_signature(raw: bytes | None, signed: bytes, policy: Policy, report: Report) -> None:
    if raw is None:
        report.signature = "not signed"
        if policy.keys:
            report.problems.append("the manifest is not signed")
        return
    try:
        signature = Signature.parse(raw)
    except ValueError as error:
        report.problems.append(f"{manifest.SIGNATURE} is damaged: {error}")
        return
    signer = short_name(signature.key)
    report.signature = f"signed with key {signer}"
    if not signature.signs(signed):
        report.problems.append(f"the signature of key {signer} does not fit the manifest")
    elif policy.keys and signature.key not in policy.keys:
        report.problems.append(f"the manifest is signed with key {signer}, which is not the key that was named")


def _started(reach: Reach, report: Report) -> Board | None:
    """The table, if its firmware starts after all that; and whether it is what its files say."""
    try:
        board = reach.wait_started(_STARTS_S)
    except NotStarted as error:
        report.problems.append(str(error))
        return None
    if report.table and (board.identity.table, board.identity.firmware) != (report.table, report.version):
        report.problems.append(
            f"the board says: {board.identity}; and its files are those of {report.table} {report.version}"
        )
    return board


def _compare(told: Mapping[str, tuple[int, str]], content: Mapping[str, bytes], report: Report) -> None:
    """What the firmware told against what was read."""
    nonce = bytes.fromhex(report.nonce)
    for path in sorted(told.keys() | content.keys()):
        if path not in told:
            report.problems.append(f"{path}: is there, and the board did not tell of it")
        elif path not in content:
            report.problems.append(f"{path}: told by the board, and is not there")
        elif told[path] != (len(content[path]), sha256(nonce + content[path]).hexdigest()):
            report.problems.append(f"{path}: the board tells another hash than that of the file that was read")


def _seen(content: bytes) -> tuple[int, str]:
    return len(content), sha256(content).hexdigest()
