"""The hands of one blackjack seat, and the notation of their play.

The field ``play`` holds actions and cards in the order in which they happened::

    split 3d double Tc Ks stand

- the actions are ``hit``, ``stand``, ``double`` (``double:5`` for less), ``split`` and ``surrender``;
- a card follows the action that draws it; after ``split`` comes the card for the hand being played;
- a hand ends by standing, at 21 or above, with the card of a double, or with the one card of a split ace;
  the next split hand then has one card, so its second card comes next;
- at the end of the text the remaining hands stand, but a split hand must have its second card.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from feltwork import money
from feltwork.money import CENT, Micros
from feltwork.problem import Problem, ProblemsError
from feltwork.titles.cards.card import ACE, Card, parse_card, write_cards
from feltwork.titles.hands.points import blackjack_total, blackjack_value, is_blackjack
from feltwork.titles.round import Seat
from feltwork.titles.title import OptionValue

ACTIONS = ("hit", "stand", "double", "split", "surrender")


@dataclass(slots=True)
class PlayedHand:
    """One hand of a seat: its cards, its total wager, and how it started and ended."""

    cards: tuple[Card, ...]
    wager: Micros
    from_split: bool = False
    #: Whether the hand was doubled, so its next card is its last.
    doubled: bool = False
    surrendered: bool = False

    @property
    def total(self) -> int:
        """The total of the cards."""
        return blackjack_total(self.cards)[0]

    @property
    def is_natural(self) -> bool:
        """Whether the hand is a blackjack; an ace and a ten after a split are only 21."""
        return not self.from_split and is_blackjack(self.cards)

    @property
    def is_live(self) -> bool:
        """Whether it waits for the dealer's total."""
        return self.total <= 21 and not self.surrendered and not self.is_natural

    def __str__(self) -> str:
        return f"{write_cards(self.cards)} ({self.total})"


class Spot:
    """A seat's hands during play, from the first two cards to the end of the last hand."""

    __slots__ = ("_at", "_options", "due", "hands")

    def __init__(self, cards: tuple[Card, ...], wager: Micros, options: Mapping[str, OptionValue]) -> None:
        self._options = options
        self._at = 0
        self.hands = [PlayedHand(cards, wager)]
        #: Whether a card must be dealt before the player can act.
        self.due = False
        self._move_on_if_over()

    @property
    def hand(self) -> PlayedHand | None:
        """The hand being played, or None when all have ended."""
        return self.hands[self._at] if self._at < len(self.hands) else None

    @property
    def has_ended_a_hand(self) -> bool:
        """Whether the previous hand ended automatically, by 21, a bust or a double."""
        return self.hand is None or (self.due and self._at > 0)

    def choices(self) -> tuple[str, ...]:
        """Return the actions that the player may take now."""
        hand = self.hand
        if hand is None or self.due:
            return ()
        first_two = len(hand.cards) == 2
        hits = not self._gets_one_card(hand)
        lawful = {
            "hit": hits,
            "stand": True,
            "double": hits and first_two and (not hand.from_split or self._options["double_after_split"]),
            "split": self._may_split(hand),
            "surrender": first_two and not hand.from_split and self._options["surrender"] == "late",
        }
        return tuple(action for action, allowed in lawful.items() if allowed)

    def act(self, action: str, doubles_by: Micros | None = None) -> None:
        """Take an action from ``choices``; a double matches the whole wager unless it is for less.

        House Money proceeds left on the spot are part of that wager [HM.house_money.6.{split,double}].
        """
        hand = self.hands[self._at]
        if action == "split":
            halves = [PlayedHand((card,), hand.wager, from_split=True) for card in hand.cards]
            self.hands[self._at : self._at + 1] = halves
        if action == "double":
            hand.wager += hand.wager if doubles_by is None else doubles_by
            hand.doubled = True
        if action in ("stand", "surrender"):
            hand.surrendered = action == "surrender"
            self._move_on()
        else:
            self.due = True

    def deal(self, card: Card) -> None:
        """Deal the card that is due to the hand being played."""
        self.hands[self._at].cards += (card,)
        self.due = False
        self._move_on_if_over()

    def _move_on_if_over(self) -> None:
        hand = self.hands[self._at]
        stuck = self._gets_one_card(hand) and not self._may_split(hand)
        if hand.total >= 21 or hand.doubled or stuck:
            self._move_on()

    def _move_on(self) -> None:
        """Go to the next hand; it comes from a split and has one card, so a card is due."""
        self._at += 1
        self.due = self._at < len(self.hands)

    def _gets_one_card(self, hand: PlayedHand) -> bool:
        return hand.from_split and hand.cards[0].rank == ACE and not self._options["hit_split_aces"]

    def _may_split(self, hand: PlayedHand) -> bool:
        if len(hand.cards) != 2 or len(self.hands) >= int(self._options["resplit_to"]):
            return False
        if hand.from_split and hand.cards[0].rank == ACE and not self._options["resplit_aces"]:
            return False
        return blackjack_value(hand.cards[0]) == blackjack_value(hand.cards[1])


def words_of(seat: Seat) -> list[str]:
    """Return the words of a seat's play notation."""
    return seat.said.get("play", "").lower().replace(",", " ").split()


def drawn_cards(seat: Seat) -> Iterator[Card]:
    """Yield the cards drawn in play, skipping all other words, which ``follow`` checks."""
    for word in words_of(seat):
        try:
            yield parse_card(word)
        except ValueError:
            continue


def follow(spot: Spot, seat: Seat) -> Spot:
    """Play the spot by the seat's notation; raise a located problem for anything the rules forbid."""
    for number, word in enumerate(words_of(seat), 1):
        try:
            _follow_word(spot, word)
        except ValueError as error:
            what, _, remedy = str(error).partition("; ")
            where = f"seat {seat.number}, play, word {number}"
            raise ProblemsError([Problem(where, what, remedy or "correct it")]) from error
    while (hand := spot.hand) is not None:
        if spot.due:
            what = f"the text ends before the next card of {hand}"
            raise ProblemsError([Problem(f"seat {seat.number}, play", what, "write the card that it drew")])
        spot.act("stand")
    return spot


def _follow_word(spot: Spot, word: str) -> None:
    action, _, amount = word.partition(":")
    hand = spot.hand
    if action not in ACTIONS:
        card = parse_card(word)
        if not spot.due:
            raise ValueError(f"no action draws the card {card}; {_remedy(spot)}")
        spot.deal(card)
    elif action == "stand" and not amount and spot.has_ended_a_hand:
        return  # the hand has ended already: 21, a double, the last hand
    elif hand is None or action not in spot.choices():
        raise ValueError(f"{action} is not allowed {f'on {hand}' if hand else 'any more'}; {_remedy(spot)}")
    elif amount and action != "double":
        raise ValueError(f"{action} takes no amount; write {action} alone")
    else:
        spot.act(action, _for_less(hand, amount) if amount else None)


def _for_less(hand: PlayedHand, text: str) -> Micros:
    amount = money.parse(text)
    if not 0 < amount <= hand.wager or amount % CENT:
        raise ValueError(f"{text} cannot double {hand}; use whole cents up to {money.text(hand.wager)}")
    return amount


def _remedy(spot: Spot) -> str:
    if spot.hand is None:
        return "end the text before it, since all hands have ended"
    if spot.due:
        return f"write the card that {spot.hand} draws"
    return f"choose from: {', '.join(spot.choices())}"
