"""A whole gambling day of each example floor through HTTP, closed and reconciled to the cent."""

import random
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from feltwork.site.books.audit.export import export
from feltwork.site.books.audit.replay import audit_period
from feltwork.site.books.connection import connect
from feltwork.site.books.floors.floor_files import Period, period_of
from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.support.books import new_books
from tests.web.conftest import serve
from tests.web.house import House
from tests.web.till import DOLLAR, Till, micros

ROOT = Path(__file__).parents[2]
PAYTABLES = ROOT / "src" / "feltwork" / "titles" / "jackpots"


def fixed_rows(link: dict[str, Any]) -> dict[str, int]:
    """The hands for which the tray pays so many for one, and nobody gets envy: read off the file."""
    path = PAYTABLES / link["jackpot"] / "paytables" / f"jackpot-{link['paytable']}.toml"
    rows = tomllib.loads(path.read_text(encoding="utf-8"))["row"]
    return {
        row["hand"]: int(row["pays"].removesuffix(" for 1").removeprefix("$"))
        for row in rows
        if (row["pays"].endswith(" for 1") or row["pays"].startswith("$")) and "envy" not in row
    }


def floor_of(name: str) -> tuple[str, dict[str, Any]]:
    """An example whose gambling day began twelve hours ago, so that the test never runs over its end."""
    text = (ROOT / "examples" / f"{name}.toml").read_text(encoding="utf-8")
    day = tomllib.loads(text)["gambling_day"]
    hour = (datetime.now(ZoneInfo(day["time_zone"])).hour - 12) % 24
    text = text.replace(f"starts_at_hour = {day['starts_at_hour']}", f"starts_at_hour = {hour}")
    return text, tomllib.loads(text)


class Day:
    """The people of a room, and a till for each of its links."""

    def __init__(self, house: House, name: str) -> None:
        self.house = house
        text, self.floor = floor_of(name)
        house.two("ann", "eve", command="reconfigure", floor=text, day="2026-01-01")
        about = [link for link in self.floor["link"] if link["kind"] == "progressive"]
        self.tills = {link["id"]: Till(link) for link in about}
        self.fixed = {link["id"]: sorted(fixed_rows(link).items()) for link in about}
        for link in self.tills:
            house.two("ann", "eve", command="open_link", link=link)
        self.dice = random.Random(20261115)
        self.places = [(link["id"], table) for link in about for table in link["tables"]]

    def start(self, link: str, table: str, seats: tuple[int, ...] = ()) -> tuple[int, ...]:
        covered = seats or tuple(sorted(self.dice.sample(range(1, 7), self.dice.randint(1, 6))))
        self.house.start(link, table, covered)
        self.tills[link].start(table, len(covered))
        return covered

    def press(self, link: str, table: str, seat: int, hand: str) -> str:
        reply = self.house.done(
            "dana", f"/api/v1/links/{link}/tables/{table}/hand", {"seat": seat, "hand": hand}
        )
        award: str = reply["award"] or ""
        return award

    def end(self, link: str, table: str, *, fixed: int = 0, envy: int = 0) -> None:
        ended = self.house.end(link, table)["ended"]
        assert (ended["fixed"], ended["envy"]) == (fixed, envy)
        line = self.tills[link].line(table)
        line.fixed += fixed
        line.envy += envy

    def play(self, link: str, table: str) -> None:
        """A round in which some hand may be one that the tray pays."""
        seats = self.start(link, table)
        till, fixed = self.tills[link], 0
        if self.dice.random() < 0.3:
            hand, pays = self.dice.choice(self.fixed[link])
            self.press(link, table, seats[0], hand)
            fixed = pays * till.wager
        self.end(link, table, fixed=fixed)

    def win(self, link: str, table: str, hand: str, level: str, *people: str, envy: int = 0) -> str:
        """A whole meter, from the hand button to the confirmation; the other seats may get envy."""
        seats = self.start(link, table, (1, 3, 5))
        award = self.press(link, table, 3, hand)
        due = self.tills[link].claim(award, level)
        response = self.house.confirm(link, award, *people)
        assert response.status_code == 200, response.text
        self.tills[link].line(table).from_meter += due
        self.end(link, table, envy=envy * (len(seats) - 1))
        return award

    def pay(self, link: str, award: str) -> None:
        (paid,) = self.house.done("cara", f"/api/v1/links/{link}/awards/{award}/pay", {"form": "check"})[
            "facts"
        ]
        assert paid["amount"] == self.tills[link].pay(award)

    def refused(self, link: str, table: str) -> str:
        """The requirement for which a wager is refused."""
        body = {"wagers": {link: [1]}, "players": [1]}
        answer = self.house.post("dana", f"/api/v1/tables/{table}/start?link={link}", body)
        assert answer.status_code == 409, answer.text
        requirement: str = answer.json()["requirement"]
        return requirement

    def close(self) -> None:
        """At the end of the day the bank holds what our own sum says, to the millionth."""
        for link, till in self.tills.items():
            counted = self.house.done("ann", f"/api/v1/links/{link}/count", {"bank_balance": till.funds})
            assert [fact["kind"] for fact in counted["facts"]] == ["FundsCounted"], "neither short nor cured"

    def report(self, name: str, **filters: str) -> list[dict[str, Any]]:
        with connect(self.house.dsn) as connection:
            today = period_of(connection, "TODAY")
        about = {"since": today.since.isoformat(), "until": today.until.isoformat(), **filters}
        answer = self.house.of("otto").get(f"/api/v1/reports/{name}", params=about)
        assert answer.status_code == 200, answer.text
        rows: list[dict[str, Any]] = answer.json()["rows"]
        return rows


