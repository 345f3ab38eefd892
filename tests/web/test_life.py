"""The life of a round, an award and a link through HTTP, on real books."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from feltwork.money import DOLLAR
from feltwork.site.books.connection import connect
from feltwork.site.books.links import lifecycle
from feltwork.site.books.tables.table_status import table_status
from feltwork.site.books.watch.alarms import open_alarms
from tests.progressive.room import five_card, four_card
from tests.web.house import PIN, House


@pytest.mark.requirement("LT-02", "LT-04")
def test_the_tables_screen_says_why_a_claim_is_void_and_offers_no_impossible_key(house: House) -> None:
    link = house.open("offers")
    house.start(link, "O1")
    screen = f"/dealer/{link}/O1"
    house.void("sue", link, house.claim(link, "O1"), "Late chip")
    shown = house.get("dana", screen)
    (void,) = shown["decisions"]
    assert (void["by"], void["reason"], shown["can"]["misdeal"]) == ("Sue", "Late chip", True)
    award = house.claim(link, "O1", 2)
    assert house.get("dana", screen)["can"]["misdeal"] is False
    assert house.confirm(link, award, "sam", "eve").status_code == 200
    shown = house.get("dana", screen)
    assert (shown["can"]["misdeal"], "MISDEAL" in shown["round"]["buttons"]) == (False, False)
    body = {"reason": "too late", "shown": {"badge": "B-sue", "pin": PIN}}
    refused = house.post("dana", f"/api/v1/tables/O1/misdeal?link={link}", body)
    assert (refused.status_code, refused.json()["requirement"]) == (409, "LT-04")
    house.end(link, "O1")


@pytest.mark.requirement("LT-01")
def test_start_locks_the_covered_sensors_and_no_other_seats(house: House) -> None:
    link = house.open("sensed")
    seen = f"/api/v1/links/{link}/tables/M1/sensors"
    assert house.of("dana").put(seen, json={"covered": [2, 5]}).status_code == 200
    start, named = f"/api/v1/tables/M1/start?link={link}", {"wagers": {link: [1, 2]}, "players": [1, 2]}
    before = house.meter(link)
    refused = house.post("dana", start, named)
    assert (refused.status_code, refused.json()["requirement"]) == (409, "LT-01")
    assert refused.json()["detail"].endswith("covered: 2, 5")
    assert house.meter(link) == before
    key = house.key()
    started = house.post("dana", start, {}, key=key).json()["started"][link]["started"]
    assert started["seats"] == [2, 5]
    # The chips are gone by the time of a retry, which gets the first answer.
    house.of("dana").put(seen, json={"covered": []})
    assert house.post("dana", start, {}, key=key).headers["Idempotent-Replay"] == "true"
    house.end(link, "M1")


@pytest.mark.requirement("LT-01")
def test_a_table_shows_the_seats_of_its_round_until_the_round_is_over(house: House) -> None:
    link = house.open("status")

    def status() -> tuple[int, str, tuple[int, ...], bool]:
        with connect(house.dsn) as connection:
            table = table_status(connection, link, "T9")
        return table.number, table.phase, table.covered, table.heard

    assert status() == (0, "idle", (), False)
    house.start(link, "T9", (1, 3))
    assert status() == (1, "playing", (1, 3), True)
    award = house.claim(link, "T9")
    assert status() == (1, "claimed", (1, 3), True)
    house.void("sam", link, award, "three aces only")
    house.end(link, "T9")
    number, phase, covered, _ = status()
    assert (number, phase, covered) == (1, "idle", ())


@pytest.mark.requirement("LT-02")
@pytest.mark.requirement("LT-03")
def test_the_amount_of_a_hit_is_that_of_all_its_shares_until_the_last_is_paid(house: House) -> None:
    link = house.open("shared", made_by=five_card, several_winners="split")
    house.start(link, "V1", (1, 2, 3))
    first, second = (house.claim(link, "V1", seat, "straight_flush") for seat in (1, 2))

    def hits() -> list[int]:
        awards = (
            house.get("dana", f"/api/v1/links/{link}/awards/{identifier}") for identifier in (first, second)
        )
        return [award["hit_amount"] for award in awards]

    whole = hits()[0]
    badges = [{"badge": f"B-{person}", "pin": PIN} for person in ("sam", "eve")]
    cards = {first: "5h 6h 7h 8h 9h", second: "5s 6s 7s 8s 9s"}
    body = {"badges": badges, "amount": whole, "cards": cards}
    house.done("dana", f"/api/v1/links/{link}/awards/{first}/confirm", body)
    assert hits() == [whole, whole]
    house.record(link, first)
    house.done("cara", f"/api/v1/links/{link}/awards/{first}/pay", {"form": "check"})
    assert hits() == [whole, whole]
    (waiting,) = (award for award in house.get("sam", "/pit")["to_pay"] if award["link"] == link)
    assert (waiting["id"], waiting["hit_amount"], waiting["hit_seats"]) == (second, whole, [1, 2])


@pytest.mark.requirement("LT-03")
def test_an_executive_alone_is_the_one_badge_where_the_jurisdiction_lets_them(house: House) -> None:
    link = "alone"
    with connect(house.dsn) as connection:
        lifecycle.register_link(connection, replace(four_card(name=link), executive_alone=True), by="setup")
    house.links[link] = "progressive"
    house.lay()
    house.two("ann", "eve", command="open_link", link=link)
    house.start(link, "W1")
    award = house.claim(link, "W1")
    assert house.get("dana", f"/api/v1/links/{link}/awards/{award}")["badges"] == ["executive"]
    assert house.confirm(link, award, "eve").status_code == 200


def test_a_claim_is_refused_by_the_supervisor(house: House) -> None:
    link = house.open("void")
    house.start(link, "V1")
    before = house.meter(link)
    award = house.claim(link, "V1")
    path = f"/api/v1/links/{link}/awards/{award}/void"
    wrong = {"badge": "B-sam", "pin": "9999"}
    for who, body, status in (
        ("sam", {"reason": "only three aces"}, 422),
        ("sam", {"reason": "only three aces", "shown": wrong}, 401),
        ("sam", {"reason": "only three aces", "shown": {"badge": "B-dana", "pin": PIN}}, 403),
    ):
        assert house.post(who, path, body).status_code == status
    # The badge decides, whoever is signed in.
    house.done("dana", path, {"reason": "only three aces", "shown": {"badge": "B-sam", "pin": PIN}})
    assert house.get("dana", f"/api/v1/links/{link}/awards/{award}")["status"] == "voided"
    (decided,) = [decision for decision in house.get("dana", "/pit")["decisions"] if decision["link"] == link]
    assert (decided["kind"], decided["table"], decided["seats"]) == ("voided", "V1", [1])
    assert (decided["by"], decided["reason"]) == ("Sam", "only three aces")
    assert house.meter(link) == before
    house.end(link, "V1")
    house.sound()


def test_a_misdeal_gives_the_wagers_back(house: House) -> None:
    link = house.open("misdeal")
    before = house.meter(link)
    house.start(link, "M1")
    house.done("sam", f"/api/v1/tables/M1/misdeal?link={link}", {"reason": "a card short"})
    assert house.meter(link) == before
    (decided,) = [decision for decision in house.get("dana", "/pit")["decisions"] if decision["link"] == link]
    assert (decided["kind"], decided["by"], decided["reason"]) == ("misdealt", "Sam", "a card short")
    house.sound()


@pytest.mark.requirement("LT-01")
def test_the_dealer_corrects_one_locked_seat_and_the_pit_sees_it(house: House) -> None:
    link = house.open("correct")
    before = house.meter(link)
    house.start(link, "Q1")
    seats = house.get("dana", f"/api/v1/links/{link}/tables/Q1")["seats"]
    each = (house.meter(link) - before) // len(seats)
    off = {"seat": seats[0], "wagered": False}
    reply = house.done("dana", f"/api/v1/links/{link}/tables/Q1/correct", off)
    assert [fact["kind"] for fact in reply["facts"]] == ["WagerReturned"]
    assert house.meter(link) == before + each * (len(seats) - 1)
    assert house.get("dana", f"/api/v1/links/{link}/tables/Q1")["seats"] == seats[1:]
    assert house.post("dana", f"/api/v1/links/{link}/tables/Q1/correct", off).status_code == 409
    (decision,) = [decision for decision in house.get("sam", "/pit")["decisions"] if decision["link"] == link]
    assert (decision["table"], decision["round"], decision["seats"]) == ("Q1", 1, [seats[0]])
    assert (decision["wagered"], decision["by"]) == (False, "Dana")
    house.done("dana", f"/api/v1/links/{link}/tables/Q1/hand", {"seat": seats[1], "hand": "three_of_a_kind"})
    shown = {"badge": "B-sam", "pin": PIN}
    late = house.post(
        "dana", f"/api/v1/links/{link}/tables/Q1/correct", {**off, "wagered": True, "shown": shown}
    )
    assert (late.status_code, late.json()["requirement"]) == (409, "LT-01")
    house.end(link, "Q1")
    house.sound()


@pytest.mark.requirement("LT-01")
def test_a_seat_added_after_the_start_takes_a_supervisor_and_its_claim_says_so(house: House) -> None:
    link = house.open("added")
    house.start(link, "V1", (1, 2, 3))
    path = f"/api/v1/links/{link}/tables/V1/correct"
    off, on = ({"seat": 3, "wagered": wagered} for wagered in (False, True))
    assert house.done("dana", path, off)["facts"][0]["kind"] == "WagerReturned"
    for shown in (None, {"badge": "B-dana", "pin": PIN}, {"badge": "B-cara", "pin": PIN}):
        refused = house.post("dana", path, {**on, "shown": shown})
        assert (refused.status_code, refused.json()["requirement"]) == (409, "LT-01"), shown
        assert "a supervisor" in refused.json()["detail"]
    assert house.post("dana", path, {**on, "shown": {"badge": "B-sam", "pin": "0000"}}).status_code == 401
    added = house.done("dana", path, {**on, "shown": {"badge": "B-sam", "pin": PIN}})["facts"][0]
    assert (added["kind"], added["by"], added["approved_by"]) == ("WagerAdded", "dana", "sam")
    house.done("sam", path, off)
    assert house.done("sam", path, on)["facts"][0]["approved_by"] == "sam"
    house.done("sam", path, off)
    house.done("dana", path, {**on, "shown": {"badge": "B-sam", "pin": PIN}})
    award = house.claim(link, "V1", seat=3)
    pages = [claim for claim in house.get("sam", "/pit")["claims"] if claim["id"] == award]
    pages += [house.get("sam", f"/awards/{award}/win-page?link={link}")]
    pages += [house.get("otto", f"/audit/awards/{link}/{award}")]
    for shown_page in pages:
        told = {name: shown_page["added"][name] for name in ("seat", "by", "approved_by")}
        assert told == {"seat": 3, "by": "Dana", "approved_by": "Sam"}
    for person, address in (("sam", "/pit"), ("sam", f"/awards/{award}/win-page?link={link}")):
        text = house.of(person).get(address, headers={"Accept": "text/html"}).text
        assert "Seat 3 was added after START GAME" in text
        assert "Supervisor: Sam." in text
    house.void("sam", link, award, "three aces only")
    house.end(link, "V1")
    house.sound()


@pytest.mark.requirement("WA-15", "GEN-19")
def test_wagers_between_proposal_and_approval_stay_on_the_meter(house: House) -> None:
    link = house.open("waits")
    about = {"command": "adjust", "link": link, "pool": "meter", "level": "jackpot", "evidence": "memo 4"}
    about |= {"lawful_reason": "MALFUNCTION_CORRECTION", "reason": "an extra digit"}
    lower = {**about, "adjustment": "WAITS-X", "change": -DOLLAR}
    for wrong in ({}, {"incident": 10_000}):
        refused = house.post("ann", "/api/v1/proposals", {**lower, **wrong})
        assert (refused.status_code, refused.json()["requirement"]) == (409, "WA-32")
    other = house.done("sam", "/api/v1/incidents", {"what": "another sign", "link": house.open("waits-not")})
    lower |= {"incident": other["number"]}
    assert house.post("ann", "/api/v1/proposals", lower).json()["requirement"] == "WA-32"
    incident = house.done("sam", "/api/v1/incidents", {"what": "an extra digit", "link": link})["number"]
    about |= {"incident": incident}
    for asked in ({"change": -DOLLAR - 5_000}, {"to": DOLLAR + 5_000}, {"to": DOLLAR, "change": DOLLAR}, {}):
        half = house.post("ann", "/api/v1/proposals", {**about, "adjustment": "WAITS-H", **asked})
        assert (half.status_code, half.json()["requirement"]) == (409, "WA-15"), half.text

    def propose(name: str, change: int) -> tuple[str, dict[str, str]]:
        proposal = house.done("ann", "/api/v1/proposals", {**about, "adjustment": name, "change": change})
        assert house.get("bob", f"/api/v1/proposals/{proposal['proposal']}")["body"]["change"] == change
        return f"/api/v1/proposals/{proposal['proposal']}/approve", {"fingerprint": proposal["fingerprint"]}

    for number, change in enumerate((250 * DOLLAR, -250 * DOLLAR)):
        path, approval = propose(f"WAITS-{number}", change)
        proposed_at = house.meter(link)
        house.start(link, "L1")
        house.end(link, "L1")
        played = house.meter(link)
        assert played > proposed_at
        (fact,) = house.done("bob", path, approval)["booked"]["facts"]
        assert (fact["before"], fact["after"]) == (played, played + change)
        assert house.meter(link) == played + change
    assert (
        house.post("ann", "/api/v1/proposals", {**about, "adjustment": "W", "after": DOLLAR}).status_code
        == 422
    )

    # The request shows the amount that was typed, and where its change ends after more play.
    typed = house.meter(link) // DOLLAR * DOLLAR + 40 * DOLLAR
    wanted = house.done("ann", "/api/v1/proposals", {**about, "adjustment": "WAITS-T", "to": typed})
    house.start(link, "L1")
    house.end(link, "L1")
    now, result = house.amount_change(wanted["proposal"])
    body = house.get("bob", f"/api/v1/proposals/{wanted['proposal']}")["body"]
    assert (body["to"], result) == (typed, now + body["change"])
    assert result > typed
    text = house.of("bob").get("/office/proposals", headers={"Accept": "text/html"}).text
    assert "New amount asked for" in text
    assert "Play went on since the request." in text
    seen = {"fingerprint": wanted["fingerprint"]}
    booked = house.done("bob", f"/api/v1/proposals/{wanted['proposal']}/approve", seen)["booked"]["facts"]
    assert (booked[0]["before"], booked[0]["after"]) == (now, result)

    # Another adjustment is approved first, and leaves too little for this one.
    held = house.meter(link)
    path, approval = propose("WAITS-8", -held)
    first, seen_first = propose("WAITS-9", -held + DOLLAR)
    house.done("bob", first, seen_first)
    refused = house.post("bob", path, approval)
    assert (refused.status_code, refused.json()["requirement"]) == (409, "WA-15"), refused.text
    assert "the meter holds" in refused.json()["detail"]
    assert "propose to take" in refused.json()["remedy"]
    assert house.meter(link) == DOLLAR
    house.sound()


@pytest.mark.requirement("WA-08", "WA-15", "WA-18", "WA-20", "WA-09")
def test_a_link_is_adjusted_capped_counted_stopped_and_resumed(house: House) -> None:
    link = house.open("life")
    meter = house.meter(link)
    house.two(
        "ann",
        "bob",
        command="adjust",
        link=link,
        adjustment="ADJ-1",
        lawful_reason="HOUSE_ADDITION",
        pool="meter",
        level="jackpot",
        change=500 * DOLLAR,
        evidence="memo 4",
    )
    assert house.meter(link) == meter + 500 * DOLLAR
    house.two("ann", "eve", command="set_cap", link=link, level="jackpot", cap=meter + 500 * DOLLAR)
    unknown = {"command": "set_cap", "link": link, "level": "mega", "cap": DOLLAR, "reason": "as agreed"}
    nowhere = {**unknown, "link": "nowhere"}
    assert house.post("ann", "/api/v1/proposals", nowhere).status_code == 404, "nobody is asked to approve it"
    proposal = house.done("ann", "/api/v1/proposals", unknown)
    path, approval = f"/api/v1/proposals/{proposal['proposal']}", {"fingerprint": proposal["fingerprint"]}
    assert house.post("eve", f"{path}/approve", approval).status_code == 404
    house.done("ann", f"{path}/decline", {"reason": "there is one level"})
    house.start(link, "L1")
    assert house.meter(link) == meter + 500 * DOLLAR, "what exceeds the cap feeds the reserve"
    house.end(link, "L1")
    short = house.done("ann", f"/api/v1/links/{link}/count", {"bank_balance": 1})
    assert [fact["kind"] for fact in short["facts"]] == ["FundsCounted", "Stopped"]
    refused = house.post(
        "dana", f"/api/v1/tables/L1/start?link={link}", {"wagers": {link: [1]}, "players": [1]}
    )
    assert (refused.status_code, refused.json()["requirement"]) == (409, "GEN-07")
    house.done("ann", f"/api/v1/links/{link}/count", {"bank_balance": 10**12})
    house.done("sam", f"/api/v1/links/{link}/stop", {"cause": "seized", "reason": "a court order"})
    house.two("ann", "eve", command="restore_seized", link=link, replaced=10**12)
    house.done("sam", f"/api/v1/links/{link}/stop", {"cause": "suspended", "reason": "a sensor fails"})
    house.two("sam", "eve", command="resume", link=link)
    house.start(link, "L1")
    house.sound()


def test_a_flood_of_rounds_at_a_screen_raises_an_alarm(house: House) -> None:
    link = house.open("batch")
    house.book(link, "K1", range(1, 301))
    house.done("sam", f"/api/v1/tables/K1/takeover?link={link}", {})
    house.end(link, "K1")
    house.start(link, "K1")
    house.end(link, "K1")
    house.book(link, "K1", range(302, 601))
    with connect(house.dsn) as connection:
        alarms = {(alarm.kind, alarm.place): alarm.details for alarm in open_alarms(connection)}
    assert alarms["many rounds", "table K1"]["what"] == "more than 300 rounds in an hour"
    seats = {"wagers": {link: [1]}, "players": [1]}
    refused = house.post("dana", f"/api/v1/tables/K1/start?link={link}", seats)
    assert (refused.status_code, refused.json()["requirement"]) == (409, "GEN-07")
    house.sound()


@pytest.mark.requirement("GEN-06", "GEN-19")
def test_a_floor_is_checked_and_applied_by_two_departments(house: House) -> None:
    text = (Path(__file__).parents[2] / "examples" / "card_room.toml").read_text(encoding="utf-8")
    checked = house.of("ann").post("/api/v1/floors/check", json={"floor": text, "day": "2026-01-01"}).json()
    assert checked["lawful"], checked
    one_department = house.done(
        "ann",
        "/api/v1/proposals",
        {"command": "reconfigure", "floor": text, "day": "2026-01-01", "reason": "new"},
    )
    path = f"/api/v1/proposals/{one_department['proposal']}/approve"
    approval = {"fingerprint": one_department["fingerprint"]}
    refused = house.post("bob", path, approval)
    assert (refused.status_code, refused.json()["rule"]) == (403, "two-people")
    applied = house.done("eve", path, approval)
    assert applied["booked"]["planned"]
    assert house.get("otto", "/api/v1/floors")["floors"][0]["approved_by"] == "eve"


def test_a_sign_hears_the_meter_move(house: House) -> None:
    link = house.open("live")
    with house.of("dana").stream("GET", f"/api/v1/links/{link}/live") as stream:
        lines = stream.iter_lines()
        first = _next_data(lines)
        house.start(link, "S1")
        second = _next_data(lines)
    assert first["meters"]["jackpot"]["meter"] + 3 * 240_000 == second["meters"]["jackpot"]["meter"]
    assert second["entry"] == first["entry"] + 1


def _next_data(lines: Iterator[str]) -> dict[str, Any]:
    for line in lines:
        if line.startswith("data: "):
            event: dict[str, Any] = json.loads(line.removeprefix("data: "))
            return event
    raise AssertionError("the stream has ended")


def test_health_and_numbers(house: House) -> None:
    assert house.nobody.get("/healthz").json()["status"] == "alive"
    assert house.nobody.get("/readyz").json()["status"] == "ready"
    assert "feltwork_requests_total" in house.nobody.get("/metrics").text


def test_the_question_of_every_screen_is_counted_but_not_logged(house: House) -> None:
    with capture_logs() as lines:
        for path in ("/healthz", "/readyz"):
            house.nobody.get(path)
        counted = house.nobody.get("/metrics").text
    routes = {line["route"] for line in lines if line["event"] == "request"}
    assert "/readyz" in routes
    assert "/healthz" not in routes
    assert 'feltwork_requests_total{route="/healthz",status="200"}' in counted
