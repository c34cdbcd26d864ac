"""How every verb speaks: results on stdout, talk on stderr, JSON that is the same on every run."""

import json
import sys

from rich.console import Console
from rich.table import Table

from taisai.rules import TAI_SAI
from taisai.streams import say

# Columns of a pipe or a file: more than any row has.
_PIPE_WIDTH = 10_000


def talk(text: str) -> None:
    """Say something to the person; never part of the result."""
    say(text)


def print_json(value: object) -> None:
    """The whole result as one JSON object, keys in the order in which they were made."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    try:
        text.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        text = json.dumps(value, indent=2)  # JSON has escapes of its own
    print(text)


def by_game(key: str, found: dict[str, list]) -> dict:
    """What was found of each game as one JSON object: Tai-Sai's under `key`, where programs have always looked for it,
    and the others' under their names in `other_games`.
    """
    others = dict(found)
    return {key: others.pop(TAI_SAI.id), "other_games": others}


def print_table(headings: list[str], rows: list[list[str]]) -> None:
    """Rows under headings, columns aligned; never wrapped when the output is a file or a pipe."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in headings:
        table.add_column(heading, overflow="fold")
    for row in rows:
        table.add_row(*row)
    console = Console(highlight=False, markup=False)
    if console.is_terminal:
        console.print(table)
        return
    with (plain := Console(highlight=False, markup=False, width=_PIPE_WIDTH)).capture() as captured:
        plain.print(table)
    print("\n".join(line.rstrip() for line in captured.get().splitlines()))
