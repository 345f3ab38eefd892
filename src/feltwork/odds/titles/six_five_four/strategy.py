"""6-5-4 Poker: the optimal decision for one hand, and optimal play in words."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb

from feltwork.odds.exposed.cards import EXPOSED, exposed_places, held_by_dealer
from feltwork.odds.four_card.class_pays import ClassPays, pays_by_class
from feltwork.odds.four_card.classes import CLASS_NAMES, FULL_DECK, hand_of, rank_of, value_of
from feltwork.odds.four_card.draws import count_draws
from feltwork.odds.title_odds import Advice, Asks, Cards, Paytables, TableOptions
from feltwork.odds.titles.six_five_four.counts import (
    HIGHEST_KEPT_RANK,
    NEVER_FOLDED,
    SixFiveFourCounts,
    cached_counts,
)
from feltwork.odds.titles.six_five_four.solve import best_thresholds
from feltwork.titles.cards.card import DECK, TEN, Card
from feltwork.titles.hands.category import Hand, names_of
from feltwork.titles.hands.four_card import ROWS, best_four
from feltwork.titles.title import Decide, Decision


def advise(decision: Decision, paytables: Paytables) -> Advice:
    """Answer a table's Play decision."""
    exposed_cards = decision.sees["dealer"]
    gone = {card.index for card in decision.sees.get(EXPOSED, ())}
    return advise_hand(
        [card.index for card in decision.cards],
        kept_card=exposed_cards[-1].index if exposed_cards[-1].rank < TEN else None,
        discards=[card.index for card in exposed_cards if card.rank >= TEN],
        hole=held_by_dealer(decision),
        ante_bonus=pays_by_class(paytables["ante_bonus"]),
        deck=[card for card in FULL_DECK if card not in gone],
    )


def question(cards: Cards, sees: Mapping[str, Cards], options: TableOptions) -> Decision:
    """Return the Play decision; the dealer's exposed cards must be in dealing order."""
    dealer = sees["dealer"]
    if len(dealer) != (2 if dealer[0].rank >= TEN else 1):
        raise ValueError("the dealer shows one card, and a second one after a 10 or higher")
    return Decision(seat=1, name="play", choices=("fold", "play"), cards=cards, sees=sees, options=options)


ASKS = Asks((5,), {"dealer": (1, 2), **exposed_places(most=30, hole=4)}, question, exposed=("play",))


def player(paytables: Paytables, _options: TableOptions) -> Decide:
    """Decide by the borders for each set of exposed cards; count only the hands between two borders."""
    borders: dict[tuple[int, ...], tuple[Hand, Hand | None]] = {}
    for kept_card, first, second, lowest, highest in cached_counts().margins.tolist():
        exposed = [DECK[card] for card in (first, second, kept_card) if card >= 0]
        borders[_shape(exposed)] = (hand_of(lowest), None if highest == NEVER_FOLDED else hand_of(highest))
    bonus = paytables["ante_bonus"]

    def decide(decision: Decision) -> str:
        lowest_played, highest_folded = borders[_shape(decision.sees["dealer"])]
        hand = best_four(decision.cards)
        if highest_folded is None or hand > highest_folded:
            return "play"
        if hand < lowest_played and bonus.row_for(names_of(hand, ROWS)) is None:
            return "fold"
        return advise(decision, paytables).best

    return decide


def _shape(exposed: Sequence[Card]) -> tuple[int, ...]:
    """Describe exposed cards up to a renaming of suits; the order of two discards does not matter."""
    ranks = [card.rank for card in exposed]
    if min(ranks) >= TEN:
        ranks.sort()
    return (*ranks, len({card.suit for card in exposed}))


def verify_exposed(kept_card: int | None, discards: Sequence[int]) -> None:
    """Refuse dealer cards that the rules cannot expose [SF.overview.dealer-hand]."""
    high = [rank_of(card) > HIGHEST_KEPT_RANK for card in discards]
    if not all(high):
        raise ValueError("the dealer discards only a 10 or higher; give a 9 or lower as the kept card")
    if kept_card is not None and rank_of(kept_card) > HIGHEST_KEPT_RANK:
        raise ValueError("the dealer keeps only a 9 or lower; give a 10 or higher as a discard")
    if len(discards) + (kept_card is not None) not in ((1,) if not discards else (2,)):
        raise ValueError("the dealer shows one kept card, a discard and a kept card, or two discards")


def advise_hand(
    player: Sequence[int],
    *,
    kept_card: int | None,
    discards: Sequence[int] = (),
    hole: Sequence[int] = (),
    ante_bonus: ClassPays | None = None,
    deck: Sequence[int] = FULL_DECK,
) -> Advice:
    """Compute the exact value of each choice against the exposed cards; the Ante Bonus is per pay class."""
    verify_exposed(kept_card, discards)
    hand = best_four(DECK[card] for card in player)
    known = [*hole] if kept_card is None else [*hole, kept_card]
    hidden = sorted(set(deck) - {*player, *discards, *known})
    value, draws = value_of(hand), (4 if discards else 5) - len(hole)
    lower, _, higher = count_draws(known, hidden, draws, (value, value + 1))
    hands = comb(len(hidden), draws)
    bonus = Fraction(0)
    if ante_bonus is not None:
        bonus = ante_bonus[CLASS_NAMES.index(names_of(hand, ROWS))] or bonus
    worth = {"fold": Fraction(-1), "play": Fraction(2 * (lower - higher), hands) + bonus}
    return Advice("play" if worth["play"] > worth["fold"] else "fold", worth)


def in_words(counts: SixFiveFourCounts) -> list[str]:
    """Describe the strategy, one line per number of dealer cards and kept card."""
    lines = []
    for threshold in best_thresholds(counts, [[dealer_cards] for dealer_cards in counts.shown]):
        dealer = threshold.shown
        keeps = f", {dealer.kept_rank} kept" if dealer.kept_rank else ""
        lines.append(f"dealer plays {dealer.dealer_cards}{keeps}: play {hand_of(threshold.value)} or better")
    return lines
