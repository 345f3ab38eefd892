"""What the books cost: booking rounds beside the bare engine, in turns on one PostgreSQL in one run.

Bare is a COPY of the same rows into a table with their key, and one update of a meter, per batch and commit.
`ratio_to_bare` is that of `book_rounds` as a bookkeeper that is behind calls it: each batch is folded while
the one before it is written.
`with_ends` books the ends of the rounds with them, as a batch that has both.
`--quick` takes under 40 seconds, `--json` prints figures for programs, `--fill WAGERS` books so many between
two measurements and says what is left of the rate.
"""

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from itertools import count
from pathlib import Path

from bench_link import the_link

from feltwork.money import DOLLAR
from feltwork.site.books.audit.replay import audit_period
from feltwork.site.books.connection import Connection, connect
from feltwork.site.books.floors.floor_files import Period
from feltwork.site.books.journal.link_state import LinkSnapshot, read_meters
from feltwork.site.books.links import lifecycle
from feltwork.site.books.migrate import migrate
from feltwork.site.books.tables.rounds import PreparedBatch, book_rounds, make_ready
from feltwork.site.progressive.round_facts import RoundEnded, RoundStarted
from feltwork.site.progressive.sign_offs import TwoPersonRequest
from feltwork.site.servers.postgres import EmbeddedPostgres

TABLES = 150
SEATS = (1, 2, 3, 4, 5, 6, 7)
WAGERS = TABLES * len(SEATS)
COLUMNS = "table_id, number, link, started_at, wager, seats, entry"
BARE_ROWS = """
CREATE TABLE bare_round (table_id text, number bigint, link text, started_at bigint, wager bigint,
                         seats smallint[], entry bigint, booked_at timestamptz DEFAULT now(),
                         PRIMARY KEY (table_id, number));
CREATE TABLE bare_meter (link text PRIMARY KEY, amount bigint);
INSERT INTO bare_meter VALUES ('L1', 0);
"""


def batches(link: str, prefix: str) -> Iterator[list[RoundStarted]]:
    """One round of each of the tables, again and again."""
    for number in count(1):
        yield [
            RoundStarted(
                link=link, at=number, table=f"{prefix}{table}", round=number, wager=DOLLAR, seats=SEATS
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
                    f"{round_.table}\t{round_.round}\t{round_.link}\t{round_.at}\t{round_.wager}\t{seats}\t1\n"
                    for round_ in batch
                )
            )
        connection.execute("UPDATE bare_meter SET amount = amount + %s WHERE link = 'L1'", (WAGERS,))


class Writer:
    """Books batch after batch of one link."""

    def __init__(self, connection: Connection, link: str, *, ends: bool = False) -> None:
        lifecycle.register_link(connection, the_link(link), by="bench")
        lifecycle.open_link(
            connection, link, TwoPersonRequest(by="ann", approved_by="bob", reason="benchmark")
        )
        self._connection = connection
        self._link = link
        self._ends = ends
        self._batches = batches(link, link)
        self._after: LinkSnapshot | None = None
        self._ahead: tuple[list[RoundStarted], PreparedBatch] | None = None

    def book_ahead(self, threads: Executor) -> None:
        """A batch that is folded already, while the next one is folded."""
        batch, ready = self._ahead or self._fold(read_meters(self._connection, self._link))
        writing = threads.submit(self._write, batch, ready)
        self._ahead = self._fold(ready.booked.after)
        writing.result()

    def _fold(self, after: LinkSnapshot) -> tuple[list[RoundStarted], PreparedBatch]:
        batch = next(self._batches)
        return batch, make_ready(after, batch, ends=ends_of(batch) if self._ends else ())

    def _write(self, batch: list[RoundStarted], ready: PreparedBatch) -> None:
        booked = book_rounds(self._connection, self._link, batch, after=self._after, ready=ready)
        assert booked is ready.booked, "nobody else books"
        self._after = booked.after


def ends_of(batch: list[RoundStarted]) -> list[RoundEnded]:
    """The ends of rounds in which nothing happened."""
    return [
        RoundEnded(link=round_.link, at=round_.at, table=round_.table, round=round_.round, fixed=0, envy=0)
        for round_ in batch
    ]


