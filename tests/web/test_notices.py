"""Reviews of access and announced installations through HTTP: who, when, in time or overdue."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest

from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.support.books import new_books
from tests.web.conftest import serve
from tests.web.house import PEOPLE, House

TRIBAL = ('jurisdiction = "wa_cardroom"', 'jurisdiction = "wa_tribal"')
NEW_YORK = ('jurisdiction = "wa_cardroom"', 'jurisdiction = "new_york"')
QUARTER = timedelta(days=92)


NEEDED = tuple(person for person in PEOPLE if person.id in ("dana", "eve", "ann", "otto", "ivy"))


@pytest.fixture(scope="module")
def house(server: EmbeddedPostgres) -> Iterator[House]:
    yield from serve(server, new_books(server, "web_notices"), NEEDED)


def no(answer: Any, requirement: str, what: str) -> None:
    problem = answer.json()
    assert (answer.status_code, problem["requirement"]) == (409, requirement), problem
    assert what in problem["detail"]
    assert problem["remedy"]


def at(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _answers_for_everybody(house: House) -> None:
    everybody = {person.id: "keep" for person in NEEDED}
    refused = {
        "no answer for dana": {person: answer for person, answer in everybody.items() if person != "dana"},
        "not active: zoe": {**everybody, "zoe": "keep"},
        "no note for dana": {**everybody, "dana": "change"},
    }
    for what, answers in refused.items():
        refusal = house.post("ann", "/api/v1/access-reviews", {"says": "a review", "answers": answers})
        assert (refusal.status_code, refusal.json()["detail"]) == (409, what)
    complete_answers = {**everybody, "dana": "change"}
    review = {"says": "dana has left", "answers": complete_answers, "notes": {"dana": "take her badge"}}
    overview = house.done("ann", "/api/v1/access-reviews", review)
    assert overview["to_change"] == ["dana"]
    (dana,) = [person for person in overview["reviews"][0]["people"] if person["id"] == "dana"]
    assert (dana["answer"], dana["note"]) == ("change", "take her badge")
    _answers_for_machines(house, complete_answers, {"dana": "take her badge"})


def _answers_for_machines(house: House, answers: dict[str, str], notes: dict[str, str]) -> None:
    """A service account is reviewed like a person, and stays on the list until two people have changed it."""
    house.service_token("kiosk-1", "floor:read", "books:read")
    (machine,) = house.get("ann", "/api/v1/access-reviews")["service_accounts"]
    assert (machine["id"], machine["scopes"]) == ("kiosk-1", ["floor:read", "books:read"])
    review = {"says": "the kiosk reads too much", "answers": answers, "notes": notes}
    refusal = house.post("ann", "/api/v1/access-reviews", review)
    assert (refusal.status_code, refusal.json()["detail"]) == (409, "no answer for service:kiosk-1")
    changed = {"answers": {**answers, "service:kiosk-1": "change"}}
    changed["notes"] = {**notes, "service:kiosk-1": "the floor is enough"}
    overview = house.done("ann", "/api/v1/access-reviews", {**review, **changed})
    assert overview["to_change"] == ["dana", "service:kiosk-1"]
    page = house.of("ann").get("/access-reviews", headers={"Accept": "text/html"}).text
    assert "the floor is enough" in page
    assert 'name="answers.service:kiosk-1"' in page
    about = {"command": "manage_people", "service_account": "kiosk-1", "act": "change_service_account"}
    house.two("eve", "ivy", **about, scopes=["floor:read"], tables=[])
    assert house.get("ann", "/api/v1/access-reviews")["to_change"] == ["dana"]


@pytest.mark.requirement("TR-03")
def test_a_review_is_on_file_with_its_list_and_the_next_is_due_in_a_quarter(
    house: House, server: EmbeddedPostgres
) -> None:
    house.lay()
    assert house.get("otto", "/api/v1/access-reviews")["due_by"] is None, (
        "nothing is due where no rule asks for it"
    )
    house.lay(TRIBAL)
    before = house.get("otto", "/api/v1/access-reviews")
    assert (before["reviews"], before["overdue"]) == ([], False)
    first_due = at(before["due_by"])
    assert abs(first_due - datetime.now(tz=UTC) - QUARTER) < timedelta(hours=1), "since the first person came"
    with psycopg.connect(server.dsn("web_notices"), autocommit=True) as superuser:
        superuser.execute("UPDATE books.person SET registered_at = registered_at - interval '93 days'")
        assert house.get("otto", "/api/v1/access-reviews")["overdue"] is True
        answers = {person.id: "keep" for person in NEEDED}
        overview = house.done(
            "ann", "/api/v1/access-reviews", {"says": "everybody works here", "answers": answers}
        )
        (review,) = overview["reviews"]
        assert (review["reviewed_by"], review["says"]) == ("ann", "everybody works here")
        assert overview["overdue"] is False
        assert at(overview["due_by"]) == at(review["reviewed_at"]) + QUARTER
        assert {person["id"]: person["role"] for person in review["people"]} == {
            person.id: person.role for person in NEEDED
        }
        assert not any("hash" in key for person in review["people"] for key in person), "no secrets"
        with pytest.raises(psycopg.errors.RestrictViolation):
            superuser.execute("UPDATE books.access_review SET says = 'in time'")
        superuser.execute("ALTER TABLE books.access_review DISABLE TRIGGER USER")
        superuser.execute("UPDATE books.access_review SET reviewed_at = reviewed_at - interval '93 days'")
        superuser.execute("ALTER TABLE books.access_review ENABLE ALWAYS TRIGGER no_update_or_delete")
    assert house.get("otto", "/api/v1/access-reviews")["overdue"] is True, "each quarter again"
    (row,) = house.get("otto", "/api/v1/reports/access_reviews")["rows"]
    assert (row["reviewed_by"], row["users"]) == ("ann", len(NEEDED))
    lines = house.get("otto", "/api/v1/reports/audit_log")["rows"]
    assert any(line["what"] == "access reviewed" and line["who"] == "ann" for line in lines)
    _answers_for_everybody(house)


@pytest.mark.requirement("TR-03", "WA-30")
def test_who_gives_access_does_not_review_it(house: House) -> None:
    house.lay()
    for person in ("eve", "ivy", "dana", "otto"):
        answer = house.post(person, "/api/v1/access-reviews", {"says": "fine", "answers": {}})
        assert answer.status_code == 403, person
    assert house.of("dana").get("/api/v1/access-reviews").status_code == 403
    assert all(
        review["reviewed_by"] == "ann" for review in house.get("ivy", "/api/v1/access-reviews")["reviews"]
    )


@pytest.mark.requirement("GEN-20")
def test_an_installation_is_planned_with_seventy_two_hours_of_notice(house: House) -> None:
    house.lay(NEW_YORK)
    now = datetime.now(tz=UTC)
    plan = {"what": "release 1.2", "notice": "by letter"}

    def planned(begins: timedelta, notice: timedelta | None = None) -> Any:
        installation = {**plan, "begins_at": (now + begins).isoformat()}
        if notice is not None:
            installation["notified_at"] = (now + notice).isoformat()
        return house.post("ivy", "/api/v1/installations", installation)

    no(planned(timedelta(hours=71)), "GEN-20", "shorter than the 72 hours of New York 5321.8")
    no(planned(timedelta(hours=-1), timedelta(hours=-90)), "GEN-20", "the start time is in the past")
    no(planned(timedelta(hours=90), timedelta(hours=1)), "GEN-20", "the notice is dated in the future")
    no(planned(timedelta(days=9_999)), "GEN-20", "a date is more than ten years away")
    no(planned(timedelta(hours=1), timedelta(days=-9_999)), "GEN-20", "a date is more than ten years away")
    answer = planned(timedelta(hours=73))
    assert answer.status_code == 200, answer.text
    ahead = answer.json()
    assert (ahead["outcome"], ahead["planned_by"], ahead["notice"]) == (None, "ivy", "by letter")
    end = f"/api/v1/installations/{ahead['number']}/end"
    no(
        house.post("ivy", end, {"outcome": "done", "says": "early"}),
        "GEN-20",
        "the installation has not started yet",
    )
    house.done("eve", end, {"outcome": "cancelled", "says": "another week"})
    no(house.post("ivy", end, {"outcome": "cancelled", "says": "again"}), "GEN-20", "is cancelled")
    assert (
        house.post("ivy", "/api/v1/installations/99/end", {"outcome": "done", "says": "x"}).status_code == 409
    )
    assert house.of("dana").get("/api/v1/installations/99").status_code == 404
    assert (
        house.post("dana", "/api/v1/installations", {**plan, "begins_at": ahead["begins_at"]}).status_code
        == 403
    )


@pytest.mark.requirement("GEN-20")
def test_an_installation_that_was_announced_in_time_is_done_and_on_the_report(house: House) -> None:
    house.lay(NEW_YORK)
    now = datetime.now(tz=UTC)
    installation = {
        "what": "release 1.2",
        "notice": "by letter",
        "notified_at": (now - timedelta(hours=80)).isoformat(),
        "begins_at": (datetime.now(tz=UTC) + timedelta(seconds=5)).isoformat(),
    }
    number = house.done("ivy", "/api/v1/installations", installation)["number"]
    limit = time.monotonic() + 60
    body = {"outcome": "done", "says": "doctor found nothing"}
    while (answer := house.post("ivy", f"/api/v1/installations/{number}/end", body)).status_code != 200:
        no(answer, "GEN-20", "the installation has not started yet")
        assert time.monotonic() < limit
        time.sleep(0.2)
    assert answer.json()["ended_by"] == "ivy"
    assert number in [
        installation["number"] for installation in house.get("dana", "/api/v1/installations")["installations"]
    ]
    (row,) = [
        row for row in house.get("otto", "/api/v1/reports/installations")["rows"] if row["number"] == number
    ]
    assert (row["hours_of_notice"], row["outcome"], row["planned_by"]) == (80, "done", "ivy")


@pytest.mark.requirement("GEN-20")
def test_elsewhere_the_record_is_kept_without_a_bound(house: House) -> None:
    house.lay()
    begins = (datetime.now(tz=UTC) + timedelta(minutes=5)).isoformat()
    installation = house.done(
        "eve", "/api/v1/installations", {"what": "a patch", "notice": "none due", "begins_at": begins}
    )
    assert installation["outcome"] is None
