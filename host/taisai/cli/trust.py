"""The files with keys that options name: public keys that check a signature, and the service keys of boards."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from taisai.client.servicekeys import ServiceKeys

Keys = Annotated[
    list[Path] | None,
    typer.Option("--key", metavar="FILE", help="A public key whose signature is trusted. May be repeated."),
]


def trusted_keys(files: list[Path] | None) -> list[bytes]:
    """The raw public keys in these files."""
    from taisai.build.signing import load_public, raw_public

    return [raw_public(load_public(file)) for file in files or []]


def service_keys_in(file: Path | None) -> "ServiceKeys | None":
    """The service keys in this file."""
    from taisai.client.servicekeys import ServiceKeys

    return None if file is None else ServiceKeys(file)
