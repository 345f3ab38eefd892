"""Whatever state an award, a proposal, an incident or a person is in, everything that tells of it answers."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from feltwork.site.books.connection import connect
from feltwork.site.books.links import lifecycle
from feltwork.site.books.people import credentials as people
from feltwork.site.books.people import staff
from feltwork.site.books.people import waiting_proposals as proposals
from feltwork.site.books.reports.registry import REPORTS
from tests.progressive.room import asked, level, link_of
from tests.web.house import PIN, TABLES, House

#: Who reads what of an award, as JSON and, where it is a page, as people see it.
_READINGS = (
    ("dana", "/api/v1/links/{link}/awards"),
    ("dana", "/api/v1/links/{link}/awards/{award}"),
    ("dana", "/api/v1/links/{link}/tables/{table}"),
    ("cara", "/api/v1/payouts/{link}/{award}"),
)
_PAGES = (
    ("dana", "/dealer/{link}/{table}"),
    ("sam", "/pit"),
    ("cara", "/cage"),
    ("sam", "/floor"),
    ("sam", "/signs/{link}"),
    ("sam", "/meters/{link}"),
    ("sam", "/awards/{award}/win-page"),
    ("ann", "/office"),
    ("ann", "/office/links/{link}"),
    ("ann", "/office/reports/hits"),
    ("otto", "/audit"),
    ("otto", "/audit/links/{link}"),
    ("otto", "/audit/awards/{link}/{award}"),
    ("otto", "/audit/rounds/{table}/{round}"),
)
#: A paper has what the page of its award has in each state.
_ON_PAPER = ("claimed", "paid")
_PAPERS = (
    ("sam", "/awards/{award}/win-page.pdf"),
    ("sam", "/awards/{award}/shares.pdf"),
    ("otto", "/audit/rounds/{table}/{round}.pdf"),
)


def _confirmed(house: House, link: str, award: str) -> None:
    assert house.confirm(link, award, "sam", "eve").status_code == 200


def _recorded(house: House, link: str, award: str) -> None:
    _confirmed(house, link, award)
    house.record(link, award)


def _paid(house: House, link: str, award: str) -> None:
    _recorded(house, link, award)
    house.done("cara", f"/api/v1/links/{link}/awards/{award}/pay", {"form": "check"})


def _voided(house: House, link: str, award: str) -> None:
    house.void("sam", link, award, "only three aces")


def _reversed(house: House, link: str, award: str) -> None:
    _confirmed(house, link, award)
    wrong = {"link": link, "award": award, "adjustment": f"R-{link}", "evidence": "camera 12"}
    house.two("ann", "bob", command="reverse", **wrong)


def _as_it_is(house: House, link: str, award: str) -> None:
    """A claim that nobody has looked at."""


AWARDS: dict[str, tuple[Callable[[House, str, str], None], str]] = {
    "claimed": (_as_it_is, "claimed"),
    "confirmed": (_confirmed, "confirmed"),
    "recorded": (_recorded, "confirmed"),
    "paid": (_paid, "paid"),
    "voided": (_voided, "voided"),
    "reversed": (_reversed, "reversed"),
}


def tell(house: House, about: dict[str, Any], readings: Sequence[tuple[str, str]]) -> None:
    """Everybody who may look gets an answer."""
    for person, path in readings:
        answer = house.of(person).get(path.format(**about))
        assert answer.status_code == 200, (path, answer.text)


def tell_pages(house: House, about: dict[str, Any], pages: Sequence[tuple[str, str]]) -> None:
    tell(house, about, pages)
    for person, path in pages:
        answer = house.of(person).get(path.format(**about), headers={"Accept": "text/html"})
        assert answer.status_code == 200, (path, answer.text)


def tell_reports(house: House, **about: Any) -> None:
    for name in REPORTS:
        if name == "submission" and about["link"].startswith("house-"):
            continue  # a house jackpot has no meter to submit
        report = house.of("otto").get(f"/api/v1/reports/{name}", params={"level": "jackpot", **about})
        assert report.status_code == 200, (name, report.text)


@pytest.mark.parametrize("state", AWARDS)
def test_everything_tells_of_an_award_in_every_state(house: House, state: str) -> None:
    link, table = house.open(f"award-{state}"), TABLES[list(AWARDS).index(state)]
    number = house.start(link, table)["started"]["round"]
    award = house.claim(link, table)
    bring, status = AWARDS[state]
    bring(house, link, award)
    assert house.get("dana", f"/api/v1/links/{link}/awards/{award}")["status"] == status
    about = {"link": link, "table": table, "award": award, "round": number}
    tell(house, about, _READINGS)
    tell_pages(house, about, _PAGES)
    if state in _ON_PAPER:
        tell(house, about, _PAPERS)
    tell_reports(house, **about)


def test_everything_tells_of_a_table_wherever_its_key_is(house: House) -> None:
    link, table = house.open("aquarius", lock_at="run"), TABLES[8]
    number = house.start(link, table)["started"]["round"]
    award = house.claim(link, table)
    about = {"link": link, "table": table, "award": award, "round": number}
    key = f"/api/v1/links/{link}/tables/{table}/key"
    assert house.done("sam", key, {"to": "JPH"})["round"]["phase"] == "key_at_jackpot"
    tell_pages(house, about, _PAGES)
    _confirmed(house, link, award)
    tell(house, about, _READINGS)
    tell_pages(house, about, _PAGES)
    back = house.done("sam", key, {"to": "RUN"})
    assert [fact["kind"] for fact in back["facts"]] == ["MeterMoved"]
    tell(house, about, _READINGS)
    tell_pages(house, about, _PAGES)


def test_an_award_is_told_by_the_version_that_it_was_played_by(house: House) -> None:
    link, table = house.open("version"), TABLES[7]
    house.start(link, table)
    award = house.claim(link, table)
    _paid(house, link, award)
    house.end(link, table)
    before = house.get("sam", f"/awards/{award}/win-page.json")
    house.done("sam", f"/api/v1/links/{link}/stop", {"cause": "suspended", "reason": "another paytable"})
    with connect(house.dsn) as connection:
        lifecycle.reconfigure(connection, link_of("four_card", "1", [level()], name=link), asked())
    assert house.get("dana", f"/api/v1/links/{link}")["paytable"] != before["paytable"]["name"]
    after = house.get("sam", f"/awards/{award}/win-page.json")
    assert after["letters"]
    assert {name: after[name] for name in ("paytable", "pays", "envy", "wager", "letters")} == {
        name: before[name] for name in ("paytable", "pays", "envy", "wager", "letters")
    }


HOUSE_AWARDS = ("claimed", "confirmed", "paid", "voided")


@pytest.mark.parametrize(
    "state",
    [pytest.param(state, marks=[] if state == "paid" else [pytest.mark.whole]) for state in HOUSE_AWARDS],
)
def test_everything_tells_of_a_house_jackpot_in_every_state(house: House, state: str) -> None:
    jackpot, table = house.post_jackpot(f"house-{state}"), TABLES[-1 - HOUSE_AWARDS.index(state)]
    number = house.start(jackpot, table)["started"]["round"]
    award = house.claim(jackpot, table)
    if state in ("confirmed", "paid"):
        _confirmed(house, jackpot, award)
    if state == "paid":
        house.done("cara", f"/api/v1/links/{jackpot}/awards/{award}/pay", {"form": "check"})
    if state == "voided":
        house.void("sam", jackpot, award, "only three aces")
    (view,) = house.get("dana", f"/api/v1/links/{jackpot}/awards")["awards"]
    assert view["status"] == state
    about = {"link": jackpot, "table": table, "award": award, "round": number}
    tell(house, about, _READINGS)
    tell_pages(house, about, _PAGES)
    if state in _ON_PAPER:
        tell(house, about, _PAPERS)
    tell_reports(house, **about)


def test_everything_tells_of_a_proposal_in_every_state(house: House) -> None:
    link = house.open("proposed")

    def propose(after: str) -> dict[str, Any]:
        body = {"command": "resume", "link": link, "reason": after}
        return house.done("sam", "/api/v1/proposals", body)

    house.done("sam", f"/api/v1/links/{link}/stop", {"cause": "suspended", "reason": "a pause"})
    waits, declined, approved = (propose(reason) for reason in ("waits", "declined", "approved"))
    house.done("eve", f"/api/v1/proposals/{declined['proposal']}/decline", {"reason": "not yet"})
    approval = {"fingerprint": approved["fingerprint"]}
    house.done("eve", f"/api/v1/proposals/{approved['proposal']}/approve", approval)
    with connect(house.dsn) as connection:
        body = {"command": "resume", "link": link, "reason": "lapsed"}
        command = proposals.command_of("P-lapsed", "resume", link, body)
        proposals.propose(connection, command, proposal="P-lapsed", by="sam", seconds=0)
    proposals_by_name = {
        name: house.get("dana", f"/api/v1/proposals/{proposal}")
        for name, proposal in {
            "waits": waits["proposal"],
            "declined": declined["proposal"],
            "approved": approved["proposal"],
            "lapsed": "P-lapsed",
        }.items()
    }
    assert {
        name: (proposal["answered_by"], proposal["approved"], proposal["lapsed"])
        for name, proposal in proposals_by_name.items()
    } == {
        "waits": (None, None, False),
        "declined": ("eve", False, False),
        "approved": ("eve", True, False),
        "lapsed": (None, None, True),
    }
    waiting = [proposal["proposal"] for proposal in house.get("dana", "/api/v1/proposals")["proposals"]]
    assert waits["proposal"] in waiting
    tell_pages(house, {}, [("ann", "/office"), ("ann", "/office/proposals"), ("eve", "/people")])


def test_everything_tells_of_an_incident_in_every_state(house: House) -> None:
    old = (datetime.now(tz=UTC) - timedelta(hours=80)).isoformat()
    numbers = {
        name: house.done("dana", "/api/v1/incidents", {"what": name, **more})["number"]
        for name, more in {
            "open": {},
            "late": {"learned_at": old, "table": TABLES[0]},
            "notified": {"link": house.open("broken")},
            "closed": {},
        }.items()
    }
    for name in ("notified", "closed"):
        house.done("ann", f"/api/v1/incidents/{numbers[name]}/notified", {"says": "by letter"})
    house.done("ann", f"/api/v1/incidents/{numbers['closed']}/closed", {"says": "a cable"})
    incidents = {name: house.get("dana", f"/api/v1/incidents/{number}") for name, number in numbers.items()}
    assert [incident["late"] for incident in incidents.values()] == [False, True, False, False]
    assert [bool(incident["notified_at"]) for incident in incidents.values()] == [False, False, True, True]
    assert [incident["cause"] for incident in incidents.values()] == [None, None, None, "a cable"]
    incidents_by_number = {
        incident["number"]: incident for incident in house.get("dana", "/api/v1/incidents")["incidents"]
    }
    assert all(
        incidents_by_number[incident["number"]]["what"] == name for name, incident in incidents.items()
    )
    tell_pages(house, {}, [("sam", "/floor"), ("sam", "/pit"), ("ann", "/office")])


def test_everything_tells_of_a_person_in_every_state(house: House) -> None:
    with connect(house.dsn) as connection:
        for name, pin, password in (
            ("bare", "", ""),
            ("keyed", "", "a long walk by the river"),
            ("out", PIN, ""),
            ("idle", PIN, ""),
            ("shut", PIN, ""),
        ):
            person = people.Person(id=name, name=name.title(), role="dealer", badge=f"B-{name}")
            staff.register_people(connection, [person], pin=pin, password=password, by="setup")
    for _ in range(people.TRIES):
        house.nobody.post("/api/v1/sign-in", json={"badge": "B-out", "pin": "0000"})
    managing = {"command": "manage_people", "reason": "test"}
    house.two("ivy", "eve", **managing, act="take_role", person="idle")
    house.two("ivy", "eve", **managing, act="shut_out", person="shut")
    house.two("ivy", "eve", **managing, act="grant_secret", person="bare", what="PIN")
    house.grant_key("keyed")
    states = {}
    for name in ("bare", "keyed", "out", "idle", "shut"):
        view = house.get("otto", f"/api/v1/people/B-{name}")
        states[name] = [
            view[what] for what in ("role", "active", "locked", "has_pin", "has_password", "keys")
        ]
        tell(house, {"badge": f"B-{name}"}, [("dana", "/api/v1/people/{badge}/may")])
        tell_pages(house, {"badge": f"B-{name}"}, [("otto", "/people/{badge}"), ("eve", "/people/{badge}")])
    assert states == {
        "bare": ["dealer", True, False, False, False, []],
        "keyed": ["dealer", True, False, False, True, []],
        "out": ["dealer", True, True, True, False, []],
        "idle": ["", True, False, True, False, []],
        "shut": ["dealer", False, False, True, False, []],
    }
    tell_pages(house, {}, [("otto", "/people"), ("eve", "/people")])
    assert house.get("idle", "/api/v1/me")["may"] == []
    tell_pages(house, {}, [("idle", "/me")])
