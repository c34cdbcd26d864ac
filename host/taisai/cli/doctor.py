"""`taisai doctor`: is this computer ready? One line for each check, and the command that mends what is not."""

import typer

from taisai.cli.doctor_checks import PROBLEM, Check, run_checks
from taisai.cli.options import Json
from taisai.cli.output import print_json
from taisai.errors import EXIT_USAGE


def doctor(as_json: Json = False) -> None:
    """Check this computer, and name what mends it.

    Python, the tools, the serial ports, the firmware and the board data. Ends with 2 when something must be mended.
    """
    checks = run_checks()
    if as_json:
        print_json({"checks": [_as_json(check) for check in checks]})
    else:
        width = max(len(check.name) for check in checks)
        for check in checks:
            print(f"{check.state:<8}{check.name:<{width}}  {check.text}")
            if check.remedy:
                print(f"{'':<{width + 10}}mend it with: {check.remedy}")
    if any(check.state == PROBLEM for check in checks):
        raise typer.Exit(EXIT_USAGE)


def _as_json(check: Check) -> dict:
    return {"name": check.name, "state": check.state, "text": check.text, "remedy": check.remedy}
