"""What holds for every round of every game, however it is dealt and played."""

import random
from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feltwork.money import CENT
from feltwork.titles import registry
from feltwork.titles.cards.shoe import Shoe, decks_of
from feltwork.titles.notation import round_from
from feltwork.titles.paytables.paytable import Odds
from feltwork.titles.round import Round, Seat
from feltwork.titles.sample_round import open_round
from feltwork.titles.settle import settle
from feltwork.titles.settlement import BetResult, Settlement
from feltwork.titles.title import Decision, Game
from feltwork.titles.transcript import transcript

GAMES = [game.name for game in registry.games()]
#: The most that a bet without a paytable pays for each unit staked: a tie at baccarat, nine to one.
MOST_WITHOUT_PAYTABLE = 9
#: Bets that look at everybody's cards.
LOOKS_AROUND = {"cover_all"}


def dealt(game: Game, seed: int) -> Round:
    """A round with random seats, wagers, paytables, cards and lawful decisions."""
    dice = random.Random(seed)
    opened = open_round(game, dice.randint(1, game.max_seats))
    seats = tuple(
        replace(
            seat,
            wagers=dict.fromkeys(dice.choice(game.openings), dice.randint(1, 40_000) * 2 * CENT),
            jackpots=seat.jackpots if dice.random() < 0.7 else frozenset(),
        )
        for seat in opened.seats
    )
    library = registry.library(game.name)
    paytables = {
        bet: library[bet, dice.choice(library.ids_of(bet))]
        for bet in game.paytable_bets
        if bet not in (*game.chosen_by_deal, "house_money")
    }
    cards = list(decks_of(int(opened.options.get("decks", 1))))
    dice.shuffle(cards)

    def decide(decision: Decision) -> str:
        return dice.choice(decision.choices)

    opened = replace(opened, seats=seats, paytables={**opened.paytables, **paytables})
    return game.play(opened, Shoe(cards), decide)


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_money_is_conserved(name: str, seed: int) -> None:
    """Every stake is answered for, and what a meter pays is what it loses."""
    round_ = dealt(registry.game(name), seed)
    settlement = settle(round_)
    for seat, result in zip(round_.seats, settlement.seats, strict=True):
        assert set(seat.wagers) <= set(result.bets)
        for bet, amount in seat.wagers.items():
            assert result.bets[bet].staked >= amount
        assert set(result.jackpots) == set(seat.jackpots)
    for jackpot, levels in settlement.meters.items():
        for level, change in levels.items():
            results = [seat.jackpots[jackpot] for seat in settlement.seats if jackpot in seat.jackpots]
            paid = sum(result.sources.get(level, 0) for result in results)
            assert change.before - change.after == paid
            assert change.after >= 0


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_no_bet_returns_more_than_its_paytable_or_less_than_nothing(name: str, seed: int) -> None:
    round_ = dealt(registry.game(name), seed)
    bets = {wager.name: wager.paytable for wager in round_.game.wagers}
    for seat in settle(round_).seats:
        for bet, result in seat.bets.items():
            if bet in round_.game.riding:
                continue
            most = MOST_WITHOUT_PAYTABLE
            if bets[bet]:
                tables = [table for key, table in round_.paytables.items() if key.split("-")[0] == bets[bet]]
                rows = [row.pays for table in tables for row in table.rows]
                most = max(-(-pays.wins // pays.per) for pays in rows if isinstance(pays, Odds))
            assert 0 <= result.returned <= result.staked * (1 + most)
            assert (result.outcome == "push") <= (result.returned == result.staked)
            assert (result.outcome == "win") <= (result.returned > result.staked)
            assert (result.outcome == "lose") <= (result.returned < result.staked or result.staked == 0)


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_seat_is_paid_the_same_whoever_sits_beside_it(name: str, seed: int) -> None:
    round_ = dealt(registry.game(name), seed)
    together = settle(replace(round_, jackpots=(), seats=without_jackpots(round_)))
    for seat, result in zip(without_jackpots(round_), together.seats, strict=True):
        (alone,) = settle(replace(round_, jackpots=(), seats=(seat,))).seats
        assert drop(alone.bets) == drop(result.bets)


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_transcript_settles_to_the_same(name: str, seed: int) -> None:
    round_ = dealt(registry.game(name), seed)
    again = round_from(transcript(round_))
    assert again.seats == round_.seats
    assert settle(again) == settle(round_)


@pytest.mark.parametrize("name", [name for name in GAMES if registry.game(name).voids_on_misdeal])
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32), victim=st.integers(0, 8))
def test_a_missing_card_voids_the_round_for_everyone(name: str, seed: int, victim: int) -> None:
    round_ = dealt(registry.game(name), seed)
    victim %= len(round_.seats)
    seats = list(round_.seats)
    seats[victim] = replace(seats[victim], cards=seats[victim].cards[:-1])
    settlement = settle(replace(round_, seats=tuple(seats)))
    assert settlement.void
    assert all(seat.net == 0 for seat in settlement.seats)
    assert all(bet.outcome == "void" for seat in settlement.seats for bet in seat.bets.values())
    assert unchanged(settlement)


def without_jackpots(round_: Round) -> tuple[Seat, ...]:
    return tuple(replace(seat, jackpots=frozenset()) for seat in round_.seats)


def drop(bets: Mapping[str, BetResult]) -> dict[str, BetResult]:
    return {bet: result for bet, result in bets.items() if bet not in LOOKS_AROUND}


def unchanged(settlement: Settlement) -> bool:
    changes = [change for levels in settlement.meters.values() for change in levels.values()]
    return all(change.before == change.after for change in changes)
