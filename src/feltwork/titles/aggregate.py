"""Aggregate limits: wins above the posted limit are paid in proportion.

Wins exclude stakes. Jackpots are not subject to the limit.
"""

from collections.abc import Sequence
from dataclasses import replace

from feltwork import money
from feltwork.money import Micros
from feltwork.titles.settlement import BetResult, SeatResult


def within_limits(
    seats: Sequence[SeatResult], *, table: Micros | None, player: Micros | None
) -> tuple[SeatResult, ...]:
    """Cut the wins to the player limit, then to the table limit [GEN-23]."""
    if player is not None:
        seats = [cut for seat in seats for cut in _within([seat], player, "one player's wins")]
    return tuple(seats if table is None else _within(seats, table, "all wins of the round"))


def _within(seats: Sequence[SeatResult], limit: Micros, whose: str) -> list[SeatResult]:
    won = {
        (seat.seat, name): bet.returned - bet.staked
        for seat in seats
        for name, bet in seat.bets.items()
        if bet.outcome == "win" and bet.returned > bet.staked
    }
    if sum(won.values()) <= limit:
        return list(seats)
    paid = dict(zip(won, money.in_proportion(limit, list(won.values())), strict=True))
    why = f"{whose} come to {money.text(sum(won.values()))}: paid in proportion, {money.text(limit)} in all"
    return [
        replace(
            seat,
            bets={
                name: _cut(bet, paid[seat.seat, name], why) if (seat.seat, name) in paid else bet
                for name, bet in seat.bets.items()
            },
        )
        for seat in seats
    ]


def _cut(bet: BetResult, won: Micros, why: str) -> BetResult:
    return replace(bet, returned=bet.staked + won, why=f"{bet.why}; {why}")
