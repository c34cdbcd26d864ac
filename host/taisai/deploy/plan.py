"""From what is on a board and what a bundle holds to the steps between them; nothing is done here.

The new version goes into a folder of its own. What the board has already is copied there, the rest is sent; the version
that runs is not touched. Only once the new one has started and identified itself is everything else removed.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from posixpath import dirname

from tablecore import manifest
from taisai.build.bundle import Bundle
from taisai.deploy.installer import Entry, Facts, Listing, listing_digest

LOADER = f"/{manifest.MAIN}"
CURRENT = "/current"
_FOLDER = re.compile(r"app-([1-9][0-9]{0,5})")
_SPARE_BLOCKS = 6  # directory blocks that grow, and one for the block that is being replaced
_OWN_LAST = (manifest.NAME, manifest.SIGNATURE)


@dataclass(frozen=True)
class Plan:
    """The steps, in the order of the fields. `name`: the folder of the new version; None when nothing is to be written.

    `send` and `last` map paths to content, `last` after everything else. `remove` is for when the version in `name`
    (or, without one, the version that is there) has identified itself; folders end in a slash.
    """

    name: str | None
    clear: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    copy: tuple[tuple[str, str], ...] = ()
    send: dict[str, bytes] = field(default_factory=dict)
    last: dict[str, bytes] = field(default_factory=dict)
    loader: bool = False
    kept: int = 0
    remove: tuple[str, ...] = ()
    blocks: int = 0

    @property
    def writes(self) -> bool:
        """Whether the board has to change at all, apart from removing."""
        return self.name is not None

    @property
    def bytes_sent(self) -> int:
        """Bytes of content that have to travel."""
        return sum(map(len, self.send.values())) + sum(map(len, self.last.values()))


def entries(files: Mapping[str, bytes]) -> dict[str, Entry]:
    """Size and SHA-256 of each."""
    return {path: Entry(len(content), sha256(content).hexdigest()) for path, content in files.items()}


def volume_of(bundle: Bundle, name: str) -> dict[str, bytes]:
    """Exactly what lies outside /data when the bundle is installed in that folder."""
    files = {f"/{name}/{path}": content for path, content in bundle.folder.items()}
    return {LOADER: bundle.main, CURRENT: name.encode(), **files}


def is_installed(facts: Facts, bundle: Bundle) -> bool:
    """Whether the board has exactly the bundle and nothing else, told by the digest over its whole listing."""
    name = current_name(facts)
    return name is not None and facts.listing == listing_digest(entries(volume_of(bundle, name)))


def current_name(facts: Facts) -> str | None:
    """Folder of the version that starts, if /current names one as this product writes it."""
    return facts.current if facts.current and _FOLDER.fullmatch(facts.current) else None


def make_plan(facts: Facts, listing: Listing, bundle: Bundle) -> Plan:
    """The steps from what is there to the bundle."""
    running = current_name(facts)
    on_board = listing.files
    wanted = None if running is None else entries(volume_of(bundle, running))
    if wanted is not None and _has(listing, f"/{running}/", wanted):
        if on_board.get(LOADER) == wanted[LOADER]:
            return Plan(None, remove=_others(listing, wanted))
        return Plan(
            running, last={f"/{running}/{manifest.MAIN}": bundle.main}, loader=True, remove=_others(listing, wanted)
        )
    name = f"app-{_number(running) + 1}"
    return _install(listing, bundle, name)


def _install(listing: Listing, bundle: Bundle, name: str) -> Plan:
    content = {f"/{name}/{path}": data for path, data in bundle.folder.items()}
    loader = listing.files.get(LOADER) != entries({LOADER: bundle.main})[LOADER]
    if loader:
        content[f"/{name}/{manifest.MAIN}"] = bundle.main
    wanted = entries(content)
    source = {entry: path for path, entry in sorted(listing.files.items(), reverse=True)}
    copy, send, last, kept = [], {}, {}, 0
    # The largest first: the smallest lie in the folder's own blocks, which are rewritten with them as the folder grows.
    for path, entry in sorted(wanted.items(), key=lambda item: (-item[1].size, item[0])):
        own_last = path.removeprefix(f"/{name}/") in _OWN_LAST
        if listing.files.get(path) == entry:
            kept += 1
        elif own_last:
            last[path] = content[path]
        elif entry in source:
            copy.append((source[entry], path))
        else:
            send[path] = content[path]
    folders = {f"{folder}/" for path in wanted for folder in _parents(path)}
    missing = sorted(folders - listing.folders)
    written = [*(path for _, path in copy), *send, *last]
    return Plan(
        name,
        clear=_inside(listing, f"/{name}/", wanted),
        folders=tuple(folder.rstrip("/") for folder in missing),
        copy=tuple(copy),
        send=send,
        last=last,
        loader=loader,
        kept=kept,
        remove=_others(listing, {**wanted, LOADER: None, CURRENT: None}),
        blocks=sum(-(-wanted[path].size // 4096) or 1 for path in written) + 2 * len(missing) + _SPARE_BLOCKS,
    )


def _has(listing: Listing, folder: str, wanted: Mapping[str, Entry]) -> bool:
    """Whether a folder on the board has exactly the wanted files."""
    there = {path: entry for path, entry in listing.files.items() if path.startswith(folder)}
    return there == {path: entry for path, entry in wanted.items() if path.startswith(folder)}


def _inside(listing: Listing, folder: str, wanted: Mapping[str, Entry]) -> tuple[str, ...]:
    """What stands in the way: left by an attempt that was broken off, or a file where a folder has to be."""
    return tuple(path for path in _others(listing, wanted) if f"{path}/".startswith(folder) and path != folder)


def _others(listing: Listing, wanted: Mapping[str, Entry | None]) -> tuple[str, ...]:
    """Files and folders that are not wanted, in an order in which they can be removed: the deepest first."""
    folders = {f"{folder}/" for path in wanted for folder in _parents(path)}
    unwanted = [path for path in listing.files if path not in wanted] + [*(listing.folders - folders)]
    return tuple(sorted(unwanted, reverse=True))


def _parents(path: str) -> list[str]:
    """/app-1/tablecore/x -> /app-1/tablecore, /app-1."""
    found = []
    while (path := dirname(path)) != "/":
        found.append(path)
    return found


def _number(name: str | None) -> int:
    return int(name.removeprefix("app-")) if name else 0
