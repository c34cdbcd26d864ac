"""`taisai verify`: whether a board has exactly the files it should have, told by itself and by reading them back."""

from pathlib import Path
from typing import Annotated

import typer

from taisai.cli.options import Json, PortName, ServiceKeysFile
from taisai.cli.output import print_json, talk
from taisai.cli.trust import Keys, service_keys_in, trusted_keys
from taisai.errors import EXIT_UNIT_FAILED


def verify(
    port: PortName = None,
    bundle: Annotated[
        Path | None, typer.Option("--bundle", metavar="FILE", help="Compare with this bundle too (see `taisai build`).")
    ] = None,
    key: Keys = None,
    service_keys: ServiceKeysFile = None,
    as_json: Json = False,
) -> None:
    """Verify that a board has exactly the files of its manifest, and nothing else.

    The board tells hashes salted with a random number; then it is put into service mode, every file is read back and
    hashed here, and both are compared with the manifest. With --key the manifest must be signed with that key; with
    --bundle it must be the bundle's. Files that are altered, missing or too many are named, and end with exit code 1.
    The table is restarted for this, so it is refused while a result is lit.
    """
    from taisai.build.bundle import open_bundle
    from taisai.cli.watching import Watcher, bars
    from taisai.client.transport import open_port
    from taisai.deploy.backends import mpremote
    from taisai.deploy.preflight import Policy
    from taisai.deploy.reach import Reach
    from taisai.deploy.targets import find_targets
    from taisai.deploy.verify import verify_board

    reference = None if bundle is None else open_bundle(bundle)
    policy = Policy(trusted_keys(key), service_keys=service_keys_in(service_keys))
    (target,) = find_targets([] if port is None else [port], every=False)
    with bars() as progress:
        watcher = Watcher(target.where, progress, ask=False)
        reach = Reach(lambda: open_port(target.where), mpremote.raw_repl, policy.service_keys)
        report = verify_board(reach, reference, policy, watcher)
    if as_json:
        print_json(report.as_dict())
    else:
        for problem in report.problems:
            print(f"FAIL {problem}")
        print(
            f"{'PASS' if report.passed else 'FAIL'} {report.port}: board {report.board}, "
            f"{f'{report.table} {report.version}' if report.table else 'no table'}: "
            f"{report.read_back} files read back ({report.bytes_read:,} bytes), "
            f"{report.hashed_by_board} hashed by the board, {report.signature or 'no signature found'}"
        )
        for note in report.notes:
            talk(f"taisai: {note}")
    if not report.passed:
        raise typer.Exit(EXIT_UNIT_FAILED)
