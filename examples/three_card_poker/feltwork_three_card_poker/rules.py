"""The rules of Three Card Poker as functions: deal, legal decisions, settlement."""

from dataclasses import replace

from feltwork.problem import Problem
from feltwork.titles import bets
from feltwork.titles.bets import Showdown
from feltwork.titles.cards.shoe import Shoe
from feltwork.titles.hands.category import Hand, names_of, rows_of
from feltwork.titles.hands.three_card import ThreeCardCategory, three_card_hand
from feltwork.titles.round import Round, Seat
from feltwork.titles.settlement import BetResult
from feltwork.titles.title import Decide, Decision

ROWS = rows_of(category for category in ThreeCardCategory if category >= ThreeCardCategory.PAIR)
QUEEN_HIGH = Hand(ThreeCardCategory.HIGH_CARD, (12,))
#: Below queen, six, four a hand is worth less than the Ante it saves by folding.
WORTH_PLAYING = Hand(ThreeCardCategory.HIGH_CARD, (12, 6, 4))


def folded(_round: Round, seat: Seat) -> bool:
    """A hand without a Play wager is folded [public rules]."""
    return not seat.wager("play")


def dealer_qualifies(dealer: Hand) -> bool:
    """Queen-high or better [public rules]."""
    return dealer >= QUEEN_HIGH


def check(round_: Round) -> list[Problem]:
    """Wagers that the rules do not allow [public rules]."""
    problems = []
    for seat in round_.seats:
        where = f"seat {seat.number}, wagers"
        if not seat.wager("ante"):
            problems.append(Problem(where, "there is no ante", "every player makes the Ante"))
        if seat.wager("play") not in (0, seat.wager("ante")):
            remedy = "correct play, or leave it out for a folded hand"
            problems.append(Problem(where, "play must be exactly one ante", remedy))
    return problems


def settle(round_: Round, seat: Seat) -> dict[str, BetResult]:
    """A fold loses all; else Ante and Play meet the dealer, and two bets the own hand [public rules]."""
    if folded(round_, seat):
        return {name: bets.lose(staked, "folded") for name, staked in seat.wagers.items()}
    showdown = Showdown(round_, seat, three_card_hand(seat.cards), three_card_hand(round_.cards("dealer")))
    names = names_of(showdown.player, ROWS)
    bonus, ante = round_.paytables["ante_bonus"].row_for(names), seat.wager("ante")
    results = {
        "ante": _ante(showdown),
        "play": _play(showdown),
        "ante_bonus": bets.riding(bonus, ante, otherwise=f"{showdown.player} is below a straight"),
    }
    if seat.wager("pair_plus"):
        results["pair_plus"] = bets.by_table(round_.paytables["pair_plus"], names, seat.wager("pair_plus"))
    return results


def _ante(showdown: Showdown) -> BetResult:
    """Even money against a dealer who does not qualify [public rules]."""
    staked = showdown.seat.wager("ante")
    if not dealer_qualifies(showdown.dealer):
        return bets.win_even(staked, f"the dealer's {showdown.dealer} does not qualify")
    return bets.against_dealer(showdown, staked)


def _play(showdown: Showdown) -> BetResult:
    """Returned where the dealer does not qualify [public rules]."""
    staked = showdown.seat.wager("play")
    if not dealer_qualifies(showdown.dealer):
        return bets.push(staked, f"the dealer's {showdown.dealer} does not qualify")
    return bets.against_dealer(showdown, staked)


def play(round_: Round, shoe: Shoe, decide: Decide) -> Round:
    """Three cards each, then the dealer's; each player folds or plays [public rules]."""
    seats = [replace(seat, cards=shoe.draw(3)) for seat in round_.seats]
    dealer = shoe.draw(3)
    decided = tuple(round_.fold_or_bet(seat, decide, "play") for seat in seats)
    return round_.with_cards(decided, dealer=dealer)


def rule_of_thumb(decision: Decision) -> str:
    """Play with queen, six, four or better; that is optimal."""
    return "play" if three_card_hand(decision.cards) >= WORTH_PLAYING else "fold"
