"""Flashing one board over its serial port: look, plan, write, read back, restart, identify, and then clear away.

A board is left with the version it had or with the new one, wherever this is cut off; run again, it goes on.
"""

from dataclasses import asdict, dataclass, field
from typing import Protocol

from taisai.build.bundle import Bundle
from taisai.client.board import Board
from taisai.client.errors import LinkError, LinkLost
from taisai.deploy import install
from taisai.deploy.errors import NotStarted, OnBoardError
from taisai.deploy.installer import Facts, Installer, Listing
from taisai.deploy.plan import CURRENT, Plan, current_name, is_installed, make_plan
from taisai.deploy.preflight import Policy, check_board, check_chip, check_space, check_table, table_on_board
from taisai.deploy.reach import Reach

_STARTS_S = 20.0
_CHECKED_S = 20.0
_LOOK_S = 0.1
# Write, clear away, and two tries more for a link that loses bytes.
_ROUNDS = 2
_RETRIES = 2
# What a board raises when a frame arrives damaged: that byte 3, which interrupts, is in it now, or anything else.
_FRAME_DAMAGED = ("KeyboardInterrupt", "ValueError")


class Watcher(Protocol):
    """Who looks on: a progress bar, a line of text, a test."""

    def stage(self, text: str) -> None:
        """What is being done now."""

    def plan(self, plan: Plan, board: str) -> None:
        """What is going to be done; raises to stop it."""

    def total(self, count: int) -> None:
        """So many bytes of content are going to be written."""

    def moved(self, count: int) -> None:
        """So many more have been."""


@dataclass
class Result:
    """What was done to one board. `sent_bytes`: of content, before packing."""

    port: str
    board: str = ""
    table: str = ""
    version: str = ""
    application: str = ""
    micropython: str = ""
    state: str = ""
    integrity: str = ""
    sent: list[str] = field(default_factory=list)
    sent_bytes: int = 0
    copied: int = 0
    unchanged: int = 0
    removed: list[str] = field(default_factory=list)

    def as_dict(self) -> dict:
        """For `--json`."""
        return asdict(self)


def flash_board(reach: Reach, bundle: Bundle, policy: Policy, watcher: Watcher) -> Result:
    """Bring one board to exactly this bundle; any failure is a TaisaiError with its own words and exit code."""
    result = Result(reach.name, table=bundle.table, version=bundle.manifest["version"])
    retries = _RETRIES
    try:
        watcher.stage("looking who is there")
        board = reach.board()
        if board is not None:
            check_chip(board.identity.mcu, bundle, reach.name)
            check_table(board.identity.table, bundle, policy, reach.name)
        rounds = _ROUNDS
        done = False
        while not done:
            if not rounds:
                raise NotStarted(f"{reach.name}: the new version runs, but other files are left: run the command again")
            try:
                board, done = _round(reach, bundle, policy, watcher, board, result)
                rounds -= 1
            except (LinkLost, OnBoardError) as error:
                if not retries or (isinstance(error, OnBoardError) and error.kind not in _FRAME_DAMAGED):
                    raise
                retries -= 1
                board = _again(reach, error)
    finally:
        reach.close()
    return result


def _round(
    reach: Reach, bundle: Bundle, policy: Policy, watcher: Watcher, board: Board | None, result: Result
) -> tuple[Board, bool]:
    """One visit to the prompt and back: what runs then, and whether nothing is left to be done."""
    watcher.stage("entering service mode")
    repl = reach.prompt(board)
    installer = Installer(repl)
    watcher.stage("looking at what is on the board")
    facts = installer.facts()
    result.board = facts.board
    result.micropython = ".".join(map(str, facts.version))
    check_board(facts, bundle, reach.name)
    listing, plan = _planned(installer, facts, bundle)
    if board is None:
        check_table(_table_there(installer, facts, listing), bundle, policy, reach.name)
    watcher.plan(plan, facts.board)
    if plan.writes:
        check_space(facts, plan, reach.name)
        _write(installer, plan, bundle, listing, watcher, reach.name)
        _count(result, plan)
    elif plan.remove and _is(board, bundle, facts):
        watcher.stage("removing what the new version does not need")
        install.remove(installer, plan)
        result.removed = [path for path in plan.remove if not path.endswith("/")]
        plan = Plan(None)
    if not plan.writes and not result.sent:
        result.unchanged = len(bundle.folder) + 1
    watcher.stage("restarting the board")
    reach.restart(repl)
    board = reach.wait_started(_STARTS_S)
    result.application = board.identity.application
    if not _is(board, bundle, facts):
        raise NotStarted(
            f"{reach.name}: the board starts, but as {board.identity} in {board.identity.application}, "
            f"which is not what was written to board {facts.board}"
        )
    if plan.remove:
        return board, False
    watcher.stage("waiting for the board to check its files")
    result.integrity = _checked_by_itself(board)
    result.state = board.state()["state"]
    return board, True


def _checked_by_itself(board: Board) -> str:
    """What the firmware finds when it compares its files with its manifest; NotStarted when they are not right."""
    end = board.link.transport.now() + _CHECKED_S
    while True:
        verdict, path, reason = board.integrity()
        if verdict == "good":
            return verdict
        if verdict == "bad" or board.link.transport.now() > end:
            found = f"{path}: {reason}" if path else "it does not come to an end"
            raise NotStarted(f"{board.port}: the board has started and finds fault with its own files: {found}")
        board.link.next_event(_LOOK_S)


def _planned(installer: Installer, facts: Facts, bundle: Bundle) -> tuple[Listing, Plan]:
    """The listing is only asked for when it differs from that of the bundle."""
    if is_installed(facts, bundle):
        return Listing({}, frozenset()), Plan(None)
    listing = installer.listing()
    return listing, make_plan(facts, listing, bundle)


def _write(installer: Installer, plan: Plan, bundle: Bundle, listing: Listing, watcher: Watcher, name: str) -> None:
    watcher.total(plan.bytes_sent + sum(listing.files[source].size for source, _ in plan.copy))
    watcher.stage("writing")
    install.write(installer, plan, bundle, listing, watcher.moved, name)


def _count(result: Result, plan: Plan) -> None:
    result.sent += [*plan.send, *plan.last]
    result.sent_bytes += plan.bytes_sent
    result.copied += len(plan.copy)
    result.unchanged = len(plan.copy) + plan.kept


def _table_there(installer: Installer, facts: Facts, listing: Listing) -> str | None:
    """The table that the board is, from its files: for a board whose firmware does not run."""
    path = f"/{current_name(facts)}/manifest.json"
    entry = listing.files.get(path)
    return table_on_board(installer.read(path, entry)) if entry is not None and CURRENT in listing.files else None


def _is(board: Board | None, bundle: Bundle, facts: Facts) -> bool:
    """Whether what runs is the bundle, on the board that was written."""
    if board is None:
        return False
    told = board.identity
    wanted = (bundle.table, bundle.manifest["table_digest"], bundle.manifest["version"], facts.board)
    return (told.table, told.table_digest, told.firmware, told.board) == wanted


def _again(reach: Reach, error: LinkError | OnBoardError) -> Board | None:
    """After a disturbed link: who is there now? The first error stands if nobody can be reached any more."""
    reach.close()
    try:
        return reach.board()
    except LinkError:
        raise error from None
