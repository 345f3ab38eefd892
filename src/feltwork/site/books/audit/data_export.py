"""The data of finished gambling days as Parquet files, one for each table: rounds, awards, journal, meters.

Each table is one statement without names of patrons or staff. DuckDB writes the CSV that PostgreSQL streams
as Parquet, into a folder or a bucket of an S3-compatible store; the guide queries it with DuckDB as well.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from feltwork.problem import Problem, ProblemsError
from feltwork.site.books.audit.day_heads import closed_days
from feltwork.site.books.connection import Connection
from feltwork.site.books.floors.floor_files import Period, gambling_day, period_of
from feltwork.site.books.queries import statement

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection
    from obstore.store import ObjectStore

FORMAT = "feltwork-data/1"
#: Folder of the manifests; a day is complete once its manifest exists.
DAYS = "days"
_MEMORY = "256MB"
#: Dollars with the micro precision of the books, so sums are exact too.
AMOUNT = "DECIMAL(18,6)"
_S3 = "s3://"


@dataclass(frozen=True, slots=True)
class DataColumn:
    """A column of an exported table with its type in Parquet."""

    name: str
    type: str
    says: str


@dataclass(frozen=True, slots=True)
class DataTable:
    """An exported table: the meaning of one row, and its columns in the order of its statement."""

    name: str
    says: str
    columns: tuple[DataColumn, ...]


_DAY = DataColumn("day", "DATE", "the gambling day in which it was booked")
_LINK = DataColumn("link", "VARCHAR", "the link")
_ENTRY = DataColumn("entry", "BIGINT", "the journal entry that booked it")
_BOOKED_AT = DataColumn("booked_at", "TIMESTAMP", "when the books took it, UTC")
_TABLE = DataColumn("table_id", "VARCHAR", "the table")
_ROUND = DataColumn("round", "BIGINT", "the number of the round at its table")
_LEVEL = DataColumn("level", "VARCHAR", "the level, where it is about one")
TABLES = (
    DataTable(
        "rounds",
        "One row for everything that moved the wagers of a round, and for what the tray paid.",
        (
            _DAY,
            _LINK,
            DataColumn("jackpot", "VARCHAR", "the title of the jackpot"),
            _TABLE,
            _ROUND,
            DataColumn(
                "what", "VARCHAR", "`dealt`, `wager added`, `wager returned`, `misdealt` or `tray paid`"
            ),
            DataColumn("seats", "VARCHAR", "the seats that it is about, with spaces between"),
            DataColumn("wagers", "INTEGER", "jackpot wagers, below zero where they were returned"),
            DataColumn("wager", AMOUNT, "one wager"),
            DataColumn("wagered", AMOUNT, "all of these wagers"),
            DataColumn(
                "to_meters",
                AMOUNT,
                "their contribution to the meters, by the rates; what a cap diverts is in the journal",
            ),
            DataColumn("to_reserves", AMOUNT, "their contribution to the reserves, by the rates"),
            DataColumn("to_house", AMOUNT, "what the house retains of them"),
            DataColumn("fixed", AMOUNT, "fixed pays from the tray"),
            DataColumn("envy", AMOUNT, "envy pays from the tray"),
            _ENTRY,
            DataColumn("happened_at", "TIMESTAMP", "when it happened, by the clock of the table, UTC"),
            _BOOKED_AT,
        ),
    ),
    DataTable(
        "awards",
        "One row for every step of an award: `claimed`, `voided`, `confirmed`, `paid`, `reversed`.",
        (
            _DAY,
            _LINK,
            DataColumn("award", "VARCHAR", "the award"),
            DataColumn("step", "VARCHAR", "the step"),
            _TABLE,
            _ROUND,
            DataColumn("seat", "SMALLINT", "the seat that won"),
            DataColumn("hand", "VARCHAR", "the row of the paytable"),
            _LEVEL,
            DataColumn("from_meter", AMOUNT, "from the meter when confirmed, below zero when reversed"),
            DataColumn("from_house", AMOUNT, "from the house when confirmed, below zero when reversed"),
            DataColumn("amount", AMOUNT, "both together: the sum of all rows is what was won"),
            DataColumn("paid", AMOUNT, "paid to the patron, below zero when a paid award was reversed"),
            DataColumn("form", "VARCHAR", "how it was paid"),
            _ENTRY,
            _BOOKED_AT,
        ),
    ),
    DataTable(
        "journal",
        "One row for each posting of each entry. The postings of an entry sum to zero; an entry that moves "
        "no money has one row without an account.",
        (
            _DAY,
            _LINK,
            DataColumn("entry", "BIGINT", "the number of the entry in the chain of its link"),
            DataColumn("kind", "VARCHAR", "the kind of the fact"),
            DataColumn("line", "INTEGER", "the number of the posting in the entry; 0 without postings"),
            DataColumn("account", "VARCHAR", "the path of the account"),
            DataColumn("account_kind", "VARCHAR", "the first part of the path, such as `meter`"),
            _LEVEL,
            DataColumn("amount", AMOUNT, "what the account gets, below zero what it gives"),
            DataColumn("happened_at", "TIMESTAMP", "when the fact happened, UTC"),
            _BOOKED_AT,
            DataColumn("hash", "VARCHAR", "the hash of the entry in its chain"),
        ),
    ),
    DataTable(
        "meters",
        "One row for each level of each link, as the day ended.",
        (
            _DAY,
            _LINK,
            DataColumn("kind", "VARCHAR", "`progressive` or `house`"),
            _LEVEL,
            DataColumn("displayed", AMOUNT, "the meter, or the posted amount of a house jackpot"),
            DataColumn("reserve", AMOUNT, "the hidden pool that tops up the next seed"),
            DataColumn("entry", "BIGINT", "the last entry of the link in that day or before"),
        ),
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedDay:
    """The files of one gambling day: their rows and sizes."""

    day: str
    rows: Mapping[str, int]
    size: int


@dataclass(frozen=True)
class DataStore:
    """Files by name; each write is atomic."""

    name: str
    _store: "ObjectStore"

    def names(self, folder: str) -> set[str]:
        """The names of the files in a folder."""
        with _problems(self.name):
            return {Path(entry["path"]).name for some in self._store.list(folder) for entry in some}

    def write(self, name: str, contents: Path | bytes) -> None:
        """Write or replace a file."""
        with _problems(self.name):
            self._store.put(name, contents)


def open_store(target: str, *, endpoint: str = "") -> DataStore:
    """Open ``s3://BUCKET/PREFIX``, with the keys from the environment, or a folder."""
    if not all(map(find_spec, ("duckdb", "obstore"))):
        what = "DuckDB and obstore are not installed"
        raise ProblemsError([Problem("export-data", what, "pip install 'feltwork[export]'")])
    with _problems(target):
        return DataStore(target, _opened(target, endpoint))


