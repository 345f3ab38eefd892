"""People through HTTP: added, changed and shut out by two people, and why each may do what they may."""

from typing import Any, get_args

import httpx
import pytest

from feltwork.site.books.connection import connect
from feltwork.site.books.two_person.people import RoleName
from feltwork.site.compliance.roles import COMMANDS, ROLES
from tests.web.house import PIN, House

#: What the office sets, and its owner replaces.
GRANTED = "820714"


def manage(house: House, act: str, person: str, by: str = "ivy", second: str = "eve", **more: Any) -> Any:
    reply = house.two(by, second, command="manage_people", act=act, person=person, **more)
    return reply["booked"]


def sign_in(house: House, badge: str, pin: str = "4711") -> httpx.Response:
    return httpx.post(f"{house.url}/api/v1/sign-in", json={"badge": badge, "pin": pin}, timeout=60)


def hire(house: House, person: str, role: str = "dealer", pin: str = "4711") -> str:
    manage(house, "add", person, name=person.title(), role=role, badge=f"B-{person}")
    granted = manage(house, "grant_secret", person, what="PIN")
    house.done(
        "eve", f"/api/v1/people/B-{person}/secret", {"enrollment": granted["enrollment"], "secret": GRANTED}
    )
    first = {"badge": f"B-{person}", "pin": GRANTED, "new_pin": pin}
    assert house.nobody.post("/api/v1/sign-in", json=first).status_code == 200
    return f"B-{person}"


@pytest.mark.requirement("TR-03", "GL-10")
def test_somebody_comes_changes_badge_and_role_and_leaves(house: House) -> None:
    badge = hire(house, "gus")
    first = sign_in(house, badge)
    assert (first.status_code, first.json()["role"]) == (200, "dealer")
    assert manage(house, "give_badge", "gus", badge="B-new")["badge"] == "B-new"
    assert sign_in(house, badge).status_code == 401, "the old badge is worth nothing"
    headers = {"Authorization": f"Bearer {first.json()['token']}"}
    assert house.nobody.get("/api/v1/me", headers=headers).status_code == 401, "and its sessions are over"
    assert manage(house, "give_role", "gus", role="supervisor")["role"] == "supervisor"
    assert "confirm" in sign_in(house, "B-new").json()["may"]
    manage(house, "take_role", "gus")
    nothing = sign_in(house, "B-new").json()
    assert (nothing["role"], nothing["may"]) == ("", [])
    assert manage(house, "shut_out", "gus")["active"] is False
    assert sign_in(house, "B-new").status_code == 401
    assert manage(house, "let_in", "gus")["active"] is True
    assert sign_in(house, "B-new").status_code == 200
    people_by_id = {person["id"]: person for person in house.get("otto", "/api/v1/people")["people"]}
    assert people_by_id["gus"]["badge"] == "B-new"
    assert house.get("ivy", "/api/v1/people/B-new")["has_pin"] is True
    log = house.get("otto", "/api/v1/reports/audit_log")["rows"]
    changes = [row["what"] for row in log if (row["after"] or {}).get("id") == "gus"]
    assert changes[:3] == ["person added", "enrollment granted", "new PIN"]


@pytest.mark.requirement("GL-10", "TR-03")
def test_secrets_are_in_no_proposal_and_an_approval_sets_one_secret_once(house: House) -> None:
    badge = hire(house, "hal", pin="9021")
    with connect(house.dsn) as connection:
        for table in ("proposal", "idempotency", "audit", "enrollment", "enrollment_use"):
            rows = connection.execute(f"SELECT {table}::text FROM books.{table}".encode()).fetchall()
            assert rows
            assert not [row for row in rows if GRANTED in row[0]], table
    granted = manage(house, "grant_secret", "hal", what="PIN")
    typed = {"enrollment": granted["enrollment"], "secret": "1243"}
    for other in ("emil", "ivy"):
        refused = house.post(other, f"/api/v1/people/{badge}/secret", typed)
        assert (refused.status_code, refused.json()["remedy"]) == (409, "ask eve")
    for wrong in ("12", "abcd", "1234567890123", "١٢٣٤"):
        refused = house.post("eve", f"/api/v1/people/{badge}/secret", {**typed, "secret": wrong})
        assert (refused.status_code, refused.json()["requirement"]) == (409, "GL-10")
    assert house.post("eve", "/api/v1/people/B-sam/secret", typed).status_code == 409, (
        "it is for one person only"
    )
    house.done("eve", f"/api/v1/people/{badge}/secret", typed)
    assert sign_in(house, badge, "9021").status_code == 401
    again = house.post("eve", f"/api/v1/people/{badge}/secret", {**typed, "secret": "9999"})
    assert again.status_code == 409
    first = {"badge": badge, "pin": "1243", "new_pin": "4713"}
    assert house.nobody.post("/api/v1/sign-in", json=first).status_code == 200
    word = manage(house, "grant_secret", "hal", what="password")
    short = house.post(
        "eve", f"/api/v1/people/{badge}/secret", {"enrollment": word["enrollment"], "secret": "short"}
    )
    assert "at least 12" in short.json()["remedy"]


