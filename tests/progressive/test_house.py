"""House jackpots."""

import pytest

from feltwork.ledger.chain import Tail
from feltwork.money import CENT, DOLLAR
from feltwork.problem import ProblemsError
from feltwork.progressive import house
from feltwork.progressive.facts import Fact
from feltwork.progressive.house import HouseState, book_house
from feltwork.progressive.link import HouseJackpot
from feltwork.progressive.people import Badge
from tests.progressive.room import EVE, SAM, Room, asked, four_card

JACKPOT = HouseJackpot(id="H1", hand="royal_flush", executive_above=1_000 * DOLLAR)
PLACE = ("T1", 1, 3)


def after(state: HouseState, *facts: Fact) -> HouseState:
    return book_house(state, Tail(), facts)[0]


def posted(amount: int = 500 * DOLLAR) -> HouseState:
    state = HouseState(jackpot=JACKPOT)
    return after(state, house.set_amount(state, asked(), amount=amount, at=1))


def claimed(amount: int = 500 * DOLLAR) -> HouseState:
    state = posted(amount)
    return after(state, *house.claim(state, award="A1", place=PLACE, at=2, by="dana"))


@pytest.mark.requirement("WA-01")
def test_the_amount_changes_only_by_the_command_of_two_people() -> None:
    state = posted()
    for amount in (0, -1, CENT + 1):
        with pytest.raises(ProblemsError, match="WA-01"):
            house.set_amount(state, asked(), amount=amount, at=2)
    with pytest.raises(ProblemsError, match="WA-01"):
        house.set_amount(state, asked(approved_by="ann"), amount=DOLLAR, at=2)
    fact = house.set_amount(state, asked(), amount=600 * DOLLAR, at=2)
    assert (fact.before, fact.after) == (500 * DOLLAR, 600 * DOLLAR)
    assert after(state, fact).balances == {}, "posting an amount moves no money"


@pytest.mark.requirement("WA-01")
def test_no_fact_of_a_progressive_reaches_it() -> None:
    room = Room(four_card()).open()
    room.start("T1")
    for fact in room.facts:
        with pytest.raises(ProblemsError, match="WA-01"):
            after(posted(), fact)


@pytest.mark.requirement("WA-02")
def test_a_house_jackpot_says_what_it_is() -> None:
    assert JACKPOT.disclosures == (
        "This is a house jackpot: no player money funds it.",
        "It may be removed without notice.",
    )


@pytest.mark.requirement("LT-03", "WA-30")
def test_a_house_win_needs_its_badge_too() -> None:
    state = claimed(1_001 * DOLLAR)
    amount = 1_001 * DOLLAR
    for badges in ([], [Badge("dana", "executive")], [SAM], [EVE]):
        with pytest.raises(ProblemsError, match="LT-03"):
            house.confirm(state, award="A1", badges=badges, amount=amount, at=3)
    with pytest.raises(ProblemsError, match=r"the amount is now 1001.00"):
        house.confirm(state, award="A1", badges=[SAM, EVE], amount=amount - 1, at=3)
    state = after(state, *house.confirm(state, award="A1", badges=[EVE, SAM], amount=amount, at=3))
    assert (state.awards["A1"].supervisor, state.awards["A1"].executive) == ("sam", "eve")
    assert state.balances == {"house_pays/H1": -1_001 * DOLLAR, "payable/H1/A1": 1_001 * DOLLAR}


def test_a_supervisor_is_enough_at_the_threshold() -> None:
    state = claimed(1_000 * DOLLAR)
    state = after(state, *house.confirm(state, award="A1", badges=[SAM], amount=state.amount, at=3))
    assert (state.awards["A1"].supervisor, state.awards["A1"].executive) == ("sam", "")


def test_a_seat_claims_once_and_only_a_posted_prize() -> None:
    with pytest.raises(ProblemsError, match="no amount is posted"):
        house.claim(HouseState(jackpot=JACKPOT), award="A1", place=PLACE, at=2, by="dana")
    state = claimed()
    for award, place in (("A1", ("T2", 1, 1)), ("A2", PLACE)):
        with pytest.raises(ProblemsError, match="the seat has a claim"):
            house.claim(state, award=award, place=place, at=2, by="dana")
    with pytest.raises(ProblemsError, match="it has no reason"):
        house.void(state, award="A1", reason="", at=3, by="sam")
    state = after(state, *house.void(state, award="A1", reason="folded", at=3, by="sam"))
    assert state.awards["A1"].status == "voided"
    house.claim(state, award="A2", place=PLACE, at=4, by="dana")


def test_steps_come_in_order() -> None:
    state = claimed()
    with pytest.raises(ProblemsError, match="it must be confirmed"):
        house.pay(state, award="A1", form="cash", at=3, by="cara")
    with pytest.raises(ProblemsError, match="it is unknown"):
        house.confirm(state, award="A9", badges=[SAM], amount=state.amount, at=3)
    state = after(state, *house.confirm(state, award="A1", badges=[SAM], amount=state.amount, at=3))
    with pytest.raises(ProblemsError, match="it must be claimed"):
        house.void(state, award="A1", reason="late", at=4, by="sam")
