"""What regulators ask the books for: registers, deposits, periods, counters, and logs that only grow."""

from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from psycopg import errors

from feltwork.money import CENT, DOLLAR
from feltwork.problem import ProblemsError
from feltwork.site.books.connection import Connection, connect
from feltwork.site.books.floors.floor_files import Period, register_floor
from feltwork.site.books.journal.link_state import read_link
from feltwork.site.books.links import lifecycle
from feltwork.site.books.reports.computed import split, submission
from feltwork.site.compliance.floor import GamblingDay, link_from_floor
from feltwork.site.compliance.floor_file import read_floor
from feltwork.site.compliance.jurisdiction import jurisdiction
from feltwork.site.compliance.link_odds import percent, stated_returns
from feltwork.site.compliance.roles import ROLES
from feltwork.site.progressive.adjustment import Adjustment
from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.books.room import BooksRoom, report
from tests.progressive.room import asked, level, link_of
from tests.support.books import new_books

NOW = datetime.now(UTC)
ALWAYS: dict[str, Any] = {"since": NOW - timedelta(days=60), "until": NOW + timedelta(days=1)}
WEEK = timedelta(days=7)


def change(name: str, dollars: int) -> Adjustment:
    return Adjustment(
        id=name,
        reason="HOUSE_ADDITION",
        pool="meter",
        level="jackpot",
        change=dollars * DOLLAR,
        text="anniversary",
        evidence="memo 4",
        by="ann",
        approved_by="bob",
    )


@pytest.fixture(scope="module")
def room(server: EmbeddedPostgres) -> Any:
    """Rounds, 26 hits, two adjustments, a count, a cap and another rate; and a copy of the books."""
    name = new_books(server, "books_regulators")
    with connect(server.dsn(name, role="writer")) as connection:
        room = play(BooksRoom(connection, link_of("five_card", "01", [level()], lock_at="claim")).open())
    with connect(server.dsn()) as superuser:
        superuser.execute("DROP DATABASE IF EXISTS books_week_old WITH (FORCE)")
        superuser.execute("CREATE DATABASE books_week_old TEMPLATE books_regulators")
    with connect(server.dsn(name, role="writer")) as connection:
        room.connection = connection
        yield room


def play(room: BooksRoom) -> BooksRoom:
    for _ in range(26):
        room.start("T1", [1, 2])
        room.hit("T1", 1, "royal_flush")
        room.end("T1")
    for name, dollars in (("J1", 2_000), ("J2", 2_001)):
        lifecycle.adjust(room.connection, "L1", change(name, dollars))
    lifecycle.count_funds(room.connection, "L1", bank_balance=room.state.player_funds, by="ann")
    lifecycle.set_cap(room.connection, "L1", asked(), level="jackpot", cap=90_000 * DOLLAR, rule="at_least")
    lifecycle.stop(room.connection, "L1", cause="suspended", reason="another rate", by="ann")
    room.reconfigure(link_of("five_card", "01", [level(contribution=2_000)], lock_at="claim"))
    lifecycle.resume(room.connection, "L1", asked())
    room.start("T2", range(1, 8))
    room.end("T2")
    return room


@pytest.mark.requirement("GEN-02")
def test_nobody_sets_a_counter_back_and_the_last_25_hits_are_kept(
    room: BooksRoom, server: EmbeddedPostgres
) -> None:
    (row,) = report(room.connection, "counters")
    assert (row["hits"], row["wagers"], row["wagered"]) == (26, 59, 59 * DOLLAR)
    assert row["won"] == row["paid"] == sum(award.amount for award in room.state.awards.values())
    hits = report(room.connection, "hits")
    assert [hit["award"] for hit in hits] == [f"T1:{number}:1" for number in range(26, 1, -1)]
    back = "UPDATE books.link_state SET state = jsonb_set(state, '{counters,jackpot,%s}', '0')"
    with connect(server.dsn("books_regulators")) as superuser:
        for connection in (room.connection, superuser):
            for counter in ("wagers", "wagered", "hits", "won", "paid", "reserved"):
                with pytest.raises(errors.CheckViolation, match="a counter may not decrease"):
                    connection.execute((back % counter).encode())


