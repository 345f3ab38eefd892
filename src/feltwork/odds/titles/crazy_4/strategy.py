"""Crazy 4 Poker: the optimal decision for one hand, and optimal play in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from feltwork.odds.exposed.cards import exposed_places, held_by_dealer, knows_more, unseen
from feltwork.odds.four_card.class_pays import ClassPays, pays_by_class
from feltwork.odds.four_card.classes import KING_HIGH, canonical_hand, hand_of, value_of
from feltwork.odds.four_card.draws import count_draws
from feltwork.odds.lazy_numpy import np
from feltwork.odds.pricing import net_pay
from feltwork.odds.title_odds import Advice, Asks, Cards, Paytables, TableOptions
from feltwork.odds.titles.crazy_4.counts import OUTCOMES, Crazy4Counts, cached_counts, kept_outcomes
from feltwork.odds.titles.crazy_4.solve import (
    FOLD,
    Bases,
    CrazyFourSolution,
    Unqualified,
    cached_bases,
    settle,
    solve,
)
from feltwork.titles.games.crazy_4.rules import most_play
from feltwork.titles.hands.category import Hand, names_of
from feltwork.titles.hands.four_card import ROWS, best_four
from feltwork.titles.title import Decide, Decision

#: Choices by the size of the Play wager in Antes.
CHOICES = ("fold", "1x", "2x", "3x")


@dataclass(frozen=True, slots=True)
class Margin:
    """The border between folding and playing.

    Between ``lowest_played`` and ``highest_folded`` the side cards decide. The simple rule, play
    ``threshold`` or better, costs ``threshold_cost`` Antes per round.
    """

    lowest_played: int
    highest_folded: int
    threshold: int
    threshold_cost: Fraction


def advise(decision: Decision, paytables: Paytables) -> Advice:
    """Answer a table's Play decision."""
    hand = best_four(decision.cards)
    row = paytables["super_bonus"].row_for(names_of(hand, ROWS))
    cards = [card.index for card in decision.cards]
    outcomes = _against_unseen(decision) if knows_more(decision) else against_all(cards)
    pay = None if row is None else net_pay(row)
    return value_choices(hand, outcomes, pay, _unqualified(decision.options))


def question(cards: Cards, sees: Mapping[str, Cards], options: TableOptions) -> Decision:
    """Return the Play decision."""
    choices = CHOICES[: 1 + most_play(best_four(cards))]
    return Decision(seat=1, name="play", choices=choices, cards=cards, sees=sees, options=options)


ASKS = Asks((5,), exposed_places(most=35, hole=5), question, exposed=("play",))


def against_all(cards: Sequence[int]) -> list[int]:
    """Look up the dealer hands against five cards by outcome."""
    hands, outcomes = kept_outcomes()
    column = hands.index(canonical_hand(cards))
    return [outcomes[outcome, column] for outcome in range(OUTCOMES)]


def value_choices(
    hand: Hand, outcomes: Sequence[int], pay: Fraction | None, unqualified: Unqualified = "compare"
) -> Advice:
    """Compute the exact value of each choice from the number of dealer hands for each outcome.

    The Super Bonus pay is None where no row pays the hand.
    """
    worth = {}
    for stake, choice in enumerate(CHOICES[: 1 + most_play(hand)]):
        total = Fraction(0)
        for outcome, hands in enumerate(outcomes):
            net = settle(stake=stake, outcome=outcome, super_bonus_pay=pay, unqualified=unqualified)
            total += hands * net
        worth[choice] = total / sum(outcomes)
    # Among equal values, `max` returns the first, which is the smallest stake.
    return Advice(max(worth, key=lambda choice: worth[choice]), worth)


def _against_unseen(decision: Decision) -> list[int]:
    """Count the dealer hands from the unseen cards, by outcome."""
    known = held_by_dealer(decision)
    return by_outcome(value_of(best_four(decision.cards)), known, unseen(decision))


def by_outcome(value: int, known: Sequence[int], hidden: Sequence[int]) -> list[int]:
    """Count the dealer hands that complete the known cards, by outcome against a value."""
    outcomes = [0] * OUTCOMES
    bounds = sorted({KING_HIGH, value, value + 1})
    counted = count_draws(known, hidden, 5 - len(known), bounds)
    for least, hands in zip((0, *bounds), counted, strict=True):
        outcomes[3 * (least >= KING_HIGH) + (least >= value) + (least > value)] += hands
    return outcomes


def player(paytables: Paytables, options: TableOptions) -> Decide:
    """Look up the best Play wager of the canonical hand."""
    wagers = _play_wagers(pays_by_class(paytables["super_bonus"]), _unqualified(options))
    return lambda decision: wagers[canonical_hand([card.index for card in decision.cards])]


@cache
def _play_wagers(pays: ClassPays, unqualified: Unqualified) -> Mapping[int, str]:
    """Map each of the 134,459 canonical hands to its best wager."""
    solved = solve(cached_bases(), pays, unqualified=unqualified)
    hands = cached_counts().hands.tolist()
    return {hand: CHOICES[stake] for hand, stake in zip(hands, solved.stakes.tolist(), strict=True)}


def _unqualified(options: TableOptions) -> Unqualified:
    return "push" if options["super_bonus_unqualified"] == "push" else "compare"


def margin(
    counts: Crazy4Counts,
    bases: Bases,
    solution: CrazyFourSolution,
    *,
    unqualified: Unqualified = "compare",
) -> Margin:
    """Find the border between fold and 1x, and the best single threshold for it."""
    folded = solution.stakes == FOLD
    lowest_played = int(counts.values[~folded].min())
    highest_folded = int(counts.values[folded].max())
    mixed = (counts.values >= lowest_played) & (counts.values <= highest_folded)
    # Gain of 1x over folding on these hands, none of which a Super Bonus pays: play + ante + bonus + 2
    # Antes.
    losses = bases.losses if unqualified == "compare" else bases.qualified_losses
    gain = bases.play_net + bases.ante_net - losses + 2 * bases.dealer_hands
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
    """Describe optimal play."""
    mixed = f"From {hand_of(border.lowest_played)} to {hand_of(border.highest_folded)} the side cards decide"
    return [
        "Play 3x with a pair of aces or better.",
        f"Play 1x with {hand_of(border.threshold)} or better, below a pair of aces.",
        "Fold the rest.",
        f"{mixed}; the simple rule costs {float(border.threshold_cost):.2e} Antes per round there.",
    ]
