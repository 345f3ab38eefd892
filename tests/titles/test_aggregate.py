"""Aggregate limits of a round: wins above them are paid in proportion; stakes and jackpots are not cut."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltwork import money
from feltwork.money import CENT, DOLLAR
from feltwork.problem import ProblemsError
from feltwork.titles.aggregate import within_limits
from feltwork.titles.notation import read_round, round_from
from feltwork.titles.settle import settle
from feltwork.titles.settlement import BetResult, SeatResult
from feltwork.titles.transcript import transcript

ROUND = """
game = "crazy_4"
paytables = { super_bonus = "C4P-09", queens_up = "C4P-09" }
dealer = "Ks Qd 9h 8c 2d"

[[jackpots]]
jackpot = "four_card"
paytable = "1"
wager = "1.00"
meters = { jackpot = "25000.00" }

[[seats]]
seat = 1
cards = "Ah Ad Ac As 3d"
wagers = { ante = "10", super_bonus = "10", play = "30", queens_up = "5" }
jackpots = ["four_card"]

[[seats]]
seat = 2
cards = "Jh Jd 4c 4s 5d"
wagers = { ante = "10", super_bonus = "10", play = "10", queens_up = "7" }
"""


def settled(**limits: str) -> Any:
    head = "".join(f'{name} = "{amount}"\n' for name, amount in limits.items())
    return settle(read_round(head + ROUND))


def wins(seats: Any) -> dict[tuple[int, str], int]:
    return {
        (seat.seat, name): bet.returned - bet.staked
        for seat in seats
        for name, bet in seat.bets.items()
        if bet.returned > bet.staked
    }


@pytest.mark.requirement("GEN-23")
def test_a_round_above_the_limit_is_paid_in_proportion_and_comes_to_it_exactly() -> None:
    free = settled()
    full = wins(free.seats)
    assert len(full) >= 5
    limit = 1_000 * DOLLAR
    assert sum(full.values()) > limit
    cut = settled(table_aggregate="1000.00")
    paid = wins(cut.seats)
    assert sum(paid.values()) == limit
    assert all(amount % CENT == 0 for amount in paid.values())
    for place, amount in full.items():
        assert abs(paid[place] - amount * limit / sum(full.values())) < CENT
    (best, _) = max(full.items(), key=lambda pair: pair[1])
    why = cut.seats[best[0] - 1].bets[best[1]].why
    assert f"come to {money.text(sum(full.values()))}: paid in proportion, 1000.00 in all" in why
    assert [seat.jackpots for seat in cut.seats] == [seat.jackpots for seat in free.seats]
    assert cut.meters == free.meters
    lost = [
        (seat.seat, name) for seat in free.seats for name, bet in seat.bets.items() if bet.outcome != "win"
    ]
    assert lost
    for number, name in lost:
        assert cut.seats[number - 1].bets[name] == free.seats[number - 1].bets[name]


@pytest.mark.requirement("GEN-23")
def test_at_the_limit_and_below_it_nothing_is_cut() -> None:
    free = settled()
    total = sum(wins(free.seats).values())
    assert settled(table_aggregate=money.text(total)) == free
    assert settled(table_aggregate=money.text(total + CENT), player_aggregate=money.text(total)) == free
    assert sum(wins(settled(table_aggregate=money.text(total - CENT)).seats).values()) == total - CENT


@pytest.mark.requirement("GEN-23")
def test_one_players_limit_cuts_that_player_alone() -> None:
    free, cut = settled(), settled(player_aggregate="100.00")
    assert sum(wins(cut.seats[:1]).values()) == 100 * DOLLAR
    assert sum(wins(free.seats[1:]).values()) < 100 * DOLLAR
    assert cut.seats[1] == free.seats[1]
    both = settled(player_aggregate="100.00", table_aggregate="50.00")
    assert sum(wins(both.seats).values()) == 50 * DOLLAR


def test_a_limit_is_written_and_read_back_and_a_wrong_one_is_named() -> None:
    round_ = read_round('table_aggregate = "1000"\nplayer_aggregate = "100"\n' + ROUND)
    assert (round_.table_aggregate, round_.player_aggregate) == (1_000 * DOLLAR, 100 * DOLLAR)
    assert settle(round_from(transcript(round_))) == settle(round_)
    with pytest.raises(ProblemsError, match="table_aggregate"):
        read_round('table_aggregate = "much"\n' + ROUND)


BETS = st.builds(
    lambda staked, won, outcome: BetResult(
        staked * CENT,
        {"win": (staked + won) * CENT, "push": staked * CENT, "lose": 0}[outcome],
        outcome,
        "why",
    ),
    st.integers(0, 50_000),
    st.integers(0, 5_000_000),
    st.sampled_from(["win", "push", "lose"]),
)
SEATS = st.lists(st.dictionaries(st.sampled_from("abc"), BETS, max_size=3), min_size=1, max_size=7)
LIMITS = st.none() | st.integers(0, 10_000_000).map(lambda cents: cents * CENT)


@pytest.mark.requirement("GEN-23")
@given(SEATS, LIMITS, LIMITS)
def test_whatever_is_won_the_limits_hold_and_no_stake_is_touched(
    dealt: list[dict[str, BetResult]], table: int | None, player: int | None
) -> None:
    seats = [SeatResult(number, bets, {}) for number, bets in enumerate(dealt, 1)]
    cut = within_limits(seats, table=table, player=player)
    by_seat = [sum(wins([seat]).values()) for seat in seats]
    held = [amount if player is None else min(amount, player) for amount in by_seat]
    expected = sum(held) if table is None else min(sum(held), table)
    assert sum(wins(cut).values()) == expected, "exactly the limit where it binds"
    for before, after in zip(seats, cut, strict=True):
        assert before.bets.keys() == after.bets.keys()
        assert player is None or sum(wins([after]).values()) <= player
        for name, bet in before.bets.items():
            now = after.bets[name]
            assert (now.staked, now.outcome) == (bet.staked, bet.outcome)
            assert min(bet.staked, bet.returned) <= now.returned <= bet.returned
            assert (now.returned - bet.returned) % CENT == 0
