"""Reports agree with the state that the rules fold, and a gambling day closes to the cent."""

import json
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from feltwork import spreadsheet
from feltwork.money import CENT, DOLLAR
from feltwork.problem import ProblemsError
from feltwork.site.books.audit.replay import audit
from feltwork.site.books.connection import Connection, connect
from feltwork.site.books.errors import RefusedError
from feltwork.site.books.journal.link_state import drop_between, read_link
from feltwork.site.books.links import lifecycle
from feltwork.site.books.links.signs import sign_page
from feltwork.site.books.reports import block, rows
from feltwork.site.books.reports.registry import REPORTS
from feltwork.site.books.reports.reports import as_json
from feltwork.site.compliance.floor import GamblingDay
from feltwork.site.progressive.adjustment import Adjustment
from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.books.room import BooksRoom, adjust, report
from tests.progressive.room import house_jackpot, level, link_of
from tests.support.books import new_books

TODAY = {
    "since": datetime.now(UTC) - timedelta(hours=12),
    "until": datetime.now(UTC) + timedelta(hours=12),
}
TABLES = [f"R{number:02d}" for number in range(1, 16)]


@pytest.fixture(scope="module")
def day(server: EmbeddedPostgres) -> str:
    """A whole gambling day of a room with fifteen tables."""
    name = new_books(server, "books_day")
    with connect(server.dsn(name, role="writer")) as connection:
        levels = [level("mega", seed=25_000, contribution=1_200, reserve=300)]
        levels += [level("major", seed=2_000, contribution=800, reserve=0)]
        levels += [level("minor", seed=250, contribution=400, reserve=0)]
        room = BooksRoom(connection, link_of("five_card", "ML03", levels), TABLES).open()
        for number in range(4):
            for place, table in enumerate(TABLES):
                room.start(table, range(1, 2 + (place + number) % 7))
                if (number, place) == (1, 3):
                    room.hit(table, 1, "straight_flush")
                if (number, place) == (2, 5):
                    room.misdeal(table)
                    continue
                if (number, place) == (3, 7):
                    room.hit(table, 1, "royal_flush")
                room.end(table)
        change = Adjustment(
            id="J1",
            reason="HOUSE_ADDITION",
            pool="meter",
            level="minor",
            change=100 * DOLLAR,
            text="anniversary",
            evidence="memo 4",
            by="ann",
            approved_by="bob",
        )
        adjust(connection, "L1", change)
        lifecycle.count_funds(connection, "L1", bank_balance=room.state.player_funds, by="cid")
        posted = BooksRoom(connection, house_jackpot(), ["R99"]).open()
        posted.start("R99", (1,))
        posted.confirm(posted.press("R99", 1, "royal_flush"))
        assert audit(connection).problems == []
    return name


@pytest.fixture
def books(server: EmbeddedPostgres, day: str) -> Any:
    with connect(server.dsn(day, role="reader")) as connection:
        yield connection


@pytest.mark.requirement("WA-08")
@pytest.mark.parametrize("name", ["mega", "major", "minor"])
def test_the_meter_sheet_starts_at_the_opening_amount_and_explains_every_change(
    books: Connection, name: str
) -> None:
    sheet = report(books, "meter_sheet", link="L1", level=name, pool="meter", **TODAY)
    assert sheet[0]["what"] == "opening amount"
    running = sheet[0]["after"]
    for line in sheet[1:]:
        running += line["change"]
        assert line["after"] == running
        assert line["explanation"] or line["what"] == "Opened", line
    assert running == read_link(books, "L1").state.meter(name)
    hits = [row for row in report(books, "hits") if (row["link"], row["level"]) == ("L1", name)]
    awards = [-line["change"] for line in sheet if line["what"] == "award"]
    assert awards == [row["amount"] for row in reversed(hits)], "the award has a line of its own"
    seed = next(level.seed for level in read_link(books, "L1").state.link.levels if level.name == name)
    assert [line["change"] for line in sheet if line["what"] == "seed"] == [seed] * len(hits)
    assert "Locked" not in {line["what"] for line in sheet}


