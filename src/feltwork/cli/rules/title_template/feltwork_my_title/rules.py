"""The rules of My Title as functions: how hands rank, the deal, the decision, the settlement."""

from collections.abc import Iterable
from dataclasses import replace
from enum import IntEnum

from feltwork.problem import Problem
from feltwork.titles import bets
from feltwork.titles.bets import Showdown
from feltwork.titles.cards.card import Card
from feltwork.titles.cards.shoe import Shoe
from feltwork.titles.hands.category import Hand, best_hand, ladder_of, names_of, rows_of
from feltwork.titles.round import Round, Seat
from feltwork.titles.settlement import BetResult
from feltwork.titles.title import Decide, Decision


class TwoCardCategory(IntEnum):
    """Categories from lowest to highest: the rarer, the higher."""

    HIGH_CARD = 0
    FLUSH = 1
    STRAIGHT = 2
    PAIR = 3
    STRAIGHT_FLUSH = 4


LADDER = ladder_of(TwoCardCategory)
ROWS = rows_of(category for category in TwoCardCategory if category >= TwoCardCategory.STRAIGHT)
JACK_HIGH = Hand(TwoCardCategory.HIGH_CARD, (11,))
#: The lowest hand worth playing; below queen-high, playing loses more on average than folding.
WORTH_PLAYING = Hand(TwoCardCategory.HIGH_CARD, (12,))


def two_card_hand(cards: Iterable[Card]) -> Hand:
    """Return the hand that two cards make; straights run from A-2 to K-A [public rules]."""
    return best_hand(cards, size=2, ladder=LADDER)


def folded(_round: Round, seat: Seat) -> bool:
    """A hand without a Play wager is folded [public rules]."""
    return not seat.wager("play")


def dealer_qualifies(dealer: Hand) -> bool:
    """Jack-high or better [public rules]."""
    return dealer >= JACK_HIGH


def check(round_: Round) -> list[Problem]:
    """List wagers that the rules do not allow; their sizes are in the declaration [public rules]."""
    return bets.missing(round_, "ante")


def settle(round_: Round, seat: Seat) -> dict[str, BetResult]:
    """Settle every bet of a seat [public rules].

    A fold loses all bets; else the dealer decides Ante and Play, and the player's hand alone the Bonus.
    """
    if folded(round_, seat):
        return {name: bets.lose(staked, "folded") for name, staked in seat.wagers.items()}
    showdown = Showdown(round_, seat, two_card_hand(seat.cards), two_card_hand(round_.cards("dealer")))
    results = {"ante": _ante(showdown), "play": _play(showdown)}
    if seat.wager("bonus"):
        names = names_of(showdown.player, ROWS)
        results["bonus"] = bets.by_table(round_.paytables["bonus"], names, seat.wager("bonus"))
    return results


def _ante(showdown: Showdown) -> BetResult:
    """Pay even money if the dealer does not qualify, else compare the hands [public rules]."""
    staked = showdown.seat.wager("ante")
    if not dealer_qualifies(showdown.dealer):
        return bets.win_even(staked, f"the dealer's {showdown.dealer} does not qualify")
    return bets.against_dealer(showdown, staked)


def _play(showdown: Showdown) -> BetResult:
    """Push if the dealer does not qualify, else compare the hands [public rules]."""
    staked = showdown.seat.wager("play")
    if not dealer_qualifies(showdown.dealer):
        return bets.push(staked, f"the dealer's {showdown.dealer} does not qualify")
    return bets.against_dealer(showdown, staked)


def play(round_: Round, shoe: Shoe, decide: Decide) -> Round:
    """Deal two cards each, then the dealer's; each player folds or plays [public rules]."""
    seats = [replace(seat, cards=shoe.draw(2)) for seat in round_.seats]
    dealer = shoe.draw(2)
    decided = tuple(round_.fold_or_bet(seat, decide, "play") for seat in seats)
    return round_.with_cards(decided, dealer=dealer)


def rule_of_thumb(decision: Decision) -> str:
    """Play with queen-high or better; that is optimal."""
    return "play" if two_card_hand(decision.cards) >= WORTH_PLAYING else "fold"
