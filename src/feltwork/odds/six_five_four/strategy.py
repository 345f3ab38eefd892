"""6-5-4 Poker: the optimal decision for one hand, by counting every hidden hand of the dealer."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb

import numpy as np

from feltwork.odds.four_card.classes import FULL_DECK, hand_of, pay_classes, rank_of
from feltwork.odds.kernels.four_card import WORD, best_four, count_fives, count_fours
from feltwork.odds.six_five_four.counts import HIGHEST_KEPT_RANK, SixFiveFourCounts
from feltwork.odds.six_five_four.solve import best_thresholds


@dataclass(frozen=True, slots=True)
class SixFiveFourAdvice:
    """What folding and playing are worth in Antes, and the better of the two."""

    fold: Fraction
    play: Fraction

    @property
    def plays(self) -> bool:
        """Whether to make the Play wager; of two equal choices the one that stakes less is taken."""
        return self.play > self.fold


def verify_exposed(kept: int | None, discards: Sequence[int]) -> None:
    """Refuse dealer cards that the rules cannot expose [SF.overview.dealer-hand]."""
    high = [rank_of(card) > HIGHEST_KEPT_RANK for card in discards]
    if not all(high):
        raise ValueError("the dealer discards a 10 or higher only; give a 9 or lower as the kept card")
    if kept is not None and rank_of(kept) > HIGHEST_KEPT_RANK:
        raise ValueError("the dealer keeps a 9 or lower only; give a 10 or higher as a discard")
    if len(discards) + (kept is not None) not in ((1,) if not discards else (2,)):
        raise ValueError("the dealer shows one kept card, a discard and a kept card, or two discards")


def advise(
    player: Sequence[int],
    *,
    kept: int | None,
    discards: Sequence[int] = (),
    ante_bonus: Sequence[Fraction] | None = None,
    deck: Sequence[int] = FULL_DECK,
) -> SixFiveFourAdvice:
    """The exact value of each choice against the exposed cards; an Ante Bonus is given per pay class."""
    verify_exposed(kept, discards)
    # Adding in 64 bits wraps where four spades set the highest bit, as the kernels expect.
    value = best_four(int(WORD[list(player)].sum()))
    hidden = np.array(sorted(set(deck) - {*player, *discards, kept}), dtype=np.int64)
    kept_word = 0 if kept is None else int(WORD[kept])
    result = np.zeros(6, dtype=np.int64)
    if discards:
        count_fours(hidden, kept_word, value, result)
    else:
        count_fives(hidden, kept_word, value, 0, result)
    lower, higher = int(result[0] + result[3]), int(result[2] + result[5])
    hands = comb(len(hidden), 4 if discards else 5)
    bonus = Fraction(0)
    if ante_bonus is not None:
        bonus = ante_bonus[int(pay_classes(np.array([value], dtype=np.int32))[0])]
    return SixFiveFourAdvice(fold=Fraction(-1), play=Fraction(2 * (lower - higher), hands) + bonus)


def in_words(counts: SixFiveFourCounts) -> list[str]:
    """A strategy to follow at the table: one line for each number of dealer cards and card kept."""
    lines = []
    for threshold in best_thresholds(counts, [[shown] for shown in counts.shown]):
        shown = threshold.shown
        keeps = f", {shown.kept_rank} kept" if shown.kept_rank else ""
        lines.append(f"dealer plays {shown.dealer_cards}{keeps}: play {hand_of(threshold.value)} or better")
    return lines
