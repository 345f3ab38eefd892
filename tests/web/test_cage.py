"""The cage over HTTP: the list and its search, who may pay, and slips on real printer devices."""

import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from zoneinfo import ZoneInfo

import httpx
import pytest
from escpos.printer import Dummy, File
from psycopg.errors import InsufficientPrivilege

from feltwork.money import DOLLAR
from feltwork.site.books.awards import cage
from feltwork.site.books.connection import connect
from feltwork.site.books.context import Actor, Operation, Policy
from feltwork.site.servers.postgres import EmbeddedPostgres
from feltwork.site.web.rendering import slip_printer
from tests.support.books import new_books
from tests.web.conftest import serve
from tests.web.house import PIN, House

ADDRESS = "http://localhost:8017/awards/A-1/win-page"

#: The identity in the record of a win that is paid in chips at the table.
NOBODY = {"documents": 0, "photo": False, "taxpayer_number": False, "excepted": False, "foreign": False}


@pytest.fixture(scope="module")
def house(server: EmbeddedPostgres, slips: Path) -> Iterator[House]:
    books = new_books(server, "web_cage")
    yield from serve(server, books, payout_record="required", slip_printer=f"file:{slips}")


def confirmed(house: House, link: str, table: str) -> str:
    house.start(link, table)
    award = house.claim(link, table)
    assert house.confirm(link, award, "sam", "eve").status_code == 200
    house.end(link, table)
    return award


def paid(house: House, link: str, table: str) -> str:
    award = confirmed(house, link, table)
    house.record(link, award)
    house.done("cara", f"/api/v1/links/{link}/awards/{award}/pay", {"form": "check"})
    return award


def found(house: House, search: str = "") -> tuple[list[str], list[str]]:
    cage = house.of("cara").get("/cage", params={"q": search}).json()
    return [award["id"] for award in cage["to_pay"]], [award["id"] for award in cage["paid"]]


@pytest.mark.requirement("WA-24")
def test_the_award_that_waits_longest_is_first_and_a_claim_is_not_there(house: House) -> None:
    link = house.open("order")
    first, second = (confirmed(house, link, table) for table in ("A1", "D1"))
    last, before = paid(house, link, "K1"), first
    house.start(link, "H1")
    claim = house.claim(link, "H1")
    waiting = [award for award in found(house)[0] if award in (first, second, claim)]
    assert waiting == [first, second]
    house.record(link, first)
    house.done("cara", f"/api/v1/links/{link}/awards/{first}/pay", {"form": "check"})
    to_pay, payments = found(house)
    assert before not in to_pay
    assert payments[:2] == [first, last], "the last payment is first"
    assert house.of("cara").get(f"/cage/{link}/{claim}").status_code == 404


def test_a_search_finds_slip_table_payee_and_the_beginning_of_an_amount(house: House) -> None:
    link = house.open("search")
    award = paid(house, link, "M1")
    for search in (
        award,
        "m1",
        "PAT pat",
        " Pat Patron ",
        "$10,000",
        "10000.",
        ADDRESS.replace("A-1", award),
    ):
        assert award in found(house, search)[1], search
    for search in ("Quinn", "0000", "$1,1", "Z9", ADDRESS):
        assert award not in found(house, search)[1], search


@pytest.mark.requirement("WA-30")
def test_who_confirmed_may_not_pay_and_is_told_so_before(house: House) -> None:
    link = house.open("separate")
    award = confirmed(house, link, "O1")
    for person in ("sam", "eve"):
        refusal = house.get(person, f"/cage/{link}/{award}")["refusal"]
        assert (refusal["requirement"], refusal["remedy"]) == ("WA-30", "ask someone else to pay it")
    view = house.get("cara", f"/cage/{link}/{award}")
    assert view["refusal"] is None
    assert view["missing"]["what"] == "this award has no payout record"
    house.record(link, award)
    assert house.get("sue", f"/cage/{link}/{award}")["missing"] is None
    refused = house.post("sam", f"/api/v1/links/{link}/awards/{award}/pay", {"form": "check"})
    assert (refused.status_code, refused.json()["requirement"]) == (409, "WA-30")


@pytest.mark.requirement("WA-24", "LT-03")
def test_no_record_is_written_before_the_amount_has_left_the_meter(house: House) -> None:
    link = house.open("key", lock_at="run")
    house.start(link, "P1")
    award = house.claim(link, "P1")
    house.done("sam", f"/api/v1/links/{link}/tables/P1/key", {"to": "JPH"})
    assert house.confirm(link, award, "sam", "eve").status_code == 200
    assert award not in found(house)[0]
    identity = {"documents": 2, "photo": True, "taxpayer_number": True}
    written = {
        "payee": "Pat Patron",
        "cards": "As Ah Ad Ac 2c",
        "identity": identity,
        "address": "1 Main St, Olympia WA 98501",
        "taxpayer": "900-00-1234",
    }
    refused = house.post("cara", f"/api/v1/payouts/{link}/{award}", written)
    assert (refused.status_code, refused.json()["requirement"]) == (409, "LT-03")
    house.done("sam", f"/api/v1/links/{link}/tables/P1/key", {"to": "RUN"})
    assert award in found(house)[0]
    assert house.done("cara", f"/api/v1/payouts/{link}/{award}", written)["withheld"] > 0