def _opened(target: str, endpoint: str) -> "ObjectStore":
    from obstore.store import LocalStore, S3Store

    if not target.startswith(_S3):
        return LocalStore(Path(target).absolute(), mkdir=True)
    bucket, _, prefix = target.removeprefix(_S3).rstrip("/").partition("/")
    if not bucket:
        raise ProblemsError([Problem(target, "it names no bucket", "write it like s3://bucket/prefix")])
    if not endpoint:
        return S3Store(bucket, prefix=prefix or None)
    # An internal network may go without TLS; the scheme of the address decides.
    plain = endpoint.startswith("http:")
    return S3Store(bucket, prefix=prefix or None, endpoint=endpoint, client_options={"allow_http": plain})


@contextmanager
def _problems(name: str) -> Iterator[None]:
    """Turn an error of the store into a problem with a remedy."""
    from obstore.exceptions import BaseError

    try:
        yield
    except (BaseError, OSError) as error:
        remedy = "check the address, the permissions and AWS_ACCESS_KEY_ID; run it again"
        raise ProblemsError([Problem(name, str(error).splitlines()[0], remedy)]) from error


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
                _copy_day(connection, period, Path(folder))
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


def _copy_day(connection: Connection, period: Period, folder: Path) -> None:
    """Write each table of a day as ``NAME.csv``, from one snapshot and in bounded memory."""
    about = {"day": period.name, "since": period.since, "until": period.until}
    with connection.transaction(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        for table in TABLES:
            query = b"COPY (" + statement(f"data_{table.name}") + b") TO STDOUT (FORMAT csv)"
            with cursor.copy(query, about) as copy, (folder / f"{table.name}.csv").open("wb") as file:
                for block in copy:
                    file.write(block)
