"""The people of a hub over HTTP: open, join, settle, versions, statements, release and leave."""

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from feltwork.books.connection import connect
from feltwork.books.records.alarms import open_alarms, raise_alarm
from feltwork.cli.run.network import network
from feltwork.money import DOLLAR
from feltwork.operations.network.site_contact import NO_CONTACT
from feltwork.problem import ProblemsError
from feltwork.progressive.network import messages as m
from tests.books.hub_room import the_claim
from tests.web.house import PIN, House
from tests.web.network_room import Room


@pytest.mark.requirement("GEN-18", "GEN-19")
def test_a_hub_opens_a_link_and_lets_sites_join(house: House) -> None:
    room = Room(house, "joins")
    house.open_floor(room.floor("north"))
    assert "does not say that this is its hub" in room.refused("open_network_link")
    assert "no network link of this hub" in room.refused(**room.asks("north"))
    room.opened("north", "south")
    view = room.shown()
    assert (view["hub"], view["takes_wagers"]) == ("network-one", True)
    assert view["meters"] == {"jackpot": 10_000 * DOLLAR}
    assert [site["site"] for site in view["sites"]] == ["north", "south"]
    assert room.site("north")["limit"] == 50_000 * DOLLAR
    assert "is already a member" in room.refused(**room.asks("north"))
    house.sound()


@pytest.mark.requirement("GEN-18", "WA-10")
def test_a_site_with_other_terms_or_in_another_law_does_not_join(house: House) -> None:
    room = Room(house, "terms").opened()
    for change, refusal in (
        (('wager = "1.00"', 'wager = "5.00"'), "another version of the link (wager"),
        (('seed = "10000.00"', 'seed = "9000.00"'), "another version of the link (levels"),
        (('site = "east"', 'site = "west"'), "its floor file calls it west"),
        (('"generic"', '"wa_cardroom"'), "shared with other sites"),
    ):
        assert refusal in room.refused(**room.asks("east", floor=room.floor("east", change))), change
    body = {"reason": "as agreed", **room.asks("east", key="no")}
    assert house.post("ann", "/api/v1/proposals", body).status_code == 422
    assert room.shown()["sites"] == []


@pytest.mark.requirement("GEN-18", "WA-18")
def test_sites_settle_under_a_number_and_have_statements(house: House) -> None:
    room = Room(house, "settles").opened("north", "south")
    room.hear(room.sum("north", 5, 100), room.sum("south", 4, 10))
    owed = 100 * 290_000
    assert room.site("north")["owes"] == owed
    assert "last settlement is number 0" in room.refused("settle_site", site="north", number=2, amount=owed)
    settlement = {"command": "settle_site", "link": room.link, "site": "north", "number": 1, "amount": owed}
    proposal = house.done("ann", "/api/v1/proposals", {**settlement, "reason": "bank statement"})
    assert house.amount_change(proposal["proposal"]) == (owed, 0)
    approval = {"fingerprint": proposal["fingerprint"]}
    house.done("eve", f"/api/v1/proposals/{proposal['proposal']}/approve", approval)
    more = house.done("ann", "/api/v1/proposals", {**settlement, "number": 2, "reason": "paid twice"})
    assert house.amount_change(more["proposal"]) == (0, -owed), "what was settled is not owed"
    house.done("ann", f"/api/v1/proposals/{more['proposal']}/decline", {"reason": "it was not"})
    last = room.sum("north", 9, 103)
    room.hear(last)
    path = f"/api/v1/network/{room.link}/sites/north/statement"
    statement = house.get("ann", path)
    lines = [statement[name] for name in ("opening", "passed", "awards", "settled", "closing")]
    assert lines == [0, 103 * 290_000, 0, owed, 3 * 290_000]
    first, last_day = (date.fromisoformat(statement[name]) for name in ("first_day", "last_day"))
    assert (first.weekday(), last_day - first) == (0, timedelta(days=6)), "Monday to Sunday"
    assert (statement["site_chain"]["last_entry"], statement["site_chain"]["last_hash"]) == (9, last.hash)
    view = room.shown()
    assert [statement["hub_chain"][name] for name in ("last_entry", "last_hash")] == [
        view["entry"],
        view["hash"],
    ]
    assert (view["trust"], view["owed"]) == (owed, 13 * 290_000)
    csv = house.of("ann").get(path, params={"format": "csv"})
    assert "closing ($),0.87" in csv.text.replace('"', "")
    assert house.of("ann").get(path, params={"week": "2001-01-01"}).status_code == 404
    assert house.of("ann").get(path.replace("north", "nobody")).status_code == 404
    count = f"/api/v1/links/{room.link}/count"
    for balance, stops in ((owed - DOLLAR, ["shortfall"]), (owed, [])):
        house.done("ann", count, {"bank_balance": balance})
        assert list(room.shown()["stops"]) == stops, "the bank holds what sites have settled"
    house.sound()


