"""Self-exclusion before a payment: the list, the question to people, and the confiscation, over HTTP."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from feltwork.site.books.audit.audit import export_books
from feltwork.site.books.connection import connect
from feltwork.site.books.people.pin_key import init_pin_key
from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.support.books import new_books
from tests.web.conftest import serve
from tests.web.house import House
from tests.web.test_cage import confirmed

BORN = "1980-02-29"
LIST = f"name,born,id\nPatron-Doe, JOSÉ,x\nPat Patron,{BORN},1234\n\nZelda Zander,1961-07-08,\n"
IDENTITY = {"documents": 2, "photo": True, "taxpayer_number": True}


@pytest.fixture(scope="module")
def house(server: EmbeddedPostgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    key = init_pin_key(tmp_path_factory.mktemp("keys"))
    books = new_books(server, "web_exclusions")
    yield from serve(server, books, payout_record="required", pin_key=str(key))


def named(house: House, link: str, payee: str) -> str:
    """A confirmed award whose record names its payee, all but the look at the list done."""
    award = confirmed(house, link, "A1")
    path = f"/api/v1/payouts/{link}/{award}"
    house.done(
        "cara",
        path,
        {
            "payee": payee,
            "cards": "As Ah Ad Ac 2c",
            "identity": IDENTITY,
            "address": "1 Main St, Olympia WA 98501",
            "taxpayer": "900-00-1234",
        },
    )
    for step in ("countdown", "seal"):
        house.done("sam", f"{path}/steps/{step}", {"note": "camera 12"})
    return award


def steps(house: House, link: str, award: str) -> dict[str, dict[str, object] | None]:
    payout = house.get("cara", f"/cage/{link}/{award}")["payout"]
    return {step["name"]: step["done"] for step in payout["steps"]}


@pytest.mark.requirement("WA-36")
def test_a_list_is_kept_as_marks_and_leaves_the_books_by_no_way(house: House, tmp_path: Path) -> None:
    wrong = house.post("eve", "/api/v1/exclusions", {"people": LIST})
    assert (wrong.status_code, wrong.json()["detail"]) == (409, "line 2 is wrong")
    assert house.post("cara", "/api/v1/exclusions", {"people": LIST}).status_code == 403
    listed = house.done("eve", "/api/v1/exclusions", {"people": LIST.replace("Patron-Doe, JOSÉ,x\n", "")})
    assert listed["people"] == 2
    page = house.get("cara", "/cage")
    assert datetime.fromisoformat(page["excluded_at"]) == datetime.fromisoformat(listed["imported_at"])
    assert not page["imports"]
    with connect(house.dsn) as connection:
        kept = str(connection.execute("SELECT * FROM books.exclusion_list").fetchall())
        assert not any(text in kept for text in ("Zelda", "Zander", "1961-07-08"))
        logged = str(connection.execute("SELECT * FROM books.audit").fetchall())
        assert not any(text in logged for text in ("Zelda", "Zander", "1961-07-08"))
        export_books(connection, tmp_path / "bundle")
        reads = "SELECT has_table_privilege('feltwork_reader', 'books.exclusion_list', 'SELECT')"
        assert connection.execute(reads).fetchone() == (False,)
        mark = connection.execute("SELECT marks[1] FROM books.exclusion_list").fetchone()
    assert mark is not None
    written = b"".join(file.read_bytes() for file in (tmp_path / "bundle").rglob("*") if file.is_file())
    assert mark[0][:64].encode() not in written


@pytest.mark.requirement("WA-35")
@pytest.mark.parametrize(
    ("payee", "born", "digits", "says"),
    [
        ("patron,  pat", BORN, "", "name and birth date found"),
        ("Pat Patrón", BORN, "1234", "name and birth date found, the same ID"),
        ("Pat Patron", BORN, "9876", "name and birth date found, another ID"),
        ("Quinn Quill", "1971-05-06", "9876", "name and birth date found"),
        ("Pat Patron", "1980-02-28", "1234", "not found"),
        ("Pat Q Patron", BORN, "1234", "not found"),
    ],
)
def test_the_list_answers_about_one_payee_and_keeps_neither_date_nor_digits(
    house: House, payee: str, born: str, digits: str, says: str
) -> None:
    house.done("eve", "/api/v1/exclusions", {"people": f"Pat Patron,{BORN},1234\nQuinn Quill,1971-05-06,"})
    link = house.open(f"look{abs(hash((payee, born, digits))) % 10**9}")
    award = named(house, link, payee)
    path = f"/api/v1/payouts/{link}/{award}/steps"
    pay = f"/api/v1/links/{link}/awards/{award}/pay"
    refused = house.post("cara", pay, {"form": "check"})
    assert (refused.status_code, refused.json()["requirement"]) == (409, "WA-35")
    house.done("cara", f"{path}/exclusion", {"born": born, "digits": digits})
    done = steps(house, link, award)
    looked = done["exclusion"]
    assert looked is not None
    assert str(looked["note"]).startswith(f"{says} on the list of ")
    assert looked["by"] == "cara"
    assert ("match" in done) == looked["found"] == (says != "not found")
    if says != "not found":
        assert house.post("cara", pay, {"form": "check"}).json()["requirement"] == "WA-35"
        alone = house.post("cara", f"{path}/match", {"note": "another birth place"})
        assert (alone.status_code, alone.json()["requirement"]) == (409, "WA-35")
        house.done("sue", f"{path}/match", {"note": "another birth place"})
    house.done("cara", pay, {"form": "check"})
    with connect(house.dsn) as connection:
        for table in ("payout", "payout_step", "audit"):
            rows = str(connection.execute(f"SELECT * FROM books.{table} AS it").fetchall())
            assert born not in rows, table


@pytest.mark.requirement("WA-35", "WA-36", "WA-32")
def test_two_people_confiscate_and_the_regulator_is_told_in_time(house: House) -> None:
    link = house.open("confiscated")
    award = named(house, link, "Pat Patron")
    command = {"command": "confiscate", "link": link, "award": award, "reason": "state case 4711"}
    early = house.post("cara", "/api/v1/proposals", command)
    assert (early.status_code, early.json()["requirement"]) == (409, "WA-35")
    steps_path = f"/api/v1/payouts/{link}/{award}/steps"
    house.done("cara", f"{steps_path}/exclusion", {"note": "case 4711", "found": True})
    before = house.get("otto", f"/api/v1/links/{link}")["meters"]
    assert house.post("dana", "/api/v1/proposals", command).status_code == 403
    house.two("cara", "sue", **command)
    assert house.get("otto", f"/api/v1/links/{link}")["meters"] == before, "it left the meter when confirmed"
    view = house.get("cara", f"/cage/{link}/{award}")
    assert (view["award"]["status"], view["award"]["paid_by"]) == ("confiscated", "cara")
    assert (
        house.post("cara", f"/api/v1/links/{link}/awards/{award}/pay", {"form": "check"}).status_code == 409
    )
    reverse = {"command": "reverse", "link": link, "award": award, "adjustment": "R-1", "evidence": "x"}
    assert house.post("ann", "/api/v1/proposals", {**reverse, "reason": "x"}).status_code == 409
    amount = view["award"]["amount"]
    with connect(house.dsn) as connection:
        balances: dict[str, int] = dict(
            connection.execute(
                "SELECT account, amount FROM books.balance WHERE link = %s", (link,)
            ).fetchall()
        )
    assert balances[f"problem_gambling/{link}"] == amount
    assert f"payable/{link}/{award}" not in balances
    (row,) = (
        row for row in house.get("ann", "/api/v1/reports/confiscations")["rows"] if row["award"] == award
    )
    assert (row["amount"], row["by"], row["approved_by"]) == (amount, "cara", "sue")
    assert "Pat" not in str(row), "a match is recorded by reference"
    incident = house.get("ann", f"/api/v1/incidents/{row['incident']}")
    assert incident["notify_by"] is not None
    (sums,) = (
        row for row in house.get("ann", "/api/v1/reports/reconciliation")["rows"] if row["link"] == link
    )
    assert (sums["unexplained"], sums["difference"]) == (0, 0)
    assert house.get("otto", "/api/v1/reports/verdict")["sound"]


def test_a_site_without_a_key_keeps_no_list(server: EmbeddedPostgres) -> None:
    for house in serve(server, new_books(server, "web_no_list_key"), pin_key="none"):
        refused = house.post("eve", "/api/v1/exclusions", {"people": f"Pat Patron,{BORN},"})
        assert (refused.status_code, refused.json()["requirement"]) == (409, "WA-36")
