"""Common ways to settle a bet."""

from dataclasses import dataclass, replace

from feltwork.money import Micros
from feltwork.problem import Problem
from feltwork.titles.hands import four_card
from feltwork.titles.hands.category import Hand, names_of
from feltwork.titles.paytables.paytable import Odds, Paytable, Push, Row
from feltwork.titles.round import Round, Seat
from feltwork.titles.settlement import BetResult


@dataclass(frozen=True, slots=True)
class Showdown:
    """A seat's hand against the dealer's."""

    round: Round
    seat: Seat
    player: Hand
    dealer: Hand


def missing(round_: Round, *names: str) -> list[Problem]:
    """List the seats without a mandatory wager."""
    return [
        Problem(
            f"seat {seat.number}, wagers",
            f"there is no {' and no '.join(left_out)}",
            f"every player makes: {', '.join(names)}",
        )
        for seat in round_.seats
        if (left_out := [name for name in names if not seat.wager(name)])
    ]


def win(staked: Micros, pays: Odds, why: str) -> BetResult:
    """Pay a win; odds *to* return the stake as well, odds *for* do not."""
    stake = staked if pays.stake_returned else 0
    return BetResult(staked, stake + pays.pay(staked), "win", why)


EVEN_MONEY = Odds(1, 1, stake_returned=True)


def win_even(staked: Micros, why: str) -> BetResult:
    """Pay even money."""
    return win(staked, EVEN_MONEY, why)


def push(staked: Micros, why: str) -> BetResult:
    """Return the stake."""
    return BetResult(staked, staked, "push", why)


def lose(staked: Micros, why: str) -> BetResult:
    """Collect the stake."""
    return BetResult(staked, 0, "lose", why)


def void(staked: Micros, why: str) -> BetResult:
    """Return the stake of a void round."""
    return BetResult(staked, staked, "void", why)


def against_dealer(showdown: Showdown, staked: Micros) -> BetResult:
    """Settle at even money: the higher hand wins, equal hands push."""
    player, dealer = showdown.player, showdown.dealer
    if player > dealer:
        return win_even(staked, f"{player} beats {dealer}")
    if player < dealer:
        return lose(staked, f"{player} loses to {dealer}")
    return push(staked, f"{player} ties {dealer}")


def by_row(row: Row | None, staked: Micros, *, otherwise: str) -> BetResult:
    """Pay a bet by a paytable row; without a row it loses for the reason given."""
    if row is None:
        return lose(staked, otherwise)
    why = f"{row.hand} pays {row.pays} [{row.cites}]"
    if isinstance(row.pays, Push):
        return push(staked, why)
    if not isinstance(row.pays, Odds):
        raise TypeError(f"{row.pays} is paid by a meter, not by a bet")
    return win(staked, row.pays, why)


def by_table(paytable: Paytable, names: frozenset[str], staked: Micros) -> BetResult:
    """Pay a bet by its paytable alone, whatever the dealer holds."""
    return by_row(paytable.row_for(names), staked, otherwise=f"nothing on {paytable.name}")


def riding(row: Row | None, wager: Micros, *, otherwise: str) -> BetResult:
    """Pay a bonus without a stake of its own, on another wager."""
    if row is None:
        return lose(0, otherwise)
    paid = by_row(row, wager, otherwise="")
    return replace(paid, staked=0, returned=paid.returned - wager)


def queens_up(round_: Round, seat: Seat) -> BetResult:
    """Queens Up: a pair of queens or better in the best four cards wins [C4.overview.queens-up.wins]."""
    names = names_of(four_card.best_four(seat.cards), four_card.ROWS)
    return by_table(round_.paytables["queens_up"], names, seat.wager("queens_up"))
