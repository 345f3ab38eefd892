"""Whether one deal of a game gives all the hands that are entered at a table.

The search gives each hand the cards that make it, rarest hand first: from the seat's own cards, or from cards
that all seats share. What is left over is filled with any cards, and the titles' own rules check the result.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import combinations, combinations_with_replacement, permutations, product
from typing import TypeAlias

from feltwork.titles import registry
from feltwork.titles.cards.card import ACE, DECK, SEVEN, Card, Suit
from feltwork.titles.hands import five_card, four_card
from feltwork.titles.jackpots.holdem.rules import COMMUNITY_ROYAL, ROYALS
from feltwork.titles.title import Sight

#: A set of cards of one deck, one bit for each.
Mask: TypeAlias = int
#: The names of a paytable's rows, best first.
Rows: TypeAlias = tuple[str, ...]
Cards: TypeAlias = tuple[Card, ...]

_ROYALS = frozenset({"royal_flush", COMMUNITY_ROYAL, *ROYALS.values()})
_LATE = frozenset({ROYALS[6], ROYALS[7]})
_BITS = tuple(1 << card.index for card in DECK)
_SUITS = tuple(sum(_BITS[suit::4]) for suit in range(4))
_RANKS = tuple(sum(_BITS[place : place + 4]) for place in range(0, 52, 4))
#: Cards in an order that makes neither pairs nor runs nor flushes, to fill a deal with.
_FILLERS = tuple(_BITS[number * 15 % 52] for number in range(52))
#: Steps after which a search gives up and takes the hands for possible.
_MOST_STEPS = 5_000


@dataclass(frozen=True, slots=True)
class EnteredHand:
    """A hand button pressed at a seat, with its cards, in the groups the jackpot looks at, if known."""

    seat: int
    jackpot: str
    variant: str
    rows: Rows
    row: str
    cards: Sight = ()

    def is_made_by(self, sight: Sight) -> bool:
        """Whether its row pays the cards."""
        names = registry.jackpot(self.jackpot).names(sight)
        return next((row for row in self.rows if row in names), "") == self.row


def is_possible(game: str, decks: int, hands: Collection[EnteredHand]) -> bool:
    """Whether a deal of the game from so many decks gives all these hands."""
    return all(
        _is_possible(game, decks, _from_seat_1(some)) for some in (*combinations(hands, 2), tuple(hands))
    )


def _from_seat_1(hands: Iterable[EnteredHand]) -> frozenset[EnteredHand]:
    """Number the seats anew: which of them it is makes no difference."""
    in_order = sorted(hands, key=lambda hand: (hand.jackpot, hand.row, hand.cards))
    numbers = {seat: number for number, seat in enumerate(dict.fromkeys(hand.seat for hand in in_order))}
    return frozenset(replace(hand, seat=numbers[hand.seat]) for hand in in_order)


@lru_cache(maxsize=4096)
def _is_possible(game: str, decks: int, hands: frozenset[EnteredHand]) -> bool:
    views = {
        hand: next((view for view in _views_of(hand) if view in registry.game(game).views), "")
        for hand in hands
    }
    if _POKER.keys() >= {*views.values()} and decks == 1:
        return _PokerDeal(registry.game(game).seat_cards, views).exists()
    if {*views.values()} <= _BLACKJACK:
        return _is_from_a_shoe(views, decks)
    return {*views.values()} != {"final_hands"} or _is_one_coup(hands)


def _views_of(hand: EnteredHand) -> tuple[str, ...]:
    return registry.jackpot(hand.jackpot).views[hand.variant]


# --- poker: a seat's own cards and a board, from one deck ---

#: The views of a seat's cards, with the number of board cards that they show.
_POKER = {"best_four_of_five": 0, "five_dealt": 0, "hole_and_flop": 3, "hole_and_board": 5}


@dataclass(frozen=True, slots=True)
class _Place:
    """Cards laid out so far: of each seat, of the flop, and of the board with the flop."""

    owns: Mapping[int, Mask]
    flop: Mask
    board: Mask

    @property
    def taken(self) -> Mask:
        return _union(self.owns.values())


class _PokerDeal:
    def __init__(self, own: int, views: Mapping[EnteredHand, str]) -> None:
        self._own = own
        self._sees = {hand: _POKER[view] for hand, view in views.items()}
        self._board = max(self._sees.values())
        self._hands = sorted(views, key=lambda hand: (len(_makers(hand)), hand.row, hand.jackpot, hand.seat))
        self._nothing_known = not any(hand.cards for hand in views)
        self._steps = 0

    def exists(self) -> bool:
        return any(self._is_dealt(place, 0, 0) for place in self._known())

    def _known(self) -> Iterator[_Place]:
        """Yield the ways to lay out the known cards; hole and flop together do not say which is which."""
        known = [hand for hand in self._hands if hand.cards]
        ways: list[list[tuple[Mask, Mask, Mask]]] = []
        for hand in known:
            own, *board = map(_mask, hand.cards)
            flops = combinations(_bits(own), 3) if self._sees[hand] == 3 else ((),)
            ways.append([(own & ~sum(flop), sum(flop), sum(board) or sum(flop)) for flop in flops])
        for chosen in product(*ways):
            owns = {hand.seat: 0 for hand in self._hands}
            for hand, (own, _, _) in zip(known, chosen, strict=True):
                owns[hand.seat] |= own
            yield _Place(owns, _union(flop for _, flop, _ in chosen), _union(board for _, _, board in chosen))

    def _is_dealt(self, place: _Place, number: int, start: int) -> bool:
        """Whether the hands from a number on find their cards; equal hands take theirs in order."""
        self._steps += 1
        if not self._fits(place):
            return False
        if number == len(self._hands):
            return self._is_filled(place)
        hand, makers = self._hands[number], _makers(self._hands[number])
        if number == 0 and self._nothing_known:
            makers = _up_to_suits(makers)
        alike = self._nothing_known and len(place.owns) == len(self._hands) > number + 1
        alike = alike and replace(self._hands[number + 1], seat=hand.seat) == hand
        seen, gone = place.owns[hand.seat] | place.board, place.taken & ~place.owns[hand.seat]
        room = self._own + (self._board if self._sees[hand] else 0) - seen.bit_count()
        self._steps += len(makers) // 100
        return self._steps > _MOST_STEPS or any(
            self._is_dealt(split, number + 1, index if alike else 0)
            for index in range(start, len(makers))
            if not makers[index] & gone and (makers[index] & ~seen).bit_count() <= room
            for split in self._splits(place, hand, makers[index])
        )

    def _splits(self, place: _Place, hand: EnteredHand, maker: Mask) -> Iterator[_Place]:
        """Yield the ways to put the cards that make a hand in the seat and on the board."""
        own, board, sees = place.owns[hand.seat], place.board, self._sees[hand]
        missing = _bits(maker & ~own & ~board)
        room = self._own - own.bit_count()
        shared_room = self._board - board.bit_count() if sees else 0
        for count in range(max(0, len(missing) - shared_room), min(room, len(missing)) + 1):
            for chosen in map(sum, combinations(missing, count)):
                shared = maker & ~own & ~chosen
                is_community = hand.row == COMMUNITY_ROYAL
                if sees < 5 or hand.row not in _ROYALS or is_community == (shared == maker):
                    flop = shared if sees == 3 or hand.row == ROYALS[5] else 0
                    owns = {**place.owns, hand.seat: own | chosen}
                    yield _Place(owns, place.flop | flop, board | shared)

    def _fits(self, place: _Place) -> bool:
        """Whether the cards laid out are lawful, leave room for every hand, and make none too good."""
        taken, owns, board = place.taken, place.owns, place.board
        if board.bit_count() > self._board or place.flop.bit_count() > 3 or board & taken:
            return False
        if taken.bit_count() != sum(own.bit_count() for own in owns.values()):
            return False
        lies = {hand: self._lies(hand, place) for hand in self._hands}
        for hand in self._hands:
            own = owns[hand.seat]
            room = self._own - own.bit_count() + self._sees[hand] - lies[hand].bit_count()
            if own.bit_count() > self._own or _missing(hand, own | lies[hand], taken & ~own) > room:
                return False
            if hand.row in _LATE and not _missing(hand, own | place.flop, 0):
                return False
        return all(_is_not_better(hand, owns[hand.seat] | lies[hand]) for hand in self._hands)

    def _lies(self, hand: EnteredHand, place: _Place) -> Mask:
        """The shared cards that a hand sees."""
        return {0: 0, 3: place.flop, 5: place.board}[self._sees[hand]]

    def _is_filled(self, place: _Place) -> bool:
        """Whether other cards complete the board and the seats."""
        free = [bit for bit in _FILLERS if not bit & (place.board | place.taken)]
        for extra in combinations(free, self._board - place.board.bit_count()):
            full = replace(place, board=place.board | sum(extra))
            left = [bit for bit in free if bit not in extra]
            if self._fits(full) and any(
                self._are_seats_filled(place.owns, board, left) for board in self._boards(full)
            ):
                return True
        return False

    def _boards(self, place: _Place) -> Iterator[Cards]:
        """Yield the orders in which the board may come: flop, turn and river."""
        for flop in combinations(_bits(place.board), min(3, self._board)):
            if not place.flop & ~sum(flop):
                for rest in permutations(_cards(place.board & ~sum(flop))):
                    yield _cards(sum(flop)) + rest

    def _are_seats_filled(self, owns: Mapping[int, Mask], board: Cards, free: list[Mask]) -> bool:
        if not owns:
            return True
        self._steps += 1
        (seat, own), *others = owns.items()
        for extra in combinations(free, self._own - own.bit_count()):
            cards = _cards(own | sum(extra))
            if self._steps > _MOST_STEPS or (
                all(
                    hand.is_made_by((cards, board) if sees == 5 else (cards + board[:sees],))
                    for hand, sees in self._sees.items()
                    if hand.seat == seat
                )
                and self._are_seats_filled(dict(others), board, [bit for bit in free if bit not in extra])
            ):
                return True
        return False


@cache
def _makers(hand: EnteredHand) -> tuple[Mask, ...]:
    """Return sets of cards, one of which is in every hand of the row; an empty set for any other row."""
    return _makers_of(hand.row, 4 if hand.jackpot == "four_card" else 5)


@cache
def _makers_of(row: str, size: int) -> tuple[Mask, ...]:
    runs = [[_RANKS[place - 1] for place in range(low, low + size)] for low in range(15 - size)]
    suited = [sum(rank & suit for rank in run) for suit in _SUITS for run in runs]
    found: Iterable[Mask] = (0,)
    match row:
        case "four_aces":
            found = _RANKS[-1:]
        case "four_of_a_kind":
            found = _RANKS
        case "straight_flush":
            found = suited
        case "full_house":
            groups = (
                (combinations(_bits(a), 3), combinations(_bits(b), 2)) for a, b in permutations(_RANKS, 2)
            )
            found = (sum(three + two) for group in groups for three, two in product(*group))
        case "flush":
            found = (sum(cards) for suit in _SUITS for cards in combinations(_bits(suit), size))
        case "straight":
            found = (sum(cards) for run in runs for cards in product(*map(_bits, run)))
        case "three_of_a_kind":
            found = (sum(three) for rank in _RANKS for three in combinations(_bits(rank), 3))
        case _ if row in _ROYALS:
            found = suited[len(runs) - 1 :: len(runs)]
    return tuple(found)


@cache
def _up_to_suits(makers: tuple[Mask, ...]) -> tuple[Mask, ...]:
    """Leave out what only exchanges suits: a deal is as good with its suits exchanged."""
    suits = {maker: [(maker & suit) >> place for place, suit in enumerate(_SUITS)] for maker in makers}
    return tuple(maker for maker in makers if suits[maker] == sorted(suits[maker], reverse=True))


@lru_cache(maxsize=65536)
def _missing(hand: EnteredHand, seen: Mask, gone: Mask) -> int:
    """At least how many cards a hand lacks, with those seen and without those gone."""
    makers = _makers(hand)
    if len(makers) <= len(_RANKS) * 4:
        return min(((maker & ~seen).bit_count() for maker in makers if not maker & gone), default=len(DECK))
    if hand.row == "flush":
        return len(_bits(makers[0])) - max((seen & suit).bit_count() for suit in _SUITS)
    held = [(seen & rank).bit_count() for rank in _RANKS]
    if hand.row == "full_house":
        left = [4 - (gone & rank).bit_count() for rank in _RANKS]
        threes, twos = (
            [min(here, size) if least >= size else -5 for here, least in zip(held, left, strict=True)]
            for size in (3, 2)
        )
        return 5 - max(threes[a] + twos[b] for a, b in permutations(range(len(_RANKS)), 2))
    low, size = [held[-1], *held], len(_bits(makers[0]))
    return size - max(sum(map(bool, low[place : place + size])) for place in range(15 - size))


@lru_cache(maxsize=65536)
def _is_not_better(hand: EnteredHand, seen: Mask) -> bool:
    """Whether cards do not make a better row already; more cards only improve it."""
    size = 4 if hand.jackpot == "four_card" else 5
    if seen.bit_count() < size:
        return True
    best, rows = (
        (four_card.best_four(_cards(seen)), four_card.ROWS)
        if size == 4
        else (five_card.best_five(_cards(seen)), five_card.ROWS)
    )
    names = {name for name, passes in rows.items() if passes(best)}
    better = hand.rows[: hand.rows.index(hand.row)]
    return not any(
        (row in names or ("royal_flush" in names and row in _ROYALS)) and not {row, hand.row} <= _ROYALS
        for row in better
    )


def _union(masks: Iterable[Mask]) -> Mask:
    return sum({bit for mask in masks for bit in _bits(mask)})


def _mask(cards: Iterable[Card]) -> Mask:
    return sum({_BITS[card.index] for card in cards})


@lru_cache(maxsize=65536)
def _bits(mask: Mask) -> tuple[Mask, ...]:
    return tuple(bit for bit in _BITS if bit & mask)


def _cards(mask: Mask) -> Cards:
    return tuple(DECK[bit.bit_length() - 1] for bit in _bits(mask))


# --- blackjack: first cards from a shoe of several decks ---

_BLACKJACK = {"first_two_and_up", "first_two_and_third"}
_PAIRS = tuple(combinations_with_replacement(DECK, 2))
#: The up cards, with those that the best rows need in front.
_UPS = tuple((card,) for card in sorted(DECK, key=lambda card: card.rank not in (ACE, SEVEN)))


def _is_from_a_shoe(views: Mapping[EnteredHand, str], decks: int) -> bool:
    """Whether a shoe has the cards, for some up card of the dealer that all seats share."""
    sees_up = [hand for hand, view in views.items() if view == "first_two_and_up"]
    known = {hand.cards[1] for hand in sees_up if hand.cards and hand.cards[1]}
    ups: Sequence[Cards] = tuple(known) or (_UPS if sees_up else ((),))
    if len(sees_up) == len(views) and not any(hand.cards for hand in views):
        # No row is for hearts or spades alone, so clubs and diamonds stand for all.
        ups = [up for up in ups if up[0].suit in (Suit.CLUBS, Suit.DIAMONDS)]
    return len(known) <= 1 and any(_has_shoe(views, up, decks) for up in ups)


def _has_shoe(views: Mapping[EnteredHand, str], up: Cards, decks: int) -> bool:
    seats: list[list[Cards]] = []
    for seat in {hand.seat for hand in views}:
        # A hand that looks at a third card of the seat says more than one that looks at the up card.
        own = sorted(
            (hand for hand in views if hand.seat == seat), key=lambda hand: views[hand], reverse=True
        )
        seen = {hand: up if views[hand] == "first_two_and_up" else None for hand in own}
        seats.append(
            [
                cards
                for cards in _first_cards(own[0], seen[own[0]])
                if all(
                    hand.is_made_by((cards[:2], cards[2:] if seen[hand] is None else up))
                    and (not hand.cards or sorted(hand.cards[0]) == sorted(cards[:2]))
                    for hand in own
                )
            ]
        )
        if not seats[-1]:
            return False
    return _are_in_shoe(sorted(seats, key=len), Counter(up), decks, 0)


def _first_cards(hand: EnteredHand, up: Cards | None) -> Sequence[Cards]:
    """Return the first cards that may make a hand: two, or three where it does not look at the up card."""
    if hand.cards:
        return [hand.cards[0] + (hand.cards[1] if up is None else ())]
    return _cards_by_row(hand.jackpot, hand.rows, up).get(hand.row, ())


@lru_cache(maxsize=1024)
def _cards_by_row(jackpot: str, rows: Rows, up: Cards | None) -> dict[str, list[Cards]]:
    names = registry.jackpot(jackpot).names
    found: dict[str, list[Cards]] = {}
    for pair in _PAIRS:
        # A third card counts only beside two that make something by themselves.
        thirds = ((), *_UPS) if up is None and names((pair, ())) else ((),)
        for third in thirds:
            made = names((pair, third if up is None else up))
            if row := next((row for row in rows if row in made), ""):
                found.setdefault(row, []).append(pair + third)
    return found


def _are_in_shoe(seats: list[list[Cards]], dealt: Counter[Card], decks: int, start: int) -> bool:
    """Whether the seats can all have cards of theirs; seats with the same choices take them in order."""
    if not seats:
        return True
    after = ((index, dealt + Counter(seats[0][index])) for index in range(start, len(seats[0])))
    return any(
        _are_in_shoe(seats[1:], counts, decks, index if seats[1:2] == seats[:1] else 0)
        for index, counts in after
        if max(counts.values()) <= decks
    )


# --- baccarat: one coup for the whole table ---


def _is_one_coup(hands: Iterable[EnteredHand]) -> bool:
    """Whether one coup gives all the hands: one result on each paytable, and the same cards where known."""
    results = {(hand.jackpot, hand.rows): hand.row for hand in hands}
    coups = sorted(({tuple(sorted(side)) for side in hand.cards if side} for hand in hands), key=len)
    return all(results[hand.jackpot, hand.rows] == hand.row for hand in hands) and all(
        coup <= coups[-1] for coup in coups
    )
