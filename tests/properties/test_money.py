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
    part = money.part(amount, rate)
    assert part * WHOLE_BASIS_POINTS <= exact < (part + 1) * WHOLE_BASIS_POINTS
    assert 0 <= part <= amount


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
def limited(draw: st.DrawFn) -> tuple[int, list[int]]:
    """Claims, and an amount that does not cover them; in cents or with fractions of them."""
    unit = draw(st.sampled_from([1, CENT]))
    claims = [unit * draw(st.integers(0, 10**9)) for _ in range(draw(st.integers(1, 9)))]
    return unit * draw(st.integers(0, sum(claims) // unit)), claims


@pytest.mark.requirement("GEN-23")
@given(limited())
def test_in_proportion_comes_to_the_amount_exactly_and_nobody_is_wronged(
    about: tuple[int, list[int]],
) -> None:
    total, claims = about
    parts = money.in_proportion(total, claims)
    assert sum(parts) == total
    unit = CENT if all(amount % CENT == 0 for amount in (total, *claims)) else 1
    for part, claim in zip(parts, claims, strict=True):
        assert part % unit == 0
        assert 0 <= part <= claim
        assert abs(part * sum(claims) - total * claim) < unit * max(1, sum(claims)), (
            "within a unit of the exact part"
        )
    ranked = sorted(zip(claims, parts, strict=True))
    assert all(smaller[1] <= larger[1] for smaller, larger in pairwise(ranked))
    if total == sum(claims):
        assert parts == claims


@pytest.mark.requirement("GEN-23")
def test_in_proportion_gives_odd_cents_to_the_largest_remainders() -> None:
    assert money.in_proportion(100 * CENT, [100 * CENT] * 3) == [34 * CENT, 33 * CENT, 33 * CENT]
    assert money.in_proportion(10 * CENT, [5 * CENT, 10 * CENT]) == [3 * CENT, 7 * CENT]
    assert money.in_proportion(0, [0, DOLLAR]) == [0, 0]
    for total, claims in ((11, [10]), (-1, [10]), (5, [10, -1])):
        with pytest.raises(ValueError, match="from zero to the sum of the claims"):
            money.in_proportion(total, claims)


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
