"""6-5-4 Poker: outcomes of all deals by the player's hand and the dealer's exposed cards.

The dealer keeps a first card of 9 or lower (six cards play); otherwise the dealer discards it and turns
the next, which is kept if 9 or lower (five play) or discarded too (four play). The player sees these cards
before deciding. Suits are interchangeable, so a club of each rank represents the kept card, with weight 4.

A deal is the player's five cards, the dealer's first two in order, and four hidden ones. With six cards,
where the second is hidden as well, each hidden five counts as five such deals.
"""

import os
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from math import comb
from typing import TYPE_CHECKING, Final

from feltwork.odds.count_cache import Arrays, kept_arrays
from feltwork.odds.four_card.classes import FULL_DECK, Int32Array, Int64Array, rank_of
from feltwork.odds.lazy_numpy import np

if TYPE_CHECKING:
    from feltwork.odds.four_card.hands import PlayerHands, RankedHands

HIGHEST_KEPT_RANK: Final = 9
NEVER_PLAYED: Final = 1 << 30
NEVER_FOLDED: Final = -1

# Columns of a tally: all deals; wins and ties if every hand is played; deals played, won, tied optimally.
DEALS, ALL_WINS, ALL_TIES, PLAYED, WINS, TIES = range(6)
COLUMNS: Final = 6


@dataclass(frozen=True, slots=True, order=True)
class DealerCards:
    """The number of cards the dealer plays, and the rank of the kept card (0 for none)."""

    dealer_cards: int
    kept_rank: int


# Rows of the margins: kept card or -1, first and second discard or -1, lowest value played, highest folded.
MARGIN_ROW: Final = 5


@dataclass(frozen=True, slots=True)
class SixFiveFourCounts:
    """``tally[i, j, column]`` counts deals with ``shown[i]`` against a player hand of ``values[j]``.

    ``margins`` has a row for each set of exposed cards up to a renaming of suits: the kept card, the
    discards, the lowest value that optimal play plays and the highest that it folds (without an Ante Bonus on
    those hands). Between the two the other cards decide.
    """

    values: Int32Array
    shown: tuple[DealerCards, ...]
    tally: Int64Array
    margins: Int64Array
    deals: int

    def arrays(self) -> Arrays:
        """Return named arrays for the cache."""
        return {
            "values": self.values,
            "shown": np.array([(row.dealer_cards, row.kept_rank) for row in self.shown]),
            "tally": self.tally,
            "margins": self.margins,
            "deals": np.array(self.deals),
        }

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> "SixFiveFourCounts":
        """Read named arrays from the cache."""
        dealer_cards = tuple(DealerCards(int(cards), int(kept_rank)) for cards, kept_rank in arrays["shown"])
        return cls(arrays["values"], dealer_cards, arrays["tally"], arrays["margins"], int(arrays["deals"]))


