"""What a measurement hands back, and how the table of all of them is printed."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """One measured number. `limit` is None for one that is told, not judged; `at_least`: its side."""

    name: str
    value: float
    unit: str
    limit: float | None = None
    at_least: bool = False

    @property
    def missed(self) -> bool:
        if self.limit is None:
            return False
        return self.value < self.limit if self.at_least else self.value > self.limit

    def row(self) -> tuple[str, str, str, str]:
        """Name, figure, limit and verdict as text."""
        if self.limit is None:
            return self.name, f"{self.value:,.4g} {self.unit}", "", "told"
        bound = f"{'at least' if self.at_least else 'at most'} {self.limit:,.4g} {self.unit}"
        return self.name, f"{self.value:,.4g} {self.unit}", bound, "MISSED" if self.missed else "ok"


def print_table(figures: list[Figure]) -> None:
    """Name, figure, limit, verdict: one line each, in columns."""
    rows = [("name", "figure", "limit", "verdict"), *(figure.row() for figure in figures)]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
