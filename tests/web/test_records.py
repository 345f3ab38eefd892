"""Payout records and incidents through HTTP: check-lists, tax records and the time to tell the regulator."""

import io
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest
from pypdf import PdfReader

from feltwork.money import DOLLAR
from feltwork.site.books.connection import connect
from feltwork.site.servers.postgres import EmbeddedPostgres
from feltwork.site.web.rendering.report_format import cell
from tests.support.books import new_books
from tests.web.conftest import serve
from tests.web.house import House


@pytest.fixture(scope="module")
def house(server: EmbeddedPostgres) -> Iterator[House]:
    """A house that pays no win without its record, as houses do unless they say otherwise."""
    yield from serve(server, new_books(server, "web_records"), payout_record="required")


FORM = {"address": "1 Main St, Olympia WA 98501", "taxpayer": "900-00-1234"}
WHO = {"payee": "Pat Patron", "cards": "As Ah Ad Ac 2c", **FORM}
KNOWN = {"documents": 2, "photo": True, "taxpayer_number": True}


def won(house: House, name: str, table: str = "A1") -> tuple[str, str]:
    """A confirmed win of more than ten thousand dollars."""
    link = house.open(name)
    house.start(link, table)
    award = house.claim(link, table)
    assert house.confirm(link, award, "sam", "eve").status_code == 200
    return link, award


def no(answer: Any, requirement: str, what: str) -> None:
    problem = answer.json()
    assert (answer.status_code, problem["requirement"]) == (409, requirement), problem
    assert what in problem["detail"]
    assert problem["remedy"]


@pytest.mark.requirement("WA-24", "LT-02")
def test_a_record_may_say_who_saw_the_cards_below_the_executive_level(house: House) -> None:
    link = house.open("words", executive_above=50_000 * DOLLAR)
    house.start(link, "W1")
    award = house.claim(link, "W1")
    assert house.confirm(link, award, "sam").status_code == 200
    record = {**WHO, "cards": "seen by Sam on camera 12", "identity": KNOWN}
    assert house.done("cara", f"/api/v1/payouts/{link}/{award}", record)["written_by"] == "cara"
    assert not house.get("dana", f"/api/v1/links/{link}/awards/{award}")["cards"]


