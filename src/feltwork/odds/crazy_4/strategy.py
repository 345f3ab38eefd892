"""Crazy 4 Poker: the optimal decision for one hand, and optimal play in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from feltwork.odds.crazy_4.counts import Crazy4Counts
from feltwork.odds.crazy_4.solve import FOLD, Bases, CrazyFourSolution, Unqualified, settle
from feltwork.odds.four_card.classes import PAIR_OF_ACES, canonical_hand, hand_of, pay_classes


@dataclass(frozen=True, slots=True)
class CrazyFourAdvice:
    """The best Play wager (0 to fold) and what each allowed one is worth, in Antes."""

    stake: int
    worth: Mapping[int, Fraction]


@dataclass(frozen=True, slots=True)
class Margin:
    """Where folding turns into playing.

    From ``lowest_played`` to ``highest_folded`` the other cards decide. The simple rule, play ``threshold``
    or better, costs ``threshold_cost`` Antes per round.
    """

    lowest_played: int
    highest_folded: int
    threshold: int
    threshold_cost: Fraction


def advise(
    counts: Crazy4Counts,
    cards: Sequence[int],
    *,
    super_bonus: Sequence[Fraction],
    unqualified: Unqualified = "compare",
) -> CrazyFourAdvice:
    """The exact value of each choice for five cards, against all dealer hands."""
    (column,) = np.flatnonzero(counts.hands == canonical_hand(cards))
    value = counts.values[column : column + 1]
    pay = super_bonus[int(pay_classes(value)[0])]
    allowed = (FOLD, 1, 2, 3) if value[0] >= PAIR_OF_ACES else (FOLD, 1)
    worth = {}
    for stake in allowed:
        total = Fraction(0)
        for outcome, hands in enumerate(counts.outcomes[:, column]):
            net = settle(stake=stake, outcome=outcome, super_bonus_pay=pay, unqualified=unqualified)
            total += int(hands) * net
        worth[stake] = total / counts.dealer_hands
    # The first of equals is the smallest stake.
    return CrazyFourAdvice(stake=max(worth, key=lambda stake: worth[stake]), worth=worth)


def margin(counts: Crazy4Counts, bases: Bases, solution: CrazyFourSolution) -> Margin:
    """The border between fold and 1x, and the single value that serves best as a rule for it."""
    folded = solution.stakes == FOLD
    lowest_played = int(counts.values[~folded].min())
    highest_folded = int(counts.values[folded].max())
    mixed = (counts.values >= lowest_played) & (counts.values <= highest_folded)
    # What 1x gains over folding on these hands, none of which a Super Bonus pays: play + ante + bonus + 2
    # Antes.
    gain = bases.play_net + bases.ante_net - bases.losses + 2 * bases.dealer_hands
    mixed_gain = (gain * bases.multiplicity)[mixed]
    from_here_up = np.cumsum(mixed_gain[::-1])[::-1]
    values = counts.values[mixed]
    first_of_value = np.flatnonzero(np.diff(values, prepend=-1))
    best = int(first_of_value[np.argmax(from_here_up[first_of_value])])
    optimal = int(mixed_gain[mixed_gain > 0].sum())
    return Margin(
        lowest_played=lowest_played,
        highest_folded=highest_folded,
        threshold=int(values[best]),
        threshold_cost=Fraction(optimal - int(from_here_up[best]), solution.deals),
    )


def in_words(border: Margin) -> list[str]:
    """Optimal play as a player could follow it."""
    mixed = f"From {hand_of(border.lowest_played)} to {hand_of(border.highest_folded)} the other cards decide"
    return [
        "Play 3x with a pair of aces or better.",
        f"Play 1x with {hand_of(border.threshold)} or better, below a pair of aces.",
        "Fold the rest.",
        f"{mixed}; the simple rule costs {float(border.threshold_cost):.2e} Antes per round there.",
    ]
