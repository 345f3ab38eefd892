"""House jackpots and the floor through HTTP: posted amounts to every winner, at tables that stand there."""

import pytest

from feltwork.money import DOLLAR
from tests.web.house import House


@pytest.mark.requirement("WA-01", "WA-03")
def test_two_winners_of_a_house_jackpot_get_the_whole_amount_each(house: House) -> None:
    jackpot = house.post_jackpot("aces")
    for table, seat in (("H1", 1), ("A1", 4)):
        house.start(jackpot, table, (1, 4))
        award = house.claim(jackpot, table, seat)
        alone = house.confirm(jackpot, award, "sam")
        assert (alone.status_code, alone.json()["requirement"]) == (409, "LT-03")
        path = f"/api/v1/links/{jackpot}/awards/{award}"
        assert house.post("cara", f"{path}/pay", {"form": "check"}).status_code == 409, "it is not confirmed"
        assert house.confirm(jackpot, award, "sam", "eve").status_code == 200
        house.done("cara", f"{path}/pay", {"form": "check"})
        assert house.done("cara", f"{path}/pay", {"form": "check"})["facts"] == [], "it is paid once"
        assert house.meter(jackpot) == 5_000 * DOLLAR
        house.end(jackpot, table)
    awards = house.get("dana", f"/api/v1/links/{jackpot}/awards")["awards"]
    assert [(award["status"], award["from_meter"], award["from_house"]) for award in awards] == [
        ("paid", 0, 5_000 * DOLLAR)
    ] * 2
    page = house.get("sam", f"/awards/{awards[0]['id']}/win-page.json")
    assert page["award"]["from_house"] == 5_000 * DOLLAR
    house.sound()


@pytest.mark.requirement("WA-01", "WA-03")
def test_another_posted_amount_leaves_an_open_claim_as_it_is(house: House) -> None:
    jackpot = house.post_jackpot("changed")
    house.start(jackpot, "H1", (1, 2))
    award = house.claim(jackpot, "H1", 1)
    command = {"command": "set_amount", "link": jackpot, "level": "jackpot", "amount": 7_000 * DOLLAR}
    proposal = house.done("ann", "/api/v1/proposals", {**command, "reason": "a new sign"})
    assert house.amount_change(proposal["proposal"]) == (5_000 * DOLLAR, 7_000 * DOLLAR)
    approval = {"fingerprint": proposal["fingerprint"]}
    booked = house.done("eve", f"/api/v1/proposals/{proposal['proposal']}/approve", approval)["booked"]
    assert booked["meters"]["jackpot"]["meter"] == 7_000 * DOLLAR
    (level,) = house.nobody.get(f"/signs/{jackpot}.json").json()["sign"]["levels"]
    assert level["amount"] == 7_000 * DOLLAR, "the sign shows it"
    assert house.get("dana", f"/api/v1/links/{jackpot}/awards/{award}")["amount"] == 5_000 * DOLLAR
    voided = house.void("sam", jackpot, award, "only three aces")
    assert [fact["kind"] for fact in voided["facts"]] == ["Released", "Voided"]
    later = house.claim(jackpot, "H1", 2)
    assert house.get("dana", f"/api/v1/links/{jackpot}/awards/{later}")["amount"] == 7_000 * DOLLAR
    assert house.confirm(jackpot, later, "sam", "eve").status_code == 200
    house.end(jackpot, "H1")
    house.sound()


@pytest.mark.requirement("WA-01")
def test_nobody_posts_on_a_progressive_or_adjusts_a_house_jackpot(house: House) -> None:
    link, jackpot = house.open("climbs"), house.post_jackpot("posts")
    about = {"command": "adjust", "pool": "meter", "level": "jackpot", "adjustment": "J-77"}
    for by, command in (
        (("ann", "eve"), {"command": "set_amount", "link": link, "level": "jackpot", "amount": DOLLAR}),
        (("ann", "eve"), {"command": "set_amount", "link": jackpot, "level": "mega", "amount": DOLLAR}),
        (
            ("ann", "bob"),
            {
                **about,
                "link": jackpot,
                "change": DOLLAR,
                "evidence": "memo",
                "lawful_reason": "HOUSE_ADDITION",
            },
        ),
    ):
        proposal = house.done(by[0], "/api/v1/proposals", {"reason": "a try", **command})
        approval = {"fingerprint": proposal["fingerprint"]}
        refused = house.post(by[1], f"/api/v1/proposals/{proposal['proposal']}/approve", approval)
        assert (refused.status_code, refused.json()["requirement"]) == (409, "WA-01"), refused.text
    house.sound()


@pytest.mark.requirement("GEN-06")
def test_a_table_that_does_not_stand_in_the_floor_is_refused(house: House) -> None:
    link, jackpot = house.open("stands"), house.post_jackpot("stands-too")
    seats = {"wagers": {link: [1]}, "players": [1]}
    for path, body in (
        (f"/api/v1/tables/X1/start?link={link}", seats),
        (f"/api/v1/tables/T9/start?link={link}", {"wagers": {link: [8]}, "players": [8]}),
        (f"/api/v1/tables/T9/start?link={link}", {"wagers": {link: [1]}, "players": [1, 9]}),
        (f"/api/v1/links/{link}/tables/T9/hand", {"seat": 8, "hand": "four_aces"}),
        (f"/api/v1/tables/X1/start?link={jackpot}", {"wagers": {jackpot: [1]}, "players": [1]}),
        (f"/api/v1/tables/T9/start?link={jackpot}", {"wagers": {jackpot: [8]}, "players": [8]}),
    ):
        refused = house.post("dana", path, body)
        assert (refused.status_code, refused.json()["requirement"]) == (409, "GEN-06"), refused.text
        assert refused.json()["remedy"]
    del house.links[link]
    house.lay()
    elsewhere = house.post("dana", f"/api/v1/tables/T9/start?link={link}", seats)
    assert "is not played for stands there" in elsewhere.json()["detail"]
    assert house.get("dana", f"/api/v1/links/{link}")["entry"] == 1, "nothing was booked after the opening"
