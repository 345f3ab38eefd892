"""Evenings that the letters describe, as the people of the floor would tell them."""

from typing import Any

import pytest

from feltwork.money import CENT, DOLLAR
from feltwork.problem import ProblemsError
from feltwork.site.progressive import contribution
from feltwork.site.progressive.button_pays import tray_pays, verify_cards
from feltwork.site.progressive.facts import Contributed
from feltwork.titles.notation import round_from
from feltwork.titles.round import Round
from tests.progressive.room import EVE, SAM, Room, house_jackpot, level, link_of

WHOLE_TABLE = range(1, 8)


def buttons(room: Room) -> tuple[str, ...]:
    return room.rounds["T1"].buttons


def crazy_4(seat: int, cards: str) -> Round:
    return dealt("crazy_4", seat, cards, dealer="Kc Qd 9h 8c 2d", paytables={"super_bonus": "C4P-09"})


def holdem(seat: int, cards: str, board: str) -> Round:
    data = {"game": "holdem_bonus", "dealer": "Ks Qd", "board": board}
    return round_from(
        {**data, "seats": [{"seat": seat, "cards": cards, "wagers": {"ante": "10", "flop": "20"}}]}
    )


def dealt(game: str, seat: int, cards: str, **table: Any) -> Round:
    wagers = {"ante": "5", "super_bonus": "5", "play": "5"} if game == "crazy_4" else {"bet": "10"}
    seat_fields = table.pop("said", {})
    seats = [{"seat": seat, "cards": cards, "wagers": wagers, **seat_fields}]
    return round_from({"game": game, **table, "seats": seats})


@pytest.mark.requirement("LT-06", "LT-11", "GEN-12", "WA-05")
def test_ml03_on_two_different_five_card_games_mega_major_and_minor_in_one_evening() -> None:
    """Crazy 4 looks at all five cards, Hold'em Bonus at hole cards and flop; the meters are the same."""
    levels = [
        level("mega", seed=25_000, contribution=1_200, reserve=300),
        level("major", seed=2_000, contribution=800, reserve=0),
        level("minor", seed=250, contribution=400, reserve=0),
    ]
    room = Room(link_of("five_card", "ML03", levels), ["C4-1", "TH-1"]).open()
    link = room.state.link

    for _ in range(100):
        room.start("C4-1", WHOLE_TABLE)
        room.end("C4-1")
        room.start("TH-1", range(1, 6))
        room.end("TH-1")
    assert room.state.meter("mega") == 25_000 * DOLLAR + 1_200 * 12 * CENT
    assert room.state.reserve("mega") == 1_200 * 3 * CENT

    room.start("C4-1", WHOLE_TABLE)
    verify_cards(link, hand="four_of_a_kind", cards="7s 7h 7d 7c 2d")
    assert room.hit("C4-1", 3, "four_of_a_kind") == 250 * DOLLAR + 1_207 * 4 * CENT
    assert room.end("C4-1").envy == 0, "four of a kind gives no envy"

    room.start("TH-1", range(1, 6))
    verify_cards(link, hand="straight_flush", cards="9h 8h 7h 6h 5h")
    assert room.hit("TH-1", 2, "straight_flush") == 2_000 * DOLLAR + 1_212 * 8 * CENT
    assert room.end("TH-1").envy == 4 * 300 * DOLLAR

    room.start("C4-1", WHOLE_TABLE)
    verify_cards(link, hand="royal_flush", cards="Ah Kh Qh Jh Th")
    reserve = room.state.reserve("mega")
    assert reserve == 1_219 * 3 * CENT
    assert room.hit("C4-1", 6, "royal_flush") == 25_000 * DOLLAR + 1_219 * 12 * CENT
    assert room.state.meter("mega") == 25_000 * DOLLAR + reserve
    assert room.state.reserve("mega") == 0
    assert room.end("C4-1").envy == 6 * 1_000 * DOLLAR
    assert [room.state.awards[hit].level for hit in room.state.hits] == ["minor", "major", "mega"]
    room.check()


@pytest.mark.requirement("LT-11")
def test_a_link_sees_only_the_five_cards_that_its_rule_names() -> None:
    """A royal that needs the river is none: the link looks at hole cards and flop."""
    link = link_of("five_card", "ML03", [level("mega"), level("major"), level("minor", contribution=0)])
    with pytest.raises(ProblemsError, match="the cards make"):
        verify_cards(link, hand="royal_flush", cards="Ah Kh Qh Jh 5c")


