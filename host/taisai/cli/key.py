"""`taisai key`: make a key that signs bundles, or say which key a file holds."""

from pathlib import Path
from typing import Annotated

import typer

from taisai.cli.options import Json
from taisai.cli.output import print_json


def key(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A key file in PEM form, for example release.pem.")],
    new: Annotated[
        bool, typer.Option("--new", help="Make a key: the private one in FILE, the public one beside it.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Show which key a file holds, or make a new one.

    release.pem is the private key, which signs; whoever has it can sign in your name, so it belongs on one computer and
    in one safe. release.pub.pem is the public key, which checks; give it to everyone who flashes boards.
    """
    from taisai.build.signing import load_public, new_key, public_path, raw_public

    found = new_key(file) if new else load_public(file)
    result = {"public_key": raw_public(found).hex()}
    if new:
        result.update(private_file=str(file), public_file=str(public_path(file)))
    if as_json:
        print_json(result)
        return
    print(f"key {result['public_key']}")
    if new:
        print(f"private: {file}\npublic:  {public_path(file)}")
