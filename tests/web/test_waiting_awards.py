"""What the pit and a dealer see of awards that wait for a badge or for the money."""

from typing import Any

import pytest

from feltwork.money import DOLLAR
from tests.progressive.room import five_card
from tests.web.house import House


def waiting(house: House, link: str) -> dict[str, dict[str, Any]]:
    """The awards of a link that the pit shows."""
    return {award["id"]: award for award in house.get("sam", "/pit")["claims"] if award["link"] == link}


def test_a_dealer_sees_the_claims_of_the_table_alone(house: House) -> None:
    link = house.open("own-claims")
    claims = {}
    for table in ("A1", "D1"):
        house.start(link, table)
        claims[table] = house.claim(link, table)
    for table, claim in claims.items():
        board = house.get("dana", f"/dealer/{link}/{table}")["jackpots"]
        (jackpot,) = (jackpot for jackpot in board if jackpot["link"] == link)
        assert [award["id"] for award in jackpot["claims"]] == [claim]
        won = {seat["seat"]: seat["claim"] for seat in jackpot["seats"] if seat["claim"]}
        assert list(won) == [1], "no seat wins what another table has won"
    assert list(waiting(house, link)) == list(claims.values())
    house.void("sam", link, claims["A1"], "three aces only")
    assert list(waiting(house, link)) == [claims["D1"]]


@pytest.mark.requirement("LT-03", "WA-24")
def test_the_pit_shows_what_a_hit_needs_and_what_others_are_paid_for_it(house: House) -> None:
    large, small = house.open("large-hit"), house.post_jackpot("small-hit", amount=500)
    awards = {}
    for link, table in ((large, "H1"), (small, "K1")):
        house.start(link, table)
        claim = house.claim(link, table)
        awards[link] = waiting(house, link)[claim]
    assert awards[large]["hit_amount"] == awards[large]["amount"] > 1_000 * DOLLAR
    assert (awards[large]["badges"], awards[large]["pay_now"]) == (["supervisor", "executive"], False)
    assert (awards[small]["badges"], awards[small]["pay_now"]) == (["supervisor"], True)
    assert awards[small]["hit_amount"] == 500 * DOLLAR
    assert {award["envy"] for award in awards.values()} == {100 * DOLLAR}, "as the paytable prints it"


@pytest.mark.requirement("LT-07")
def test_a_split_prize_is_one_hit_and_a_voided_claim_is_no_part_of_it(house: House) -> None:
    link = house.open("split-hit", made_by=five_card, several_winners="split")
    house.start(link, "L1")
    wrong = house.claim(link, "L1", 3, "royal_flush")
    house.void("sam", link, wrong, "a flush only")
    claims = [house.claim(link, "L1", seat, "royal_flush") for seat in (1, 2)]
    awards = waiting(house, link)
    assert list(awards) == claims
    assert [award["hit_seats"] for award in awards.values()] == [[1, 2]] * 2
    whole = sum(award["amount"] for award in awards.values())
    assert [award["hit_amount"] for award in awards.values()] == [whole] * 2
    assert whole > 10_000 * DOLLAR
