"""The queries of the guide on exported data, run by DuckDB, beside the reports of the books."""

import re
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb

from feltwork.site.books.connection import Connection
from feltwork.site.books.reports.report import ReportRequest
from feltwork.site.books.reports.reports import rows_of

PAGE = "docs/guides/query_the_data.md"
ROOT = Path(__file__).parents[2]
#: The amounts that a query of the guide and a report both have.
AMOUNTS = {
    "drop_and_hold": ("drop", "contributed", "paid", "hold"),
    "reconciliation": (
        "opened",
        "contributed",
        "misdealt",
        "seeds_and_house",
        "paid",
        "reversed",
        "adjusted",
        "transferred",
    ),
    "awards": ("awards_from_meter", "awards_from_house", "awards_reversed"),
}
REPORTS = {"awards": "daily_lines"}
KEYS = {
    "drop_and_hold": ("day", "table", "link"),
    "reconciliation": ("link",),
    "awards": ("table_id", "link"),
}
MICROS = Decimal(1_000_000)


def told(folder: Path, part: str) -> list[dict[str, Any]]:
    """The rows of a query of the guide, about the files of a folder."""
    text = (ROOT / PAGE).read_text(encoding="utf-8")
    block = re.search(rf"<!-- run: {part} -->\n```sql\n(.*?)```", text, flags=re.S)
    assert block is not None, f"{PAGE} has no query that is called {part}"
    with duckdb.connect() as engine:
        answer = engine.sql(block[1].replace("'data/", f"'{folder}/"))
        names = [
            name.replace("table_id", "table") if part == "drop_and_hold" else name for name in answer.columns
        ]
        return [dict(zip(names, row, strict=True)) for row in answer.fetchall()]


def by_guide(folder: Path, part: str) -> dict[tuple[str, ...], tuple[Decimal, ...]]:
    """The amounts of a query by its keys; rows without any amount are left out."""
    return _by_key(told(folder, part), part, Decimal(1))


def by_report(
    connection: Connection, part: str, since: datetime, until: datetime
) -> dict[tuple[str, ...], tuple[Decimal, ...]]:
    """The same amounts as the report has them."""
    request = ReportRequest(since=since, until=until)
    return _by_key([dict(row) for row in rows_of(connection, REPORTS.get(part, part), request)], part, MICROS)


def _by_key(
    rows: list[dict[str, Any]], part: str, unit: Decimal
) -> dict[tuple[str, ...], tuple[Decimal, ...]]:
    amounts = {
        tuple(str(row[key]) for key in KEYS[part]): tuple(Decimal(row[name]) / unit for name in AMOUNTS[part])
        for row in rows
    }
    return {key: sums for key, sums in amounts.items() if any(sums)}
