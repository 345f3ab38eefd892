"""Optimal play by look-up, for players who are asked a thousand times a second.

Each answer is the one of ``strategy.advise``, found in a table that is made once: from kept counts, or by
remembering what was asked before.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import TypeAlias

from feltwork.cards.card import DECK, TEN, Card
from feltwork.hands.category import Hand, names_of
from feltwork.hands.four_card import ROWS, best_four
from feltwork.hands.points import blackjack_value
from feltwork.odds import strategy
from feltwork.odds.count_cache import kept_arrays
from feltwork.odds.crazy_4 import solve
from feltwork.odds.figures import five_card_games, four_card_games
from feltwork.odds.four_card.classes import canonical_hand, hand_of, pays_by_class
from feltwork.odds.holdem_bonus.bets import HoldemBets, count_bets
from feltwork.odds.six_five_four.counts import NEVER_FOLDED
from feltwork.paytables.paytable import Paytable
from feltwork.titles.title import Decide, Decision, OptionValue

Paytables: TypeAlias = Mapping[str, Paytable]
Options: TypeAlias = Mapping[str, OptionValue]


def player(game: str, paytables: Paytables, options: Options) -> Decide:
    """A player of one table who never errs; made at once, or in half a minute where nothing is counted."""
    return _PLAYERS[game](paytables, options)


def _crazy_4(paytables: Paytables, options: Options) -> Decide:
    """The best Play wager, looked up by the hand without the names of its suits."""
    pays = tuple(pays_by_class(paytables["super_bonus"]))
    wagers = _play_wagers(pays, pushes=options["super_bonus_unqualified"] == "push")
    return lambda decision: wagers[canonical_hand([card.index for card in decision.cards])]


@cache
def _play_wagers(pays: tuple[Fraction, ...], *, pushes: bool) -> Mapping[int, str]:
    """The best wager for each of 134,459 hands that differ by more than suits' names."""
    unqualified: solve.Unqualified = "push" if pushes else "compare"
    found = solve.solve(four_card_games.crazy_4_bases(), pays, unqualified=unqualified)
    hands = four_card_games.crazy_4_kept().hands.tolist()
    names = {0: "fold", 1: "1x", 3: "3x"}
    return {hand: names[stake] for hand, stake in zip(hands, found.stakes.tolist(), strict=True)}


def _six_five_four(paytables: Paytables, _options: Options) -> Decide:
    """Borders for each set of exposed cards; a hand between them, or one that a bonus saves, is counted."""
    borders: dict[tuple[int, ...], tuple[Hand, Hand | None]] = {}
    for kept, first, second, lowest, highest in four_card_games.six_five_four_kept().margins.tolist():
        shown = [DECK[card] for card in (first, second, kept) if card >= 0]
        borders[_shape(shown)] = (hand_of(lowest), None if highest == NEVER_FOLDED else hand_of(highest))
    exact = strategy.optimal("six_five_four", paytables)
    bonus = paytables["ante_bonus"]

    def decide(decision: Decision) -> str:
        lowest_played, highest_folded = borders[_shape(decision.sees["dealer"])]
        hand = best_four(decision.cards)
        if highest_folded is None or hand > highest_folded:
            return "play"
        if hand < lowest_played and bonus.row_for(names_of(hand, ROWS)) is None:
            return "fold"
        return exact(decision)

    return decide


def _shape(shown: Sequence[Card]) -> tuple[int, ...]:
    """Exposed cards without the names of suits; the order of two discards does not matter."""
    ranks = [card.rank for card in shown]
    if min(ranks) >= TEN:
        ranks.sort()
    return (*ranks, len({card.suit for card in shown}))


@cache
def holdem_bets() -> HoldemBets:
    """The Turn and River bets of Hold'em Bonus."""
    return HoldemBets.from_arrays(kept_arrays("holdem_bets", lambda: count_bets().arrays()))


def _holdem_bonus(_paytables: Paytables, options: Options) -> Decide:
    """The first decision by the starting hand, the two bets by their bits."""
    bets = holdem_bets()
    folds = set(five_card_games.holdem_solution(str(options["ante_wins_with"])).folds)

    def decide(decision: Decision) -> str:
        if decision.name == "flop":
            return "fold" if _starting_hand(decision.cards) in folds else "bet"
        hole, board = ([card.index for card in cards] for cards in (decision.cards, decision.sees["board"]))
        return "bet" if bets.is_bet(hole, board) else "check"

    return decide


def _starting_hand(hole: Sequence[Card]) -> str:
    low, high = sorted(hole)
    ranks = str(high)[0] + str(low)[0]
    return ranks if high.rank == low.rank else ranks + ("s" if high.suit == low.suit else "o")


def _blackjack(paytables: Paytables, options: Options) -> Decide:
    """Every up card is solved at once; a hand that was asked about before is remembered."""
    from feltwork.odds.blackjack import tables

    rules = strategy.blackjack_rules(options)
    for up in range(1, 11):
        tables.table(rules, up)
    exact = strategy.optimal("blackjack", paytables)
    known: dict[tuple[object, ...], str] = {}

    def decide(decision: Decision) -> str:
        values = sorted([blackjack_value(card) for card in decision.cards])
        asked = (decision.name, decision.choices, blackjack_value(decision.sees["dealer"][0]), *values)
        if asked not in known:
            known[asked] = exact(decision)
        return known[asked]

    return decide


_PLAYERS: Mapping[str, Callable[[Paytables, Options], Decide]] = {
    "crazy_4": _crazy_4,
    "six_five_four": _six_five_four,
    "holdem_bonus": _holdem_bonus,
    "blackjack": _blackjack,
}
