"""The option that names public keys, for the verbs that check a signature."""

from pathlib import Path
from typing import Annotated

import typer

Keys = Annotated[
    list[Path] | None,
    typer.Option("--key", metavar="FILE", help="A public key whose signature is trusted. May be repeated."),
]


def trusted_keys(files: list[Path] | None) -> list[bytes]:
    """The raw public keys in these files."""
    from taisai.build.signing import load_public, raw_public

    return [raw_public(load_public(file)) for file in files or []]