def test_another_limit_and_leaving(house: House) -> None:
    room = Room(house, "leaves").opened("south")
    room.hear(room.sum("south", 4, 10))
    house.two("eve", "ann", command="change_site_limit", link=room.link, site="south", limit=DOLLAR)
    assert room.site("south")["limit"] == DOLLAR
    assert "not a member" in room.refused("change_site_limit", site="nobody", limit=5)
    assert "it owes" in room.refused("let_site_leave", site="south")
    room.two("settle_site", site="south", number=1, amount=room.site("south")["owes"])
    room.two("let_site_leave", site="south")
    assert room.site("south")["has_left"]
    house.sound()


@pytest.mark.requirement("LT-03")
def test_an_executive_of_the_hub_countersigns_a_large_award(house: House) -> None:
    room = Room(house, "large").opened("north", "south")
    claim = the_claim(room.version(), room.sum("north", 12, 104), "north:C1:7:1:1")
    (grant,) = room.receive(claim)
    assert isinstance(grant, m.GrantDown)
    (large,) = room.shown()["large_awards"]
    assert (large["award"], large["amount"], large["is_countersigned"]) == (claim.award, grant.amount, False)
    statement = house.get("ann", f"/api/v1/network/{room.link}/sites/north/statement")
    assert statement["in_transit"] == [{"award": claim.award, "amount": grant.amount, "status": "locked"}]
    assert {site: room.site(site)["open_awards"] for site in ("north", "south")} == {
        "north": [claim.award],
        "south": [],
    }
    path = f"/api/v1/network/{room.link}/awards/{claim.award}/countersign"
    elsewhere = house.post("eve", path.replace(room.link, house.open("no-network")), {"amount": grant.amount})
    assert (elsewhere.status_code, elsewhere.json()["where"]) == (404, "network link no-network")
    assert house.post("ann", path, {"amount": grant.amount}).status_code == 403
    assert "is locked for it now" in house.post("eve", path, {"amount": grant.amount - 1}).text
    who: dict[str, Any] = {"link": room.link, "site": "north", "award": claim.award, "amount": grant.amount}
    signed = m.ConfirmUp(**who, grant=grant.entry, supervisor="sam", executive="xena")
    assert room.receive(signed) == (), "the hub's executive has not signed"
    house.done("eve", path, {"amount": grant.amount})
    assert room.shown()["large_awards"][0]["is_countersigned"]
    assert isinstance(room.receive(signed)[0], m.ConfirmedDown)
    assert isinstance(room.receive(m.PaidUp(**who))[0], m.HandedOverDown)
    assert room.site("north")["awards"] == grant.amount
    assert room.site("north")["open_awards"] == []
    house.sound()


