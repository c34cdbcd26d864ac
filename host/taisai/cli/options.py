"""Options that several verbs share, so that they read and behave the same everywhere."""

from pathlib import Path
from typing import Annotated

import typer

DEFAULT_LAYOUT = "nz-div9-appendix1"
DEFAULT_TABLE = "nz1-pico-hc595"

Json = Annotated[bool, typer.Option("--json", help="Print the result as one JSON object.")]
LayoutName = Annotated[
    str, typer.Option("--layout", metavar="LAYOUT", help="Layout id (see `taisai layouts`) or a layout file.")
]
PortName = Annotated[
    str | None,
    typer.Option(
        "--port",
        metavar="PORT",
        help="A serial port, id:BOARD, sim:TABLE or rfc2217://HOST:PORT. Left out: the only board attached.",
    ),
]
StationFolder = Annotated[
    Path | None,
    typer.Option(
        "--station",
        metavar="FOLDER",
        envvar="TAISAI_STATION",
        show_envvar=False,
        help="The station's folder: key, records, certificates. Left out: TAISAI_STATION, or ~/.taisai/station.",
    ),
]
DatabaseUrl = Annotated[
    str | None,
    typer.Option(
        "--database",
        metavar="URL",
        envvar="TAISAI_DATABASE",
        show_envvar=False,
        help="sqlite:///FILE or postgresql://USER@HOST/NAME. Left out: TAISAI_DATABASE, or the station's own file.",
    ),
]
ServiceKeysFile = Annotated[
    Path | None,
    typer.Option(
        "--service-keys",
        metavar="FILE",
        envvar="TAISAI_SERVICE_KEYS",
        show_envvar=False,
        help="The file with service keys, for a board that has one. Left out: TAISAI_SERVICE_KEYS in the environment.",
    ),
]
TableName = Annotated[
    str, typer.Option("--table", metavar="TABLE", help="Table id (see `taisai tables`) or a table file.")
]
