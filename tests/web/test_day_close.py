"""Closing a day through HTTP: what is missing is named, explained or done, and the sheet is signed."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from feltwork.site.books.audit.site_key import is_signed_by, make_site_key
from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.support.books import new_books
from tests.web.conftest import serve
from tests.web.house import House

NAME = "web_day_close"
WHY = "It is counted in the morning."


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("keys")
    make_site_key(folder)
    return folder


@pytest.fixture(scope="module")
def house(server: EmbeddedPostgres, keys: Path) -> Iterator[House]:
    for house in serve(server, new_books(server, NAME), site_key=keys):
        house.open("sheets")
        yield house


def missing(house: House) -> dict[str, list[dict[str, object]]]:
    items = house.get("ann", "/api/v1/days/TODAY")["items"]
    return {item["name"]: item["missing"] for item in items if item["missing"]}


def close(house: House, **explanations: str) -> dict[str, Any]:
    return house.done("ann", "/api/v1/days/TODAY/close", {"explanations": explanations})


@pytest.mark.requirement("WA-25", "WA-23")
def test_a_day_is_closed_with_a_signed_sheet_once_everything_is_done_or_explained(
    house: House, server: EmbeddedPostgres, keys: Path
) -> None:
    what_is_missing_is_named_with_its_place_and_goes_when_it_is_done(house)
    the_sheet_is_signed(house, keys)
    a_changed_sheet_is_found(house, server)
    a_day_is_closed_again_only_with_a_reason(house)
    a_day_with_a_faulty_entry_is_not_closed_whatever_the_explanation(house, server)


def what_is_missing_is_named_with_its_place_and_goes_when_it_is_done(house: House) -> None:
    house.start("sheets", "T9")
    award = house.claim("sheets", "T9")
    (claim,) = missing(house)["claims"]
    assert (claim["about"], claim["where"]) == (f"sheets, {award}", "/pit")
    assert house.confirm("sheets", award, "sam", "eve").status_code == 200
    assert "claims" not in missing(house)
    (unpaid,) = missing(house)["awards"]
    assert unpaid["amount"] == house.get("ann", f"/api/v1/links/sheets/awards/{award}")["amount"]
    house.record("sheets", award)
    house.done("cara", f"/api/v1/links/sheets/awards/{award}/pay", {"form": "cash"})
    house.end("sheets", "T9")
    (bank,) = missing(house)["bank"]
    assert (bank["about"], bank["where"]) == ("sheets", "/office/links/sheets/count")
    cap = {"command": "set_cap", "link": "sheets", "level": "jackpot", "cap": None, "reason": "a try"}
    proposal = house.done("ann", "/api/v1/proposals", cap)
    assert [entry["about"] for entry in missing(house)["proposals"]] == ["set_cap, sheets"]
    house.done("ann", f"/api/v1/proposals/{proposal['proposal']}/decline", {"reason": "not needed"})
    held = house.get("ann", "/api/v1/links/sheets")["player_funds"]
    house.done("ann", "/api/v1/links/sheets/count", {"bank_balance": held + 5_000_000})
    left = missing(house)
    assert set(left) == {"over", "reconciliation"}, "the day goes on, and the bank holds 5 dollars too much"
    assert [entry["amount"] for entry in left["reconciliation"]] == [5_000_000]


def the_sheet_is_signed(house: House, keys: Path) -> None:
    refused = house.post("ann", "/api/v1/days/TODAY/close", {"explanations": {"over": WHY}})
    problem = refused.json()
    assert (refused.status_code, problem["requirement"]) == (409, "WA-25"), problem
    assert "reconciliation" in problem["where"]
    assert house.get("otto", "/api/v1/days/TODAY")["sheets"] == []
    sheet = close(house, over=WHY, reconciliation="Chips of another table", claims="this one is done")
    content = json.loads(sheet["body"])
    items = {item["name"]: item["explanation"] for item in content["items"]}
    assert (items["reconciliation"], items["claims"]) == ("Chips of another table", "")
    assert content["links"]["sheets"]["number"] == house.get("ann", "/api/v1/links/sheets")["entry"]
    assert content["totals"]["awards_from_meter"] > 0
    public = (keys / "site.pub").read_text().split("\n")[1]
    assert is_signed_by(public, sheet["body"].encode(), sheet["signature"])
    assert not is_signed_by(public, sheet["body"].replace("Chips", "Cash").encode(), sheet["signature"])
    (row,) = house.get("otto", "/api/v1/reports/day_sheets")["rows"]
    assert (row["explained"], row["explanations"]["over"]) == (2, WHY)
    house.sound()
    printed = house.of("otto").get("/office/days/TODAY/sheet.pdf")
    assert printed.content.startswith(b"%PDF")


def a_changed_sheet_is_found(house: House, server: EmbeddedPostgres) -> None:
    with psycopg.connect(server.dsn(NAME), autocommit=True) as superuser:
        with pytest.raises(psycopg.errors.RestrictViolation):
            superuser.execute("UPDATE books.day_sheet SET body = '{}'")
        superuser.execute("ALTER TABLE books.day_sheet DISABLE TRIGGER USER")
        superuser.execute("UPDATE books.day_sheet SET body = replace(body, 'Chips', 'Cash')")
        problems = str(house.get("otto", "/api/v1/reports/verdict")["problems"])
        assert "day sheet 1" in problems
        assert "day_sheet 1" in problems, "the evidence chain names it as well"
        superuser.execute("UPDATE books.day_sheet SET body = replace(body, 'Cash', 'Chips')")
        superuser.execute("ALTER TABLE books.day_sheet ENABLE ALWAYS TRIGGER no_update_or_delete")
    house.sound()


def a_day_is_closed_again_only_with_a_reason(house: House) -> None:
    explanations = {"over": WHY, "reconciliation": "Chips of another table"}
    again = house.post("ann", "/api/v1/days/TODAY/close", {"explanations": explanations})
    assert (again.status_code, "sheet" in again.json()["where"]) == (409, True), again.text
    assert close(house, **explanations, sheet="A late award was paid")["number"] == 2


def a_day_with_a_faulty_entry_is_not_closed_whatever_the_explanation(
    house: House, server: EmbeddedPostgres
) -> None:
    explanations = {"over": WHY, "reconciliation": "Chips of another table", "sheet": "An entry was changed"}
    with psycopg.connect(server.dsn(NAME), autocommit=True) as superuser:
        superuser.execute("ALTER TABLE books.entry DISABLE TRIGGER USER")
        superuser.execute("UPDATE books.entry SET at = at + 1 WHERE link = 'sheets' AND number = 2")
        refused = house.post("ann", "/api/v1/days/TODAY/close", {"explanations": explanations})
        superuser.execute("UPDATE books.entry SET at = at - 1 WHERE link = 'sheets' AND number = 2")
        superuser.execute("ALTER TABLE books.entry ENABLE TRIGGER USER")
    assert refused.status_code == 409, refused.text
    assert len(house.get("otto", "/api/v1/reports/day_sheets")["rows"]) == 2


@pytest.mark.requirement("WA-30")
def test_who_does_not_keep_the_books_closes_no_day(house: House) -> None:
    for person in ("dana", "sam", "eve", "otto", "ivy"):
        assert house.post(person, "/api/v1/days/TODAY/close", {"explanations": {}}).status_code == 403, person
    assert house.of("dana").get("/api/v1/days/TODAY").status_code == 403
    assert house.post("ann", "/api/v1/days/2999-01-01/close", {}).status_code == 409
