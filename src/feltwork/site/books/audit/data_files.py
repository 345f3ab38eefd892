"""Rounds, awards, journal and meters as Parquet files, one of each for every finished gambling day.

DuckDB writes them from the CSV that PostgreSQL streams; the guide queries them with DuckDB as well.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from feltwork.problem import Problem, ProblemsError
from feltwork.site.books.audit.data_export import TABLES, DataTable, copy_day
from feltwork.site.books.audit.data_store import DataStore
from feltwork.site.books.audit.day_heads import closed_days
from feltwork.site.books.connection import Connection
from feltwork.site.books.floors.floor_files import Period, gambling_day, period_of

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

__all__ = ["TABLES", "ExportedDay", "export_data"]

FORMAT = "feltwork-data/1"
#: Folder of the manifests; a day is complete once its manifest exists.
DAYS = "days"
_MEMORY = "256MB"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedDay:
    """The files of one gambling day: their rows and sizes."""

    day: str
    rows: Mapping[str, int]
    size: int


def export_data(
    connection: Connection, store: DataStore, *, day: str = "", since: date | None = None
) -> Iterator[ExportedDay]:
    """Write a day again, or every finished day, optionally since a date, that the store does not have."""
    import duckdb

    periods = [_day_over(connection, day)] if day else _missing_days(connection, store, since)
    # A single thread preserves the order of rows.
    with duckdb.connect(config={"threads": 1, "memory_limit": _MEMORY}) as engine:
        for period in periods:
            with TemporaryDirectory(prefix="feltwork-data-") as folder:
                copy_day(connection, period, Path(folder))
                yield _write_day(engine, store, period, Path(folder))


def _day_over(connection: Connection, day: str) -> Period:
    period = period_of(connection, day)
    if period.until > datetime.now(UTC):
        what = "this gambling day is not over yet"
        raise ProblemsError([Problem(f"day {day}", what, "choose an earlier day")])
    return period


def _missing_days(connection: Connection, store: DataStore, since: date | None) -> list[Period]:
    there = store.names(DAYS)
    days = [day for day, _ in closed_days(connection, since and since - timedelta(days=1))]
    hours = gambling_day(connection)
    return [Period(f"{day}", *hours.bounds(day)) for day in days if f"{day}.json" not in there]


def _write_day(engine: "DuckDBPyConnection", store: DataStore, period: Period, folder: Path) -> ExportedDay:
    """Write the tables, then the manifest; the same closed day always gives the same files."""
    files, rows, size = {}, {}, 0
    for table in TABLES:
        file = folder / f"{table.name}.parquet"
        rows[table.name] = _write_parquet(engine, table, folder / f"{table.name}.csv", file)
        size += file.stat().st_size
        with file.open("rb") as contents:
            digest = hashlib.file_digest(contents, "sha256").hexdigest()
        name = f"{table.name}/{period.name}.parquet"
        files[name] = {"rows": rows[table.name], "sha256": digest}
        store.write(name, file)
    manifest = {
        "format": FORMAT,
        "day": period.name,
        "since": period.since.astimezone(UTC).isoformat(),
        "until": period.until.astimezone(UTC).isoformat(),
        "files": files,
    }
    store.write(f"{DAYS}/{period.name}.json", f"{json.dumps(manifest, indent=2)}\n".encode())
    return ExportedDay(day=period.name, rows=rows, size=size)


def _write_parquet(engine: "DuckDBPyConnection", table: DataTable, source: Path, target: Path) -> int:
    """Write the CSV of a table as Parquet, and return its row count."""
    rows = engine.read_csv(
        str(source),
        header=False,
        auto_detect=False,
        columns={column.name: column.type for column in table.columns},
        sep=",",
        quotechar='"',
        escapechar='"',
        na_values="",
        allow_quoted_nulls=False,
    )
    rows.write_parquet(str(target), compression="zstd")
    return len(engine.read_parquet(str(target)))