@pytest.mark.requirement("WA-25", "WA-05")
def test_a_day_of_fifteen_tables_closes_and_reconciles_to_the_cent(books: Connection) -> None:
    lines = report(books, "daily_lines", **TODAY)
    state = read_link(books, "L1").state
    link_lines = [line for line in lines if line["link"] == "L1"]
    assert len(link_lines) == 15
    assert sum(line["rounds"] for line in link_lines) == 4 * 15
    counted = state.counters["mega"]
    assert sum(line["wagers"] for line in link_lines) == counted.wagers
    for line in link_lines:
        assert line["wagered"] == line["to_meters"] + line["to_reserves"] + line["to_house"]
        assert line["wagered"] == line["wagers"] * DOLLAR
        assert line["to_meters"] == line["wagers"] * 24 * CENT
    assert sum(line["misdeals"] for line in link_lines) == 1
    won = sum(counter.won for counter in state.counters.values())
    assert sum(line["awards_from_meter"] for line in link_lines) == won
    (other,) = [line for line in lines if line["link"] == "H1"]
    assert (other["wagers"], other["to_meters"]) == (1, 0), "a house jackpot is no accrual"
    assert other["to_house"] == DOLLAR
    assert other["awards_from_house"] == 500 * DOLLAR
    assert other["jackpot"] == "five_card"
    opening, posted = report(books, "meter_sheet", link="H1", level="jackpot", pool="meter", **TODAY)
    assert (opening["after"], posted["what"], posted["after"]) == (0, "AmountSet", 500 * DOLLAR)
    assert posted["people"] == "ann, bob"
    (counters,) = [row for row in report(books, "counters") if row["link"] == "H1"]
    assert (counters["current"], counters["accrued"], counters["hits"]) == (500 * DOLLAR, 0, 1)
    (owed,) = [row for row in report(books, "funds") if row["link"] == "H1"]
    assert (owed["displayed"], owed["required"]) == (0, 500 * DOLLAR), "a posted amount is not players' money"


@pytest.mark.requirement("WA-23", "WA-06")
def test_the_reconciliation_explains_all_player_funds(books: Connection) -> None:
    rows = {row["link"]: row for row in report(books, "reconciliation", **TODAY)}
    for row in rows.values():
        assert (row["unexplained"], row["difference"]) == (0, 0)
    assert rows["L1"]["closing"] == read_link(books, "L1").state.player_funds
    assert rows["L1"]["adjusted"] == 100 * DOLLAR
    assert rows["L1"]["bank_balance"] == rows["L1"]["closing"]
    assert rows["L1"]["bank_difference"] == 0


@pytest.mark.requirement("WA-25")
def test_drop_and_hold_are_those_of_the_daily_lines(books: Connection) -> None:
    about = {"zone": "America/Los_Angeles", "hour": 6}
    drops = rows(books, block("drop_and_hold"), **TODAY, **about)
    dropped = {row["table"]: row for row in drops if row["link"] == "L1"}
    lines = {row["table_id"]: row for row in report(books, "daily_lines", **TODAY) if row["link"] == "L1"}
    assert dropped.keys() == lines.keys()
    for name, line in lines.items():
        row = dropped[name]
        assert row["drop"] == line["wagered"] - line["returned"], name
        house_share = line["to_house"] * row["drop"] // line["wagered"]
        paid = line["awards_from_house"] + line["fixed_from_tray"] + line["envy_from_tray"]
        assert (row["paid"], row["hold"]) == (paid, house_share - paid), name
    assert any(line["returned"] for line in lines.values())
    assert any(row["paid"] for row in drops)


@pytest.mark.requirement("WA-25")
def test_the_drop_by_balances_is_that_of_the_report(books: Connection) -> None:
    about = {"zone": "America/Los_Angeles", "hour": 6}
    dropped = rows(books, block("drop_and_hold"), **TODAY, **about)
    booked = books.execute("SELECT link, kind, number, booked_at FROM books.entry").fetchall()
    assert {kind for _, kind, _, _ in booked} >= {"Contributed", "Misdealt", "Paid", "PaidFromTray"}
    for link in {row["link"] for row in dropped}:
        tail = read_link(books, link).tail.number
        today = drop_between(books, link, TODAY["since"], tail)
        assert today == sum(row["drop"] for row in dropped if row["link"] == link)
        for number, moment in ((number, at) for of, _, number, at in booked if of == link):
            before = drop_between(books, link, TODAY["since"], number)
            assert before + drop_between(books, link, moment, tail) == today, (link, number)


