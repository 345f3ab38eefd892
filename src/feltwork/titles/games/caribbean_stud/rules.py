"""The rules of Caribbean Stud Poker as functions: deal, legal decisions, settlement, Cover All.

The game itself is the public one; only Cover All is in a letter.
"""

from dataclasses import replace

from feltwork.problem import Problem
from feltwork.titles import bets
from feltwork.titles.bets import Showdown
from feltwork.titles.cards.card import JACK, KING, QUEEN
from feltwork.titles.cards.shoe import Shoe
from feltwork.titles.hands.category import Hand, Rows, names_of
from feltwork.titles.hands.five_card import ACE_KING, ROWS, FiveCardCategory, best_five
from feltwork.titles.round import Round, Seat
from feltwork.titles.settlement import BetResult
from feltwork.titles.title import Decide, Decision

#: The Raise pays every winning hand, so its last row covers everything below two pair.
RAISE_ROWS: Rows = {**ROWS, "pair_or_less": lambda hand: hand.category <= FiveCardCategory.PAIR}


def folded(_round: Round, seat: Seat) -> bool:
    """A hand without a Raise is folded [public rules]."""
    return not seat.wager("raise")


def dealer_qualifies(dealer: Hand) -> bool:
    """Ace-king or better [public rules]."""
    return dealer >= ACE_KING


def check(round_: Round) -> list[Problem]:
    """List the wagers that the rules do not allow [public rules]."""
    return bets.missing(round_, "ante")


def settle(round_: Round, seat: Seat) -> dict[str, BetResult]:
    """Settle Ante and Raise, then Cover All once every hand has been seen [public rules, C4.cover_all.9]."""
    results = _fold(seat) if folded(round_, seat) else _show(round_, seat)
    if seat.wager("cover_all"):
        results["cover_all"] = _cover_all(round_, seat)
    return results


def _fold(seat: Seat) -> dict[str, BetResult]:
    return {"ante": bets.lose(seat.wager("ante"), "folded")}


def _show(round_: Round, seat: Seat) -> dict[str, BetResult]:
    showdown = Showdown(round_, seat, best_five(seat.cards), best_five(round_.cards("dealer")))
    return {"ante": _ante(showdown), "raise": _raise(showdown)}


def _ante(showdown: Showdown) -> BetResult:
    """Pay even money if the dealer does not qualify, whatever the player holds [public rules]."""
    staked = showdown.seat.wager("ante")
    if not dealer_qualifies(showdown.dealer):
        return bets.win_even(staked, f"the dealer's {showdown.dealer} does not qualify")
    return bets.against_dealer(showdown, staked)


def _raise(showdown: Showdown) -> BetResult:
    """Pay by the player's hand if it beats a dealer who qualifies [public rules]."""
    staked = showdown.seat.wager("raise")
    if not dealer_qualifies(showdown.dealer):
        return bets.push(staked, f"the dealer's {showdown.dealer} does not qualify")
    if showdown.player > showdown.dealer:
        names = names_of(showdown.player, RAISE_ROWS)
        return bets.by_table(showdown.round.paytables["raise"], names, staked)
    return bets.against_dealer(showdown, staked)


def best_at_table(round_: Round) -> Hand:
    """Return the hand that Cover All pays: the table's best, folded or not [C4.cover_all.{2,6}]."""
    return max(best_five(cards) for cards in (round_.cards("dealer"), *(seat.cards for seat in round_.seats)))


def _cover_all(round_: Round, seat: Seat) -> BetResult:
    """Pay by the column for the number of hands, with the dealer's [C4.cover_all.{3,cover-all.to-1}]."""
    staked = seat.wager("cover_all")
    if folded(round_, seat) and not round_.option("cover_all_on_fold"):
        return bets.lose(staked, "folded")
    hands = len(round_.seats) + 1
    best = best_at_table(round_)
    row = round_.paytables[f"cover_all-{hands}"].row_for(names_of(best, ROWS))
    return bets.by_row(row, staked, otherwise=f"the best of {hands} hands is {best}, below three of a kind")


def play(round_: Round, shoe: Shoe, decide: Decide) -> Round:
    """Deal after all wagers, including Cover All, then ask each player for the Raise [C4.cover_all.1].

    Before deciding, the players see only the dealer's first card [public rules].
    """
    seats = [replace(seat, cards=shoe.draw(5)) for seat in round_.seats]
    dealer = shoe.draw(5)
    exposed = {"dealer": dealer[:1]}
    decided = tuple(round_.fold_or_bet(seat, decide, "raise", antes=2, sees=exposed) for seat in seats)
    return round_.with_cards(decided, dealer=dealer)


def rule_of_thumb(decision: Decision) -> str:
    """Raise any pair or better, fold below ace-king, and with ace-king look at the dealer's card."""
    hand = best_five(decision.cards)
    if hand.category == FiveCardCategory.HIGH_CARD:
        (up,) = decision.sees["dealer"]
        return "raise" if hand >= ACE_KING and _ace_king_plays(hand.ranks, up.rank) else "fold"
    return "raise"


def _ace_king_plays(ranks: tuple[int, ...], up: int) -> bool:
    """Whether ace-king raises: a match makes a dealer's pair less likely; else the kickers decide."""
    if up >= KING:
        return ranks[2] >= JACK
    return up in ranks or (ranks[2] == QUEEN and up < ranks[3])
