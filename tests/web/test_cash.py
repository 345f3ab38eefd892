"""Cash of a gambling day through HTTP: summed by person from the books, and told to those who may know."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from feltwork.money import DOLLAR
from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.support.books import new_books
from tests.web.conftest import serve
from tests.web.house import PEOPLE, House

KNOWN = {"documents": 2, "photo": True, "taxpayer_number": True}


NEEDED = tuple(
    person for person in PEOPLE if person.id in ("dana", "sam", "eve", "ann", "cara", "otto", "ivy")
)


@pytest.fixture(scope="module")
def house(server: EmbeddedPostgres) -> Iterator[House]:
    for house in serve(server, new_books(server, "web_cash"), NEEDED, payout_record="required"):
        yield by_day(house)


@pytest.fixture
def small_house(server: EmbeddedPostgres) -> Iterator[House]:
    """A house that takes in less than a million dollars a year."""
    books = new_books(server, "web_small")
    for house in serve(server, books, NEEDED, payout_record="required", cash_reports=False):
        yield by_day(house)


def by_day(house: House) -> House:
    """The same house on a day that does not end while a test pays."""
    hour = (datetime.now(tz=ZoneInfo("America/Los_Angeles")).hour + 12) % 24
    house.changes = [("starts_at_hour = 6", f"starts_at_hour = {hour}")]
    return house


def owed(house: House, jackpot: str, payee: str, patron: str | None = None) -> str:
    """A confirmed win of 4,000 with its record and check-list."""
    house.start(jackpot, "H1")
    award = house.claim(jackpot, "H1")
    assert house.confirm(jackpot, award, "sam", "eve").status_code == 200
    house.end(jackpot, "H1")
    written = {"payee": payee, "patron": patron, "cards": "As Ah Ad Ac 2c", "identity": KNOWN}
    written |= {"address": "1 Main St, Olympia WA 98501", "taxpayer": "900-00-1234"}
    house.done("cara", f"/api/v1/payouts/{jackpot}/{award}", written)
    for step in ("exclusion", "countdown", "seal"):
        house.done("sam", f"/api/v1/payouts/{jackpot}/{award}/steps/{step}", {"note": "camera 12"})
    return award


def cash_of(house: House, *names: str) -> list[dict[str, Any]]:
    """The rows of the report that name somebody of these."""
    rows: list[dict[str, Any]] = house.get("otto", "/api/v1/reports/cash")["rows"]
    return [row for row in rows if any(name in row["payee"].upper() for name in names)]


def pay(house: House, jackpot: str, award: str, form: str) -> None:
    house.done("cara", f"/api/v1/links/{jackpot}/awards/{award}/pay", {"form": form})


@pytest.mark.requirement("AM-01", "AM-02")
def test_cash_of_one_person_is_summed_over_the_day_and_above_the_bound_it_is_reported(house: House) -> None:
    jackpot = house.post_jackpot("cash", 4_000)
    for payee, form in (
        ("Pat Patron", "cash"),
        ("pat  patron", "cash"),
        ("Pat Patron", "check"),
        ("Sam Other", "cash"),
    ):
        pay(house, jackpot, owed(house, jackpot, payee), form)
    rows = cash_of(house, "PAT PATRON", "SAM OTHER")
    assert [(row["payee"], row["amount"], row["reported"]) for row in rows] == [
        ("Pat Patron / pat  patron", 8_000 * DOLLAR, False),
        ("Sam Other", 4_000 * DOLLAR, False),
    ], "a check is no cash"
    third = owed(house, jackpot, "PAT PATRON")
    (flag,) = house.get("cara", f"/api/v1/payouts/{jackpot}/{third}")["cash"]
    assert (flag["name"], flag["requirement"], flag["amount"]) == ("cash_report", "AM-01", 12_000 * DOLLAR)
    assert house.get("cara", f"/api/v1/payouts/{jackpot}/{owed(house, jackpot, 'New Face')}")["cash"] == []
    pay(house, jackpot, third, "cash")
    first, *others = cash_of(house, "PAT PATRON", "SAM OTHER")
    assert (first["payments"], first["amount"], first["reported"]) == (3, 12_000 * DOLLAR, True)
    assert "above $10,000.00" in first["why"]
    assert f"{jackpot}/{third}" in first["awards"]
    assert not any(row["reported"] for row in others)
    assert house.get("cara", f"/api/v1/payouts/{jackpot}/{third}")["cash"] == [], "it is paid"
    assert first in house.get("ann", f"/api/v1/reports/cash?day={first['day']}")["rows"]
    assert house.get("ann", "/api/v1/reports/cash?day=2020-01-01")["rows"] == []
    assert "PAT PATRON" in house.of("otto").get("/api/v1/reports/cash?format=csv").text
    assert house.of("otto").get("/api/v1/reports/cash?day=ALL").status_code == 422
    house.sound()


@pytest.mark.requirement("AM-01")
def test_the_number_of_the_patron_tells_namesakes_apart(house: House) -> None:
    jackpot = house.post_jackpot("namesakes", 4_000)
    for patron in ("P-1", "P-1", "P-2"):
        pay(house, jackpot, owed(house, jackpot, "Jo Smith", patron), "cash")
    rows = cash_of(house, "JO SMITH")
    assert [(row["patron"], row["amount"]) for row in rows] == [
        ("P-1", 8_000 * DOLLAR),
        ("P-2", 4_000 * DOLLAR),
    ]
    row = next(row for row in house.get("otto", "/api/v1/reports/payouts")["rows"] if row["patron"] == "P-2")
    assert (row["payee"], row["form"]) == ("Jo Smith", "cash")


@pytest.mark.requirement("AM-01", "AM-04")
def test_the_floor_reads_nothing_of_it(house: House) -> None:
    """Dealers see a payout and not what the person's cash comes to; who pays sees that, and no report."""
    jackpot = house.post_jackpot("quiet", 4_000)
    awards = [owed(house, jackpot, "Quinn Quiet") for _ in range(3)]
    for award in awards[:2]:
        pay(house, jackpot, award, "cash")
    path = f"/api/v1/payouts/{jackpot}/{awards[2]}"
    assert house.get("cara", path)["cash"]
    for person in ("dana", "otto", "ivy"):
        assert house.get(person, path)["cash"] is None
    for person in ("dana", "sam", "cara", "ivy"):
        assert house.of(person).get("/api/v1/reports/cash").status_code == 403
        assert house.of(person).get("/api/v1/reports/record_retention").status_code == 403
    kinds = {
        row["kind"]: row["years"] for row in house.get("otto", "/api/v1/reports/record_retention")["rows"]
    }
    assert kinds["payout"] == kinds["payout step"] == kinds["journal and rounds"] == 5