@pytest.mark.requirement("LT-15")
def test_a_slip_is_printed_to_a_file_once_for_each_key_and_is_in_the_audit_log(
    house: House, slips: Path
) -> None:
    link = house.open("slip")
    award = paid(house, link, "Q1")
    path, key = f"/api/v1/payouts/{link}/{award}/slip", house.key()
    slips.write_bytes(b"")
    assert house.post("cara", path, key=key).json() == {"link": link, "award": award, "status": "paid"}
    printed = slips.read_bytes()
    text = printed.decode("ascii", "ignore")
    for fact in (
        "Test Room",
        "JACKPOT SLIP",
        award,
        "Pat Patron",
        "Four Aces",
        "Sam, Eve",
        "check",
        "Cara",
        "Dana",
        "Gross",
        "Net",
        "Entry",
    ):
        assert fact in text, fact
    assert house.post("cara", path, key=key).headers["Idempotent-Replay"] == "true"
    assert slips.read_bytes() == printed, "a retry is not printed again"
    assert house.post("cara", path).status_code == 200
    with connect(house.dsn) as connection:
        what = path.removeprefix("/api/v1")
        lines = connection.execute("SELECT who FROM books.audit WHERE what = %s", (what,)).fetchall()
    assert lines == [("cara",), ("cara",)]


@pytest.mark.requirement("LT-15")
def test_a_slip_on_a_device_has_every_line_within_the_paper(house: House, tmp_path: Path) -> None:
    link = house.open("dummy")
    award = paid(house, link, "R1")
    actor = Actor(id="cara", name="Cara", role="cage", place="cage")
    with connect(house.dsn) as connection:
        slip = cage.payout_at_cage(
            Operation(connection=connection, actor=actor, policy=Policy()), link, award
        )
    printer, file = Dummy(), File(str(tmp_path / "slip"))
    file.open()
    for device in (printer, file):
        slip_printer.write_slip(device, slip, site="Test Room", address=ADDRESS, zone=ZoneInfo("UTC"))
    file.close()
    assert (tmp_path / "slip").read_bytes() == printer.output
    assert ADDRESS.encode() in printer.output, "the code leads to the award"
    assert printer.output.endswith(b"\x1dV\x00"), "it is cut"
    lines = [slip_printer.line(*fact) for fact in slip_printer.slip_lines(slip, ZoneInfo("UTC"))]
    assert all(len(part) <= 32 for line in lines for part in line.splitlines())
    assert slip_printer.line("Payee", "x" * 30) == "Payee\n" + "  " + "x" * 30


def test_a_slip_goes_to_a_printer_in_the_network(server: EmbeddedPostgres) -> None:
    received = bytearray()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]

        def receive() -> None:
            connection, _ = listener.accept()
            with connection:
                while part := connection.recv(4096):
                    received.extend(part)

        thread = threading.Thread(target=receive)
        thread.start()
        books = new_books(server, "web_printer")
        for house in serve(server, books, payout_record="required", slip_printer=f"127.0.0.1:{port}"):
            link = house.open("network")
            award = paid(house, link, "S1")
            path = f"/api/v1/payouts/{link}/{award}/slip"
            assert house.post("cara", path).status_code == 200
            thread.join(20)
            assert b"Pat Patron" in received
            listener.close()
            refused = house.post("cara", path)
            assert (refused.status_code, refused.json()["detail"]) == (
                409,
                "The slip printer doesn't respond.",
            )


def test_without_a_printer_the_cage_offers_the_pdf(server: EmbeddedPostgres) -> None:
    for house in serve(server, new_books(server, "web_no_printer")):
        link = house.open("none")
        award = paid(house, link, "V1")
        assert house.get("cara", f"/cage/{link}/{award}")["slip_printer"] is False
        refused = house.post("cara", f"/api/v1/payouts/{link}/{award}/slip")
        assert refused.status_code == 409
        assert refused.json()["remedy"] == "Set FELTWORK_SLIP_PRINTER, or print the PDF."


