"""How long a year of a card room's books takes to export as Parquet, and whether its sums are the reports'.

The year is that of `screens.py`: fifteen tables, about 15 million wagers and a win a day. The command runs as
a process of its own, once for the year and once for a single day; DuckDB then runs the queries of the guide.
`--wagers N` makes a smaller year.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.screens import DAYS, FLOOR, play_a_year
from feltwork.simulation.stage import open_site
from feltwork.site.books.connection import connect
from feltwork.site.books.floors.floor_files import gambling_day
from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.books.data_sums import AMOUNTS, by_guide, by_report, told


def export(dsn: str, target: Path, *options: str) -> tuple[float, int]:
    """Run the command; returns its seconds and the bytes that it wrote."""
    command = [
        sys.executable,
        "-c",
        "from feltwork.cli.main import main; main()",
        "export",
        "ALL",
        str(target),
        "--data",
    ]
    start = time.perf_counter()
    process = subprocess.run(
        [*command, *options, "--json"],
        env={**os.environ, "FELTWORK_DSN": dsn},
        check=True,
        capture_output=True,
    )
    return time.perf_counter() - start, sum(day["size"] for day in json.loads(process.stdout))


def measure(wagers: int) -> dict[str, object]:
    """Make the year, export it, and compare every amount."""
    folder = Path(tempfile.mkdtemp(prefix="feltwork-data-year-"))
    folder.chmod(0o755)
    carried = EmbeddedPostgres(folder / "books", {"shared_buffers": "1GB"}).start()
    target = folder / "data"
    try:
        house = open_site(carried.dsn(), FLOOR.read_text(encoding="utf-8"))
        play_a_year(carried, house, wagers)
        reader = carried.dsn(role="reader")
        with connect(reader) as connection:
            hours = gambling_day(connection)
            today = hours.of(datetime.now(UTC))
            first = today - timedelta(days=DAYS)
            seconds, size = export(reader, target, "--since", first.isoformat())
            day_seconds, _ = export(reader, target, "--day", (today - timedelta(days=2)).isoformat())
            memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
            since, until = hours.bounds(first)[0], hours.bounds(today - timedelta(days=1))[1]
            compared = {}
            for part in AMOUNTS:
                start = time.perf_counter()
                guide = by_guide(target, part)
                query_seconds = time.perf_counter() - start
                assert guide == by_report(connection, part, since, until), part
                compared[part] = {"rows": len(guide), "query_seconds": round(query_seconds, 2)}
            assert told(target, "balance") == []
            row = connection.execute("SELECT sum(cardinality(seats)) FROM books.round").fetchone()
            stored = connection.execute("SELECT pg_database_size(current_database())").fetchone()
        drop = sum(amounts[0] for amounts in by_guide(target, "drop_and_hold").values())
        return {
            "wagers": int(row[0]) if row else 0,
            "days": len([*(target / "days").iterdir()]),
            "seconds": round(seconds, 1),
            "day_seconds": round(day_seconds, 2),
            "megabytes": round(size / 10**6, 1),
            "database_megabytes": round(stored[0] / 10**6) if stored else 0,
            "peak_memory_megabytes": round(memory / 1024),
            "drop": f"{drop:,.2f}",
            "equal_to_the_reports": compared,
        }
    finally:
        carried.remove()
        subprocess.run(["rm", "-rf", str(folder)], check=True)


def main() -> None:
    """Measure, and print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wagers", type=int, default=15_000_000)
    options = parser.parse_args()
    print(json.dumps(measure(options.wagers), indent=1))


if __name__ == "__main__":
    main()