def reconcile(day: Day) -> None:
    """Every report of the day against the tills."""
    lines = {(row["link"], row["table_id"]): row for row in day.report("daily_lines")}
    accounts = {row["link"]: row for row in day.report("reconciliation")}
    funds = {row["link"]: row for row in day.report("funds")}
    meters = {(row["link"], row["level"]): row for row in day.report("counters")}
    for link, till in day.tills.items():
        for table, line in till.lines.items():
            row = lines.pop((link, table))
            assert (row["rounds"], row["wagers"], row["misdeals"]) == (
                line.rounds,
                line.wagers,
                line.misdeals,
            )
            assert row["wagered"] == line.wagers * till.wager
            assert row["wagered"] == row["to_meters"] + row["to_reserves"] + row["to_house"]
            assert (row["awards_from_meter"], row["awards_from_house"]) == (line.from_meter, 0)
            assert row["awards_reversed"] == line.reversed
            assert (row["fixed_from_tray"], row["envy_from_tray"]) == (line.fixed, line.envy)
        account = accounts[link]
        assert (account["opening"], account["opened"]) == (0, till.opened)
        assert account["closing"] == till.funds == funds[link]["required"] == account["bank_balance"]
        assert (account["paid"], account["adjusted"]) == (-till.paid, till.adjusted)
        assert (account["unexplained"], account["difference"], account["bank_difference"]) == (0, 0, 0)
        assert funds[link]["stopped_by"] == ""
        for level, held in till.meters.items():
            assert (meters[link, level]["current"], meters[link, level]["reserve"]) == (
                held,
                till.reserves[level],
            )
            sheet = day.report("meter_sheet", link=link, level=level, pool="meter")
            assert sheet[-1]["after"] == sheet[0]["after"] + sum(row["change"] for row in sheet[1:]) == held
    assert {link for link, _ in lines} <= {
        link["id"] for link in day.floor["link"] if link["kind"] == "house"
    }, "no line without a till"