@pytest.mark.requirement("LT-07", "LT-06", "LT-09", "GEN-10")
@pytest.mark.parametrize("lock_at", ["claim", "confirm"])
def test_two_royals_in_one_round_the_right_seat_first(lock_at: Any) -> None:
    """Seat 2 is pressed first, but seat 6 is on the right: 6 takes the meter, 2 the seed that follows."""
    levels = [level(seed=10_000, contribution=2_000, reserve=500)]
    room = Room(link_of("five_card", "01", levels, lock_at=lock_at)).open()
    room.start("T1", WHOLE_TABLE)
    left = room.press("T1", 2, "royal_flush")
    right = room.press("T1", 6, "royal_flush")
    room.confirm(right)
    room.confirm(left)

    meter, reserve = 10_000 * DOLLAR + 7 * 20 * CENT, 7 * 5 * CENT
    assert room.state.awards[right].amount == meter
    assert room.state.awards[left].amount == 10_000 * DOLLAR + reserve
    assert room.state.meter("jackpot") == 10_000 * DOLLAR, "the reserve was gone: seed alone"
    ended = room.end("T1")
    assert ended.envy == (5 * 2 + 2 * 1) * 1_000 * DOLLAR, "five watch two royals, each winner the other's"
    room.check()


@pytest.mark.requirement("LT-09", "LT-13")
def test_four_aces_with_six_envy_bettors_at_five_dollars() -> None:
    link = link_of("four_card", "1", [level()], wager=5 * DOLLAR)
    room = Room(link).open()
    room.start("T1", WHOLE_TABLE)
    award = room.press("T1", 4, "four_aces")
    room.confirm(award)
    pays = tray_pays(link, hands={4: "four_aces"}, bettors=room.rounds["T1"].seats)
    assert {seat: pay.envy for seat, pay in pays.items()} == {
        **dict.fromkeys((1, 2, 3, 5, 6, 7), 500 * DOLLAR),
        4: 0,
    }
    assert room.end("T1").envy == 6 * 500 * DOLLAR
    assert room.pay(award) == 10_000 * DOLLAR + 7 * 5 * 24 * CENT


@pytest.mark.requirement("LT-08")
@pytest.mark.parametrize("lock_at", ["claim", "confirm"])
def test_a_dragon_ten_percent_prize_split_three_ways_with_the_odd_cent(lock_at: Any) -> None:
    """One share for the row, divided among the table's winners; odd cents go to the dealer's right first."""
    levels = [level(seed=10_000, contribution=2_000, reserve=0)]
    room = Room(link_of("dragon", "1", levels, lock_at=lock_at, share_with="winning_side")).open()
    room.start("T1", [1, 3, 5])
    meter = 10_000 * DOLLAR + 3 * 20 * CENT
    names = [room.press("T1", seat, "two_three_four_suited") for seat in (1, 3, 5)]
    with pytest.raises(ProblemsError, match="LT-08"):
        room.confirm(names[0])
    room.confirm(*names)
    amounts = {award.seat: award.amount for award in room.state.awards.values()}
    assert sum(amounts.values()) == 1_000 * DOLLAR + 6 * CENT
    assert amounts == {5: 333_36 * CENT, 3: 333_35 * CENT, 1: 333_35 * CENT}
    assert room.state.meter("jackpot") == meter - 1_000 * DOLLAR - 6 * CENT
    room.check()


@pytest.mark.requirement("WA-05", "LT-06")
def test_blazing_7s_linked_across_two_blackjack_titles() -> None:
    """A table with House Money and one without feed the same meters, and each can win them."""
    levels = [
        level("mega", seed=2_000, contribution=1_400, reserve=0),
        level("major", seed=1_000, contribution=600, reserve=0),
        level("minor", seed=500, contribution=400, reserve=0),
    ]
    link = link_of("blazing_7s", "ML03", levels, variant="dealer_up_card")
    room = Room(link, ["BJ-1", "HM-1"]).open()
    started = [room.start(table, WHOLE_TABLE, booked=False) for table in ("BJ-1", "HM-1")]
    assert room.contribute(started) == ()
    grown = 2_000 * DOLLAR + 14 * 14 * CENT
    assert room.state.meter("mega") == grown

    verify_cards(link, hand="three_7s_diamonds", cards="7d 7d / 7d")
    assert room.hit("BJ-1", 2, "three_7s_diamonds") == grown
    verify_cards(link, hand="three_7s_suited", cards="7h 7h / 7h")
    assert room.hit("HM-1", 5, "three_7s_suited") == 1_000 * DOLLAR + 14 * 6 * CENT
    room.end("BJ-1")
    room.end("HM-1")
    assert room.state.meter("mega") == 2_000 * DOLLAR
    room.check()


