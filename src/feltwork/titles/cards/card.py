"""Playing cards and their notation."""

from dataclasses import dataclass
from enum import IntEnum
from functools import cache


class Suit(IntEnum):
    """The four suits; no suit outranks another in any game here."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3

    @property
    def letter(self) -> str:
        """The letter, ``c d h s``."""
        return "cdhs"[self]

    @property
    def symbol(self) -> str:
        """The pip printed on the card."""
        return "♣♦♥♠"[self]

    @property
    def is_red(self) -> bool:
        """Whether the pips are red: diamonds and hearts."""
        return self in (Suit.DIAMONDS, Suit.HEARTS)


TWO, THREE, FOUR, FIVE, SIX, SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE = RANKS = tuple(range(2, 15))
_RANK_LETTERS = dict(zip(RANKS, "23456789TJQKA", strict=True))
_RANKS_BY_LETTER = {letter: rank for rank, letter in _RANK_LETTERS.items()}
_SUITS_BY_LETTER = {suit.letter: suit for suit in Suit}


def rank_letter(rank: int) -> str:
    """The letter of a rank: ``2..9 T J Q K A``."""
    return _RANK_LETTERS[rank]


@dataclass(frozen=True, slots=True, order=True)
class Card:
    """A card of a standard deck; the ace is 14, and each game defines where it is low."""

    rank: int
    suit: Suit

    def __str__(self) -> str:
        return f"{rank_letter(self.rank)}{self.suit.letter}"

    @property
    def index(self) -> int:
        """The position 0..51 in a deck sorted by rank, then suit, as the counting kernels use it."""
        return 4 * (self.rank - 2) + self.suit


DECK: tuple[Card, ...] = tuple(Card(rank, suit) for rank in RANKS for suit in Suit)


@cache
def parse_card(text: str) -> Card:
    """Read one card such as ``Ah``, ``td`` or ``10d``."""
    rank = _RANKS_BY_LETTER.get(text[:-1].upper().replace("10", "T"))
    suit = _SUITS_BY_LETTER.get(text[-1:].lower())
    if rank is None or suit is None:
        raise ValueError(f"{text!r} is not a card; write rank then suit, like Ah, Td or 7s")
    return DECK[4 * (rank - 2) + suit]


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards separated by spaces or commas, in the order given."""
    return tuple(parse_card(word) for word in text.replace(",", " ").split())


def write_cards(cards: tuple[Card, ...]) -> str:
    """Write cards the way ``parse_cards`` reads them."""
    return " ".join(map(str, cards))
