"""House jackpots and the floor through HTTP: whole amounts to every winner, at tables that stand there."""

import pytest

from feltwork.money import DOLLAR
from tests.web.house import PIN, House


@pytest.mark.requirement("WA-01", "WA-03")
def test_two_winners_of_a_house_jackpot_get_the_whole_amount_each(house: House) -> None:
    jackpot = house.post_jackpot("aces")
    path = f"/house-jackpots/{jackpot}"
    for seat in (1, 4):
        won = {"table": "H1", "round": 7, "seat": seat}
        award = house.done("dana", f"{path}/claims", won)["award"]["id"]
        assert house.post("dana", f"{path}/claims", won).json()["requirement"] == "LT-02"
        badges = [{"badge": f"B-{person}", "pin": PIN} for person in ("sam", "eve")]
        alone = house.post(
            "dana", f"{path}/awards/{award}/confirm", {"badges": badges[:1], "amount": 5_000 * DOLLAR}
        )
        assert (alone.status_code, alone.json()["requirement"]) == (409, "LT-03")
        early = house.post("cara", f"{path}/awards/{award}/pay", {"form": "check"})
        assert early.status_code == 409, "nothing is paid that is not confirmed"
        confirmed = house.done(
            "dana", f"{path}/awards/{award}/confirm", {"badges": badges, "amount": 5_000 * DOLLAR}
        )
        assert (confirmed["award"]["status"], confirmed["award"]["amount"]) == ("confirmed", 5_000 * DOLLAR)
        paid = house.done("cara", f"{path}/awards/{award}/pay", {"form": "check"})
        assert (paid["award"]["status"], paid["posted"]) == ("paid", 5_000 * DOLLAR)
        assert house.post("cara", f"{path}/awards/{award}/pay", {"form": "check"}).status_code == 409
    told = house.get("dana", path)
    assert [one["status"] for one in told["awards"]] == ["paid", "paid"]
    house.sound()


def test_a_claim_of_a_house_jackpot_is_refused_by_the_supervisor(house: House) -> None:
    jackpot = house.post_jackpot("refused")
    path = f"/house-jackpots/{jackpot}"
    award = house.done("dana", f"{path}/claims", {"table": "H1", "round": 8, "seat": 1})["award"]["id"]
    voided = house.done("sam", f"{path}/awards/{award}/void", {"reason": "only three aces"})
    assert voided["award"]["status"] == "voided"
    assert house.of("dana").get(f"{path}/awards").status_code == 404
    assert house.of("dana").get("/house-jackpots/unknown").status_code == 404
    house.sound()


@pytest.mark.requirement("GEN-06")
def test_a_table_that_does_not_stand_in_the_floor_is_refused(house: House) -> None:
    link, jackpot = house.open("stands"), house.post_jackpot("stands-too")
    seats = {"covered": [1], "players": [1]}
    kept = {"table": "X1", "round": 1, "at": 10**15, "wager": DOLLAR, "seats": [1]}
    for path, body in (
        (f"/links/{link}/tables/X1/start", seats),
        (f"/links/{link}/tables/T9/start", {"covered": [8], "players": [8]}),
        (f"/links/{link}/tables/T9/start", {"covered": [1], "players": [1, 9]}),
        (f"/links/{link}/tables/T9/hand", {"seat": 8, "hand": "four_aces"}),
        (f"/links/{link}/rounds", {"rounds": [kept]}),
        (f"/links/{link}/rounds", {"rounds": [{**kept, "table": "T9", "seats": [8]}]}),
        (f"/house-jackpots/{jackpot}/claims", {"table": "X1", "round": 1, "seat": 1}),
        (f"/house-jackpots/{jackpot}/claims", {"table": "T9", "round": 1, "seat": 8}),
    ):
        refused = house.post("dana", path, body)
        assert (refused.status_code, refused.json()["requirement"]) == (409, "GEN-06"), refused.text
        assert refused.json()["remedy"]
    del house.links[link]
    house.lay()
    elsewhere = house.post("dana", f"/links/{link}/tables/T9/start", seats)
    assert "is not played for stands there" in elsewhere.json()["what"]
    assert house.get("dana", f"/links/{link}")["entry"] == 1, "nothing was booked after the opening"