@pytest.mark.requirement("LT-02", "LT-03", "LT-04")
def test_aquarius_key_order() -> None:
    """Key to JPH, J-POT logs the win, the key back at RUN moves the meter; no other order answers."""
    room = Room(link_of("four_card", "3", [level()], lock_at="run")).open()
    assert buttons(room) == ("COIN IN",)
    room.start("T1", WHOLE_TABLE)
    award = room.press("T1", 3, "four_aces")
    assert buttons(room) == ("hand on the keypad", "key to JPH")
    with pytest.raises(ProblemsError, match="J-POT is disabled now"):
        room.confirm(award)
    with pytest.raises(ProblemsError, match="GAME OVER waits for the claim of seat 3"):
        room.end("T1")
    room.turn_key("T1", "JPH")
    amount = room.state.shown("jackpot")
    room.confirm(award)
    assert room.state.awards[award].status == "confirmed"
    assert room.state.shown("jackpot") == amount, "logged, but the meter has not moved"
    with pytest.raises(ProblemsError, match="turn the key back to RUN"):
        room.pay(award)

    room.start("T2", WHOLE_TABLE)
    rival = room.press("T2", 1, "four_aces")
    room.turn_key("T2", "JPH")
    next_jackpot = room.state.awards[rival].amount
    assert next_jackpot == 10_000 * DOLLAR + 7 * 5 * CENT + 7 * 24 * CENT
    room.confirm(rival)

    room.turn_key("T1", "RUN")
    assert room.state.shown("jackpot") == next_jackpot, "the other table's key is still at JPH"
    assert room.pay(award) == amount
    room.turn_key("T2", "RUN")
    assert room.state.shown("jackpot") == 10_000 * DOLLAR + 7 * 5 * CENT
    assert room.pay(rival) == next_jackpot
    assert buttons(room) == ("hand on the keypad", "GAME OVER")
    room.end("T1")
    room.check()


@pytest.mark.requirement("WA-01", "WA-03", "WA-06")
def test_a_house_jackpot_won_twice_in_a_round() -> None:
    """The posted amount to each, of the house's own money."""
    room = Room(house_jackpot()).open()
    room.start("T1", (2, 5))
    assert [room.hit("T1", seat, "royal_flush") for seat in (2, 5)] == [500 * DOLLAR, 500 * DOLLAR]
    assert room.state.meter("jackpot") == 500 * DOLLAR, "it never accrues and never falls"
    link = room.state.link.id
    assert room.state.balances == {
        f"retention/{link}": 2 * DOLLAR,
        f"house_pays/{link}": -1_000 * DOLLAR,
        f"patrons/{link}": 998 * DOLLAR,
    }
    room.check()


@pytest.mark.requirement("LT-06", "GEN-12", "GEN-28")
@pytest.mark.parametrize("lock_at", ["claim", "confirm"])
def test_back_to_back_megas_with_an_empty_reserve(lock_at: Any) -> None:
    """The first restart takes the reserve, the second finds it empty and starts at the seed alone."""
    room = Room(link_of("five_card", "01", [level()], lock_at=lock_at)).open()
    room.start("T1", WHOLE_TABLE)
    reserve = room.state.reserve("jackpot")
    assert reserve == 7 * 5 * CENT
    assert room.hit("T1", 1, "royal_flush") == 10_000 * DOLLAR + 7 * 24 * CENT
    assert room.state.meter("jackpot") == 10_000 * DOLLAR + reserve
    assert room.hit("T1", 2, "royal_flush") == 10_000 * DOLLAR + reserve
    assert room.state.meter("jackpot") == 10_000 * DOLLAR
    assert room.state.unrecovered_seed("jackpot") == 30_000 * DOLLAR
    room.check()


@pytest.mark.requirement("GEN-11", "GEN-12", "GEN-28")
def test_other_tables_play_on_while_a_claim_waits() -> None:
    """Locked at the claim: what other tables add afterwards belongs to the next jackpot."""
    room = Room(link_of("five_card", "01", [level()], lock_at="claim")).open()
    room.start("T1", WHOLE_TABLE)
    won = room.state.meter("jackpot")
    award = room.press("T1", 4, "royal_flush")
    assert room.state.meter("jackpot") == 10_000 * DOLLAR + 7 * 5 * CENT
    room.start("T2", WHOLE_TABLE)
    room.confirm(award, badges=[SAM, EVE])
    assert room.pay(award) == won
    assert room.state.meter("jackpot") == 10_000 * DOLLAR + 7 * (5 + 24) * CENT


@pytest.mark.requirement("WA-05", "GEN-11")
def test_a_win_can_be_derived_again_from_the_contributions_before_it() -> None:
    room = Room(link_of("five_card", "01", [level()])).open()
    for _ in range(5):
        room.start("T1", WHOLE_TABLE)
        room.end("T1")
    room.start("T1", [2])
    won = room.hit("T1", 2, "royal_flush")
    grown = sum(fact.to_meter["jackpot"] for fact in room.facts if isinstance(fact, Contributed))
    assert won == 10_000 * DOLLAR + grown
    batch = [fact for fact in room.facts if isinstance(fact, Contributed)]
    assert contribution.ranges([1, 2, 3, 5]) == "1-3,5"
    assert [fact.rounds["T1"] for fact in batch] == ["1", "2", "3", "4", "5", "6"]
