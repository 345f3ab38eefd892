"""Blackjack for counting: house options, hands as counts per value, the dealer's drawing tree.

Values run from 1 (ace) to 10; item ``value - 1`` of a ten-tuple is the number of cards of that value.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass
from fractions import Fraction
from functools import cache
from typing import Literal

Values = tuple[int, ...]
Soft17 = Literal["stand", "hit"]

NO_CARDS: Values = (0,) * 10
OUTCOMES = (17, 18, 19, 20, 21)
"""The totals a dealer can stand on; everything else is a bust."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The house options that change the odds; any two cards may double."""

    decks: int
    soft_17: Soft17
    double_after_split: bool = True
    max_hands: int = 4
    surrender: bool = False
    resplit_aces: bool = False
    hit_split_aces: bool = False
    blackjack_pays: Fraction = Fraction(3, 2)
    peeks: bool = True

    def __post_init__(self) -> None:
        if self.soft_17 not in ("stand", "hit"):
            raise ValueError(f"soft_17 is {self.soft_17!r}; use 'stand' or 'hit'")
        if not 1 <= self.max_hands <= 4:
            raise ValueError(f"max_hands is {self.max_hands}; choose 1 (no splits) to 4")

    @property
    def name(self) -> str:
        """The options as a file name."""
        return "-".join(str(part).replace("/", "to").lower() for part in astuple(self))

    def shoe(self) -> Values:
        """Return the full shoe by value."""
        if self.decks < 1:
            raise ValueError(f"a shoe holds at least one deck, not {self.decks}; use decks=1 or more")
        return (4 * self.decks,) * 9 + (16 * self.decks,)


def rules_of(options: Mapping[str, object]) -> Rules:
    """Translate the house options of a table, or their texts, into counting rules."""
    text = {name: str(value).lower() for name, value in options.items()}
    wins, per = text.get("blackjack_pays", "3 to 2").split(" to ")
    return Rules(
        decks=int(text["decks"]),
        soft_17="hit" if text["soft_17"] == "hit" else "stand",
        double_after_split=text["double_after_split"] == "true",
        max_hands=int(text["resplit_to"]),
        surrender=text["surrender"] == "late",
        resplit_aces=text["resplit_aces"] == "true",
        hit_split_aces=text["hit_split_aces"] == "true",
        blackjack_pays=Fraction(int(wins), int(per)),
        peeks=text.get("dealer_peeks", "true") == "true",
    )


def values_of(cards: Iterable[int]) -> Values:
    """Count cards given by value."""
    tally = Counter(cards)
    return tuple(tally[value] for value in range(1, 11))


def add(values: Values, value: int, copies: int = 1) -> Values:
    """Add copies of a value; negative copies remove them."""
    return (*values[: value - 1], values[value - 1] + copies, *values[value:])


def without(shoe: Values, cards: Values) -> Values:
    """Remove cards from the shoe."""
    return tuple(have - gone for have, gone in zip(shoe, cards, strict=True))


def together(some: Values, more: Values) -> Values:
    """Add two sets of cards."""
    return tuple(a + b for a, b in zip(some, more, strict=True))


def hard_total(hand: Values) -> int:
    """Return the total with every ace as one."""
    return sum(value * copies for value, copies in enumerate(hand, start=1))


def best_total(hand: Values) -> int:
    """Return the total with one ace as eleven where that does not bust."""
    total = hard_total(hand)
    return total + 10 if hand[0] and total <= 11 else total


def is_blackjack(hand: Values) -> bool:
    """Whether the hand is an ace and a ten-value card."""
    return sum(hand) == 2 and hand[0] == 1 and hand[9] == 1


def hole_that_ends(up: int) -> int | None:
    """Return the hole card that gives the dealer blackjack, if any."""
    return {1: 10, 10: 1}.get(up)


def dealer_stands(hand: Values, soft_17: Soft17) -> bool:
    """Whether the dealer stands."""
    total = best_total(hand)
    is_soft = total != hard_total(hand)
    return total > 17 or (total == 17 and not (is_soft and soft_17 == "hit"))


@dataclass(frozen=True, slots=True)
class DealerNode:
    """Dealer cards after the up card, in ascending value: the parent's cards plus one.

    ``orders`` is the number of orders in which the dealer draws exactly these cards and stands on
    ``outcome``; an inner node has none.
    """

    parent: int
    value: int
    copy: int
    depth: int
    outcome: int
    orders: int


@cache
def dealer_tree(up: int, soft_17: Soft17) -> tuple[DealerNode, ...]:
    """Return every way the dealer can stand without blackjack, as a tree with parents before children.

    The probability of a set of cards does not depend on their order, so each set is priced once.
    """
    finals = _dealer_finals(up, soft_17)
    nodes = [DealerNode(-1, 0, 0, 0, -1, 0)]
    place: dict[tuple[int, ...], int] = {(): 0}
    prefixes = {cards[:size] for cards in finals for size in range(1, len(cards) + 1)}
    for cards in sorted(prefixes, key=lambda drawn: (len(drawn), drawn)):
        outcome, orders = finals.get(cards, (-1, 0))
        value = cards[-1]
        place[cards] = len(nodes)
        nodes.append(
            DealerNode(place[cards[:-1]], value, cards.count(value) - 1, len(cards), outcome, orders)
        )
    return tuple(nodes)


def _dealer_finals(up: int, soft_17: Soft17) -> dict[tuple[int, ...], tuple[int, int]]:
    """Sorted cards beyond the up card -> (place of the total in OUTCOMES, number of orders)."""
    finals: dict[tuple[int, ...], tuple[int, int]] = {}
    blocked = hole_that_ends(up)
    drawing: Counter[Values] = Counter({NO_CARDS: 1})
    is_hole = True
    while drawing:
        following: Counter[Values] = Counter()
        for drawn, orders in drawing.items():
            for value in range(1, 11):
                if not (is_hole and value == blocked):
                    following[add(drawn, value)] += orders
        drawing = Counter()
        for drawn, orders in following.items():
            hand = add(drawn, up)
            if not dealer_stands(hand, soft_17):
                drawing[drawn] = orders
            elif hard_total(hand) <= 21:
                cards = tuple(value for value in range(1, 11) for _ in range(drawn[value - 1]))
                finals[cards] = OUTCOMES.index(best_total(hand)), orders
        is_hole = False
    return finals


@cache
def split_terms(max_hands: int) -> dict[tuple[bool, int, int], int]:
    """Count the split hands of each kind over all orders of second cards, resplitting while allowed.

    A key is (second card must not pair, further pair cards gone, other hands known not to have paired).
    Hands waiting when the last split is made take any card. The strategy looks at its own hand only, so
    second cards may be dealt first.
    """
    terms: Counter[tuple[bool, int, int]] = Counter()

    def deal(hands: int, waiting: int, pairs: int, others: int) -> None:
        if waiting and hands < max_hands:
            deal(hands + 1, waiting + 1, pairs + 1, others)
            deal(hands, waiting - 1, pairs, others + 1)
            return
        if others:
            terms[True, pairs, others - 1] += others
        if waiting:
            terms[False, pairs, others] += waiting

    deal(2, 2, 0, 0)
    return dict(terms)
