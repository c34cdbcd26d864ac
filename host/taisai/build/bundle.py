"""The release bundle: one file with everything that one table's board gets, its manifest, and a signature.

A zip file without compression: main.py, manifest.json, manifest.sig if signed, and app/ with the folder of the
application. Times, modes and order are fixed and nothing depends on a compressor, so that the same sources give the
same bytes on every computer. An opened bundle must be byte for byte what would be written for its content.

What a check proves: that these are the files which the manifest lists, and, with a trusted public key, that the owner
of the private key signed this list. It does not prove that the owner's computer was clean, nor what a board runs: for
that the files are read back from the board. Without a signature a bundle only agrees with itself; anyone can make one.
"""

import io
import struct
import zipfile
from collections.abc import Collection
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tablecore import hardwarefile, manifest, tablefile
from taisai.boards.table import Table
from taisai.build.application import loader, on_volume, program_files
from taisai.build.bundle_errors import (
    BundleError,
    BundleFileAltered,
    BundleFileExtra,
    BundleFileMissing,
    BundleForeignKey,
    BundleForOtherTable,
    BundleManifestBad,
    BundleRepacked,
    BundleSignatureWrong,
    BundleTruncated,
    BundleUnsigned,
    NotABundle,
)
from taisai.build.manifest import canonical, manifest_of
from taisai.build.mpy import mpy_fault
from taisai.build.signing import Signature, short_name, sign

FOLDER = "app/"
_EARLIEST = (1980, 1, 1, 0, 0, 0)  # the first date that a zip file can state
_UNIX = 3
_FILE_MODE = 0o100644 << 16
_ZIP_BEGINS = b"PK\x03\x04"
# What zipfile raises on damaged input, as far as bytes altered at random have shown.
_ZIP_ERRORS = (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, ValueError, OSError, struct.error)


@dataclass(frozen=True)
class Bundle:
    """A bundle whose content agrees with its manifest. `files`: path in the folder of the application to content."""

    manifest: dict
    manifest_raw: bytes
    main: bytes
    files: dict[str, bytes]
    signature: Signature | None

    @property
    def table(self) -> str:
        """Id of the table it is for."""
        return self.manifest["table"]

    @property
    def folder(self) -> dict[str, bytes]:
        """All that lies in /app-N on a board: the files, the manifest and, if signed, the signature."""
        folder = {**self.files, manifest.NAME: self.manifest_raw}
        if self.signature is not None:
            folder[manifest.SIGNATURE] = self.signature.dump()
        return dict(sorted(folder.items()))

    def volume(self) -> dict[str, bytes]:
        """The volume of a board that had nothing on it, absolute path to content."""
        return on_volume(self.main, self.folder)

    def pack(self) -> bytes:
        """The bytes of the bundle file."""
        members = {manifest.MAIN: self.main}
        for path, content in self.folder.items():
            own = path in (manifest.NAME, manifest.SIGNATURE)
            members[path if own else FOLDER + path] = content
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
            for path, content in sorted(members.items()):
                info = zipfile.ZipInfo(path, _EARLIEST)
                info.create_system = _UNIX
                info.external_attr = _FILE_MODE
                archive.writestr(info, content)
        return packed.getvalue()


def build_bundle(table: Table, key: Ed25519PrivateKey | None = None) -> Bundle:
    """Compile and collect everything for a table; with a key, sign it."""
    main, files = loader(), program_files(table)
    raw = manifest_of(table, main, files)
    signature = None if key is None else sign(key, raw)
    return Bundle(manifest.parse(raw), raw, main, files, signature)


