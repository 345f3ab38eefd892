"""Two tables hit while twenty play on: everyone sees the amounts of the presses until they are confirmed."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from feltwork.money import CENT, DOLLAR
from feltwork.site.books.audit.export import export
from feltwork.site.books.connection import connect
from feltwork.site.books.floors.floor_files import period_of
from feltwork.site.progressive.link import LockAt
from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.sizes import NIGHTLY
from tests.support.books import new_books
from tests.web.conftest import serve
from tests.web.house import TABLES, House, table_of

ROOT = Path(__file__).parents[2]
HALL = [*TABLES, "X1", "X2", "X3", "X4", "X5", "X6", "X7"]
HITS, PLAYING = HALL[:2], HALL[2:]
SEATS = (1, 2, 3)
SEED = 10_000 * DOLLAR
#: When a claim may lock its amount; each of them at night.
LOCKS: tuple[LockAt, ...] = ("claim", "confirm", "run") if NIGHTLY else ("confirm",)


@pytest.fixture
def hall(server: EmbeddedPostgres) -> Iterator[House]:
    for house in serve(server, new_books(server, "web_late_confirmations")):
        house.changes = [
            (table_of("W1"), "".join(map(table_of, ["W1", *HALL[len(TABLES) :]]))),
            (str(TABLES), str(HALL)),
        ]
        yield house


def confirm(house: House, link: str, award: str, lock_at: LockAt) -> int:
    """One visit of two people to a claim: the status of the confirmation."""
    path = f"/api/v1/links/{link}/tables/{award.partition(':')[0]}"
    if lock_at == "run" and house.get("sam", path)["phase"] == "claimed":
        house.done("sam", f"{path}/key", {"to": "JPH"})
    status = house.confirm(link, award, "sam", "eve").status_code
    if lock_at == "run" and status == 200:
        house.done("sam", f"{path}/key", {"to": "RUN"})
    return status


def seen(house: House, link: str, award: str) -> set[int]:
    """The amount of an open claim at the table, in the pit, on the sign, and in the award's own view."""

    def of(claims: list[dict[str, Any]], name: str = "amount") -> int:
        return int(next(claim[name] for claim in claims if claim["id"] == award))

    table, _, seat = award.split(":")
    (sign,) = (
        win["amount"]
        for win in house.get("dana", f"/signs/{link}")["sign"]["wins"]
        if win["pending"] and (win["table"], list(win["seats"])) == (table, [int(seat)])
    )
    return {
        sign,
        of(house.get("dana", f"/dealer/{link}/{table}")["claims"], "hit_amount"),
        of(house.get("sam", "/pit")["claims"], "hit_amount"),
        house.get("dana", f"/api/v1/links/{link}/awards/{award}")["amount"],
    }


def hit_twice(house: House, link: str, lock_at: LockAt, *, in_order: bool) -> None:
    for table in HITS:
        house.start(link, table, SEATS)
    first, second = presses = [house.claim(link, table, seat=2) for table in HITS]
    amounts = {name: house.get("sam", f"/api/v1/links/{link}/awards/{name}")["amount"] for name in presses}
    if in_order:
        wagers = len(SEATS) * len(HALL)
        assert amounts == {first: SEED + wagers * 24 * CENT, second: SEED + wagers * 5 * CENT}
    for table in PLAYING:
        house.end(link, table)
        house.start(link, table, SEATS)
    for name in presses:
        assert seen(house, link, name) == {amounts[name]}
    visits = presses if in_order else [second, first, second]
    statuses = [confirm(house, link, name, lock_at) for name in visits[:1]]
    if not in_order:
        (later,) = (claim for claim in house.get("sam", "/pit")["claims"] if claim["id"] == second)
        assert (later["first"]["id"], later["first"]["hit_amount"]) == (first, amounts[first])
    statuses += [confirm(house, link, name, lock_at) for name in visits[1:]]
    assert statuses == ([200, 200] if in_order else [409, 200, 200])
    with connect(house.dsn) as connection:
        journal: dict[str, int] = dict(
            connection.execute(
                "SELECT fact::jsonb ->> 'award', (fact::jsonb ->> 'from_meter')::bigint"
                "  FROM books.entry WHERE link = %s AND kind = 'Confirmed'",
                [link],
            ).fetchall()
        )
    for name in presses:
        page = house.get("sam", f"/awards/{name}/win-page.json?link={link}")
        assert page["award"]["amount"] == journal[name] == amounts[name]
    for table in HITS:
        house.end(link, table)


@pytest.mark.requirement("LT-03", "LT-07", "GEN-10")
def test_amounts_are_those_of_the_presses_however_late_they_are_confirmed(
    hall: House, tmp_path: Path
) -> None:
    for lock_at in LOCKS:
        link = hall.open(f"late-{lock_at}", lock_at=lock_at)
        for table in PLAYING:
            hall.start(link, table, SEATS)
        hit_twice(hall, link, lock_at, in_order=True)
        hit_twice(hall, link, lock_at, in_order=False)
        for table in PLAYING:
            hall.end(link, table)
    hall.sound()
    with connect(hall.dsn) as connection:
        export(connection, tmp_path / "books", period_of(connection, "ALL"))
    command = [sys.executable, "-I", str(ROOT / "tools" / "verify_books.py"), "--no-signature"]
    ran = subprocess.run([*command, str(tmp_path / "books")], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout
