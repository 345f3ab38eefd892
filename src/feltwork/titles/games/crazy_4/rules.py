"""The rules of Crazy 4 Poker as functions: deal, legal decisions, settlement."""

from dataclasses import replace

from feltwork.problem import Problem
from feltwork.titles import bets
from feltwork.titles.bets import Showdown
from feltwork.titles.cards.shoe import Shoe
from feltwork.titles.hands.category import Hand, names_of
from feltwork.titles.hands.four_card import KING_HIGH, PAIR_OF_ACES, ROWS, FourCardCategory, best_four
from feltwork.titles.round import Round, Seat
from feltwork.titles.settlement import BetResult
from feltwork.titles.title import Decide, Decision


def folded(_round: Round, seat: Seat) -> bool:
    """A hand without a Play wager is folded [C4.overview.mandatory-bets.fold-or-play]."""
    return not seat.wager("play")


#: The maximum Play wager, in Antes, with a pair of aces or better [C4.deal.3].
MOST_PLAY = 3


def most_play(hand: Hand) -> int:
    """Return the maximum Play wager in Antes [C4.overview.mandatory-bets.play-size, C4.deal.3]."""
    return MOST_PLAY if hand >= PAIR_OF_ACES else 1


def dealer_qualifies(dealer: Hand) -> bool:
    """King-high or better [C4.overview.versus-dealer.qualifier]."""
    return dealer >= KING_HIGH


def check(round_: Round) -> list[Problem]:
    """List the wagers that the rules do not allow [C4.deal.1.mandatory, C4.deal.3]."""
    return bets.missing(round_, "ante", "super_bonus") + [
        Problem(
            f"seat {seat.number}, wagers",
            "play must be exactly one ante with this hand",
            "correct play, or leave it out for a folded hand",
        )
        for seat in round_.seats
        if seat.wager("play") > seat.wager("ante") and most_play(best_four(seat.cards)) == 1
    ]


def settle(round_: Round, seat: Seat) -> dict[str, BetResult]:
    """Settle every bet of a seat in dealer order [C4.deal.6.a.iii]."""
    if folded(round_, seat):
        return _settle_folded(round_, seat)
    showdown = Showdown(round_, seat, best_four(seat.cards), best_four(round_.cards("dealer")))
    settled = {
        "play": _play,
        "ante": _ante,
        "queens_up": _queens_up,
        "super_bonus": _super_bonus,
        "bad_beat": _bad_beat,
    }
    return {name: settle_bet(showdown) for name, settle_bet in settled.items() if seat.wager(name)}


def _settle_folded(round_: Round, seat: Seat) -> dict[str, BetResult]:
    """The dealer collects all bets of a folding player [C4.overview.versus-dealer.fold, C4.deal.4]."""
    results = {name: bets.lose(staked, "folded") for name, staked in seat.wagers.items()}
    if seat.wager("queens_up") and round_.option("queens_up_on_fold"):
        results["queens_up"] = bets.queens_up(round_, seat)
    return results


def _queens_up(showdown: Showdown) -> BetResult:
    return bets.queens_up(showdown.round, showdown.seat)


def _play(showdown: Showdown) -> BetResult:
    """[C4.overview.versus-dealer.not-qualified, C4.deal.6.a.ii, C4.deal.6.b.ii]."""
    staked = showdown.seat.wager("play")
    if not dealer_qualifies(showdown.dealer):
        return bets.win_even(staked, f"the dealer's {showdown.dealer} does not qualify")
    return bets.against_dealer(showdown, staked)


def _ante(showdown: Showdown) -> BetResult:
    """[C4.overview.versus-dealer.not-qualified, C4.deal.6.a.ii, C4.deal.6.b.ii]."""
    staked = showdown.seat.wager("ante")
    if not dealer_qualifies(showdown.dealer):
        return bets.push(staked, f"the dealer's {showdown.dealer} does not qualify")
    return bets.against_dealer(showdown, staked)


def _super_bonus(showdown: Showdown) -> BetResult:
    """Pay from a straight up; below that, push unless beaten [C4.overview.super-bonus]."""
    player, dealer = showdown.player, showdown.dealer
    staked = showdown.seat.wager("super_bonus")
    row = showdown.round.paytables["super_bonus"].row_for(names_of(player, ROWS))
    if row is not None:
        return bets.by_row(row, staked, otherwise="")
    if not dealer_qualifies(dealer) and showdown.round.option("super_bonus_unqualified") == "push":
        return bets.push(staked, "the dealer does not qualify")
    if player >= dealer:
        return bets.push(staked, f"{player} is below a straight but not beaten by {dealer}")
    return bets.lose(staked, f"{player} is below a straight and beaten by {dealer}")


def _bad_beat(showdown: Showdown) -> BetResult:
    """The beaten hand decides, whichever side holds it [C4.bad_beat.1]."""
    staked = showdown.seat.wager("bad_beat")
    if showdown.player == showdown.dealer:
        return bets.lose(staked, "nobody is beaten")
    beaten = min(showdown.player, showdown.dealer)
    row = showdown.round.paytables["bad_beat"].row_for(names_of(beaten, ROWS))
    return bets.by_row(row, staked, otherwise=f"the beaten hand, {beaten}, is below two pair")


def play(round_: Round, shoe: Shoe, decide: Decide) -> Round:
    """Deal five cards each from the dealer's left, then the dealer's; each folds or plays [C4.deal.2]."""
    seats = [replace(seat, cards=shoe.draw(5)) for seat in round_.seats]
    dealer = shoe.draw(5)
    return round_.with_cards(tuple(_decided(round_, seat, decide) for seat in seats), dealer=dealer)


def _decided(round_: Round, seat: Seat, decide: Decide) -> Seat:
    choices = ("fold", "1x", "2x", "3x")[: 1 + most_play(best_four(seat.cards))]
    choice = decide(round_.decision(seat, "play", choices))
    return seat if choice == "fold" else seat.adding("play", int(choice[0]) * seat.wager("ante"))


#: The lowest hand worth playing; below K-Q-8-4, playing loses more on average than folding.
WORTH_PLAYING = Hand(FourCardCategory.HIGH_CARD, (13, 12, 8, 4))


def rule_of_thumb(decision: Decision) -> str:
    """Triple with aces or better, play with K-Q-8-4 or better, else fold."""
    hand = best_four(decision.cards)
    if hand >= PAIR_OF_ACES:
        return "3x"
    return "1x" if hand >= WORTH_PLAYING else "fold"