@pytest.mark.requirement("GEN-24", "WA-08", "WA-15")
def test_adjustments_above_the_jurisdictions_amount_stand_on_the_month_end_report(room: BooksRoom) -> None:
    adjustments = report(room.connection, "adjustments", **ALWAYS)
    assert [row["adjustment"] for row in adjustments] == ["J1", "J2"], "all of them, in order"
    assert all(row["evidence"] and row["asked_by"] != row["approved_by"] for row in adjustments)
    above = jurisdiction("new_jersey").on(NOW.date())["adjustments_reported"].amount
    assert above == 2_000 * DOLLAR
    (row,) = report(room.connection, "month_end", **ALWAYS, above=above)
    assert (row["adjustment"], row["change"]) == ("J2", 2_001 * DOLLAR), "above the amount, not at it"


@pytest.mark.requirement("GEN-04", "GL-09")
def test_a_changed_rate_begins_a_new_period_of_reconciliation(room: BooksRoom) -> None:
    first, second = report(room.connection, "periods", **ALWAYS)
    assert first["ended_at"] == second["began_at"]
    assert (second["before"], second["version"]) == (first["version"], room.state.link.fingerprint)
    assert (
        first["rates"]["jackpot"]["contribution_basis_points"],
        second["rates"]["jackpot"]["contribution_basis_points"],
    ) == (
        2_400,
        2_000,
    )
    assert (first["contributed"], second["contributed"]) == (52 * 29 * CENT, 7 * 25 * CENT)
    assert second["asked_by"] != second["approved_by"]
    until = {"since": ALWAYS["since"], "until": second["began_at"]}
    since = {"since": second["began_at"], "until": ALWAYS["until"]}
    (before,), (after,) = (report(room.connection, "reconciliation", **period) for period in (until, since))
    assert before["closing"] == after["opening"]
    assert (after["contributed"], after["unexplained"], after["difference"]) == (7 * 25 * CENT, 0, 0)
    known = {role.department for role in ROLES.values() if "reconfigure" in role.may}
    assert known == {"management", "accounting"}, "two departments: accounting is always one of them"


@pytest.mark.requirement("GEN-27", "WA-18")
def test_the_register_of_days_and_the_deposits_of_weeks(server: EmbeddedPostgres, room: BooksRoom) -> None:
    """Books whose first 60 entries are made a week old, by somebody who can switch off triggers."""
    with connect(server.dsn("books_week_old")) as old:
        old.execute("ALTER TABLE books.entry DISABLE TRIGGER USER")
        old.execute(
            "UPDATE books.entry SET booked_at = booked_at - interval '7 days 1 hour' WHERE number <= 60"
        )
        since = old.execute("SELECT min(booked_at) FROM books.entry").fetchone()
        assert since is not None
        asked_for = {"since": since[0], "until": since[0] + 2 * WEEK}
        days = report(old, "register", **asked_for)
        assert [row["day_begins"] for row in days] == [since[0] + timedelta(days=n) for n in range(8)]
        sixty = _meter(old, 60)
        assert [row["displayed"] for row in days[:7]] == [sixty] * 7, "written down although nothing moved"
        assert days[7]["displayed"] == read_link(old, "L1").state.meter("jackpot")
        first, second = report(old, "deposits", **asked_for)
        assert (first["opening"], first["required"]) == (0, first["accrued"])
        assert (first["counted_at"], first["deposit_due"]) == (None, True), "nobody counted in that week"
        assert second["opening"] == first["required"]
        funds = read_link(old, "L1").state.player_funds
        assert second["required"] == second["opening"] + second["accrued"] == funds
        assert (second["over_at_count"], second["deposit_due"]) == (0, False)