class Bench:
    """One PostgreSQL with the books beside bare tables; each way of booking has a link of its own."""

    def __init__(self, carried: EmbeddedPostgres) -> None:
        migrate(carried.dsn())
        self.owner, writer = connect(carried.dsn()), connect(carried.dsn(role="writer"))
        self.owner.execute(BARE_ROWS.encode())
        ahead, ended = Writer(writer, "L1"), Writer(writer, "L2", ends=True)
        bare = batches("L1", "B")
        threads = ThreadPoolExecutor(1)
        self.runs: dict[str, Callable[[], object]] = {
            "book_rounds": lambda: ahead.book_ahead(threads),
            "with_ends": lambda: ended.book_ahead(threads),
            "bare_rounds": lambda: bare_rounds(self.owner, next(bare)),
        }

    def fill(self, wagers: int) -> None:
        """Book so many wagers."""
        for _ in range(wagers // WAGERS):
            self.runs["book_rounds"]()

    def in_turns(self, *, turns: int, seconds: float) -> dict[str, list[float]]:
        """Wagers a second of each, turn by turn, so that a busy moment of the machine hits all of them."""
        rates: dict[str, list[float]] = {name: [] for name in self.runs}
        for turn in range(turns + 1):
            for name, run in self.runs.items():
                start, run_count = time.perf_counter(), 0
                while time.perf_counter() - start < seconds:
                    run()
                    run_count += 1
                if turn:  # the first warms up
                    rates[name].append(run_count * WAGERS / (time.perf_counter() - start))
        return rates

    def audit(self) -> tuple[int, float]:
        """The wagers in the books, each of them once, and the seconds that the audit of today takes."""
        booked = self.owner.execute("SELECT sum(cardinality(seats)) FROM books.round").fetchone()
        posted = self.owner.execute(
            "SELECT sum((state #>> '{counters,mega,wagers}')::bigint) FROM books.link_state"
        ).fetchone()
        assert booked == posted, "every wager is booked once"
        assert booked is not None
        start = time.perf_counter()
        assert audit_period(self.owner, Period()).problems == [], "the books are in order"
        return int(booked[0]), time.perf_counter() - start


def ratio(rates: dict[str, list[float]], name: str) -> float:
    """The median of what one does of the bare engine, turn by turn."""
    return statistics.median(a / b for a, b in zip(rates[name], rates["bare_rounds"], strict=True))


def measure(carried: EmbeddedPostgres, *, turns: int, seconds: float, fill: int) -> dict[str, object]:
    """All figures of one run."""
    bench = Bench(carried)
    rates = bench.in_turns(turns=turns, seconds=seconds)
    figures: dict[str, object] = {"batch": {"rounds": TABLES, "wagers": WAGERS}}
    if fill:
        empty, start = rates, time.perf_counter()
        bench.fill(fill)
        rate = round(fill / (time.perf_counter() - start))
        rates = bench.in_turns(turns=turns, seconds=seconds)
        share = statistics.median(rates["book_rounds"]) / statistics.median(empty["book_rounds"])
        figures |= {
            "filled_wagers": fill // WAGERS * WAGERS,
            "filled_per_second": rate,
            "ratio_to_bare_when_empty": round(ratio(empty, "book_rounds"), 3),
            "kept_of_the_empty_rate": round(share, 3),
            "kept_of_the_empty_ratio": round(ratio(rates, "book_rounds") / ratio(empty, "book_rounds"), 3),
        }
    wagers, audited = bench.audit()
    middle = {name: statistics.median(samples) for name, samples in rates.items()}
    return figures | {
        "wagers_per_second": {name: round(rate) for name, rate in middle.items()},
        "milliseconds_per_batch": {name: round(WAGERS / rate * 1_000, 2) for name, rate in middle.items()},
        "ratio_to_bare": round(ratio(rates, "book_rounds"), 3),
        "ratio_with_ends": round(ratio(rates, "with_ends"), 3),
        "wagers_in_the_books": wagers,
        "audit_seconds": round(audited, 2),
    }


def main() -> int:
    """Start a server, measure, leave nothing behind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--fill", type=int, default=0, metavar="WAGERS")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="feltwork-bench-"))
    folder.chmod(0o755)
    carried = EmbeddedPostgres(folder, {"shared_buffers": "512MB"}).start()
    try:
        turns = 5 if options.quick else 30
        figures = measure(carried, turns=turns, seconds=1.0, fill=options.fill)
    finally:
        carried.remove()
    if options.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name}: {value}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