@pytest.mark.requirement("GEN-06")
def test_a_version_is_applied_proposed_dropped_and_taken_without_sites(house: House) -> None:
    room = Room(house, "versions").opened("north", "south")
    change = ('contribution = "24%"', 'contribution = "25%"')
    house.open_floor(room.floor("network-one", change))
    new = room.version(change).fingerprint
    assert room.shown()["version"] == room.version().fingerprint, "a floor file alone changes nothing"
    room.two("propose_version")
    room.two("drop_version")
    assert room.shown()["takes_wagers"]
    room.two("propose_version")
    view = room.shown()
    assert (view["change"]["version"], view["takes_wagers"]) == (new, False)
    assert view["change"]["not_ready"] == ["north", "south"]
    assert "not exactly those that are not ready" in room.refused("proceed_without", sites=["north"])
    room.two("proceed_without", sites=["north", "south"])
    view = room.shown()
    assert (view["version"], view["change"], view["takes_wagers"]) == (new, None, True)
    assert not room.site("north")["is_current"]
    house.sound()


@pytest.mark.requirement("GEN-18")
def test_two_people_release_a_site_and_a_hub_whose_books_rolled_back(house: House) -> None:
    room = Room(house, "rolled").opened("south")
    room.hear(room.sum("south", 4, 10), room.sum("south", 5, 9))
    assert "rolled_back" in room.site("south")["stops"]
    assert _alarms(room) == ["rolled/south"]
    ends = {"site": "south", "hash": "a" * 64}
    assert "its books end at entry 3" in room.refused("readmit_site", **ends, entry=3)
    room.two("readmit_site", **ends, entry=6)
    room.hear(room.sum("south", 6, 12))
    south = room.site("south")
    assert south["stops"] == {}
    assert south["passed"] == 12 * 290_000, "what was missing is booked once"
    view = room.shown()
    room.hear(replace(room.sum("south", 7, 12), seen=9_999, seen_hash="b" * 64))
    assert list(room.shown()["stops"]) == ["rolled_back"]
    assert _alarms(room) == ["rolled"]
    assert "do not have entry 9999" in room.refused("reopen_hub", entry=9_999, hash="b" * 64)
    room.two("reopen_hub", entry=view["entry"], hash=view["hash"])
    assert room.shown()["takes_wagers"]
    assert _alarms(room) == []
    house.sound()


@pytest.mark.requirement("GEN-18")
def test_a_site_that_is_not_heard_is_shown_without_contact(house: House) -> None:
    room = Room(house, "silent").opened("north", "south")
    with connect(house.dsn) as connection:
        raise_alarm(connection, NO_CONTACT, f"{room.link}/north", {"seconds": 10}, by="hub")
    assert [room.site(name)["is_in_contact"] for name in ("north", "south")] == [False, True]
    page = house.of("ann").get("/network", headers={"Accept": "text/html"}).text
    assert "The site has sent nothing for 10 seconds." in page
    site_page = house.of("ann").get(f"/network/{room.link}/sites/north", headers={"Accept": "text/html"}).text
    assert "no contact" in site_page
    body = {"kind": NO_CONTACT, "place": f"{room.link}/north", "reason": "called them"}
    assert house.post("eve", "/api/v1/alarms/clear", body).status_code == 404, "only the hub hears a site"


def _alarms(room: Room) -> list[str]:
    with connect(room.house.dsn) as connection:
        return [alarm.place for alarm in open_alarms(connection) if alarm.kind == "books rolled back"]