def open_bundle(path: Path) -> Bundle:
    """Read and check a bundle file; a BundleError that names the file says what is wrong with it.

    A signature is checked against the key that it names. Whether that key is trusted is asked with `require_key`.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise NotABundle(f"{path} cannot be read: {error.strerror}") from error
    return check_bundle(data, str(path))


def check_bundle(data: bytes, name: str) -> Bundle:
    """`open_bundle` of bytes at hand; `name` stands in the messages."""
    members = _members(data, name)
    raw = members.pop(manifest.NAME, None)
    if raw is None:
        raise NotABundle(f"{name}: no {manifest.NAME} in it: this is no bundle of taisai build")
    try:
        listed = manifest.parse(raw)
    except ValueError as error:
        raise BundleManifestBad(f"{name}: {error}: get the bundle again from where it was built") from error
    signature = _signature(members.pop(manifest.SIGNATURE, None), raw, name)
    main = members.pop(manifest.MAIN, None)
    files = {_path_in_folder(path): content for path, content in members.items()}
    _compare(listed, files, main, name)
    if fault := _contradiction(listed, raw, files):
        raise BundleManifestBad(f"{name}: {fault}: build it again")
    bundle = Bundle(listed, raw, main, dict(sorted(files.items())), signature)
    if bundle.pack() != data:
        raise BundleRepacked(f"{name} was packed anew by another program: use the file that taisai build wrote")
    return bundle


def require_table(bundle: Bundle, table: str, name: str) -> None:
    """BundleForOtherTable unless the bundle is for this table."""
    if bundle.table != table:
        raise BundleForOtherTable(f"{name} is for table {bundle.table}, not for {table}: use the bundle of {table}")


def require_key(bundle: Bundle, trusted: Collection[bytes], name: str) -> None:
    """BundleUnsigned or BundleForeignKey unless one of these raw public keys signed the bundle."""
    if bundle.signature is None:
        raise BundleUnsigned(f"{name} is not signed: use a release bundle, or build one with taisai build --sign KEY")
    if bundle.signature.key not in trusted:
        keys = ", ".join(sorted(short_name(key) for key in trusted)) or "no key"
        signer = short_name(bundle.signature.key)
        raise BundleForeignKey(f"{name} is signed with key {signer}, which is not trusted here; trusted: {keys}")


def _path_in_folder(path: str) -> str:
    """Path of a member in the folder of the application; one that belongs nowhere gets a name that no manifest has."""
    inside = path.removeprefix(FOLDER)
    return f"/{path}" if inside == path or inside in (manifest.NAME, manifest.SIGNATURE) else inside


def _members(data: bytes, name: str) -> dict[str, bytes]:
    """Every file of the zip. Stored without compression, none can be larger than the bundle itself."""
    if not data.startswith(_ZIP_BEGINS):
        raise NotABundle(f"{name} is no bundle: it does not begin as a zip file does")
    reading = None
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = {}
            for info in archive.infolist():
                reading = info.filename
                if info.compress_type != zipfile.ZIP_STORED or info.filename in members:
                    raise BundleRepacked(f"{name}: {reading} is compressed or there twice: taisai build does neither")
                members[info.filename] = archive.read(info)
            return members
    except _ZIP_ERRORS as error:
        if reading is not None:
            raise BundleFileAltered(f"{name}: {reading} is damaged: get the bundle again") from error
        raise BundleTruncated(f"{name} is cut off or damaged: it has no readable end; get the bundle again") from error


def _signature(raw: bytes | None, signed: bytes, name: str) -> Signature | None:
    if raw is None:
        return None
    try:
        signature = Signature.parse(raw)
    except ValueError as error:
        raise BundleSignatureWrong(f"{name}: {manifest.SIGNATURE} is damaged: {error}; get the bundle again") from error
    if not signature.signs(signed):
        signer = short_name(signature.key)
        raise BundleSignatureWrong(f"{name}: the signature of key {signer} does not fit the manifest: do not use it")
    return signature


def _compare(listed: dict, files: dict[str, bytes], main: bytes | None, name: str) -> None:
    found = {path: _seen(content) for path, content in files.items()}
    kinds: dict[str, type[BundleError]] = {manifest.MISSING: BundleFileMissing, manifest.EXTRA: BundleFileExtra}
    differences = manifest.differences(listed, found, None if main is None else _seen(main))
    if differences:
        kind = kinds.get(differences[0][1], BundleFileAltered)
        text = "; ".join(f"{path}: {word}" for path, word in differences)
        raise kind(f"{name} does not agree with its manifest: {text}; do not use it")


def _seen(content: bytes) -> tuple[int, str]:
    return len(content), sha256(content).hexdigest()


def _contradiction(listed: dict, raw: bytes, files: dict[str, bytes]) -> str | None:
    """Where the manifest says something else of its files than they say themselves, or None."""
    if canonical(listed) != raw:
        return "manifest.json is not written as taisai build writes it"
    for path, content in files.items():
        fault = mpy_fault(content, listed["mpy"]) if path.endswith(".mpy") else None
        if fault:
            return f"{path}: {fault}"
    try:
        table = tablefile.load(files["table.bin"])
        wiring = hardwarefile.parse(files["hardware.json"])
        told = (table.digest.hex(), table.layout_id, wiring["layout"], wiring["table"], wiring["mcu"])
    except (KeyError, TypeError, ValueError) as error:
        return f"table.bin or hardware.json cannot be used: {error}"
    expected = [listed[key] for key in ("table_digest", "layout", "layout", "table", "mcu")]
    return None if list(told) == expected else "manifest.json, table.bin and hardware.json are not of the same table"
