"""Sessions: the risk of ruin by hand, by every path, and for shipped bets."""

from fractions import Fraction
from itertools import product

import pytest

from feltwork.odds.sessions import Nets, session
from feltwork.odds.what_if.fields import question_from
from feltwork.odds.what_if.sensitivity import session_of
from feltwork.problem import ProblemsError
from feltwork.titles import registry

HALF = Fraction(1, 2)
PAYS = {Fraction(3): Fraction(1, 10), Fraction(1, 2): Fraction(3, 10), Fraction(-1): Fraction(6, 10)}


def by_every_path(nets: Nets, rounds: int, bank: int) -> Fraction:
    """Add up the chances of all sequences that end a bank."""
    ruined, most = Fraction(0), max(-net for net in nets)
    for path in product(nets.items(), repeat=rounds):
        chance, now = Fraction(1), Fraction(bank)
        lost = now < most
        for net, likely in path:
            chance *= likely
            if not lost:
                now += net
                lost = now < most
        ruined += chance if lost else 0
    return ruined


@pytest.mark.parametrize("bank", [1, 2, 3, 5, 9])
def test_ruin_is_the_sum_over_every_path(bank: int) -> None:
    result = session(PAYS, rounds=7, bank=bank, risk=HALF)
    assert result.ruin == pytest.approx(float(by_every_path(PAYS, 7, bank)), abs=1e-12)


def test_the_required_bank_is_the_smallest() -> None:
    risk = Fraction(1, 100)
    bank = session(PAYS, rounds=50, bank=1, risk=risk).required_bank
    assert session(PAYS, rounds=50, bank=bank, risk=risk).ruin <= risk
    assert session(PAYS, rounds=50, bank=bank - 1, risk=risk).ruin > risk


def test_a_fair_coin_in_the_long_run() -> None:
    # Reflection: the chance that n fair flips reach -10 is P(S = -10) + 2 P(S < -10) = 0.7518 for n = 1,000.
    result = session({Fraction(1): HALF, Fraction(-1): HALF}, rounds=1_000, bank=10, risk=HALF)
    assert result.ruin == pytest.approx(0.7518, abs=0.0005)


@pytest.mark.parametrize(
    ("name", "is_told"),
    [
        ("crazy_4/queens_up/C4P-09", True),
        ("crazy_4/super_bonus/C4P-09", True),
        ("four_card/jackpot/3", True),
        ("dragon/jackpot/1", False),
        ("blackjack/house_money/1", False),
    ],
)
def test_only_independent_rounds_have_a_session(name: str, is_told: bool) -> None:
    question = question_from(registry.paytable(*name.split("/")), {"session": "100", "bank": "20"})
    result = session_of(question)
    assert (result is not None) == is_told
    if result is not None:
        assert 0 < result.ruin < 1


def test_a_session_beyond_reason_is_refused() -> None:
    with pytest.raises(ProblemsError, match="fewer rounds"):
        session(PAYS, rounds=1_000_000, bank=1, risk=HALF)
