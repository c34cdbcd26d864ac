"""Carrying out a plan on one board, and proving it: before the switch every file is hashed as it lies in flash."""

from collections.abc import Callable, Mapping

from taisai.build.bundle import Bundle
from taisai.deploy.errors import DeployError, OnBoardError, WriteFailed
from taisai.deploy.installer import Entry, Installer, Listing, listing_digest
from taisai.deploy.plan import CURRENT, LOADER, Plan, entries, volume_of

_NO_SPACE, _READ_ONLY, _INPUT_OUTPUT = 28, 30, 5
_TRIES = 3

Progress = Callable[[int], None]
"""Told the bytes of content that have just been written."""


def write(installer: Installer, plan: Plan, bundle: Bundle, listing: Listing, moved: Progress, name: str) -> None:
    """Everything up to and with the switch; the version that runs is untouched until then.

    listing: what the plan was made from. name: of the board, for messages.
    """
    try:
        if plan.clear:
            installer.remove(list(plan.clear), lambda: None)
        if plan.folders:
            installer.make_folders(plan.folders)
        if plan.copy:
            targets = iter(plan.copy)
            installer.copy(list(plan.copy), lambda: moved(listing.files[next(targets)[0]].size))
        if plan.send or plan.last:
            installer.put({**plan.send, **plan.last}, moved)
        there = {path: entry for path, entry in listing.files.items() if path not in plan.clear}
        _prove_folder(installer, plan, bundle, there, name)
        installer.switch(plan.name, loader=plan.loader)
        _prove_switched(installer, plan, bundle, name)
    except OnBoardError as error:
        raise _explained(error, name) from error


def remove(installer: Installer, plan: Plan) -> None:
    """What the plan has left for the end."""
    try:
        installer.remove(list(plan.remove), lambda: None)
    except OnBoardError as error:
        raise _explained(error, "removing what is left of the old version") from error


def _prove_folder(installer: Installer, plan: Plan, bundle: Bundle, there: Mapping[str, Entry], name: str) -> None:
    """The new folder, hashed file by file on the board; what differs is sent again, twice at most, and what a damaged
    command has put there besides is removed.
    """
    content = {path: data for path, data in volume_of(bundle, plan.name).items() if path not in (LOADER, CURRENT)}
    if plan.loader:
        content[f"/{plan.name}{LOADER}"] = bundle.main
    wanted = entries(content)
    for _ in range(_TRIES):
        if installer.facts().listing == listing_digest({**there, **wanted}):
            return
        found = installer.listing().files
        wrong = [path for path, entry in wanted.items() if found.get(path) != entry]
        besides = [path for path in found if path.startswith(f"/{plan.name}/") and path not in wanted]
        if not wrong and not besides:
            return
        if besides:
            installer.remove(besides, lambda: None)
        installer.put({path: content[path] for path in wrong}, lambda _: None)
    raise WriteFailed(
        f"{name}: {', '.join(wrong or besides)}: what was written does not read back as it was sent: the board's flash "
        "is worn out or damaged; the version that it had still starts"
    )


def _prove_switched(installer: Installer, plan: Plan, bundle: Bundle, name: str) -> None:
    """What the switch has changed; the folder was proven before it."""
    wanted = entries({path: data for path, data in volume_of(bundle, plan.name).items() if path in (LOADER, CURRENT)})
    found = installer.hashes(list(wanted))
    if wrong := [path for path, entry in zip(wanted, found, strict=True) if entry != wanted[path]]:
        raise WriteFailed(f"{name}: {', '.join(wrong)}: not as written after the switch: run the command again")


def _explained(error: OnBoardError, name: str) -> DeployError:
    """The errors of a file system in plain words."""
    if error.number == _NO_SPACE:
        return DeployError(f"{name}: the board's volume is full: remove files that are not the table's, then try again")
    if error.number == _READ_ONLY:
        return DeployError(f"{name}: the board's volume is mounted read-only: restart the board, then run this again")
    if error.number == _INPUT_OUTPUT:
        return WriteFailed(f"{name}: the board's flash reports an error while it is written: it is worn out or damaged")
    return error