@dataclass(frozen=True, slots=True)
class _Part:
    """The result of one sweep."""

    shown: DealerCards
    tally: Int64Array
    margins: Sequence[tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class _Table:
    """The deck and player hands that all sweeps share; ``players_fixed`` keeps clubs distinct."""

    deck: tuple[int, ...]
    high_cards: tuple[int, ...]
    values: Int32Array
    players: "PlayerHands"
    players_fixed: "PlayerHands"


def total_deals(deck_size: int) -> int:
    """Return the number of deals as this module counts them."""
    return comb(deck_size, 5) * (deck_size - 5) * (deck_size - 6) * comb(deck_size - 7, 4)


def _six(table: _Table, kept_card: int) -> _Part:
    """Count the deals in which the dealer keeps the first card and five are hidden."""
    from feltwork.odds.four_card.hands import rank_all
    from feltwork.odds.kernels.four_card import WORD, sweep_fives, values_with

    dealer = rank_all(table.deck, size=5, kept_card=kept_card)
    players = table.players_fixed.without(kept_card)
    size = len(players.hands)
    own_values = np.empty(size, dtype=np.int32)
    values_with(players.hands, int(WORD[kept_card]), own_values)
    below, up_to = np.empty(size, dtype=np.int32), np.empty(size, dtype=np.int32)
    no_marks, no_result = np.empty(0, dtype=np.int32), np.empty((0, size), dtype=np.int32)
    sweep_fives(
        dealer.hands,
        dealer.values,
        players.hands,
        players.values,
        own_values,
        no_marks,
        below,
        up_to,
        no_result,
    )
    hidden = comb(len(table.deck) - 6, 5)
    # Winning pays 2, losing costs 2 and folding costs 1: play when 2 * (wins - losses) > -hidden.
    played = 2 * (below.astype(np.int64) + up_to) > hidden
    deals_each = 4 * 5 * players.multiplicity.astype(np.int64)
    wins, ties = below * deals_each, (up_to - below) * deals_each
    columns = np.stack(
        [hidden * deals_each, wins, ties, hidden * deals_each * played, wins * played, ties * played]
    )
    present, starts = np.unique(players.values, return_index=True)
    tally = np.zeros((len(table.values), COLUMNS), dtype=np.int64)
    tally[np.searchsorted(table.values, present)] = np.add.reduceat(columns, starts, axis=1).T
    lowest = int(players.values[played].min(initial=NEVER_PLAYED))
    highest = int(players.values[~played].max(initial=NEVER_FOLDED))
    return _Part(DealerCards(6, rank_of(kept_card)), tally, [(kept_card, -1, -1, lowest, highest)])


def _with_discards(
    table: _Table, dealer: "RankedHands", players: "PlayerHands", *, discards: int
) -> tuple[Int64Array, Int32Array, Int32Array]:
    """Sweep the hidden fours against all discards; two dealer cards are always exposed."""
    from feltwork.odds.kernels.four_card import sweep_fours

    tally = np.zeros((len(table.values), COLUMNS), dtype=np.int64)
    lowest, highest = (
        np.full((52, 52), NEVER_PLAYED, dtype=np.int32),
        np.full((52, 52), NEVER_FOLDED, dtype=np.int32),
    )
    hidden = len(table.deck) - 7
    sweep_fours(
        dealer.hands,
        dealer.values,
        players.hands,
        players.values,
        np.searchsorted(table.values, players.values),
        players.multiplicity,
        np.array(table.high_cards, dtype=np.int64),
        discards,
        comb(hidden, 4),
        tally,
        lowest,
        highest,
    )
    return tally, lowest, highest


def _five(table: _Table, kept_card: int) -> _Part:
    """Count the deals in which the dealer discards the first card and keeps the second."""
    from feltwork.odds.four_card.hands import rank_all

    dealer = rank_all(table.deck, size=4, kept_card=kept_card)
    players = table.players_fixed.without(kept_card)
    tally, lowest, highest = _with_discards(table, dealer, players, discards=1)
    margins = []
    for first in (card for card in table.high_cards if card % 4 <= 1):
        # The kept card is a club; a discard of another suit counts as a diamond.
        same = [first] if first % 4 == 0 else [first, first + 1, first + 2]
        margins.append((kept_card, first, -1, int(lowest[same, same].min()), int(highest[same, same].max())))
    return _Part(DealerCards(5, rank_of(kept_card)), 4 * tally, margins)


def _four(table: _Table) -> _Part:
    """Count the deals in which the dealer discards two cards, in either order."""
    from feltwork.odds.four_card.hands import rank_all

    dealer = rank_all(table.deck, size=4)
    tally, lowest, highest = _with_discards(table, dealer, table.players, discards=2)
    lowest, highest = np.minimum(lowest, lowest.T), np.maximum(highest, highest.T)
    margins = []
    for second in (card for card in table.high_cards if card % 4 == 0):
        for first in (card for card in table.high_cards if card > second and card % 4 <= 1):
            suits = [(s, t) for s in range(4) for t in range(4) if (s == t) == (first % 4 == 0)]
            same = ([first - first % 4 + s for s, _ in suits], [second + t for _, t in suits])
            margins.append((-1, first, second, int(lowest[same].min()), int(highest[same].max())))
    return _Part(DealerCards(4, 0), 2 * tally, margins)


def count(deck: Sequence[int] = FULL_DECK) -> SixFiveFourCounts:
    """Count all deals under optimal play; the tests use smaller decks with all four suits of each rank."""
    from feltwork.odds.four_card.hands import player_hands, rank_all

    ranked = rank_all(deck, size=5)
    table = _Table(
        deck=tuple(sorted(deck)),
        high_cards=tuple(card for card in sorted(deck) if rank_of(card) > HIGHEST_KEPT_RANK),
        values=np.unique(ranked.values),
        players=player_hands(ranked, fixed_suits=0),
        players_fixed=player_hands(ranked, fixed_suits=1),
    )
    low_clubs = [card for card in table.deck if rank_of(card) <= HIGHEST_KEPT_RANK and card % 4 == 0]
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        tasks: list[Future[_Part]] = [pool.submit(_four, table)]
        tasks += [pool.submit(_six, table, club) for club in low_clubs]
        tasks += [pool.submit(_five, table, club) for club in low_clubs]
    parts = sorted((task.result() for task in tasks), key=lambda part: part.shown, reverse=True)
    return SixFiveFourCounts(
        values=table.values,
        shown=tuple(part.shown for part in parts),
        tally=np.stack([part.tally for part in parts]),
        margins=np.array([row for part in parts for row in part.margins], dtype=np.int64).reshape(
            -1, MARGIN_ROW
        ),
        deals=total_deals(len(deck)),
    )


@cache
def cached_counts() -> SixFiveFourCounts:
    """Load the counts of the full deck, or count them once."""
    return SixFiveFourCounts.from_arrays(
        kept_arrays("six_five_four", lambda: count().arrays(), of=(__name__,))
    )
