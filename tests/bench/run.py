"""`make bench`: every measurement, each against its target. Ends with 1 when a target is missed."""

import sys

import accept
import board
import deploy
import lookup
import rp2040_figures
import web
from figures import print_table

MEASUREMENTS = (lookup.measure, board.measure, deploy.measure, accept.measure, web.measure, rp2040_figures.measure)


def main() -> int:
    figures = []
    for measure in MEASUREMENTS:
        figures += measure()
    print_table(figures)
    missed = [figure.name for figure in figures if figure.missed]
    if missed:
        print(f"missed: {', '.join(missed)}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
