"""`taisai flash`: from a board as it is to a verified table, one board or all that are attached."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Annotated

import typer

from taisai.boards.controller import MCUS
from taisai.boards.table import load_table
from taisai.cli.options import Json, ServiceKeysFile
from taisai.cli.output import print_json, talk
from taisai.cli.trust import Keys, service_keys_in, trusted_keys
from taisai.errors import EXIT_PASS, TaisaiError


def flash(
    table: Annotated[
        str | None, typer.Option("--table", metavar="TABLE", help="Build this table here and flash it.")
    ] = None,
    bundle: Annotated[
        Path | None, typer.Option("--bundle", metavar="FILE", help="Flash this bundle (see `taisai build`).")
    ] = None,
    port: Annotated[
        list[str] | None,
        typer.Option(
            "--port",
            metavar="PORT",
            help="A serial port, id:BOARD, rfc2217://HOST:PORT or a BOOTSEL drive. May be repeated with --all.",
        ),
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Flash every board that is attached or named, side by side.")
    ] = False,
    backend: Annotated[
        str | None,
        typer.Option("--backend", metavar="NAME", help="mpremote, ampy, uf2 or esptool; otherwise what fits."),
    ] = None,
    micropython: Annotated[
        Path | None,
        typer.Option(
            "--micropython",
            metavar="FILE",
            help="Write this MicroPython image first. `download` fetches the newest, with the package mpflash.",
        ),
    ] = None,
    full_image: Annotated[
        bool, typer.Option("--full-image", help="With --micropython: MicroPython and files in one, over everything.")
    ] = False,
    discard_records: Annotated[
        bool, typer.Option("--discard-records", help="With --full-image: destroy the records on the board.")
    ] = False,
    change_table: Annotated[
        bool, typer.Option("--change-table", help="Let a board become another table than it was.")
    ] = False,
    key: Keys = None,
    allow_unsigned: Annotated[
        bool, typer.Option("--allow-unsigned", help="Trust an unsigned bundle file as it is.")
    ] = False,
    service_keys: ServiceKeysFile = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before foreign files are removed.")] = False,
    as_json: Json = False,
) -> None:
    """Flash boards: what they lack is sent, everything is hashed there, and one step makes it the version that starts.

    A board is found at its prompt, or running a table, which is put into service mode; with --micropython also as a
    BOOTSEL drive or as an ESP32 in download mode. Its records, settings and identity stay. It has its old version or
    the new one whenever this is interrupted, and the same command goes on from there.

    Without --bundle the table is built from this installation, which you trust by using it. A bundle file must be
    signed with a key that --key names.
    """
    from taisai.build.bundle import build_bundle, open_bundle, require_table
    from taisai.deploy.backends.base import Job
    from taisai.deploy.preflight import Policy, check_signature
    from taisai.deploy.targets import find_targets

    if table is None and bundle is None:
        raise TaisaiError("what shall be flashed? --table TABLE (see taisai tables) or --bundle FILE")
    policy = Policy(trusted_keys(key), allow_unsigned, change_table, discard_records, service_keys_in(service_keys))
    if bundle is None:
        content = build_bundle(load_table(table))
        talk(f"taisai: {table} built from this installation, not signed")
    else:
        content = open_bundle(bundle)
        if table is not None:
            require_table(content, load_table(table).id, str(bundle))
        talk(f"taisai: {bundle}: {content.table} {content.manifest['version']}, "
             f"{check_signature(content, policy, str(bundle))}")  # fmt: skip
    if full_image and micropython is None:
        raise TaisaiError("--full-image needs --micropython FILE: it is MicroPython and the files in one")
    board = next(mcu for mcu in MCUS.values() if mcu.name == content.manifest["mcu"])
    interpreter = None if micropython is None else _interpreter(micropython, board)
    job = Job(content, policy, board, interpreter, full_image, backend)
    _print(_each(find_targets(port or [], every), job, ask=not yes), as_json)


def _interpreter(named: Path, board):
    from taisai.deploy.backends.base import read_interpreter
    from taisai.deploy.download import DOWNLOAD, downloaded

    return read_interpreter(downloaded(board) if str(named) == DOWNLOAD else named, board)


def _each(targets, job, *, ask: bool) -> list[dict]:
    """What became of each board, in the order of the targets. A single board's error is raised as it is."""
    from taisai.cli.watching import Watcher, bars
    from taisai.deploy.backends.registry import choose

    with bars() as progress:

        def one(target) -> dict:
            start = time.monotonic()
            backend = choose(target, job)
            result = backend.run(target, job, Watcher(target.where, progress, ask))
            interpreter = None if job.interpreter is None else job.interpreter.as_dict()
            told = {"verdict": "pass", "backend": backend.NAME, **result.as_dict(), "micropython_image": interpreter}
            return {**told, "seconds": round(time.monotonic() - start, 1)}

        if len(targets) == 1:
            return [one(targets[0])]
        with ThreadPoolExecutor(len(targets)) as pool:
            return list(pool.map(_caught(one), targets))


def _caught(one: Callable) -> Callable:
    """One board's failure does not end the others."""

    def run(target) -> dict:
        try:
            return one(target)
        except TaisaiError as error:
            return {"verdict": "fail", "port": target.where, "text": str(error), "exit_code": error.exit_code}

    return run


def _print(results: list[dict], as_json: bool) -> None:
    """One line and one verdict for each board; ends with the exit code of the first that failed."""
    if as_json:
        print_json({"boards": results})
    else:
        for result in results:
            print(_line(result))
    code = next((result["exit_code"] for result in results if result["verdict"] == "fail"), EXIT_PASS)
    if code:
        raise typer.Exit(code)


def _line(result: dict) -> str:
    if result["verdict"] == "fail":
        return f"FAIL {result['text']}"
    sent = f"{len(result['sent'])} files sent ({result['sent_bytes']:,} bytes)" if result["sent"] else "nothing sent"
    return (
        f"PASS {result['port']}: board {result['board']}, {result['table']} {result['version']} in "
        f"{result['application']}, state {result['state']}; {sent}, {result['unchanged']} unchanged, "
        f"{len(result['removed'])} removed, {result['seconds']} s"
    )
