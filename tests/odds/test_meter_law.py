"""The law of a meter: closed forms against every path of a toy link, and what holds for all of them."""

from fractions import Fraction
from itertools import pairwise
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feltwork.odds.meters.curve import CHANCES, curve
from feltwork.odds.meters.distribution import ERROR, MeterLaw, lattice, power, root
from feltwork.odds.meters.sampling import sample

WHOLE = Fraction(1)


def below(law: MeterLaw, amount: Fraction) -> Fraction:
    """Return the probability that the jackpot of a plain meter is at most an amount."""
    assert law.is_plain, "only a plain meter has a closed form"
    left = amount - law.seed
    steps = [step for step in (law.growth, law.reserved) if step]
    if not steps:
        return Fraction(1 if left >= 0 else 0)
    if len(steps) == 1:
        return Fraction(0) if left < 0 else law.hit_within(int(left // steps[0]))
    unit, small, large = lattice(*steps)
    return _two_geometric(1 - law.whole, small, large, int(left // unit))


def _two_geometric(q: Fraction, small: int, large: int, most: int) -> Fraction:
    """Return the probability that small x N + large x N' is at most a number, N and N' geometric from 1.

    With N' = small x a + r the exponent n' + floor((most - large n') / small) falls by large - small as a
    grows by one, so that each residue r is one geometric series.
    """
    last = (most - small) // large if most >= small else 0
    if last < 1:
        return Fraction(0)
    step, total = large - small, Fraction(0)
    for residue in range(1, min(small, last) + 1):
        turns = (last - residue) // small
        lowest = residue + (most - large * residue) // small - turns * step
        total += power(q, lowest) * _series(q, step, turns + 1)
    return 1 - power(q, last) - (1 - q) / q * total


def _series(q: Fraction, step: int, terms: int) -> Fraction:
    """Sum 1 + q^step + q^(2 step) + ... over a number of terms."""
    if not step:
        return Fraction(terms)
    return (1 - power(q, step * terms)) / (1 - power(q, step))


def law(
    *,
    seed: int = 100,
    growth: int = 3,
    reserved: int = 0,
    chance: Fraction = Fraction(1, 5),
    cap: int | None = None,
) -> MeterLaw:
    top = None if cap is None else Fraction(cap)
    return MeterLaw(Fraction(seed), Fraction(growth), Fraction(reserved), ((WHOLE, chance),), top)


laws = st.builds(
    law,
    seed=st.integers(0, 500),
    growth=st.integers(0, 9),
    reserved=st.integers(0, 9),
    chance=st.fractions(Fraction(1, 50), Fraction(9, 10), max_denominator=50),
)


def every_path(law: MeterLaw, trials: int) -> dict[tuple[int, int], float]:
    """Where meter and reserve stand as a trial is decided, all paths of so many trials added up."""
    seed, growth, reserved = int(law.seed), int(law.growth), int(law.reserved)
    cap = 10**9 if law.cap is None else int(law.cap)
    hit = float(law.whole)
    decided: dict[tuple[int, int], float] = {}
    standing: dict[tuple[int, int], float] = {(seed, 0): 1.0}
    for _ in range(trials):
        decided = {}
        for (meter, reserve), chance in standing.items():
            over = max(meter + growth - cap, 0)
            place = meter + growth - over, reserve + reserved + over
            decided[place] = decided.get(place, 0.0) + chance
        standing = {place: chance * (1 - hit) for place, chance in decided.items()}
        for (_, reserve), chance in decided.items():
            moved = min(reserve, cap - seed)
            place = seed + moved, reserve - moved
            standing[place] = standing.get(place, 0.0) + chance * hit
    return decided


@pytest.mark.parametrize("growth", [0, 1, 3, 7])
@pytest.mark.parametrize("reserved", [0, 1, 3, 5])
def test_every_path_of_a_toy_link_gives_the_closed_forms(growth: int, reserved: int) -> None:
    toy = law(seed=20, growth=growth, reserved=reserved, chance=Fraction(2, 5))
    paths = every_path(toy, 90)
    mean = sum(float(meter) * chance for (meter, _), chance in paths.items())
    square = sum(float(meter) ** 2 * chance for (meter, _), chance in paths.items())
    dry = sum(chance for (_, reserve), chance in paths.items() if reserve < toy.seed)
    lacking = sum(
        float(max(toy.seed - reserve, Fraction(0))) * chance for (_, reserve), chance in paths.items()
    )
    assert mean == pytest.approx(float(toy.mean), rel=1e-9)
    assert square == pytest.approx(float(toy.mean_square), rel=1e-9)
    assert dry == pytest.approx(float(toy.shortfall_risk()), rel=1e-9)
    assert lacking == pytest.approx(float(toy.mean_shortfall()), rel=1e-9)
    for amount in (20, 21, 24, 30, 37, 60):
        reached = sum(chance for (meter, _), chance in paths.items() if meter <= amount)
        assert reached == pytest.approx(float(below(toy, Fraction(amount))), abs=1e-9), amount


@given(laws)
@settings(max_examples=150, deadline=None)
def test_a_distribution_rises_from_zero_to_one_and_its_mean_is_the_mean(law: MeterLaw) -> None:
    assert below(law, law.seed - 1) == 0
    step = max(law.growth + law.reserved, Fraction(1))
    far = law.seed + step * law.trials_until(1 - Fraction(1, 10**12)) * 2
    assert below(law, far) == pytest.approx(1, abs=1e-9)
    amounts = [law.seed + step * number for number in range(12)]
    chances = [below(law, amount) for amount in amounts]
    assert all(first <= later for first, later in pairwise(chances))
    # The mean is the seed and all that is exceeded, added up on the lattice of dollars.
    if step <= 4 and law.whole >= Fraction(1, 10):
        exceeded = sum(1 - below(law, law.seed + dollar) for dollar in range(int(far - law.seed)))
        assert float(law.seed + exceeded) == pytest.approx(float(law.mean), rel=1e-9)


@given(laws, st.sampled_from(CHANCES))
@settings(max_examples=150, deadline=None)
def test_a_quantile_is_the_least_amount_with_its_chance(law: MeterLaw, chance: Fraction) -> None:
    amount = law.quantile(chance)
    assert below(law, amount) >= chance - Fraction(1, 10**12)
    assert below(law, amount - Fraction(1, 2)) < chance + Fraction(1, 10**12) or amount == law.seed


@given(laws, st.integers(1, 50))
@settings(max_examples=60, deadline=None)
def test_more_seed_or_contribution_never_lowers_a_jackpot(law: MeterLaw, more: int) -> None:
    richer = MeterLaw(law.seed + more, law.growth, law.reserved, law.shares)
    faster = MeterLaw(law.seed, law.growth + more, law.reserved, law.shares)
    assert richer.mean > law.mean
    assert faster.mean > law.mean
    for chance in CHANCES:
        assert richer.quantile(chance) == law.quantile(chance) + more
        assert faster.quantile(chance) > law.quantile(chance)
    assert richer.shortfall_risk() >= law.shortfall_risk()


def test_equal_rates_make_a_negative_binomial() -> None:
    """Seed 0, contribution and reserve of one dollar: the jackpot counts the wagers up to the second hit."""
    both = law(seed=0, growth=1, reserved=1, chance=Fraction(1, 7))
    for wagers in range(2, 40):
        hits = sum(comb(wagers, k) * both.whole**k * (1 - both.whole) ** (wagers - k) for k in (0, 1))
        assert abs(below(both, Fraction(wagers)) - (1 - hits)) < ERROR


def test_powers_and_roots_are_good_for_thirty_digits() -> None:
    assert abs(power(Fraction(54_144, 54_145), 2_000) - Fraction(54_144, 54_145) ** 2_000) < ERROR
    assert abs(root(Fraction(2)) ** 2 - 2) < ERROR
    assert power(Fraction(1, 2), 10_000) == 0


def test_the_wait_for_a_hit_is_geometric() -> None:
    link = law(chance=Fraction(1, 6))
    assert link.hit_within(1) == Fraction(1, 6)
    assert link.hit_within(3) == 1 - Fraction(5, 6) ** 3
    assert link.trials_until(Fraction(1, 2)) == 4  # four throws for a six, as the Chevalier knew
    assert link.trials_until(Fraction(1, 6)) == 1


SHARED = ((WHOLE, Fraction(1, 20)), (Fraction(1, 10), Fraction(1, 8)))


def test_smaller_shares_are_sampled_around_the_exact_mean_and_deviation() -> None:
    shared = MeterLaw(Fraction(50), Fraction(2), Fraction(1), SHARED)
    drawn = sample(shared)
    mean, deviation = drawn.mean(), drawn.deviation()
    assert abs(mean.value - float(shared.mean)) < mean.within
    assert abs(deviation.value - float(root(shared.variance))) < deviation.within
    assert 0 < mean.within < 0.02 * mean.value


@pytest.mark.parametrize("cap", [60, 90, 200])
def test_a_cap_sends_the_rest_to_the_reserve_as_every_path_says(cap: int) -> None:
    """Below a cap of 30 more comes in than goes out; these links come to rest."""
    capped = law(seed=20, growth=3, reserved=1, chance=Fraction(2, 5), cap=cap)
    paths = every_path(capped, 120)
    drawn = sample(capped)
    mean = sum(float(meter) * chance for (meter, _), chance in paths.items())
    dry = sum(chance for (_, reserve), chance in paths.items() if reserve < capped.seed)
    assert capped.long_run_mean == capped.mean
    assert mean == pytest.approx(float(capped.mean), rel=1e-6)
    assert abs(drawn.mean().value - mean) < drawn.mean().within
    assert abs(drawn.reserve_below(20).value - dry) < drawn.reserve_below(20).within + 1e-9


def test_a_cap_below_what_comes_in_lets_the_reserve_grow() -> None:
    stranded = law(seed=20, growth=3, reserved=1, chance=Fraction(1, 20), cap=60)
    assert stranded.mean == 100
    assert stranded.long_run_mean == 60
    # 100 - 60 stay behind at every hit, one in twenty trials.
    assert sample(stranded).grown_per_trial == pytest.approx(2, rel=0.05)


def test_a_meter_over_time_grows_until_hits_hold_it_back() -> None:
    plain = curve(law(seed=100, growth=3, chance=Fraction(1, 50)))
    assert plain.how == "exact"
    assert plain.moments[0].meters == (100,) * len(CHANCES)
    for first, later in pairwise(plain.moments):
        assert all(meter <= other for meter, other in zip(first.meters, later.meters, strict=True))
    last = plain.moments[-1].meters
    assert list(last) == sorted(last)
    # The median wait for a chance of one in fifty is 35 trials.
    assert last[2] == 100 + 3 * 34
    with_reserve = curve(law(seed=100, growth=3, reserved=1, chance=Fraction(1, 50)))
    assert with_reserve.how == "sampled"
    assert with_reserve.moments[-1].meters[2] > last[2]
