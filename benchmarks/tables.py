"""Tables on the screen and in CSV files."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from pathlib import Path

from rich.table import Table

MET = {None: "", True: "[green]yes", False: "[red]no"}


def table(title: str, *headings: str) -> Table:
    """Make a table; a heading that ends in a colon is that of text."""
    result = Table(title=title, title_justify="left")
    for heading in headings:
        result.add_column(heading.rstrip(":"), justify="left" if heading.endswith(":") else "right")
    return result


def write_rows(
    path: Path, provenance: Mapping[str, str], columns: list[str], rows: Iterable[Mapping[str, object]]
) -> None:
    """Write one CSV of everything, below comments with the provenance; a row fills the columns that it has."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as file:
        for name, value in provenance.items():
            file.write(f"# {name}: {value}\n")
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        writer.writerows(rows)