@pytest.mark.requirement("WA-30", "TR-03")
def test_nobody_has_a_say_in_their_own_role_and_ids_and_badges_are_one_persons(house: House) -> None:
    for by, second in (("emil", "ivy"), ("ivy", "emil")):
        body = {"command": "manage_people", "act": "give_role", "person": "emil", "role": "cage"}
        proposal = house.done(by, "/api/v1/proposals", {**body, "reason": "a new job"})
        approval = {"fingerprint": proposal["fingerprint"]}
        refused = house.post(second, f"/api/v1/proposals/{proposal['proposal']}/approve", approval)
        assert (refused.status_code, refused.json()["requirement"]) == (409, "WA-30")
    add = {"command": "manage_people", "act": "add", "name": "X", "role": "cage", "reason": "new"}
    for duplicate in ({"person": "dana", "badge": "B-free"}, {"person": "free", "badge": "B-dana"}):
        refused = house.post("eve", "/api/v1/proposals", {**add, **duplicate})
        assert (refused.status_code, refused.json()["requirement"]) == (409, "TR-03")
    stranger = {"command": "manage_people", "act": "shut_out", "person": "nobody", "reason": "left"}
    assert house.post("eve", "/api/v1/proposals", stranger).status_code == 409
    assert house.of("eve").get("/api/v1/people/B-nobody").status_code == 404


@pytest.mark.requirement("GL-10")
def test_a_pin_that_the_office_set_opens_nothing_until_its_owner_has_replaced_it(house: House) -> None:
    manage(house, "add", "kai", name="Kai", role="supervisor", badge="B-kai")
    granted = manage(house, "grant_secret", "kai", what="PIN")
    house.done("eve", "/api/v1/people/B-kai/secret", {"enrollment": granted["enrollment"], "secret": "8207"})
    refused = sign_in(house, "B-kai", "8207")
    assert (refused.status_code, refused.json()["rule"]) == (401, "granted-pin")
    link = house.open("granted")
    house.start(link, "A1")
    award = house.claim(link, "A1")
    credentials = {"badge": "B-kai", "pin": "8207"}
    alone = house.post("sam", f"/api/v1/links/{link}/awards/{award}/badge", credentials)
    assert (alone.status_code, alone.json()["rule"]) == (401, "granted-pin")
    for new, what in (
        ("8207", "the old PIN"),
        ("1234", "easily guessed"),
        ("82071", "keypads do not accept"),
    ):
        wrong = house.nobody.post("/api/v1/sign-in", json={**credentials, "new_pin": new})
        assert (wrong.status_code, what in wrong.json()["detail"]) == (409, True), wrong.text
    guessed = house.nobody.post("/api/v1/sign-in", json={**credentials, "pin": "8208", "new_pin": "9406"})
    assert guessed.json()["rule"] == "badge-and-secret"
    assert house.nobody.post("/api/v1/sign-in", json={**credentials, "new_pin": "9406"}).status_code == 200
    assert sign_in(house, "B-kai", "8207").status_code == 401
    assert sign_in(house, "B-kai", "9406").status_code == 200
    house.post(
        "sam",
        f"/api/v1/links/{link}/awards/{award}/void",
        {"reason": "wrong seat", "shown": {**credentials, "pin": "9406"}},
    )


@pytest.mark.requirement("TR-03")
def test_two_people_of_one_department_give_nobody_a_role(house: House) -> None:
    body = {"command": "manage_people", "act": "give_role", "person": "dana", "role": "executive"}
    proposal = house.done("emil", "/api/v1/proposals", {**body, "reason": "a friend"})
    refused = house.post(
        "eve", f"/api/v1/proposals/{proposal['proposal']}/approve", {"fingerprint": proposal["fingerprint"]}
    )
    assert (refused.status_code, refused.json()["detail"]) == (403, "both people are in the same department")


@pytest.mark.requirement("WA-30")
def test_the_service_says_why_somebody_may_or_may_not(house: House) -> None:
    assert get_args(RoleName) == tuple(ROLES)

    def why(badge: str, command: str, **about: str) -> dict[str, Any]:
        words = "&".join(f"{name}={value}" for name, value in {"command": command, **about}.items())
        (answer,) = house.get("dana", f"/api/v1/people/{badge}/may?{words}")["answers"]
        verdict: dict[str, Any] = answer
        return verdict

    everything = house.get("dana", "/api/v1/people/B-dana/may")["answers"]
    assert {answer["command"] for answer in everything if answer["allowed"]} == set(ROLES["dealer"].may)
    assert len(everything) == len(COMMANDS)
    no = why("B-dana", "confirm")
    assert (no["allowed"], no["rule"], no["remedy"]) == (False, "roles", "ask a supervisor or an executive")
    assert why("B-vic", "adjust")["rule"] == "read-only"
    two = why("B-ann", "adjust")
    assert (two["allowed"], two["needs_second_person"], two["may_approve"]) == (False, True, True)
    link = house.open("why")
    house.start(link, "A1")
    award = house.claim(link, "A1")
    assert house.confirm(link, award, "sam", "eve").status_code == 200
    hire(house, "ida", "accounting")
    manage(house, "give_role", "sam", role="accounting")
    did = why("B-sam", "reverse", link=link, award=award)
    assert (did["rule"], did["may_approve"]) == ("win-and-its-correction", False)
    assert why("B-ida", "reverse", link=link, award=award)["needs_second_person"]
    manage(house, "give_role", "sam", role="supervisor")
    manage(house, "shut_out", "ida")
    assert why("B-ida", "adjust")["rule"] == "shut-out"
    assert house.of("dana").get("/api/v1/people/B-dana/may?command=fly").status_code == 404
    assert house.of("dana").get(f"/api/v1/people/B-dana/may?link={link}&award=none").status_code == 404
    assert sign_in(house, "B-sam", PIN).status_code == 200
