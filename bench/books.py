"""What the books cost: `book_rounds` beside the bare engine, in turns on one PostgreSQL in one run.

Bare is a COPY of the same rows into a table with their key, and one update of a meter, per batch and commit.
`--quick` takes under 40 seconds, `--json` prints figures for programs, `--fill WAGERS` books so many first.
"""

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

from feltwork.books import life, links
from feltwork.books.carried import Carried
from feltwork.books.connection import Connection, connect
from feltwork.books.day_audit import audit_period
from feltwork.books.export import Period
from feltwork.books.migrate import migrate
from feltwork.books.rounds import book_rounds
from feltwork.money import DOLLAR
from feltwork.progressive.link import Level, Link, options_of
from feltwork.progressive.people import Asked
from feltwork.progressive.round_facts import RoundStarted
from feltwork.titles import registry

TABLES = 150
SEATS = (1, 2, 3, 4, 5, 6, 7)
WAGERS = TABLES * len(SEATS)
COLUMNS = "table_id, number, link, started_at, wager, seats, entry"
BARE_ROWS = """
CREATE TABLE bare_round (table_id text, number bigint, link text, started_at bigint, wager bigint,
                         seats smallint[], entry bigint, booked_at timestamptz DEFAULT now(),
                         PRIMARY KEY (table_id, number));
CREATE TABLE bare_wager (table_id text, number bigint, seat smallint, link text, started_at bigint,
                         wager bigint, PRIMARY KEY (table_id, number, seat));
CREATE TABLE bare_meter (link text PRIMARY KEY, amount bigint);
INSERT INTO bare_meter VALUES ('L1', 0);
"""


def the_link() -> Link:
    """Three levels on a five-card link, as a room would run it."""
    names = {"mega": (25_000, 1_200), "major": (2_000, 800), "minor": (250, 400)}
    return Link(
        id="L1",
        jackpot="five_card",
        paytable=registry.paytable("five_card", "jackpot", "ML03"),
        wager=DOLLAR,
        levels=tuple(
            Level(name=name, seed=seed * DOLLAR, contribution=rate, reserve=100, unreasonable=100 * DOLLAR)
            for name, (seed, rate) in names.items()
        ),
        controls="nexus",
        lock_at="confirm",
        executive_above=1_000 * DOLLAR,
        options=options_of(registry.jackpot("five_card")),
    )


def batches(prefix: str) -> Iterator[list[RoundStarted]]:
    """One round of each of the tables, again and again."""
    for number in count(1):
        yield [
            RoundStarted(
                link="L1", at=number, table=f"{prefix}{table}", round=number, wager=DOLLAR, seats=SEATS
            )
            for table in range(TABLES)
        ]


def bare_rounds(connection: Connection, batch: list[RoundStarted]) -> None:
    """The rows that the books keep, and nothing else."""
    seats = "{" + ",".join(map(str, SEATS)) + "}"
    with connection.transaction():
        with connection.cursor() as cursor, cursor.copy(f"COPY bare_round ({COLUMNS}) FROM STDIN") as copy:
            copy.write(
                "".join(
                    f"{one.table}\t{one.round}\t{one.link}\t{one.at}\t{one.wager}\t{seats}\t1\n"
                    for one in batch
                )
            )
        connection.execute("UPDATE bare_meter SET amount = amount + %s WHERE link = 'L1'", (WAGERS,))


def bare_wagers(connection: Connection, batch: list[RoundStarted]) -> None:
    """The same as one row for each wager."""
    columns = "table_id, number, seat, link, started_at, wager"
    with connection.transaction():
        with connection.cursor() as cursor, cursor.copy(f"COPY bare_wager ({columns}) FROM STDIN") as copy:
            copy.write(
                "".join(
                    f"{one.table}\t{one.round}\t{seat}\t{one.link}\t{one.at}\t{one.wager}\n"
                    for one in batch
                    for seat in one.seats
                )
            )
        connection.execute("UPDATE bare_meter SET amount = amount + %s WHERE link = 'L1'", (WAGERS,))


def in_turns(runs: dict[str, Callable[[], None]], *, turns: int, seconds: float) -> dict[str, list[float]]:
    """Wagers a second of each, turn by turn, so that a busy moment of the machine hits all of them."""
    rates: dict[str, list[float]] = {name: [] for name in runs}
    for turn in range(turns + 1):
        for name, run in runs.items():
            start, done = time.perf_counter(), 0
            while time.perf_counter() - start < seconds:
                run()
                done += 1
            if turn:  # the first warms up
                rates[name].append(done * WAGERS / (time.perf_counter() - start))
    return rates


def measure(carried: Carried, *, turns: int, seconds: float, fill: int) -> dict[str, object]:
    """All figures of one run."""
    migrate(carried.dsn())
    owner, writer = connect(carried.dsn()), connect(carried.dsn(role="writer"))
    owner.execute(BARE_ROWS.encode())
    links.register_link(writer, the_link(), by="bench")
    life.open_link(writer, "L1", Asked(by="ann", approved_by="bob", reason="benchmark"))
    ours, bare, rows = batches("T"), batches("B"), batches("W")
    for _ in range(fill // WAGERS):
        book_rounds(writer, "L1", next(ours))
    runs = {
        "book_rounds": lambda: book_rounds(writer, "L1", next(ours)),
        "bare_rounds": lambda: bare_rounds(owner, next(bare)),
        "bare_wagers": lambda: bare_wagers(owner, next(rows)),
    }
    rates = in_turns(runs, turns=turns, seconds=seconds)  # type: ignore[arg-type]
    booked = owner.execute("SELECT sum(cardinality(seats)) FROM books.round").fetchone()
    posted = owner.execute(
        "SELECT (state #>> '{counters,mega,wagers}')::bigint FROM books.standing"
    ).fetchone()
    assert booked == posted, "every wager is booked once"
    start = time.perf_counter()
    assert audit_period(owner, Period()).problems == [], "the books are in order"
    audited = time.perf_counter() - start
    middle = {name: statistics.median(found) for name, found in rates.items()}
    ratios = [a / b for a, b in zip(rates["book_rounds"], rates["bare_rounds"], strict=True)]
    return {
        "batch": {"rounds": TABLES, "wagers": WAGERS},
        "filled_wagers": fill // WAGERS * WAGERS,
        "wagers_per_second": {name: round(rate) for name, rate in middle.items()},
        "wagers_in_the_books": booked[0] if booked else 0,
        "audit_seconds": round(audited, 2),
        "ratio_to_bare": round(statistics.median(ratios), 3),
        "ratio_to_bare_wager_rows": round(middle["book_rounds"] / middle["bare_wagers"], 3),
        "milliseconds_per_batch": {name: round(WAGERS / rate * 1_000, 2) for name, rate in middle.items()},
    }


def main() -> int:
    """Start a server, measure, leave nothing behind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--fill", type=int, default=0, metavar="WAGERS")
    asked = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="feltwork-bench-"))
    folder.chmod(0o755)
    carried = Carried(folder, {"shared_buffers": "512MB"}).start()
    try:
        turns = 8 if asked.quick else 30
        figures = measure(carried, turns=turns, seconds=1.0, fill=asked.fill)
    finally:
        carried.remove()
    if asked.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name}: {value}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
