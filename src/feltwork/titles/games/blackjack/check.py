"""Rule checks for blackjack with House Money: wagers, play and the dealer's draws."""

from collections.abc import Iterator

from feltwork import money
from feltwork.money import CENT
from feltwork.problem import Problem, ProblemsError
from feltwork.titles import bets
from feltwork.titles.cards.card import ACE, Card
from feltwork.titles.games.blackjack import rules
from feltwork.titles.games.blackjack.hand_play import follow, words_of
from feltwork.titles.hands.points import blackjack_total, is_blackjack
from feltwork.titles.round import Round, Seat

#: House Money paytable 1 is for several decks, 2 for a single deck [HM.paytables.house-money-{1,2}].


def check(round_: Round) -> list[Problem]:
    """List wagers and play that the rules do not allow; only the bet is mandatory [HM.house_money.1]."""
    problems = [*_check_table(round_), *bets.missing(round_, "bet")]
    if not problems:
        problems = [problem for seat in round_.seats for problem in _check_seat(round_, seat)]
    return problems or list(_check_dealer(round_))


def _check_table(round_: Round) -> Iterator[Problem]:
    """Require a dealer who peeks if House Money is wagered [HM.house_money.4].

    The paytable for the number of decks, and the number of jackpots, are matters of the table's license,
    not of a dealt round.
    """
    if not round_.cards("dealer"):
        yield Problem("dealer", "the dealer has no card", "write the up card, then the hole card")
    wagered = any(seat.wager("house_money") for seat in round_.seats)
    if wagered and not round_.option("dealer_peeks"):
        what = (
            "House Money is paid after the dealer peeks for blackjack, but the option dealer_peeks is false"
        )
        yield Problem("options.dealer_peeks", what, "set it to true, or take House Money off the table")


def _check_seat(round_: Round, seat: Seat) -> Iterator[Problem]:
    where = f"seat {seat.number}"
    if len(seat.cards) != 2:
        remedy = "write the first two; cards drawn later belong to play"
        yield Problem(f"{where}, cards", f"there are {len(seat.cards)} cards instead of two", remedy)
        return
    refused = [*_check_insurance(round_, seat), *_check_left(round_, seat)]
    yield from refused or _check_play(round_, seat)


def _check_insurance(round_: Round, seat: Seat) -> Iterator[Problem]:
    where = f"seat {seat.number}, wagers.insurance"
    if seat.wager("insurance") and round_.cards("dealer")[0].rank != ACE:
        yield Problem(where, "insurance is offered against an ace only", "leave it out")


def _check_left(round_: Round, seat: Seat) -> Iterator[Problem]:
    """Allow leaving any part of the proceeds, but none if the dealer has blackjack [HM.house_money.4.*]."""
    where = f"seat {seat.number}, house_money_left"
    try:
        left = rules.left_on_spot(seat)
    except ValueError as error:
        yield Problem(where, str(error).partition("; ")[0], "write an amount like 10 or 10.00")
        return
    proceeds = rules.settle_house_money(round_, seat).returned if seat.wager("house_money") else 0
    if left < 0 or left % CENT:
        yield Problem(where, "this amount cannot be left on the spot", "use whole cents, zero or more")
    elif left > proceeds:
        what = f"only {money.text(proceeds)} came from House Money"
        yield Problem(where, what, "leave the proceeds (win and stake) or less")
    elif left and is_blackjack(round_.cards("dealer")):
        yield Problem(where, "nothing can be left when the dealer has blackjack", "leave it out")


def _check_play(round_: Round, seat: Seat) -> Iterator[Problem]:
    if rules.ended_by_peek(round_) and set(words_of(seat)) - {"stand"}:
        what, remedy = "the dealer has blackjack before anybody plays", "leave play out"
        yield Problem(f"seat {seat.number}, play", what, remedy)
        return
    try:
        follow(rules.spot_of(round_, seat), seat)
    except ProblemsError as error:
        yield from error.problems


def _check_dealer(round_: Round) -> Iterator[Problem]:
    """Refuse draws against the rule; an unfinished dealer's hand leaves the bets against it open."""
    dealer, soft_17 = round_.cards("dealer"), round_.option("soft_17")
    for count in range(2, len(dealer)):
        if not rules.must_draw(dealer[:count], soft_17):
            what = f"the dealer draws {dealer[count]} on {_told(dealer[:count])}"
            yield Problem("dealer", what, "remove the cards drawn after that, or correct the option soft_17")
            return


def _told(cards: tuple[Card, ...]) -> str:
    total, soft = blackjack_total(cards)
    return f"{'soft ' if soft else ''}{total}"
