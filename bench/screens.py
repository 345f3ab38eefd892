"""How fast the screens answer with a year of a card room's books behind them.

Fifteen tables play for a year, about 15 million wagers and a win a day, booked as always but dated back; then
every screen and every report is asked for over HTTP. Processor time is that of the service and of PostgreSQL;
on a busy machine it says more than the clock. `--wagers N` makes a smaller year.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx

from feltwork.money import DOLLAR
from feltwork.simulation.stage import PASSWORD, SimulatedCasino, badge_of, open_site
from feltwork.site.books.connection import Connection, connect
from feltwork.site.books.journal.link_state import LinkSnapshot, read_link
from feltwork.site.books.journal.transaction import CommandScope, decide
from feltwork.site.books.tables.rounds import book_rounds
from feltwork.site.books.tables.table_rounds import Table
from feltwork.site.progressive import award as rules
from feltwork.site.progressive.round_facts import RoundStarted
from feltwork.site.progressive.sign_offs import Badge
from feltwork.site.servers.postgres import EmbeddedPostgres

FLOOR = Path(__file__).parents[1] / "examples" / "card_room.toml"
DAYS = 365
SEATS = (1, 2, 3, 4, 5, 6, 7)
BATCH = 150
DATED = ("entry", "round", "round_end", "table_fact")
#: Whoever the floor file of the example does not name.
STAFF = """
[[person]]
id = "cara"
roles = ["cage"]
"""
#: Role -> its screens, which have to answer within 200 ms. Accounting asks for the reports too, within 2 s.
SCREENS: dict[str, tuple[str, ...]] = {
    "dealer": ("/", "/me", "/dealer", "/dealer/five-card/C2", "/school", "/school/courses/crazy_4"),
    "supervisor": ("/pit", "/pit/parked", "/floor", "/meters/five-card", "/school/trainees"),
    "cage": ("/cage", "/cage/five-card/{award}"),
    "executive": ("/manager", "/people", "/service-accounts", "/signs", "/signs/five-card"),
    "accounting": (
        "/office",
        "/office/proposals",
        "/office/days",
        "/office/days?day={day}",
        "/office/charts",
        "/office/links/five-card",
        "/office/links/five-card/count",
        "/audit",
        "/audit/awards",
        "/audit/links/five-card",
        "/audit/awards/five-card/{award}",
        "/audit/rounds/{table}/{round}",
        "/awards/{award}/win-page",
        "/access-reviews",
        "/verdicts",
        "/workbench",
    ),
}
REPORTS = (
    "/office/reports/funds",
    "/office/reports/reconciliation?day={day}",
    "/office/reports/daily_lines?day={day}",
    "/office/reports/adjustments?day=ALL",
    "/office/reports/hits",
    "/office/reports/counters",
    "/office/reports/gaps",
    "/office/reports/events?day={day}",
    "/office/reports/journal?link=five-card",
    "/office/reports/payouts?day=ALL",
    "/office/reports/drop_and_hold?day=ALL",
    "/office/reports/register?day=ALL",
    "/office/reports/audit_log?day={day}",
    "/office/links/five-card?day=ALL",
    "/office/links/five-card?level=minor&days=366",
    "/office/charts?days=366&group=table",
    "/office/charts?days=31",
)


def date_back(owner: Connection, moment: datetime | None) -> None:
    """From now on rows are dated as if it were that moment; none gives the clock back."""
    dated = f"'{moment.isoformat()}'::timestamptz" if moment else "clock_timestamp()"
    for name in DATED:
        owner.execute(f"ALTER TABLE books.{name} ALTER COLUMN booked_at SET DEFAULT {dated}".encode())


def play_a_year(carried: EmbeddedPostgres, house: SimulatedCasino, wagers: int) -> dict[str, object]:
    """Every table plays the same number of rounds each day; once a day somebody wins the Minor."""
    dsn = carried.dsn(role="writer")
    tables = {link.id: [table.id for table in house.floor.tables_of(link)] for link in house.floor.links}
    spread = sum(len(names) for names in tables.values())
    rounds_a_day = max(1, wagers // DAYS // spread // len(SEATS))
    first = datetime.now(tz=UTC) - timedelta(days=DAYS)
    last: dict[str, object] = {}
    with connect(carried.dsn()) as owner, connect(dsn) as writer:
        owner.autocommit = True
        owner.execute("SELECT books.make_partitions(%s::date, 13)", (first.date(),))
        for day in range(DAYS):
            moment = first + timedelta(days=day)
            date_back(owner, moment)
            for link, names in tables.items():
                _play_a_day(
                    writer, link, names, before=day * rounds_a_day, rounds=rounds_a_day, moment=moment
                )
            last = _win(writer, moment)
            print(f"\rday {day + 1} of {DAYS}", end="", file=sys.stderr, flush=True)
        date_back(owner, None)
        owner.execute("ANALYZE")
    print(file=sys.stderr)
    return {**last, "day": (first + timedelta(days=DAYS - 2)).date().isoformat()}


def _play_a_day(
    writer: Connection, link: str, names: list[str], *, before: int, rounds: int, moment: datetime
) -> None:
    at = int(moment.timestamp() * 1_000_000)
    day = [
        RoundStarted(link=link, at=at + number, table=f"{name}.kept", round=number, wager=DOLLAR, seats=SEATS)
        for number in range(before + 1, before + rounds + 1)
        for name in names
    ]
    after: LinkSnapshot | None = None
    for start in range(0, len(day), BATCH):
        after = book_rounds(writer, link, day[start : start + BATCH], at=at, after=after).after


def _win(writer: Connection, moment: datetime) -> dict[str, object]:
    at = int(moment.timestamp() * 1_000_000) + 10**9
    table = Table(writer, "five-card", "C2")
    started, _ = table.start(covered=SEATS, players=SEATS, by="dana", at=at)
    award = f"C2:{started.round}:3"
    table.press(seat=3, hand="four_of_a_kind", by="dana", at=at + 1)
    state = read_link(writer, "five-card").state
    amount = state.awards[award].amount
    badges = [Badge("sam", "supervisor"), Badge("eve", "executive")]
    round_, about = table.round(), CommandScope(award=award)
    decide(
        writer,
        "five-card",
        lambda state, now: rules.confirm(state, round_, awards=[award], badges=badges, amount=amount, at=now),
        about=about,
        at=at + 2,
    )
    decide(
        writer,
        "five-card",
        lambda state, now: [rules.pay(state, award=award, form="chips", at=now, by="cara")],
        about=about,
        at=at + 3,
    )
    table.end(at=at + 4)
    return {"award": award, "table": "C2", "round": table.round().number}


@contextmanager
def served(dsn: str) -> Iterator[tuple[str, int]]:
    """The service as a house runs it: its address and its process."""
    command = [sys.executable, "-c", "from feltwork.cli.main import main; main()", "serve", "--dsn", dsn]
    process = subprocess.Popen(
        [*command, "--plain-http", "--port", "8939"],
        env={**os.environ, "FELTWORK_PIN_KEY": "none"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    url = "http://127.0.0.1:8939"
    try:
        for _ in range(300):
            try:
                if httpx.get(f"{url}/readyz").status_code == 200:
                    break
            except httpx.TransportError:
                time.sleep(0.1)
        yield url, process.pid
    finally:
        process.terminate()
        process.wait(20)


def processor_time(*parents: int) -> float:
    """Milliseconds of processor time of some processes and their children, from /proc."""
    ticks = 0
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            after_name = file.read_text(encoding="utf-8").rpartition(")")[2].split()
            if int(file.parent.name) in parents or int(after_name[1]) in parents:
                ticks += int(after_name[11]) + int(after_name[12])
    return 1_000 * ticks / os.sysconf("SC_CLK_TCK")


def ask(client: httpx.Client, address: str, times: int, processes: tuple[int, ...]) -> dict[str, object]:
    """How long the answer takes, in milliseconds, once it has been asked for before."""
    durations: list[float] = []
    used = 0.0
    for number in range(times + 1):
        if number == 1:
            used = processor_time(*processes)
        start = time.perf_counter()
        client.get(address, headers={"Accept": "text/html"}).raise_for_status()
        durations.append(1_000 * (time.perf_counter() - start))
    return {
        "address": address,
        "first": round(durations[0], 1),
        "median": round(statistics.median(durations[1:]), 1),
        "worst": round(max(durations[1:]), 1),
        "processor": round((processor_time(*processes) - used) / times, 1),
    }


@contextmanager
def signed_in(url: str, person: str) -> Iterator[httpx.Client]:
    """A browser in which somebody has signed in."""
    with httpx.Client(base_url=url, timeout=120) as client:
        badge = {"badge": badge_of(person), "password": PASSWORD, "place": "bench"}
        client.post("/api/v1/sign-in/office", json=badge).raise_for_status()
        yield client


def measure(wagers: int, times: int) -> dict[str, object]:
    """Make the year, then ask for everything."""
    folder = Path(tempfile.mkdtemp(prefix="feltwork-year-"))
    folder.chmod(0o755)
    carried = EmbeddedPostgres(folder, {"shared_buffers": "1GB"}).start()
    try:
        start = time.perf_counter()
        house = open_site(carried.dsn(), FLOOR.read_text(encoding="utf-8") + STAFF)
        known = play_a_year(carried, house, wagers)
        filled = time.perf_counter() - start
        postgres = int((folder / "data" / "postmaster.pid").read_text(encoding="utf-8").split()[0])
        with served(carried.dsn(role="writer")) as (url, service):
            processes = (service, postgres)
            timings: dict[str, list[dict[str, object]]] = {"screens": [], "reports": []}
            for role, screens in SCREENS.items():
                with signed_in(url, house.people[role][0]) as client:
                    for kind, addresses in (
                        ("screens", screens),
                        ("reports", REPORTS if role == "accounting" else ()),
                    ):
                        timings[kind] += [
                            ask(client, address.format(**known), times, processes) for address in addresses
                        ]
        with connect(carried.dsn()) as owner:
            row = owner.execute("SELECT sum(cardinality(seats)) FROM books.round").fetchone()
        return {"wagers": int(row[0]) if row else 0, "filled_seconds": round(filled, 1), **timings}
    finally:
        carried.remove()


def main() -> None:
    """Measure, and print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wagers", type=int, default=15_000_000)
    parser.add_argument("--times", type=int, default=5)
    options = parser.parse_args()
    print(json.dumps(measure(options.wagers, options.times), indent=1))


if __name__ == "__main__":
    main()
