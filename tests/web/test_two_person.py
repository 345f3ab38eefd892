"""Two-person commands: with security keys required, none is given without one at any entry point."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from feltwork.cli.run.serve import apply_file
from feltwork.site.books.connection import connect
from feltwork.site.books.context import Actor, Operation, Policy
from feltwork.site.books.errors import RefusedError
from feltwork.site.books.links import lifecycle
from feltwork.site.books.people import proposals as proposals_of_people
from feltwork.site.books.people import waiting_proposals as proposals
from feltwork.site.books.two_person import REGISTRY, parse_command
from feltwork.site.compliance import roles
from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.books.room import pay
from tests.progressive.room import asked
from tests.support.books import new_books
from tests.web.conftest import serve
from tests.web.house import PEOPLE, PIN, House

CARD_ROOM = Path(__file__).parents[2] / "examples" / "card_room.toml"
EXAMPLES: list[dict[str, Any]] = [TypeAdapter(command).json_schema()["examples"][0] for command in REGISTRY]


@pytest.fixture(scope="module")
def strict(server: EmbeddedPostgres) -> Iterator[House]:
    yield from serve(server, new_books(server, "web_two_person"), security_key="required")


def person_with(*able: str) -> str:
    return next(person.id for person in PEOPLE if person.role in able)


def test_every_two_person_command_of_the_roles_is_in_the_registry() -> None:
    known = {name for name, rule in roles.COMMANDS.items() if rule.two_people}
    assert {example["command"] for example in EXAMPLES} == known
    assert [name for name in known if not roles.COMMANDS[name].office] == []


@pytest.mark.requirement("GL-10", "GEN-19")
def test_with_security_keys_required_each_is_refused_without_one(strict: House) -> None:
    for number, example in enumerate(EXAMPLES):
        name = example["command"]
        proposer = person_with(*roles.granting(tuple(roles.ROLES), name))
        refused = strict.post(proposer, "/api/v1/proposals", example)
        assert (refused.status_code, refused.json()["rule"]) == (403, "security-key"), (example, refused.text)
        command = parse_command(example)
        # Somebody with a security key has proposed it.
        wish = proposals.command_of(f"P-{number}", name, command.about, example)
        with connect(strict.dsn) as connection:
            fingerprint = proposals.propose(
                connection, wish, proposal=f"P-{number}", by=proposer, seconds=600
            )
        able = roles.approving(tuple(roles.ROLES), name)
        approver = next(person.id for person in PEOPLE if person.role in able and person.id != proposer)
        refused = strict.post(approver, f"/api/v1/proposals/P-{number}/approve", {"fingerprint": fingerprint})
        assert (refused.status_code, refused.json()["rule"]) == (403, "security-key"), (example, refused.text)


@pytest.mark.requirement("LT-04", "WA-30", "GL-10")
def test_a_supervisor_who_had_no_part_in_a_win_requests_its_reversal_and_accounting_approves(
    strict: House,
) -> None:
    strict.register("asked")
    with connect(strict.dsn) as connection:
        lifecycle.open_link(connection, "asked", asked())
    strict.start("asked", "A1")
    award = strict.claim("asked", "A1")
    assert strict.confirm("asked", award, "sam", "eve").status_code == 200
    body = {"command": "reverse", "link": "asked", "award": award, "adjustment": f"REV-{award}"}
    body |= {"evidence": "camera 12", "reason": "the deck was short"}
    refused = strict.post("sam", "/api/v1/proposals", body)
    assert (refused.status_code, refused.json()["rule"]) == (403, "win-and-its-correction")
    assert strict.post("dana", "/api/v1/proposals", body).json()["rule"] == "roles"
    proposal = strict.done("sue", "/api/v1/proposals", body)
    approval = {"fingerprint": proposal["fingerprint"]}
    approve = f"/api/v1/proposals/{proposal['proposal']}/approve"
    for supervisor in ("sue", "sam"):
        assert strict.post(supervisor, approve, approval).json()["rule"] == "two-people", (
            "it is for accounting"
        )
    # The security key is that of the person who approves.
    assert strict.post("ann", approve, approval).json()["rule"] == "security-key"
    with connect(strict.dsn) as connection:
        ann = Actor(id="ann", name="Ann", role="accounting", place="office", keyed=True)
        by = Operation(connection=connection, actor=ann, policy=Policy(), key="approve-it")
        proposals_of_people.approve(by, proposal["proposal"], proposals_of_people.Approve(**approval))
    assert strict.get("sue", f"/api/v1/links/asked/awards/{award}")["status"] == "reversed"


@pytest.mark.requirement("LT-04", "GEN-19")
def test_a_payment_waits_for_a_proposed_reversal_and_both_sides_see_why(house: House) -> None:
    link = house.open("contested")
    house.start(link, "P1")
    award = house.claim(link, "P1")
    assert house.confirm(link, award, "sam", "eve").status_code == 200
    house.record(link, award)
    body = {"command": "reverse", "link": link, "award": award, "adjustment": "REV-1"}
    body |= {"evidence": "camera 12", "reason": "the deck was short"}
    proposal = house.done("ann", "/api/v1/proposals", body)["proposal"]
    for page in ("/pit", "/office/proposals"):
        (waits,) = (one for one in house.get("bob", page)["proposals"] if one["proposal"] == proposal)
        assert waits.get("status", waits.get("body", {}).get("proposed_for")) == "confirmed"
    path = f"/api/v1/links/{link}/awards/{award}/pay"
    refused = house.post("cara", path, {"form": "check"})
    assert (refused.status_code, refused.json()["requirement"]) == (409, "LT-04")
    assert re.fullmatch(
        r"Ann proposed its reversal at \d+:\d\d [AP]M, and nobody has answered yet", refused.json()["detail"]
    )
    assert "accounting" in refused.json()["remedy"]
    # What is booked past the screen does not make the proposal one about a paid award.
    with connect(house.dsn) as connection:
        pay(connection, link, award)
    approve = f"/api/v1/proposals/{proposal}/approve"
    stale = house.post("bob", approve, {"fingerprint": waits["fingerprint"]})
    assert (stale.status_code, stale.json()["requirement"]) == (409, "GEN-19")
    assert stale.json()["detail"] == "it was confirmed when this was proposed, and is now paid"
    house.done("bob", f"/api/v1/proposals/{proposal}/decline", {"reason": "it is paid"})
    again = house.two("ann", "bob", **{**body, "adjustment": "REV-2"})
    assert again["booked"]["facts"][0]["was_paid"] is True


@pytest.mark.requirement("GEN-19")
def test_no_approval_covers_what_has_changed_since_the_proposal(house: House) -> None:
    def propose(command: str, by: str = "ann", **terms: Any) -> tuple[str, dict[str, Any]]:
        body = {"command": command, "reason": "as agreed", **terms}
        proposal = house.done(by, "/api/v1/proposals", body)
        return f"/api/v1/proposals/{proposal['proposal']}/approve", {"fingerprint": proposal["fingerprint"]}

    link = house.open("moving")
    stop, stopped = f"/api/v1/links/{link}/stop", {"cause": "suspended", "reason": "a leak"}
    house.done("sam", stop, stopped)
    resume = propose("resume", "sam", link=link)
    house.two("sam", "eve", command="resume", link=link)
    house.done("sam", stop, stopped)
    floor = propose("reconfigure", floor="site = 'Another'")
    house.lay()
    person = {"command": "manage_people", "person": "vic"}
    let_in = propose("manage_people", "eve", act="let_in", person="vic")
    secret = propose("manage_people", "eve", act="grant_secret", what="PIN", person="vic")
    house.two("eve", "ivy", **person, act="shut_out")
    house.two("eve", "ivy", **person, act="give_role", role="supervisor")
    account = {"service_account": "stale"}
    house.service_token("stale", "floor:read")
    token = propose("manage_people", "eve", act="grant_token", days=9, **account)
    wider = {"act": "change_service_account", "scopes": ["floor:read", "books:read"]}
    house.two("eve", "ivy", command="manage_people", **account, **wider)
    for second, (path, approval), now in (
        ("eve", resume, "it was suspended since .* when .*, and is now suspended since .*"),
        ("eve", floor, r"it was floor \d+ when .*, and is now floor \d+"),
        ("ivy", let_in, "it was shut out since the start when .*, and is now shut out since 20.*"),
        ("ivy", secret, "it was surveillance when .*, and is now supervisor"),
        ("ivy", token, "it was floor:read at all tables when .*, and is now .*books:read at all tables"),
    ):
        refused = house.post(second, path, approval)
        assert (refused.status_code, refused.json()["requirement"]) == (409, "GEN-19"), (now, refused.text)
        assert re.fullmatch(now, refused.json()["detail"])
    house.two("eve", "ivy", **person, act="give_role", role="surveillance")
    house.two("eve", "ivy", **person, act="let_in")


@pytest.mark.requirement("GL-10", "GEN-19")
def test_the_command_line_applies_a_floor_by_the_same_rules(
    strict: House, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for person in ("ANN", "BOB", "EVE"):
        monkeypatch.setenv(f"FELTWORK_PIN_B_{person}", PIN)

    def apply(approver: str) -> None:
        apply_file(CARD_ROOM, strict.dsn, "B-ann", f"B-{approver}")

    waiting = strict.get("otto", "/api/v1/proposals")
    with pytest.raises(RefusedError) as refused:
        apply("eve")
    assert refused.value.refusal.rule == "security-key"
    assert "office" in refused.value.refusal.remedy
    monkeypatch.setenv("FELTWORK_SECURITY_KEY", "offered")
    with pytest.raises(RefusedError, match="both people are in the same department"):
        apply("bob")
    assert strict.get("otto", "/api/v1/proposals") == waiting, "what is refused waits for nobody"
    apply("eve")
    assert "planned: " in capsys.readouterr().out
    assert strict.get("otto", "/api/v1/floors")["floors"][0]["approved_by"] == "eve"


def test_the_pit_takes_back_ones_own_request(house: House) -> None:
    link = house.open("taken-back")
    house.done("sam", f"/api/v1/links/{link}/stop", {"cause": "suspended", "reason": "a spilled drink"})
    proposal = house.done(
        "sam", "/api/v1/proposals", {"command": "resume", "link": link, "reason": "dry again"}
    )
    html = {"Accept": "text/html"}
    path = f"/api/v1/proposals/{proposal['proposal']}"
    withdraw = f'"{path}/decline" data-body=\'{{"reason": "Withdrawn in the pit."}}'
    assert withdraw in unescape(house.of("sam").get("/pit", headers=html).text)
    assert withdraw not in unescape(house.of("sue").get("/pit", headers=html).text), "she declines it"
    reply = house.done("sam", f"{path}/decline", {"reason": "Withdrawn in the pit."})
    assert reply["declined_by"] == "sam"
    refused = house.post("sue", f"{path}/approve", {"fingerprint": proposal["fingerprint"]})
    assert refused.status_code == 409, "nothing is left to approve"
    assert withdraw not in unescape(house.of("sam").get("/pit", headers=html).text)


@pytest.mark.requirement("GEN-19", "WA-30")
def test_a_request_is_declined_by_its_maker_or_by_who_may_approve_it_and_by_nobody_else(house: House) -> None:
    link = house.open("declined")
    house.start(link, "T9")
    award = house.claim(link, "T9")
    assert house.confirm(link, award, "sam", "eve").status_code == 200
    wrong = {"command": "reverse", "link": link, "award": award, "evidence": "camera 12", "reason": "a nine"}

    def ask(number: int) -> str:
        proposal = house.done("sue", "/api/v1/proposals", {**wrong, "adjustment": f"R-{number}"})
        return f"/api/v1/proposals/{proposal['proposal']}/decline"

    first, second = ask(1), ask(2)
    for person in ("dana", "cara", "vic"):
        refused = house.post(person, first, {"reason": "no"})
        assert refused.status_code == 403, (person, refused.text)
    assert house.done("sue", first, {"reason": "the dealer was right"})["declined_by"] == "sue"
    assert house.done("bob", second, {"reason": "no camera 12"})["declined_by"] == "bob"