def test_a_drawer_is_closed_with_the_cash_that_its_cashier_paid(house: House) -> None:
    link = house.post_jackpot("drawer", 4_000)

    def count(dollars: int) -> dict[str, object]:
        return house.done("cara", "/api/v1/drawer/counts", {"counted": dollars * DOLLAR})

    def pay(person: str, form: str) -> int:
        award = confirmed(house, link, "W1")
        house.record(link, award)
        house.done(person, f"/api/v1/links/{link}/awards/{award}/pay", {"form": form})
        withheld: int = house.get("cara", f"/api/v1/payouts/{link}/{award}")["withheld"]
        return 4_000 * DOLLAR - withheld

    pay("cara", "cash")
    opened = count(20_000)
    blind = {"is_open": True, "opening": 20_000 * DOLLAR}
    hidden = dict.fromkeys(("paid", "expected", "counted", "difference"))
    assert opened == {**blind, **hidden}
    cash_paid = pay("cara", "cash")
    pay("cara", "check")
    pay("sue", "cash")
    assert house.get("cara", "/cage")["drawer"] == {**blind, **hidden}, "counted blind"
    closed = count(15_990)
    assert closed == {
        "is_open": False,
        "opening": 20_000 * DOLLAR,
        "paid": cash_paid,
        "expected": 20_000 * DOLLAR - cash_paid,
        "counted": 15_990 * DOLLAR,
        "difference": cash_paid - 4_010 * DOLLAR,
    }
    assert count(500)["is_open"]
    assert house.get("sue", "/cage")["drawer"] is None
    kinds = {row["kind"] for row in house.get("otto", "/api/v1/reports/record_retention")["rows"]}
    assert "drawer count" in kinds
    with connect(house.dsn) as connection, pytest.raises(InsufficientPrivilege):
        connection.execute("UPDATE books.drawer_count SET counted = 0")


@pytest.mark.requirement("WA-24", "TX-04")
def test_before_the_record_the_cage_sees_the_tax_with_and_without_a_taxpayer_number(house: House) -> None:
    link = house.post_jackpot("tax-before", 3_000)
    house.start(link, "Q1")
    award = house.claim(link, "Q1")
    assert house.confirm(link, award, "sam", "eve").status_code == 200
    house.end(link, "Q1")
    before = house.get("cara", f"/cage/{link}/{award}")
    assert (before["withheld"], before["withheld_without_number"]) == (0, 719_760_000)  # 24% of $2,999
    assert [flag["name"] for flag in before["flags"]] == ["tax_form"], "documents are assumed to be shown"
    identity = {"documents": 2, "photo": True, "taxpayer_number": False}
    record = {
        "payee": "Pat Patron",
        "cards": "As Ah Ad Ac 2c",
        "identity": identity,
        "address": "1 Main St, Olympia WA 98501",
        "taxpayer": "900-00-1234",
    }
    written = house.done("cara", f"/api/v1/payouts/{link}/{award}", record)
    assert written["withheld"] == before["withheld_without_number"]


def _confirm_and_pay(house: House, link: str, table: str, *people: str) -> httpx.Response:
    badges = [{"badge": f"B-{person}", "pin": PIN} for person in people]
    house.start(link, table)
    award = house.claim(link, table)
    amount = house.get("dana", f"/api/v1/links/{link}/awards/{award}")["amount"]
    body = {"badges": badges, "amount": amount, "pay": "chips"}
    return house.post("dana", f"/api/v1/links/{link}/awards/{award}/confirm", body)


@pytest.mark.requirement("WA-24", "TX-04")
def test_a_small_win_is_paid_in_chips_when_it_is_confirmed_and_one_with_a_checklist_is_not(
    house: House,
) -> None:
    small = house.post_jackpot("small", 499)
    response = _confirm_and_pay(house, small, "R1", "sam")
    assert response.status_code == 200, response.text
    assert [fact["kind"] for fact in response.json()["facts"]] == ["Confirmed", "Paid"]
    (paid_award,) = (row for row in house.of("cara").get("/cage").json()["paid"] if row["link"] == small)
    people = (paid_award["paid_by"], paid_award["supervisor"])
    assert (paid_award["form"], people) == ("chips", ("dana", "sam")), (
        "the dealer pays, the supervisor sees it"
    )
    with connect(house.dsn) as connection:
        (record,) = connection.execute(
            "SELECT identity FROM books.payout WHERE link = %s", (small,)
        ).fetchall()
    assert record == (NOBODY,), "nobody was asked"
    larger = house.post_jackpot("larger", 900)
    response = _confirm_and_pay(house, larger, "S1", "sam")
    assert (response.status_code, response.json()["requirement"]) == (409, "WA-24"), response.text
    (award,) = house.get("dana", f"/api/v1/links/{larger}/awards")["awards"]
    assert (award["status"], award["supervisor"]) == ("claimed", ""), "nothing was booked"
