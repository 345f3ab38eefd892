"""The rules of 6-5-4 Poker as functions: deal, the dealer's discards, legal decisions, settlement."""

from dataclasses import replace

from feltwork.problem import Problem
from feltwork.titles import bets
from feltwork.titles.bets import Showdown
from feltwork.titles.cards.card import KING, QUEEN, TEN, THREE, Card
from feltwork.titles.cards.shoe import Shoe
from feltwork.titles.hands.category import Hand, names_of
from feltwork.titles.hands.four_card import ROWS, FourCardCategory, best_four
from feltwork.titles.round import Round, Seat
from feltwork.titles.settlement import BetResult
from feltwork.titles.title import Decide, Decision


def folded(_round: Round, seat: Seat) -> bool:
    """A hand without a Play wager is folded [SF.overview.decision, SF.deal.5]."""
    return not seat.wager("play")


def discards(dealer: tuple[Card, ...]) -> int:
    """Count the exposed cards discarded as ten or higher [SF.overview.dealer-hand.discard, SF.deal.4]."""
    if dealer[0].rank < TEN:
        return 0
    return 1 if dealer[1].rank < TEN else 2


def exposed(dealer: tuple[Card, ...]) -> tuple[Card, ...]:
    """Return the dealer's cards that players see before deciding, discarded or not [SF.deal.{2,4}]."""
    return dealer[: 1 if discards(dealer) == 0 else 2]


def dealer_hand(dealer: tuple[Card, ...]) -> Hand:
    """Return the best four of the remaining cards, which always qualify [SF.deal.{3,4.a,4.b,6}]."""
    return best_four(dealer[discards(dealer) :])


def check(round_: Round) -> list[Problem]:
    """List the wagers that the rules do not allow [SF.deal.1.a]."""
    return bets.missing(round_, "ante")


def settle(round_: Round, seat: Seat) -> dict[str, BetResult]:
    """Settle every bet of a seat in dealer order."""
    results = _fold(seat) if folded(round_, seat) else _show(round_, seat)
    if seat.wager("queens_up"):
        # A fold does not affect Queens Up [SF.overview.queens-up.folded, SF.deal.5.a, SF.deal.7.d].
        results["queens_up"] = bets.queens_up(round_, seat)
    return results


def _fold(seat: Seat) -> dict[str, BetResult]:
    """The Ante is lost, and the Ante Bonus with it [SF.overview.outcome.fold, SF.deal.5.a]."""
    return {"ante": bets.lose(seat.wager("ante"), "folded"), "ante_bonus": bets.lose(0, "folded")}


def _show(round_: Round, seat: Seat) -> dict[str, BetResult]:
    """Play and Ante win even money, lose or push together [SF.overview.outcome, SF.deal.{7.a,7.b}]."""
    showdown = Showdown(round_, seat, best_four(seat.cards), dealer_hand(round_.cards("dealer")))
    return {
        "play": bets.against_dealer(showdown, seat.wager("play")),
        "ante": bets.against_dealer(showdown, seat.wager("ante")),
        "ante_bonus": _ante_bonus(showdown),
    }


def _ante_bonus(showdown: Showdown) -> BetResult:
    """Pay on the Ante even when beaten; there is no separate stake [SF.overview.ante-bonus, SF.deal.7.c]."""
    row = showdown.round.paytables["ante_bonus"].row_for(names_of(showdown.player, ROWS))
    ante = showdown.seat.wager("ante")
    return bets.riding(row, ante, otherwise=f"{showdown.player} is below a straight flush")


def play(round_: Round, shoe: Shoe, decide: Decide) -> Round:
    """Deal after all wagers, expose the dealer's cards, then ask each player [SF.deal.{1,2,5}].

    The dealer takes five cards face down and puts the next card on them face up [SF.deal.2.a].
    """
    seats = [replace(seat, cards=shoe.draw(5)) for seat in round_.seats]
    down, up = shoe.draw(5), shoe.draw(1)
    dealer = up + down
    sees = {"dealer": exposed(dealer)}
    decided = tuple(round_.fold_or_bet(seat, decide, "play", sees=sees) for seat in seats)
    return round_.with_cards(decided, dealer=dealer)


#: The lowest hand that wins a quarter of the time, by the number of the dealer's discards.
WORTH_PLAYING = (
    Hand(FourCardCategory.PAIR, (THREE,)),
    Hand(FourCardCategory.HIGH_CARD, (KING, QUEEN)),
    Hand(FourCardCategory.HIGH_CARD, (QUEEN, TEN)),
)


def rule_of_thumb(decision: Decision) -> str:
    """Play a pair of threes against six cards, king-queen against five, queen-ten against four."""
    least = WORTH_PLAYING[discards(decision.sees["dealer"])]
    return "play" if best_four(decision.cards) >= least else "fold"
