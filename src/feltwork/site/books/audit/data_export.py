"""The data of gambling days as tables for analysis: rounds, awards, journal and meters, without people.

Each table is one statement, streamed with COPY. No table contains names of patrons or staff.
"""

from dataclasses import dataclass
from pathlib import Path

from feltwork.site.books.connection import Connection
from feltwork.site.books.floors.floor_files import Period
from feltwork.site.books.queries import statement

#: Dollars with the micro precision of the books, so sums are exact too.
AMOUNT = "DECIMAL(18,6)"


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


def copy_day(connection: Connection, period: Period, folder: Path) -> None:
    """Write each table of a day as ``NAME.csv``, from one snapshot and in bounded memory."""
    about = {"day": period.name, "since": period.since, "until": period.until}
    with connection.transaction(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        for table in TABLES:
            query = b"COPY (" + statement(f"data_{table.name}") + b") TO STDOUT (FORMAT csv)"
            with cursor.copy(query, about) as copy, (folder / f"{table.name}.csv").open("wb") as file:
                for block in copy:
                    file.write(block)
