"""littlefs images of a board's volume, as MicroPython's VfsLfs2 mounts and formats them."""

from collections.abc import Mapping
from posixpath import dirname

from littlefs import LittleFS, UserContext
from littlefs.errors import LittleFSError

from taisai.errors import TaisaiError

BLOCK_BYTES = 4096
_PROGRAM_BYTES = 256  # the RP2040 port's; the geometry on the medium is only the size and number of blocks
_READ_BYTES = 32
_CACHE_BYTES = 1024  # VfsLfs2 takes four times the larger of the two, which also bounds the files kept in the directory
_LOOKAHEAD_BYTES = 32


def volume_image(files: Mapping[str, bytes], block_count: int) -> bytes:
    """A volume of `block_count` blocks of 4,096 bytes with these files (path to content).

    The same files give the same bytes. TaisaiError when they do not fit.
    """
    context = UserContext(buffsize=block_count * BLOCK_BYTES)
    volume = _mounted(context, block_count, fresh=True)
    try:
        for path, content in sorted(files.items()):
            if folder := dirname(path).strip("/"):
                volume.makedirs(folder, exist_ok=True)
            with volume.open(path, "wb") as file:
                file.write(content)
    except LittleFSError as error:
        size = sum(len(content) for content in files.values())
        room = block_count * BLOCK_BYTES
        raise TaisaiError(f"the files ({size} bytes) do not go onto a volume of {room} bytes: {error}") from error
    volume.unmount()
    return bytes(context.buffer)


def volume_files(image: bytes) -> dict[str, bytes]:
    """Every file of a volume, absolute path to content; TaisaiError when it is no littlefs volume of that size."""
    try:
        volume = _mounted(UserContext(buffer=bytearray(image)), len(image) // BLOCK_BYTES, fresh=False)
    except LittleFSError as error:
        raise TaisaiError(f"no littlefs volume of {len(image)} bytes: {error}") from error
    files = {}
    for folder, _, names in volume.walk("/"):
        for name in names:
            path = f"{folder.rstrip('/')}/{name}"
            with volume.open(path, "rb") as file:
                files[path] = file.read()
    return dict(sorted(files.items()))


def _mounted(context: UserContext, block_count: int, *, fresh: bool) -> LittleFS:
    volume = LittleFS(
        context,
        mount=False,
        block_size=BLOCK_BYTES,
        block_count=block_count,
        read_size=_READ_BYTES,
        prog_size=_PROGRAM_BYTES,
        cache_size=_CACHE_BYTES,
        lookahead_size=_LOOKAHEAD_BYTES,
    )
    if fresh:
        volume.format()
    volume.mount()
    return volume