def test_the_command_line_lists_sites_and_carries_out_what_two_people_ask(
    house: House, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    room = Room(house, "typed").opened("north")
    for person in ("ann", "eve"):
        monkeypatch.setenv(f"FELTWORK_PIN_B_{person.upper()}", PIN)
    monkeypatch.setenv("FELTWORK_SECURITY_KEY", "offered")
    two: dict[str, Any] = {"dsn": house.dsn, "by": "B-ann", "approved_by": "B-eve", "reason": "as agreed"}
    floor = tmp_path / "south.toml"
    floor.write_text(room.floor("south"), encoding="utf-8")
    admission = room.asks("south", floor=floor, limit="20000.00")
    fields = [f"{name}={value}" for name, value in admission.items() if name != "command"]
    network("admit_site", fields, **two)
    network("change_site_limit", [f"link={room.link}", "site=north", "limit=1234.50"], **two)
    network("list", dsn=house.dsn, by="B-ann")
    output = capsys.readouterr().out
    assert "north  owes $0.00 of $1,234.50, in play" in output
    assert "south  owes $0.00 of $20,000.00, in play" in output
    for do, message in (("nothing", "choose from: list, open_network_link"), ("settle_site", "number")):
        with pytest.raises(ProblemsError) as excinfo:
            network(do, [f"link={room.link}"], **two)
        assert message in f"{excinfo.value.problems[0].what} {excinfo.value.problems[0].remedy}"


@pytest.mark.requirement("GEN-18", "GEN-19")
def test_the_people_of_a_site_see_its_network_settle_and_leave(house: House) -> None:
    room = Room(house, "at-site")
    terms = 'site = "north"\nagreement = "AG-7"\nowes_at_most = "5000.00"'
    house.open_floor(room.floor("north", ('site = "north"', terms)))
    assert "has not joined its network" in room.refused("settle_with_hub", amount=DOLLAR)
    room.two("open_link")
    page = f"/office/links/{room.link}"
    view = house.get("ann", page)["network"]
    assert (view["agreement"], view["is_in_contact"], view["settling"]) == ("AG-7", False, None)
    text = house.of("ann").get(page, headers={"Accept": "text/html"}).text
    assert "no contact with the hub" in text
    proposal = house.done(
        "ann",
        "/api/v1/proposals",
        {"command": "settle_with_hub", "link": room.link, "amount": 12 * DOLLAR, "reason": "bank statement"},
    )
    assert house.amount_change(proposal["proposal"]) == (0, -12 * DOLLAR)
    house.done(
        "eve", f"/api/v1/proposals/{proposal['proposal']}/approve", {"fingerprint": proposal["fingerprint"]}
    )
    view = house.get("ann", page)["network"]
    assert (view["owes"], view["settling"], view["settlements"]) == (-12 * DOLLAR, 12 * DOLLAR, 1)
    cap = {"level": "jackpot", "cap": DOLLAR}
    assert "the hub of its network keeps its meters" in room.refused("set_cap", **cap)
    assert "settlement 1 is on its way" in room.refused("settle_with_hub", amount=DOLLAR)
    room.two("leave_network")
    assert "is already leaving" in room.refused("leave_network")
    assert house.get("ann", page)["network"]["is_leaving"]
    house.sound()


@pytest.mark.requirement("GEN-18", "GEN-19")
def test_the_people_of_an_aggregator_open_admit_and_settle(house: House) -> None:
    room = Room(house, "tree")
    terms = 'site = "west"\naggregator = true\nagreement = "AG-9"\nowes_at_most = "90000.00"'
    house.open_floor(room.floor("west", ('site = "west"', terms)))
    assert "use open_network_link" in room.refused("open_link")
    room.two("open_network_link")
    assert "NAME@west" in room.refused(**room.asks("north"))
    nested = ('site = "x@west"', 'site = "x@west"\naggregator = true')
    assert "below another one" in room.refused(**room.asks("x@west", floor=room.floor("x@west", nested)))
    house.two("ann", "eve", **room.asks("north@west"))
    assert [site["site"] for site in room.shown()["sites"]] == ["north@west"]
    assert room.shown()["hub"] == "west"
    for command, fields in (
        ("let_site_leave", {"site": "north@west"}),
        ("propose_version", {}),
        ("reopen_hub", {"entry": 1, "hash": "0" * 64}),
        ("leave_network", {}),
    ):
        assert "aggregator" in room.refused(command, **fields), command
    assert "keeps its meters" in room.refused("set_cap", level="jackpot", cap=20_000 * DOLLAR)
    room.two("settle_with_hub", amount=12 * DOLLAR)
    view = house.get("ann", f"/office/links/{room.link}")["network"]
    assert (view["site"], view["agreement"], view["settling"]) == ("west", "AG-9", 12 * DOLLAR)
    assert (view["limit"], view["is_in_contact"]) == (90_000 * DOLLAR, False)
    assert house.of("ann").get("/network", headers={"Accept": "text/html"}).status_code == 200
    house.sound()
