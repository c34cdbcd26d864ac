"""`taisai layouts`: the layouts that are shipped, or every zone of one of them."""

from fractions import Fraction
from pathlib import Path
from typing import Annotated

import typer

from taisai.boards.layout import Layout, list_layouts, load_layout
from taisai.boards.shipped import every_id
from taisai.cli.options import Json
from taisai.cli.output import by_game, print_json, print_table
from taisai.cli.writing import write_file
from taisai.rules import GAMES, Area


def layouts(
    layout: Annotated[
        str | None, typer.Argument(metavar="[LAYOUT]", help="A layout id or file; without it, all layouts are listed.")
    ] = None,
    svg: Annotated[bool, typer.Option("--svg", help="Draw the cloth of LAYOUT instead, as an SVG picture.")] = False,
    output: Annotated[
        Path | None, typer.Option(metavar="FILE", help="With --svg: write the picture to this file.")
    ] = None,
    as_json: Json = False,
) -> None:
    """List the layouts, show the zones of one, or draw its cloth, and the wheel that it goes with.

    Zones are shown with odds, house edge and the clause of the rules.
    """
    if svg:
        if layout is None:
            raise typer.BadParameter(f"needs a LAYOUT: one of {', '.join(every_id('layouts'))}", param_hint="--svg")
        if as_json:
            raise typer.BadParameter("draws a picture: leave out --json", param_hint="--svg")
        _draw(layout, output)
    elif output is not None:
        raise typer.BadParameter("goes with --svg", param_hint="--output")
    elif layout is None:
        _list(as_json)
    else:
        _show(load_layout(layout), as_json)


def _draw(name: str, output: Path | None) -> None:
    from taisai.boards.cloth import load_cloth
    from taisai.drawing.picture import draw

    layout = load_layout(name)
    picture = draw(layout, load_cloth(layout, name))
    if output is None:
        print(picture, end="")
    else:
        write_file(output, picture.encode())


def _list(as_json: bool) -> None:
    found = {game: [load_layout(name) for name in list_layouts(rules)] for game, rules in GAMES.items()}
    if as_json:
        print_json(by_game("layouts", {game: [_heading(layout) for layout in found[game]] for game in found}))
        return
    print_table(
        ["game", "layout", "zones", "title"],
        [[game, layout.id, str(len(layout.zones)), layout.title] for game in found for layout in found[game]],
    )


def _show(layout: Layout, as_json: bool) -> None:
    edges = layout.rules.house_edge(layout)
    if as_json:
        zones = [_zone_as_json(zone, edges[zone.id]) for zone in layout.zones]
        print_json({**_heading(layout), "source": layout.source, "notes": list(layout.notes), "zones": zones})
        return
    print(f"{layout.id} version {layout.version}: {layout.title}")
    print(f"{len(layout.zones)} zones; source: {layout.source}")
    for note in layout.notes:
        print(f"note: {note}")
    print_table(
        ["zone", "odds", "house edge", "clause"],
        [[zone.id, odds_text(zone.odds), _edge_text(edges[zone.id]), zone.clause] for zone in layout.zones],
    )


def odds_text(odds: int | tuple[int, ...] | None) -> str:
    """Odds as they are printed on a layout; a single die pays by the number of dice that show it."""
    if odds is None:
        return "not stated"
    if isinstance(odds, tuple):
        return ", ".join(str(step) for step in odds) + " to 1"
    return f"{odds} to 1"


def _heading(layout: Layout) -> dict:
    return {"layout": layout.id, "version": layout.version, "title": layout.title, "zone_count": len(layout.zones)}


def _zone_as_json(zone: Area, edge: Fraction | None) -> dict:
    return {
        "zone": zone.id,
        "odds": list(zone.odds) if isinstance(zone.odds, tuple) else zone.odds,
        "house_edge": None if edge is None else str(edge),
        "clause": zone.clause,
    }


def _edge_text(edge: Fraction | None) -> str:
    return "unknown" if edge is None else f"{float(edge):.2%}"