@pytest.mark.requirement("AM-03")
def test_a_house_below_a_million_dollars_reports_no_cash(small_house: House) -> None:
    jackpot = small_house.post_jackpot("small", 4_000)
    for _ in range(3):
        pay(small_house, jackpot, owed(small_house, jackpot, "Pat Patron"), "cash")
    (row,) = small_house.get("otto", "/api/v1/reports/cash")["rows"]
    assert (row["amount"], row["reported"]) == (12_000 * DOLLAR, False)


@pytest.mark.requirement("GEN-25")
def test_in_nevada_an_award_of_a_link_across_casinos_carries_its_tag_into_the_books(house: House) -> None:
    here = house.open("here")
    shared = house.open("shared")
    elsewhere = [('jurisdiction = "wa_cardroom"', 'jurisdiction = "nevada"')]
    tables = [('id = "A1"\ngame', 'id = "A1"\nlocation = "next-door"\ngame')]
    tags = {}
    for name, changes in ((here, elsewhere), (shared, [*elsewhere, *tables])):
        house.lay(*changes)
        house.start(name, "D1")
        award = house.claim(name, "D1")
        assert house.confirm(name, award, "sam", "eve").status_code == 200
        house.record(name, award)
        house.done("cara", f"/api/v1/links/{name}/awards/{award}/pay", {"form": "check"})
        house.end(name, "D1")
        tags[name] = next(
            row for row in house.get("otto", "/api/v1/reports/payouts")["rows"] if row["award"] == award
        )
    house.lay()
    assert tags[here]["not_deducted"] is False
    assert tags[shared]["not_deducted"] is True
    (flag,) = [flag for flag in tags[shared]["flags"] if flag["name"] == "not_deducted"]
    assert (flag["requirement"], flag["amount"]) == ("GEN-25", tags[shared]["amount"])
    assert "card game" in flag["why"]
