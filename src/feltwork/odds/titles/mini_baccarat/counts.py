"""Exact counts of mini-baccarat: both totals, the size of each hand, and the rows of the Dragon bets.

Cards are dealt as point values in order, weighted by the cards that make them. Rounds of four or five cards
are padded to six, so all counts share one total: the ordered deals of six cards.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import perm, prod
from typing import TypeAlias

from feltwork.odds.atoms import Atoms, Names
from feltwork.titles.cards.card import DECK, FOUR, KING, THREE, TWO, Card, Suit
from feltwork.titles.games.mini_baccarat.rules import BANKER_DRAWS_ON, dragon_bonus_names
from feltwork.titles.hands.points import baccarat_value
from feltwork.titles.jackpots.dragon.rules import names as dragon_names
from feltwork.titles.title import Sight

Shoe: TypeAlias = tuple[int, ...]

METHOD = "every ordered six-card deal counted by point values; suits from each suit's own cards"
POINTS = range(10)
DEALT = 6
SIDES = ("player", "banker")


@dataclass(frozen=True, slots=True)
class Final:
    """The result of a round: totals, hand sizes, and whether a 2, 3 and 4 beat zero."""

    player: int
    banker: int
    player_cards: int
    banker_cards: int
    two_three_four: bool

    @property
    def winner(self) -> str:
        """The side that won, or ``tie``."""
        if self.player == self.banker:
            return "tie"
        return "player" if self.player > self.banker else "banker"

    @property
    def cards(self) -> int:
        """The number of cards dealt."""
        return self.player_cards + self.banker_cards


def point_shoe(shoe: Shoe) -> tuple[int, ...]:
    """Return the shoe by point value."""
    counts = [0] * 10
    for card, copies in zip(DECK, shoe, strict=True):
        counts[baccarat_value(card)] += copies
    return tuple(counts)


Tally = Counter[tuple[int, int, int, int, bool]]


@cache
def final_counts(points: tuple[int, ...]) -> dict[Final, int]:
    """Count the orders in which a shoe given by points plays out to each final."""
    tally: Tally = Counter()
    left = list(points)
    for player, player_ways in _pairs(left):
        for banker, banker_ways in _pairs(left):
            _player_plays(left, player, banker, player_ways * banker_ways, tally)
    return {Final(*key): ways for key, ways in tally.items() if ways}


def _pairs(left: list[int]) -> Iterator[tuple[tuple[int, int], int]]:
    """Yield all unordered pairs with their ordered ways, removed from the shoe during the iteration."""
    for a in POINTS:
        for b in range(a, 10):
            ways = left[a] * (left[a] - 1) if a == b else 2 * left[a] * left[b]
            if ways:
                left[a] -= 1
                left[b] -= 1
                yield (a, b), ways
                left[a] += 1
                left[b] += 1


def _player_plays(
    left: list[int], player: tuple[int, int], banker: tuple[int, int], ways: int, tally: Tally
) -> None:
    total, other = sum(player) % 10, sum(banker) % 10
    if total >= 8 or other >= 8:
        tally[total, other, 2, 2, False] += ways
    elif total >= 6:
        _banker_plays(left, (total, None, False), banker, ways, tally)
    else:
        for third in POINTS:
            copies = left[third]
            if copies:
                left[third] -= 1
                hand = (total + third) % 10, third, _is_two_three_four(player, third)
                _banker_plays(left, hand, banker, ways * copies, tally)
                left[third] += 1


def _banker_plays(
    left: list[int], player: tuple[int, int | None, bool], banker: tuple[int, int], ways: int, tally: Tally
) -> None:
    total, third, player_marked = player
    other = sum(banker) % 10
    size = 2 if third is None else 3
    draws = other <= 5 if third is None else third in BANKER_DRAWS_ON[other]
    if not draws:
        tally[total, other, size, 2, player_marked and other == 0] += ways
        return
    for drawn in POINTS:
        final = (other + drawn) % 10
        marked = (player_marked and final == 0) or (total == 0 and _is_two_three_four(banker, drawn))
        tally[total, final, size, 3, marked] += ways * left[drawn]


def _is_two_three_four(pair: tuple[int, int], third: int) -> bool:
    """Whether a sorted pair and a third card are 2, 3 and 4 in any of their six orders."""
    return (*pair, third) in ((2, 3, 4), (2, 4, 3), (3, 4, 2))


@dataclass(frozen=True, slots=True)
class BaccaratCounts:
    """The counts that price all bets on one shoe, in ordered six-card deals."""

    deals: int
    finals: Mapping[Final, int]
    #: The deals in which all cards played are of one suit.
    suited: Mapping[Suit, Mapping[Final, int]]
    #: The share of 2-3-4 hands that are all of one suit.
    suit_shares: Mapping[Suit, Fraction]

    def winners(self) -> Atoms:
        """Count deals by the winning side, or ``tie``."""
        atoms: Counter[Names] = Counter()
        for final, ways in self.finals.items():
            atoms[frozenset({final.winner})] += ways
        return atoms

    def dragon_bonus(self, side: str) -> Atoms:
        """Count deals by the Dragon Bonus rows of a side."""
        atoms: Counter[Names] = Counter()
        for final, ways in self.finals.items():
            player, banker = example(final)
            own, other = (player, banker) if side == "player" else (banker, player)
            atoms[dragon_bonus_names(own, other)] += ways
        return atoms

    def dragon(self, side: str) -> Atoms:
        """Count deals by the Dragon jackpot rows of a side, or of ``either``."""
        atoms: Counter[Names] = Counter()
        for final, all_ways in self.finals.items():
            if side not in ("either", final.winner):
                atoms[frozenset()] += all_ways
                continue
            left = all_ways
            for sight, ways in self._suited_examples(final, all_ways):
                atoms[dragon_names(sight)] += ways
                left -= ways
            atoms[dragon_names(example(final))] += left
        return atoms

    def _suited_examples(self, final: Final, all_ways: int) -> Iterator[tuple[Sight, int]]:
        """Yield examples of a final in which all cards, or just the winning 2-3-4, are of one suit."""
        for suit in Suit:
            all_suited = self.suited[suit].get(final, 0)
            yield example(final, winner_suit=suit, loser_suit=suit), all_suited
            if final.two_three_four:
                yield example(final, winner_suit=suit), _whole(all_ways * self.suit_shares[suit]) - all_suited


def example(final: Final, *, winner_suit: Suit | None = None, loser_suit: Suit | None = None) -> Sight:
    """Return example cards of a final, each hand suited or not, for the rules to name."""
    player_wins = final.winner == "player"
    suits = (winner_suit, loser_suit) if player_wins else (loser_suit, winner_suit)
    marked = (final.two_three_four and player_wins, final.two_three_four and not player_wins)
    totals, sizes = (final.player, final.banker), (final.player_cards, final.banker_cards)
    player, banker = (_hand(*hand) for hand in zip(totals, sizes, marked, suits, strict=True))
    return player, banker


def _hand(total: int, size: int, two_three_four: bool, suit: Suit | None) -> tuple[Card, ...]:  # noqa: FBT001
    ranks = [TWO, THREE, FOUR] if two_three_four else [_RANK_OF_POINT[total], *[KING] * (size - 1)]
    suits = [suit] * size if suit is not None else [Suit.SPADES, Suit.HEARTS, Suit.CLUBS][:size]
    return tuple(map(Card, ranks, suits))


_RANK_OF_POINT = {baccarat_value(card): card.rank for card in DECK}


def _whole(ways: Fraction) -> int:
    """Convert a count that must be an integer."""
    assert ways.denominator == 1, ways
    return ways.numerator


@cache
def count_shoe(shoe: Shoe) -> BaccaratCounts:
    """Count any shoe of at least six cards.

    A 2, a 3 and a 4 have different ranks, so each triple of suits occurs in proportion to the product of
    its copies: the suit classes are fixed shares of the rank event.
    """
    copies = dict(zip(DECK, shoe, strict=True))
    low = (TWO, THREE, FOUR)
    triples = prod(sum(copies[Card(rank, suit)] for suit in Suit) for rank in low)
    one_suit = {suit: prod(copies[Card(rank, suit)] for rank in low) for suit in Suit}
    return BaccaratCounts(
        deals=perm(sum(shoe), DEALT),
        finals=_filled(final_counts(point_shoe(shoe)), sum(shoe)),
        suited={suit: _suited_finals(shoe, suit) for suit in Suit},
        suit_shares={
            suit: Fraction(ways, triples) if triples else Fraction(0) for suit, ways in one_suit.items()
        },
    )


def _filled(finals: Mapping[Final, int], cards: int) -> dict[Final, int]:
    """Pad each round to six cards with any cards of the shoe."""
    return {final: ways * perm(cards - final.cards, DEALT - final.cards) for final, ways in finals.items()}


def _suited_finals(shoe: Shoe, suit: Suit) -> dict[Final, int]:
    """Count deals played from one suit only, padded from the whole shoe."""
    own = tuple(copies if index % 4 == suit else 0 for index, copies in enumerate(shoe))
    return _filled(final_counts(point_shoe(own)), sum(shoe))


def count_decks(decks: int) -> BaccaratCounts:
    """Count a full shoe."""
    return count_shoe((decks,) * 52)