def verify(day: Day, folder: Path) -> None:
    """The audit, the export of the day, and a verifier that shares no code."""
    day.house.sound()
    with connect(day.house.dsn) as connection:
        today = period_of(connection, "TODAY")
        assert audit_period(connection, today).problems == []
        export(connection, folder / "day.tar", today)
        export(connection, folder / "before", Period("before", until=today.since))
    command = [sys.executable, "-I", str(ROOT / "tools" / "verify_books.py")]
    ran = subprocess.run(
        [*command, "--no-signature", str(folder / "before"), str(folder / "day.tar")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout
    assert ran.stdout.endswith("entries followed: all is well (the signature was not checked)\n")


@pytest.fixture
def day(server: EmbeddedPostgres, request: pytest.FixtureRequest) -> Iterator[Day]:
    name: str = request.param
    for house in serve(server, new_books(server, f"web_day_{name}")):
        yield Day(house, name)


@pytest.mark.requirement("WA-25", "WA-23", "WA-18", "WA-20", "WA-09", "WA-08", "WA-33", "LT-04", "GEN-24")
@pytest.mark.parametrize("day", ["card_room"], indirect=True)
def test_a_day_of_fifteen_tables_with_everything_that_can_happen(day: Day, tmp_path: Path) -> None:
    assert len({table for _, table in day.places}) == 15
    house, tills = day.house, day.tills
    for place in day.places:
        day.play(*place)

    # Wins: one for the supervisor alone, one that an executive confirms too.
    day.pay("five-card", day.win("five-card", "H4", "straight_flush", "major", "sam", envy=300 * DOLLAR))
    day.pay("sevens", day.win("sevens", "B2", "three_7s_diamonds", "mega", "sam", "eve"))

    # A claim that the supervisor refuses at the table.
    day.start("five-card", "C1", (2, 4))
    award = day.press("five-card", "C1", 2, "four_of_a_kind")
    tills["five-card"].claim(award, "minor")
    house.void("sam", "five-card", award, "only three of a kind")
    tills["five-card"].give_back(award)
    day.end("five-card", "C1")

    # An award voided after the swipe, while the other tables went on.
    award = day.win("five-card", "H2", "royal_flush", "mega", "sam", "eve", envy=1_000 * DOLLAR)
    day.play("five-card", "C2")
    reversal = {"link": "five-card", "award": award, "adjustment": "REV-1", "evidence": "camera 12"}
    house.two("ann", "bob", command="reverse", **reversal)
    tills["five-card"].line("H2").reversed += tills["five-card"].give_back(award)

    # A misdeal.
    seats = day.start("sevens", "B4")
    house.done("sam", "/api/v1/tables/B4/misdeal?link=sevens", {"reason": "a card short"})
    tills["sevens"].misdeal("B4", len(seats))

    # A cap: what exceeds it feeds the reserve.
    cap = tills["dragon-1"].meters["jackpot"] + 25 * 10_000
    house.two("ann", "eve", command="set_cap", link="dragon-1", level="jackpot", cap=cap)
    tills["dragon-1"].caps["jackpot"] = cap
    day.start("dragon-1", "M1", (1, 2, 3, 4))
    day.end("dragon-1", "M1")
    assert tills["dragon-1"].meters["jackpot"] == cap

    # A seizure stops wagers until the posted amounts are back.
    house.done("sam", "/api/v1/links/dragon-2/stop", {"cause": "seized", "reason": "a court order"})
    assert day.refused("dragon-2", "M2") == "GEN-07"
    back = tills["dragon-2"].funds
    house.two("ann", "eve", command="restore_seized", link="dragon-2", replaced=back)

    # A shortfall beyond the tolerance of one cent stops the link until it is cured.
    short = house.done("ann", "/api/v1/links/sevens/count", {"bank_balance": tills["sevens"].funds - 20_000})
    assert [fact["kind"] for fact in short["facts"]] == ["FundsCounted", "Stopped"]
    assert day.refused("sevens", "B1") == "GEN-07"
    cured = house.done("ann", "/api/v1/links/sevens/count", {"bank_balance": tills["sevens"].funds})
    assert [fact["kind"] for fact in cured["facts"]] == ["FundsCounted", "Cured"]

    # The house adds to a meter.
    about = {"lawful_reason": "HOUSE_ADDITION", "pool": "meter", "level": "minor", "evidence": "memo 4"}
    about |= {"command": "adjust", "adjustment": "ADJ-1"}
    house.two("ann", "bob", link="five-card", change=100 * DOLLAR, **about)
    tills["five-card"].meters["minor"] += 100 * DOLLAR
    tills["five-card"].adjusted += 100 * DOLLAR

    for place in day.places:
        day.play(*place)
    day.close()
    reconcile(day)
    verify(day, tmp_path)


@pytest.mark.whole
@pytest.mark.requirement("WA-25", "WA-23")
@pytest.mark.parametrize("day", ["resort"], indirect=True)
def test_a_day_of_three_games_on_one_link_and_second_sensors(day: Day, tmp_path: Path) -> None:
    for place in day.places:
        day.play(*place)
    for link, table, hand, level, envy in (
        ("resort", "CS-1", "royal_flush", "mega", 5_000),
        ("four-aces", "C4-2", "four_aces", "jackpot", 100),
        ("royals", "TH-3", "royal_after_5", "jackpot", 0),
    ):
        day.pay(link, day.win(link, table, hand, level, "sam", "eve", envy=envy * DOLLAR))
    for place in day.places:
        day.play(*place)
    day.close()
    reconcile(day)
    verify(day, tmp_path)


@pytest.mark.requirement("WA-01", "WA-03", "WA-25")
@pytest.mark.parametrize("day", ["house_jackpot_room"], indirect=True)
def test_a_day_of_house_jackpots(day: Day, tmp_path: Path) -> None:
    house = day.house
    paid = {}
    for link, hand in (("three-aces", "three_aces_suited"), ("sevens", "three_7s_suited")):
        house.two("ann", "eve", command="open_link", link=link)
        about = next(candidate for candidate in day.floor["link"] if candidate["id"] == link)
        amount, table = micros(about["meter"][0]["amount"]), about["tables"][0]
        house.start(link, table, (1, 2, 4))
        for seat in (1, 4):
            award = house.claim(link, table, seat, hand)
            assert house.confirm(link, award, "sam", "eve").status_code == 200
            house.done("cara", f"/api/v1/links/{link}/awards/{award}/pay", {"form": "check"})
        house.end(link, table)
        paid[link, table] = 2 * amount
        assert house.meter(link) == amount
    lines = {(row["link"], row["table_id"]): row for row in day.report("daily_lines")}
    assert {place: row["awards_from_house"] for place, row in lines.items()} == paid
    assert all(
        (row["wagered"], row["to_house"], row["to_meters"], row["awards_from_meter"])
        == (3 * DOLLAR, 3 * DOLLAR, 0, 0)
        for row in lines.values()
    )
    verify(day, tmp_path)
