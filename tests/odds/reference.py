"""Slow and obvious: deal every order of a small shoe, card by card, and look at what lies on the table."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from typing import TypeAlias

from feltwork.odds.atoms import Atoms
from feltwork.odds.title_odds import odds_of
from feltwork.odds.titles.blackjack.rules import (
    Rules,
    Soft17,
    Values,
    add,
    best_total,
    dealer_stands,
    hard_total,
    values_of,
)
from feltwork.titles.cards.card import ACE, DECK, KING, SEVEN, TEN, Card, Suit

Cards: TypeAlias = tuple[Card, ...]
#: How the rows below call what wins nothing.
NOTHING = "nothing"


def points(cards: Cards) -> int:
    total = 0
    for card in cards:
        total += 1 if card.rank == ACE else 0 if card.rank >= TEN else card.rank
    return total % 10


def baccarat_round(deal: Cards) -> tuple[Cards, Cards]:
    """The two final hands of six cards in dealing order, the drawing rules spelled out."""
    player, banker, rest = (deal[0], deal[2]), (deal[1], deal[3]), deal[4:]
    if points(player) >= 8 or points(banker) >= 8:
        return player, banker
    if points(player) >= 6:
        return player, banker + rest[:1] if points(banker) <= 5 else banker
    third, has = points(rest[:1]), points(banker)
    draws = (
        has <= 2
        or (has == 3 and third != 8)
        or (has == 4 and 2 <= third <= 7)
        or (has == 5 and 4 <= third <= 7)
        or (has == 6 and 6 <= third <= 7)
    )
    return player + rest[:1], banker + rest[1:] if draws else banker


def baccarat_rounds(cards: Sequence[Card]) -> Iterator[tuple[Cards, Cards]]:
    return (baccarat_round(deal) for deal in permutations(cards, 6))


def dragon_bonus_row(own: Cards, other: Cards) -> str:
    """The row of paytable 1, which pays no margin below four."""
    margin = points(own) - points(other)
    natural = len(own) == 2 and points(own) >= 8
    if natural and margin >= 0:
        return "natural_winner" if margin else "natural_tie"
    return f"win_by_{margin}" if margin >= 4 else NOTHING


def dragon_row(own: Cards, other: Cards) -> str:
    """The row of paytable 2, on which paytable 1 is the first four."""
    natural = len(own) == 2 and points(own) >= 8
    score = points(own), points(other)
    if sorted(card.rank for card in own) == [2, 3, 4] and score == (9, 0):
        suits = {card.suit for card in own}
        if suits == {Suit.DIAMONDS}:
            return "two_three_four_diamonds"
        return "two_three_four_suited" if len(suits) == 1 else "two_three_four"
    if natural and score[0] > score[1]:
        return "natural_win"
    if score == (9, 0):
        return "nine_over_zero"
    return "eight_over_zero" if score == (8, 0) else NOTHING


def dragon_suited_row(own: Cards, other: Cards) -> str:
    """The row of paytable 3."""
    if (points(own), points(other)) != (9, 0):
        return NOTHING
    table = own + other
    if len({card.suit for card in table}) == 1 and len(table) in (4, 6):
        return "suited_six_card_win_by_9" if len(table) == 6 else "suited_four_card_win_by_9"
    return "win_by_9"


def physical_cards(decks: int) -> list[int]:
    """The place in a deck of every card of so many decks, each card by itself."""
    return sorted(list(range(52)) * decks)


def house_money_rows(decks: int) -> Counter[str]:
    """Every two cards."""
    straights = [{low, low + 1} for low in range(2, 14)] + [{14, 2}]
    rows: Counter[str] = Counter()
    for (a, b), times in Counter(combinations(physical_cards(decks), 2)).items():
        ranks, suited = {DECK[a].rank, DECK[b].rank}, DECK[a].suit == DECK[b].suit
        if len(ranks) == 1:
            rows["pair"] += times
        elif ranks in straights and suited:
            rows["ace_king_suited" if ranks == {KING, ACE} else "straight_flush"] += times
        else:
            rows["straight" if ranks in straights else NOTHING] += times
    return rows


def blazing_rows(decks: int) -> Counter[str]:
    """Every three cards in order, the third the dealer's; the rows of paytable 2."""
    rows: Counter[str] = Counter()
    for kinds, times in Counter(permutations(physical_cards(decks), 3)).items():
        first, second, up = (DECK[kind] for kind in kinds)
        sevens = (first.rank == SEVEN) + (second.rank == SEVEN)
        if sevens < 2 or up.rank != SEVEN:
            rows[(NOTHING, "one_7", "two_7s")[sevens]] += times
            continue
        suits = {first.suit, second.suit, up.suit}
        if len(suits) == 1:
            rows["three_7s_diamonds" if suits == {Suit.DIAMONDS} else "three_7s_suited"] += times
        elif suits <= {Suit.DIAMONDS, Suit.HEARTS} or suits <= {Suit.CLUBS, Suit.SPADES}:
            rows["three_7s_same_color"] += times
        else:
            rows["three_7s"] += times
    return rows


