"""Money: what holds for every amount."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltwork import money
from feltwork.money import CENT, DOLLAR, WHOLE_BASIS_POINTS

amounts = st.integers(-(10**15), 10**15)
positive = st.integers(0, 10**15)


@given(amounts)
def test_text_is_read_back(amount: int) -> None:
    assert money.parse(money.text(amount)) == amount


@given(amounts)
def test_text_shows_cents_and_no_idle_zeros(amount: int) -> None:
    _, _, decimals = money.text(amount).partition(".")
    assert 2 <= len(decimals) <= 6
    assert len(decimals) == 2 or not decimals.endswith("0")


@given(st.integers(0, 10**9))
def test_dollar_signs_and_thousands_are_read(units: int) -> None:
    assert money.parse(f"${units:,}") == money.parse(f" {units}.00 ") == units * DOLLAR


@pytest.mark.parametrize(
    "text", ["", "ten", "1.", ".5", "1e3", "1,00", "1.0000001", "--1", "1 000", "+1", "²"]
)
def test_what_is_no_amount_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not an amount of money; write it like"):
        money.parse(text)


@given(positive)
def test_whole_cents_rounds_down_by_less_than_a_cent(amount: int) -> None:
    rounded = money.whole_cents(amount)
    assert rounded % CENT == 0
    assert 0 <= amount - rounded < CENT


@given(positive, st.integers(0, WHOLE_BASIS_POINTS))
def test_part_is_the_exact_part_rounded_down(amount: int, rate: int) -> None:
    exact = amount * rate
    taken = money.part(amount, rate)
    assert taken * WHOLE_BASIS_POINTS <= exact < (taken + 1) * WHOLE_BASIS_POINTS
    assert 0 <= taken <= amount


@given(st.integers(0, 10**9), st.integers(0, WHOLE_BASIS_POINTS))
def test_part_of_whole_cents_is_exact(cents: int, rate: int) -> None:
    """The scale is chosen so that basis points of a wager never lose anything."""
    assert money.part(cents * CENT, rate) * WHOLE_BASIS_POINTS == cents * CENT * rate


@given(positive, st.integers(1, 50), st.sampled_from([1, CENT, DOLLAR]))
def test_split_conserves_and_is_fair(total: int, shares: int, unit: int) -> None:
    parts = money.split(total, shares, unit=unit)
    assert len(parts) == shares
    assert sum(parts) == total
    assert parts == sorted(parts, reverse=True)
    whole = [parts[0] - total % unit, *parts[1:]]
    assert all(part % unit == 0 for part in whole)
    assert max(whole) - min(whole) in (0, unit)


@pytest.mark.parametrize("shares", [0, -1])
def test_split_needs_somebody(shares: int) -> None:
    with pytest.raises(ValueError, match="at least one share"):
        money.split(DOLLAR, shares)


@st.composite
def rates(draw: st.DrawFn) -> list[int]:
    """Rates that make a whole."""
    cuts = sorted(draw(st.lists(st.integers(0, WHOLE_BASIS_POINTS), max_size=5)))
    edges = [0, *cuts, WHOLE_BASIS_POINTS]
    return [high - low for low, high in pairwise(edges)]


@given(positive, rates())
def test_apportion_conserves_and_strays_by_less_than_its_roundings(total: int, shares: list[int]) -> None:
    parts = money.apportion(total, shares)
    assert sum(parts) == total
    assert parts[:-1] == [money.part(total, rate) for rate in shares[:-1]]
    assert 0 <= parts[-1] - money.part(total, shares[-1]) < len(shares)


@given(st.integers(0, 10**9), rates())
def test_apportion_of_whole_cents_is_exact(cents: int, shares: list[int]) -> None:
    assert money.apportion(cents * CENT, shares) == [money.part(cents * CENT, rate) for rate in shares]


@given(st.lists(st.integers(-WHOLE_BASIS_POINTS, 2 * WHOLE_BASIS_POINTS), max_size=5))
def test_apportion_refuses_rates_that_make_no_whole(shares: list[int]) -> None:
    if sum(shares) == WHOLE_BASIS_POINTS and min(shares) >= 0:
        assert sum(money.apportion(DOLLAR, shares)) == DOLLAR
    else:
        with pytest.raises(ValueError, match="basis points"):
            money.apportion(DOLLAR, shares)


@given(st.integers(0, 10**6))
def test_a_rate_is_read_back(basis_points: int) -> None:
    assert money.parse_rate(money.rate_text(basis_points)) == basis_points
    assert money.rate_text(-basis_points - 1).startswith("-")


@pytest.mark.parametrize(
    ("text", "basis_points"), [("24%", 2_400), ("12.5%", 1_250), ("0.05%", 5), ("0%", 0)]
)
def test_rates_are_percentages(text: str, basis_points: int) -> None:
    assert money.parse_rate(text) == basis_points


@pytest.mark.parametrize("text", ["24", "0.24", "1.005%", "-1%", "%", ""])
def test_what_is_no_rate_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a rate"):
        money.parse_rate(text)
