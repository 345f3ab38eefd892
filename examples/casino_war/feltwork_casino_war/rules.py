"""The rules of Casino War as functions: deal, legal decisions, settlement."""

from dataclasses import replace

from feltwork.problem import Problem
from feltwork.titles import bets
from feltwork.titles.cards.shoe import Shoe
from feltwork.titles.paytables.paytable import Odds
from feltwork.titles.round import Round, Seat
from feltwork.titles.settlement import BetResult
from feltwork.titles.title import Decide, Decision

BURNED = 3
TWO_TO_ONE = Odds(2, 1, stake_returned=True)


def is_tied(round_: Round, seat: Seat) -> bool:
    """The first card has the rank of the dealer's; suits do not count [public rules]."""
    return seat.cards[0].rank == round_.cards("dealer")[0].rank


def surrendered(round_: Round, seat: Seat) -> bool:
    """A tie without a War wager is surrendered [public rules]."""
    return is_tied(round_, seat) and not seat.wager("war")


def check(round_: Round) -> list[Problem]:
    """Wagers and cards that the rules do not allow [public rules]."""
    problems = bets.missing(round_, "ante")
    wars = [seat for seat in round_.seats if seat.wager("war")]
    held = [("dealer", round_.cards("dealer"), 2 if wars else 1)]
    held += [(f"seat {seat.number}", seat.cards, 2 if seat.wager("war") else 1) for seat in round_.seats]
    for where, cards, due in held:
        if len(cards) != due:
            remedy = "write one card, and a second one for a war"
            problems.append(Problem(f"{where}, cards", f"there are {len(cards)} instead of {due}", remedy))
    if problems:
        return problems
    return [
        Problem(f"seat {seat.number}, wagers", "there is no tie to go to war over", "leave war out")
        for seat in wars
        if not is_tied(round_, seat)
    ]


def settle(round_: Round, seat: Seat) -> dict[str, BetResult]:
    """The higher card wins the Ante; a tie is surrendered or fought out [public rules]."""
    own, dealer = seat.cards[0], round_.cards("dealer")[0]
    tied, ante = is_tied(round_, seat), seat.wager("ante")
    if seat.wager("war"):
        results = _war(round_, seat)
    elif tied:
        results = {"ante": BetResult(ante, ante // 2, "lose", f"{own} ties {dealer}, surrendered for half")}
    elif own.rank > dealer.rank:
        results = {"ante": bets.win_even(ante, f"{own} beats {dealer}")}
    else:
        results = {"ante": bets.lose(ante, f"{own} loses to {dealer}")}
    if seat.wager("tie"):
        names = frozenset({"tie"} if tied else ())
        results["tie"] = bets.by_table(round_.paytables["tie"], names, seat.wager("tie"))
    return results


def _war(round_: Round, seat: Seat) -> dict[str, BetResult]:
    """In a war a tie wins as well: War is paid, the Ante comes back [public rules]."""
    ante, war = seat.wager("ante"), seat.wager("war")
    own, dealer = seat.cards[1], round_.cards("dealer")[1]
    if own.rank < dealer.rank:
        why = f"{own} loses the war to {dealer}"
        return {"ante": bets.lose(ante, why), "war": bets.lose(war, why)}
    ante_result = bets.push(ante, "the Ante comes back after a war that is won")
    if own.rank > dealer.rank:
        return {"ante": ante_result, "war": bets.win_even(war, f"{own} beats {dealer} in the war")}
    if round_.option("second_tie_bonus"):
        return {
            "ante": ante_result,
            "war": bets.win(war, TWO_TO_ONE, f"{own} ties {dealer} in the war: 2 to 1"),
        }
    return {"ante": ante_result, "war": bets.win_even(war, f"{own} ties {dealer} in the war")}


def play(round_: Round, shoe: Shoe, decide: Decide) -> Round:
    """One card each, then the dealer's; after a tie war cards from behind burned ones [public rules]."""
    seats = [replace(seat, cards=shoe.draw()) for seat in round_.seats]
    dealer = shoe.draw()
    dealt = round_.with_cards(tuple(seats), dealer=dealer)
    decided = []
    for seat in seats:
        if is_tied(dealt, seat):
            question = round_.decision(seat, "war", ("surrender", "war"), sees={"dealer": dealer})
            if decide(question) == "war":
                shoe.draw(BURNED)
                fought = replace(seat, cards=(*seat.cards, *shoe.draw()))
                decided.append(fought.adding("war", seat.wager("ante")))
                continue
        decided.append(seat)
    if any(seat.wager("war") for seat in decided):
        shoe.draw(BURNED)
        dealer = (*dealer, *shoe.draw())
    return round_.with_cards(tuple(decided), dealer=dealer)


def rule_of_thumb(_decision: Decision) -> str:
    """Go to war; that is optimal."""
    return "war"