@pytest.mark.requirement("GEN-27", "WA-25")
def test_a_day_of_the_register_begins_at_its_hour_on_the_wall() -> None:
    """On 1 November 2026 the clocks of Seattle go back, and the day has 25 hours."""
    hours = GamblingDay(time_zone="America/Los_Angeles", starts_at_hour=6)
    since = datetime(2026, 10, 31, 23, 3, tzinfo=ZoneInfo(hours.time_zone))
    days = split(Period(since=since, until=since + timedelta(days=2)), hours, days=1)
    assert [[f"{moment.astimezone(since.tzinfo):%d %H:%M}" for moment in day] for day in days] == [
        ["31 06:00", "01 06:00"],
        ["01 06:00", "02 06:00"],
        ["02 06:00", "03 06:00"],
    ]
    assert [(ends - begins) // timedelta(hours=1) for begins, ends in days] == [25, 24, 24]
    ((begins, ends),) = split(Period(since=since, until=since + timedelta(days=6)), hours, days=7)
    assert (ends - begins) // timedelta(hours=1) == 7 * 24 + 1
    assert split(Period(since=since, until=since), hours, days=1) == []


@pytest.mark.requirement("GEN-27")
def test_all_days_of_the_register_are_gambling_days(fresh: Connection) -> None:
    text = (Path(__file__).parents[2] / "examples" / "card_room.toml").read_text(encoding="utf-8")
    register_floor(fresh, text, asked())
    BooksRoom(fresh, link_of("four_card", "1", [level()]), ["T1"]).open()
    zone = ZoneInfo(read_floor(text, where="floor").day.time_zone)
    always = {"since": datetime(1, 1, 1, tzinfo=UTC), "until": datetime(9999, 1, 1, tzinfo=UTC)}
    (day,), (week,) = (report(fresh, name, **always) for name in ("register", "deposits"))
    assert {moment.astimezone(zone).hour for moment in (day["day_begins"], week["week_ends"])} == {6}


def _meter(connection: Connection, number: int) -> int:
    row = connection.execute(
        """SELECT sum((posting -> 1)::bigint)::bigint
             FROM books.entry, jsonb_array_elements(body::jsonb -> 'postings') AS posting
            WHERE number <= %s AND posting ->> 0 = 'meter/L1/jackpot'""",
        (number,),
    ).fetchone()
    assert row is not None
    amount: int = row[0]
    return amount


@pytest.mark.requirement("GEN-17")
def test_the_submission_joins_devices_with_exact_odds_and_rates(fresh: Connection) -> None:
    text = (Path(__file__).parents[2] / "examples" / "card_room.toml").read_text(encoding="utf-8")
    floor = read_floor(text, where="floor")
    about = next(link for link in floor.links if link.id == "five-card")
    lifecycle.register_link(fresh, link_from_floor(floor, about), by="ann")
    with pytest.raises(ProblemsError, match="no floor file has been applied"):
        submission(fresh, "five-card")
    register_floor(fresh, text, asked())
    rows = submission(fresh, "five-card")
    assert {row["table"] for row in rows} == {"C1", "C2", "C3", "H1", "H2", "H3", "H4"}
    royals = [row for row in rows if row["hand"] == "royal_flush"]
    assert {Fraction(row["probability"]) for row in royals} == {Fraction(4, 2_598_960)}
    assert {(row["level"], row["reset"], row["contribution_basis_points"]) for row in royals} == {
        ("mega", 10_000 * DOLLAR, 800)
    }
    assert {row["house_basis_points"] for row in rows} == {10_000 - 2_300}
    assert {row["manufacturer"] for row in rows} == {"Light & Wonder"}
    stated = stated_returns(about, floor.table_by_id["C1"])
    assert isinstance(stated, tuple)
    returns = "; ".join(f"{percent(case.returns.total)} {case.crowd}" for case in stated)
    assert {row["returns"] for row in rows if row["table"] == "C1"} == {returns}


@pytest.mark.requirement("GEN-17")
def test_the_submission_prices_a_bet_on_one_side(fresh: Connection) -> None:
    text = (Path(__file__).parents[2] / "examples" / "card_room.toml").read_text(encoding="utf-8")
    floor = read_floor(text, where="floor")
    about = next(link for link in floor.links if link.id == "dragon-1")
    lifecycle.register_link(fresh, link_from_floor(floor, about), by="ann")
    register_floor(fresh, text, asked())
    rows = submission(fresh, "dragon-1")
    assert {(row["side"], row["returns"].partition("%")[0]) for row in rows} == {
        ("player", "51.3251"),
        ("banker", "50.4567"),
    }
