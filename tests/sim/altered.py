"""A table's files with some of them altered, and a manifest that fits: a version of its own, not a damaged one."""

import json

from tablecore import manifest
from taisai.boards.table import load_table
from taisai.build import application_files
from taisai.build.manifest import canonical, entry

FOLDER = "/app-1/"


def altered_files(table: str, change: dict[str, bytes | None] | None = None) -> dict[str, bytes]:
    """The volume of a new board with these paths replaced or added, or left out where the content is None."""
    files = application_files(load_table(table))
    for path, content in (change or {}).items():
        files.pop(path, None)
        if content is not None:
            files[path] = content
    own = FOLDER + manifest.NAME
    listed = json.loads(files.pop(own))
    listed["main"] = entry(files["/main.py"])
    inside = {path.removeprefix(FOLDER): content for path, content in files.items() if path.startswith(FOLDER)}
    listed["files"] = {path: entry(content) for path, content in inside.items()}
    return {**files, own: canonical(listed)}
