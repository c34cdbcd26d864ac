"""The command line: `taisai VERB`. One file per verb; this one joins them and turns every ending into an exit code.

Results go to stdout, talk to stderr. A person's mistake is one plain sentence, never a traceback.
"""

import sys
import traceback
from collections.abc import Callable

import typer

from taisai import streams
from taisai.cli import (
    accept,
    build,
    calibrate,
    configure,
    devices,
    display,
    doctor,
    explain,
    flash,
    journal,
    key,
    layouts,
    monitor,
    records,
    replace,
    simulate,
    table,
    tables,
    verify,
)
from taisai.cli.output import talk
from taisai.errors import EXIT_INTERRUPTED, EXIT_PASS, EXIT_USAGE, TaisaiError

VERBS = {
    "accept": accept.accept,
    "build": build.build,
    "calibrate": calibrate.calibrate,
    "configure": configure.configure,
    "devices": devices.devices,
    "display": display.display,
    "doctor": doctor.doctor,
    "explain": explain.explain,
    "flash": flash.flash,
    "journal": journal.journal,
    "key": key.key,
    "layouts": layouts.layouts,
    "monitor": monitor.monitor,
    "records": records.records,
    "replace": replace.replace,
    "simulate": simulate.simulate,
    "table": table.table,
    "tables": tables.tables,
    "verify": verify.verify,
}

# What typer passes on from the library that checks values, which means its own innards.
_INNER_WORDS = {"Value error, ": "", "Input should be": "must be", ", unable to parse string as a number": ""}

app = typer.Typer(
    name="taisai",
    help="Electronics of a Tai-Sai table: explain throws, list what is shipped, simulate a table, build its firmware, "
    "flash, verify and accept boards, read and export what they recorded, check this computer.",
    epilog="Exit codes: 0 pass, 1 the unit failed, 2 usage or environment, 3 link lost, 130 interrupted.",
    add_completion=False,
    rich_markup_mode=None,
)
for _name, _verb in VERBS.items():
    app.command(_name)(_verb)


def main(argv: list[str] | None = None) -> int:
    """Run one command line (default: this process's own arguments) and return its exit code; never raises."""
    code = _end_of(lambda: _run(list(sys.argv[1:] if argv is None else argv)))
    # What is still buffered can fail too, and must not do so at the end of the process.
    written = _end_of(sys.stdout.flush)
    return code if written == EXIT_PASS else written


def _end_of(work: Callable[[], None]) -> int:
    """The exit code for the way in which this work ends."""
    try:
        work()
        return EXIT_PASS
    except typer.Exit as ending:
        return ending.exit_code
    except streams.OutputError as error:
        streams.give_up_output()
        talk(f"taisai: {error}")
        return error.exit_code
    except streams.ReaderLeft:
        streams.give_up_output()
        return EXIT_PASS
    except TaisaiError as error:
        talk(f"taisai: {error}")
        return error.exit_code
    except typer.TyperException as error:
        _show_usage_error(error)
        return EXIT_USAGE
    except (KeyboardInterrupt, typer.Abort):
        talk("taisai: interrupted")
        return EXIT_INTERRUPTED
    except Exception:
        # A defect of ours. Python would end with 1, which here means "the unit failed" and would accuse a good board.
        talk(traceback.format_exc())
        talk("taisai: this is a defect of taisai, not of the unit; please report the lines above")
        return EXIT_USAGE


def _run(arguments: list[str]) -> None:
    """One command line, as typer does it; but app(...) would end a broken pipe with 1, here "the unit failed"."""
    if not arguments:
        raise TaisaiError(f"which verb? One of {', '.join(VERBS)}; more in: taisai --help")
    command = typer.main.get_command(app)
    with command.make_context("taisai", arguments) as context:
        command.invoke(context)


def _show_usage_error(error: typer.TyperException) -> None:
    """What is wrong, and where the help for this verb is."""
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "taisai"
    message = error.format_message()
    for inner, plain in _INNER_WORDS.items():
        message = message.replace(inner, plain)
    if message:
        talk(f"taisai: {message}")
        talk(f"Try: {command} --help")