def trilux_rows(decks: int) -> Counter[str]:
    """Every three cards, whoever holds them."""
    straights = [{low, low + 1, low + 2} for low in range(2, 13)] + [{14, 2, 3}]
    rows: Counter[str] = Counter()
    for kinds, times in Counter(combinations(physical_cards(decks), 3)).items():
        hand = [DECK[kind] for kind in kinds]
        ranks, suited = {card.rank for card in hand}, len({card.suit for card in hand}) == 1
        if len(ranks) == 1 and suited:
            rows["three_aces_suited" if ranks == {ACE} else "three_of_a_kind_suited"] += times
        elif len(ranks) == 1:
            rows["three_of_a_kind"] += times
        elif ranks in straights:
            rows["straight_flush" if suited else "straight"] += times
        else:
            rows["flush" if suited else NOTHING] += times
    return rows


Result = Callable[[int | None], int]
"""What the player gets when the dealer stands on a total, or busts (None)."""


def dealer_plays(left: Values, hand: Values, soft_17: Soft17, result: Result) -> Fraction:
    """The mean result over every card the dealer can draw; a blackjack of the dealer counts nothing."""
    if sum(hand) == 2 and best_total(hand) == 21:
        return Fraction(0)
    if sum(hand) >= 2 and dealer_stands(hand, soft_17):
        total = best_total(hand)
        return Fraction(result(total if total <= 21 else None))
    return mean(left, lambda value, rest: dealer_plays(rest, add(hand, value), soft_17, result))


def mean(left: Values, value_of: Callable[[int, Values], Fraction]) -> Fraction:
    total = Fraction(0)
    for value, copies in enumerate(left, start=1):
        if copies:
            total += copies * value_of(value, add(left, value, -1))
    return total / sum(left)


def settle(hands: Sequence[tuple[Values, int]], dealer: int | None) -> int:
    """All hands of a player against one dealer, each with its stake."""
    won = 0
    for hand, stake in hands:
        total = best_total(hand)
        if total > 21:
            won -= stake
        elif dealer is None or total > dealer:
            won += stake
        elif total < dealer:
            won -= stake
    return won


def stand(left: Values, hands: Sequence[tuple[Values, int]], up: int, soft_17: Soft17) -> Fraction:
    return dealer_plays(left, values_of((up,)), soft_17, lambda dealer: settle(hands, dealer))


def best_play(left: Values, hand: Values, up: int, rules: Rules) -> tuple[str, Fraction]:
    """Optimal play of one hand without splits, by trying everything."""
    if hard_total(hand) > 21:
        return "stand", stand(left, [(hand, 1)], up, rules.soft_17)
    choices = {"stand": stand(left, [(hand, 1)], up, rules.soft_17)}
    if hard_total(hand) < 21:
        choices["hit"] = mean(left, lambda value, rest: best_play(rest, add(hand, value), up, rules)[1])
    if sum(hand) == 2:
        choices["double"] = mean(
            left, lambda value, rest: stand(rest, [(add(hand, value), 2)], up, rules.soft_17)
        )
    action = max(choices, key=lambda name: choices[name])
    return action, choices[action]


def split_in_order(
    left: Values, pair: int, up: int, rules: Rules, decide: Callable[[Values], str]
) -> Fraction:
    """Split and play hand after hand, as at a table, every card told apart by value only."""

    def play(
        rest: Values, hand: Values, waiting: int, finished_hands: tuple[tuple[Values, int], ...]
    ) -> Fraction:
        hands = 1 + waiting + len(finished_hands)
        if sum(hand) == 1:
            return mean(rest, lambda value, after: play(after, add(hand, value), waiting, finished_hands))
        if hand[pair - 1] == 2 and sum(hand) == 2 and pair != 1 and hands < rules.max_hands:
            return play(rest, values_of((pair,)), waiting + 1, finished_hands)
        action = "stand" if pair == 1 or hard_total(hand) >= 21 else decide(hand)
        if action == "hit":
            return mean(rest, lambda value, after: play(after, add(hand, value), waiting, finished_hands))
        if action == "double":
            return mean(
                rest, lambda value, after: finish(after, (add(hand, value), 2), waiting, finished_hands)
            )
        return finish(rest, (hand, 1), waiting, finished_hands)

    def finish(
        rest: Values, hand: tuple[Values, int], waiting: int, finished_hands: tuple[tuple[Values, int], ...]
    ) -> Fraction:
        everything = (*finished_hands, hand)
        if waiting:
            return play(rest, values_of((pair,)), waiting - 1, everything)
        return stand(rest, everything, up, rules.soft_17)

    return play(left, values_of((pair,)), 1, ())


def blackjack_jackpot(name: str, decks: int) -> Atoms:
    """The counts of a jackpot on the first two cards and the up card, as its title declares them."""
    return odds_of(name).bets["jackpot"].atoms(str(decks))
