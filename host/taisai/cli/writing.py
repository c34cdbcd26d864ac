"""Files that verbs write: whole, or not at all."""

from pathlib import Path

from taisai.errors import TaisaiError


def write_file(path: Path, content: bytes) -> None:
    """Write under another name and rename, so that no half file is left under the right one. TaisaiError on failure."""
    fresh = path.with_name(path.name + ".new")
    try:
        fresh.write_bytes(content)
        fresh.replace(path)
    except OSError as error:
        raise TaisaiError(f"{path} cannot be written: {error.strerror}") from error