@pytest.mark.requirement("WA-25")
def test_the_drop_of_an_hour_that_comes_twice_is_of_its_gambling_day(server: EmbeddedPostgres) -> None:
    """The clocks go back at 2 on 2 November 2025 and forward on 8 March 2026; this day begins at 1."""
    name = new_books(server, "books_clocks")
    hours = GamblingDay(time_zone="America/Los_Angeles", starts_at_hour=1)
    turns = [datetime(2025, 11, 2, 8, tzinfo=UTC), datetime(2026, 3, 8, 9, tzinfo=UTC)]
    moments = [turn + timedelta(minutes=shift) for turn in turns for shift in (-1, 1, 30, 90, 150, 24 * 60)]
    with connect(server.dsn(name, role="writer")) as connection, connect(server.dsn(name)) as owner:
        owner.autocommit = True
        room = BooksRoom(
            connection,
            link_of("five_card", "ML03", [level(name) for name in ("mega", "major", "minor")]),
            ["R1"],
        ).open()
        for moment in moments:
            for table in (b"round", b"entry"):
                owner.execute(
                    b"ALTER TABLE books.%s ALTER booked_at SET DEFAULT '%s'"
                    % (table, moment.isoformat().encode())
                )
            room.start("R1", [1])
            room.end("R1")
        about = {"zone": hours.time_zone, "hour": hours.starts_at_hour}
        whole = {"since": moments[0], "until": moments[-1] + timedelta(days=1)}
        drops = rows(connection, block("drop_and_hold"), **whole, **about)
    expected = Counter(hours.of(moment).isoformat() for moment in moments)
    assert sorted(expected.values()) == [1, 1, 1, 4, 5]
    assert {row["day"]: row["rounds"] for row in drops} == expected


@pytest.mark.requirement("GEN-27")
def test_the_history_of_a_meter_ends_at_the_meter_and_has_its_hits(books: Connection) -> None:
    state = read_link(books, "L1").state
    for name in ("mega", "major"):
        history = report(books, "meter_history", link="L1", level=name, **TODAY)
        points = [row["meter"] for row in history if row["meter"] is not None]
        assert points[-1] == state.meter(name)
        hits = [row for row in report(books, "hits") if (row["link"], row["level"]) == ("L1", name)]
        assert [row["hit"] for row in reversed(history) if row["hit"]] == [row["amount"] for row in hits]
        assert hits
        assert min(points) < max(points)


@pytest.mark.requirement("WA-18", "WA-25")
def test_a_count_as_of_the_close_belongs_to_the_day_before(server: EmbeddedPostgres) -> None:
    name = new_books(server, "books_cutoff")
    with connect(server.dsn(name, role="writer")) as connection:
        levels = [level(name) for name in ("mega", "major", "minor")]
        room = BooksRoom(connection, link_of("five_card", "ML03", levels), ["R1"]).open()
        room.start("R1", [1, 2])
        room.end("R1")
        cutoff = read_link(connection, "L1")
        close = datetime.now(UTC)
        room.start("R1", [1])
        room.end("R1")
        funds = cutoff.state.player_funds
        lifecycle.count_funds(connection, "L1", bank_balance=funds - 1, by="cid", entry=cutoff.tail.number)
        (before,) = report(connection, "reconciliation", since=TODAY["since"], until=close)
        (after,) = report(connection, "reconciliation", since=close, until=TODAY["until"])
    assert before["bank_difference"] == -1
    assert after["bank_difference"] is None, "it says nothing about the day after"


@pytest.mark.requirement("WA-18")
def test_the_deposit_report_names_what_the_bank_must_hold(
    server: EmbeddedPostgres, books: Connection, day: str
) -> None:
    (row,) = [row for row in report(books, "funds") if row["link"] == "L1"]
    state = read_link(books, "L1").state
    assert row["required"] == row["bank_balance"] == state.player_funds
    assert (row["accrued_since_count"], row["stopped_by"], row["over_at_count"]) == (0, "", 0)
    with connect(server.dsn(day, role="writer")) as writer:
        lifecycle.count_funds(writer, "L1", bank_balance=state.player_funds - 1, by="cid")
        (short,) = [row for row in report(books, "funds") if row["link"] == "L1"]
        assert (short["stopped_by"], short["over_at_count"]) == ("shortfall", -1)
        first = report(books, "reconciliation", **TODAY)[0]
        assert (first["link"], first["bank_difference"]) == ("L1", -1), "differences first"
        lifecycle.count_funds(writer, "L1", bank_balance=state.player_funds, by="cid")