@pytest.mark.requirement("WA-24", "TX-04")
def test_a_win_is_paid_once_its_record_and_check_list_are_done(house: House) -> None:
    link, award = won(house, "record")
    path, pay = f"/api/v1/payouts/{link}/{award}", f"/api/v1/links/{link}/awards/{award}/pay"
    open_ = house.get("cara", path)
    assert [step["name"] for step in open_["steps"]] == ["record", "countdown", "seal", "exclusion", "check"]
    assert (open_["forms"], open_["payee"]) == (["check"], None)
    confirmed = next(
        row["fact"]["at"]
        for row in house.get("otto", f"/api/v1/reports/links/{link}/journal")["rows"]
        if row["fact"]["kind"] == "Confirmed"
    )
    due = {step["name"]: step["by"] - confirmed for step in open_["steps"] if step["by"]}
    hour = 3_600 * 10**6
    assert due == {"seal": 7 * 24 * hour, "check": 24 * hour}
    no(house.post("cara", pay, {"form": "cash"}), "WA-24", "may not be paid in cash")
    no(house.post("cara", pay, {"form": "check"}), "WA-24", "no payout record")
    no(house.post("sam", f"{path}/steps/countdown", {"note": "x"}), "WA-24", "no payout record")
    for identity in ({**KNOWN, "documents": 1}, {**KNOWN, "photo": False}):
        no(house.post("cara", path, {**WHO, "identity": identity}), "TX-04", "is not identified")
    for name, code, what in (
        ("address", "TX-02", "Form W-2G has no address"),
        ("taxpayer", "TX-04", "Form W-2G has no taxpayer number"),
    ):
        no(house.post("cara", path, {**WHO, "identity": KNOWN, name: " "}), code, what)
    written = house.done("cara", path, {**WHO, "identity": KNOWN})
    flags = {flag["name"]: flag["amount"] for flag in written["flags"]}
    amount = written["amount"]
    assert flags == {"tax_form": amount, "withholding": (amount - DOLLAR) * 24 // 100 // 10_000 * 10_000}
    assert (written["withheld"], written["written_by"]) == (flags["withholding"], "cara")
    same = house.done("sue", path, {**WHO, "identity": KNOWN})
    assert same.pop("already").startswith("already done by Cara at ")
    assert same.items() <= written.items(), "nothing new"
    no(house.post("cara", pay, {"form": "check"}), "WA-24", "countdown is not done")
    house.done("sam", f"{path}/steps/countdown", {"note": "48 cards, camera 12"})
    again = house.done("sue", f"{path}/steps/countdown", {"note": "again"})
    assert re.fullmatch(r"already done by Sam at \d+:\d\d [AP]M", again["already"])
    assert [step["done"]["note"] for step in again["steps"] if step["name"] == "countdown"] == [
        "48 cards, camera 12"
    ]
    no(house.post("sam", f"{path}/steps/dance", {"note": "x"}), "WA-24", "has no step dance")
    no(house.post("cara", pay, {"form": "check"}), "WA-24", "seal is not done")
    sealed = house.done("sam", f"{path}/steps/seal", {"note": "box 4"})
    assert {step["name"]: bool(step["done"]) for step in sealed["steps"]} == {
        "record": True,
        "countdown": True,
        "seal": True,
        "exclusion": False,
        "check": False,
    }
    no(house.post("cara", pay, {"form": "check"}), "WA-35", "exclusion is not done")
    house.done("cara", f"{path}/steps/exclusion", {"note": "state system, 4:10 PM"})
    assert not house.done("cara", pay, {"form": "check"})["already"]
    twice = house.done("sue", pay, {"form": "check"})
    assert twice["already"].startswith("already done by Cara at ")
    assert (twice["facts"], twice["entry"]) == ([], None)
    no(house.post("sue", pay, {"form": "cash"}), "LT-03", "the award is paid")
    (row,) = [row for row in house.get("otto", "/api/v1/reports/payouts")["rows"] if row["award"] == award]
    assert (row["payee"], row["form"], row["paid_by"], row["cards"]) == (
        "Pat Patron",
        "check",
        "cara",
        "As Ah Ad Ac 2c",
    )
    assert (row["supervisor"], row["executive"], row["amount"]) == ("sam", "eve", amount)
    assert row["done"]["seal"]["note"] == "box 4"
    house.sound()


@pytest.mark.requirement("TX-04", "WA-24", "WA-35")
def test_a_payee_is_corrected_until_the_payment_and_asked_about_again(house: House) -> None:
    link, award = won(house, "corrected")
    path, pay = f"/api/v1/payouts/{link}/{award}", f"/api/v1/links/{link}/awards/{award}/pay"
    house.done("cara", path, {**WHO, "payee": "Pat Patrom", "identity": KNOWN})
    for step in ("countdown", "seal", "exclusion"):
        house.done("sam", f"{path}/steps/{step}", {"note": "camera 12"})
    right = house.done("sue", path, {**WHO, "identity": {**KNOWN, "foreign": True}})
    assert (right["payee"], right["written_by"], right["taxpayer"]) == ("Pat Patron", "sue", "…1234")
    assert right["flags"][0]["why"].partition(":")[0] == "Form 1042-S"
    assert right["withheld"] == right["amount"] * 30 // 100 // 10_000 * 10_000
    done = {step["name"]: bool(step["done"]) for step in right["steps"]}
    assert (done["countdown"], done["seal"], done["exclusion"]) == (True, True, False)
    no(house.post("cara", pay, {"form": "check"}), "WA-35", "exclusion is not done")
    house.done("cara", f"{path}/steps/exclusion", {"note": "state system"})
    house.done("cara", pay, {"form": "check"})
    no(house.post("cara", path, {**WHO, "payee": "Quinn", "identity": KNOWN}), "WA-24", "the award is paid")
    with connect(house.dsn) as connection:
        for relation in ("audit", "record", "evidence_record", "payout_record"):
            kept = str(connection.execute(f"SELECT * FROM books.{relation}").fetchall())
            assert "900-00-1234" not in kept, relation
    house.sound()


@pytest.mark.requirement("TX-05")
def test_several_people_who_share_a_win_are_taxed_one_by_one(house: House) -> None:
    link, award = won(house, "shared")
    path = f"/api/v1/payouts/{link}/{award}"
    amount = house.get("cara", path)["amount"]
    one = {"name": "Pat Patron", **FORM, "amount": amount - 1_500 * DOLLAR}
    two = {"name": "Quinn Quill", "address": "2 Elm St", "taxpayer": "", "amount": 1_500 * DOLLAR}
    record = {**WHO, "identity": KNOWN}
    no(house.post("cara", path, {**record, "entitled": [one]}), "TX-05", "do not add up")
    lost = [one, {**two, "address": ""}]
    no(house.post("cara", path, {**record, "entitled": lost}), "TX-05", "name or address")
    written = house.done("cara", path, {**record, "entitled": [one, two]})
    assert written["shares"] == {"Pat Patron": one["amount"], "Quinn Quill": 1_500 * DOLLAR}
    (form,) = (flag["why"] for flag in written["flags"] if flag["name"] == "tax_form")
    assert form.endswith("(Pat Patron)"), "the smaller share needs no form"
    log = house.get("otto", "/api/v1/reports/audit_log")["rows"]
    logged = cell("after", [row for row in log if award in row["what"]][-1]["after"]).says
    assert "Quinn Quill $1,500.00" in logged
    assert "500,000,000" not in logged

    def printed(person: str) -> str:
        answer = house.of(person).get(f"/awards/{award}/shares.pdf?link={link}&people=3")
        pages = PdfReader(io.BytesIO(answer.content)).pages
        return re.sub(r"\s+", " ", " ".join(page.extract_text() for page in pages))

    for phrase in ("Pat Patron, 1 Main St", "900-00-1234", "Quinn Quill", "not given", "$1,500.00"):
        assert phrase in printed("cara"), phrase
    assert "900-00" not in printed("vic"), "only who pays sees the number"


@pytest.mark.requirement("TX-04")
def test_without_a_taxpayer_number_a_smaller_win_is_held_back_in_part(house: House) -> None:
    jackpot = house.post_jackpot("small", 4_000)
    house.start(jackpot, "H1")
    award = house.claim(jackpot, "H1")
    early = house.post("cara", f"/api/v1/payouts/{jackpot}/{award}", {**WHO, "identity": KNOWN})
    no(early, "WA-24", "the award is claimed")
    assert house.confirm(jackpot, award, "sam", "eve").status_code == 200
    house.end(jackpot, "H1")
    identity = {"documents": 0, "photo": False, "taxpayer_number": False, "excepted": True}
    payout = house.done("cara", f"/api/v1/payouts/{jackpot}/{award}", {**WHO, "identity": identity})
    assert [flag["name"] for flag in payout["flags"]] == ["tax_form", "backup_withholding"]
    assert payout["withheld"] == 959_760_000
    assert payout["forms"] == ["chips", "cash", "check"]
    pay = house.post("cara", f"/api/v1/links/{jackpot}/awards/{award}/pay", {"form": "cash"})
    no(pay, "WA-24", "countdown is not done")


@pytest.mark.requirement("WA-32")
def test_a_malfunction_opens_an_incident_with_seventy_two_hours_to_notify(house: House) -> None:
    link = house.open("broken")
    stopped = house.done(
        "sam",
        f"/api/v1/links/{link}/stop",
        {"cause": "suspended", "reason": "a sensor fails", "malfunction": True},
    )
    number = stopped["incident"]
    incident = house.get("dana", f"/api/v1/incidents/{number}")
    since, until = (datetime.fromisoformat(incident[name]) for name in ("learned_at", "notify_by"))
    assert until - since == timedelta(hours=72)
    assert (incident["link"], incident["what"], incident["late"]) == (link, "a sensor fails", False)
    no(
        house.post("eve", f"/api/v1/incidents/{number}/closed", {"says": "a cable"}),
        "WA-32",
        "has not been notified",
    )
    house.done("eve", f"/api/v1/incidents/{number}/notified", {"says": "by letter"})
    no(
        house.post("ann", f"/api/v1/incidents/{number}/notified", {"says": "twice"}),
        "WA-32",
        "already notified",
    )
    closed = house.done("ann", f"/api/v1/incidents/{number}/closed", {"says": "a loose cable"})
    assert (closed["cause"], closed["late"]) == ("a loose cable", False)
    house.two("sam", "eve", command="resume", link=link)
    quiet = house.done(
        "sam", f"/api/v1/links/{link}/stop", {"cause": "suspended", "reason": "the shift ends"}
    )
    assert quiet["incident"] is None
    old = (datetime.now(tz=UTC) - timedelta(hours=73)).isoformat()
    late = house.done("dana", "/api/v1/incidents", {"what": "no light", "table": "A1", "learned_at": old})
    assert late["late"] is True
    ahead = (datetime.now(tz=UTC) + timedelta(hours=1)).isoformat()
    no(house.post("dana", "/api/v1/incidents", {"what": "x", "learned_at": ahead}), "WA-32", "future")
    assert house.post("dana", "/api/v1/incidents", {"what": "x", "link": "none"}).status_code == 404
    rows = {row["number"]: row for row in house.get("otto", "/api/v1/reports/incidents")["rows"]}
    assert (rows[number]["notice"], rows[number]["closed_by"]) == ("by letter", "ann")
    assert rows[late["number"]]["late"] is True
    sheet = house.of("otto").get("/api/v1/reports/incidents?format=csv").text
    assert "a loose cable" in sheet


def test_records_stay_as_they_were_written(house: House, server: EmbeddedPostgres) -> None:
    link, award = won(house, "kept", "K1")
    house.record(link, award)
    with psycopg.connect(server.dsn("web_records"), autocommit=True) as superuser:
        for table in ("payout", "payout_step", "incident", "incident_step"):
            with pytest.raises(psycopg.errors.RestrictViolation):
                superuser.execute(f"TRUNCATE books.{table} CASCADE".encode())
        with pytest.raises(psycopg.errors.RestrictViolation):
            superuser.execute("UPDATE books.payout SET payee = 'somebody else'")