@pytest.mark.requirement("GEN-02", "GEN-13")
def test_counters_and_hits_are_those_of_the_state(books: Connection) -> None:
    state = read_link(books, "L1").state
    rows = {row["level"]: row for row in report(books, "counters")}
    for name, counter in state.counters.items():
        assert rows[name]["wagers"] == counter.wagers
        assert rows[name]["current"] == state.meter(name)
        assert rows[name]["won"] == counter.won
    hits = [row for row in report(books, "hits") if row["link"] == "L1"]
    assert [row["award"] for row in reversed(hits)] == list(state.hits)


@pytest.mark.requirement("WA-15", "WA-08")
def test_adjustments_are_listed_with_people_and_evidence(books: Connection) -> None:
    (row,) = report(books, "adjustments", **TODAY)
    assert row["change"] == 100 * DOLLAR
    assert (row["asked_by"], row["approved_by"], row["evidence"]) == ("ann", "bob", "memo 4")


@pytest.mark.requirement("WA-24", "GEN-11", "LT-15")
def test_a_win_page_shows_the_meter_before_and_after(books: Connection) -> None:
    award = read_link(books, "L1").state.hits[-1]
    steps = report(books, "win_page", link="L1", award=award)
    assert [step["step"] for step in steps] == ["Claimed", "Locked", "Confirmed", "Paid"]
    lock = steps[1]
    assert lock["level"] == "mega"
    assert lock["meter_before"] == lock["amount"]
    assert lock["meter_after"] == 25_000 * DOLLAR + lock["restart_reserve"]
    assert steps[-1]["form"] == "check"


def test_a_dispute_packet_tells_the_whole_round(books: Connection) -> None:
    events = [row["what"] for row in report(books, "dispute", table="R08", round=4)]
    assert events[0] == "round booked"
    assert {"Claimed", "Locked", "Confirmed", "Paid", "HandPressed"} <= set(events)
    assert events[-1] == "round ended"
    assert "Misdealt" in [row["what"] for row in report(books, "dispute", table="R06", round=3)]


@pytest.mark.requirement("GL-08")
def test_events_are_searched_by_date_device_and_code(books: Connection) -> None:
    everything = report(books, "events", **TODAY)
    assert [row["booked_at"] for row in everything] == sorted(row["booked_at"] for row in everything)
    assert {"Opened", "Contributed", "RoundBooked", "HandPressed", "Paid"} <= {
        row["code"] for row in everything
    }
    (misdealt,) = report(books, "events", **TODAY, code="Misdealt")
    assert (misdealt["device"], misdealt["about"]["round"]) == ("R06", 3)
    at_table = report(books, "events", **TODAY, table="R08")
    assert {row["device"] for row in at_table} == {"R08"}
    assert sum(row["code"] == "RoundBooked" for row in at_table) == 4
    assert report(books, "events", since=TODAY["until"], until=TODAY["until"]) == []


@pytest.mark.requirement("WA-28", "LT-13")
def test_the_sign_names_every_prize(books: Connection) -> None:
    page = sign_page(books, "L1")
    state = read_link(books, "L1").state
    assert page.sign.levels[0].amount == state.meter("mega")
    assert [row.hand for row in page.paytable] == [row.hand for row in state.link.paytable.rows]
    (royal,) = [row for row in page.paytable if row.hand == "royal_flush"]
    assert (royal.level, royal.pays, royal.envy) == ("mega", "Mega", 1_000 * DOLLAR)


def test_every_report_is_json_and_csv(books: Connection) -> None:
    parameters: dict[str, Any] = {
        "link": "L1",
        "level": "mega",
        "pool": "reserve",
        "award": "R01:1:1",
        "table": "R01",
    }
    known = {**parameters, "round": 1, "code": "Misdealt", **TODAY}
    for name, registered in REPORTS.items():
        if not isinstance(registered.query, str):
            continue
        rows = report(books, name, **known)
        cursor = books.execute(
            registered.query.encode(), {"above": 0, **known} if registered.parameters else None
        )
        columns = [column.name for column in cursor.description or ()]
        assert columns == [column.name for column in registered.columns], name
        assert len(json.loads(as_json(rows))) == len(rows)
    with pytest.raises(RefusedError, match="unknown"):
        report(books, "everything")
    with pytest.raises(ProblemsError, match="the report needs award"):
        report(books, "win_page", link="L1")
    assert spreadsheet.as_csv(["who"], [["=1+1"]]).splitlines()[1] == "'=1+1"
