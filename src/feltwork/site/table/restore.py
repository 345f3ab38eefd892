"""Restores the round of a table from stored messages after a crash."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from feltwork.site.progressive.link import Link
from feltwork.site.progressive.round import TableRound
from feltwork.site.wire.uplink import (
    AnyUplink,
    ClaimMessage,
    HandMessage,
    KeyTurned,
    RoundMessage,
    RoundStarted,
    SeatCorrected,
    SeatFolded,
    decode_uplink,
)

_ENDS = ("ended", "voided")
_BY_DEALER = (RoundStarted, HandMessage, ClaimMessage)


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoredRound:
    """A round with its last step and open claims."""

    round: TableRound
    step: int = 0
    #: Seat -> award.
    claims: Mapping[int, str] = field(default_factory=dict)
    #: Seat -> number of its claims.
    attempts: Mapping[int, int] = field(default_factory=dict)
    #: The sign-on of the last message.
    sign_on: str = ""


def restore(link: Link, table: str, newest: Mapping[str, bytes]) -> RestoredRound:
    """Rebuild the round from the latest message of each kind."""
    messages = {kind: decode_uplink(data) for kind, data in newest.items()}
    started = messages.get("round")
    idle = TableRound(table=table, link=link)
    if not isinstance(started, RoundStarted):
        return RestoredRound(round=idle)
    same = [
        message
        for message in messages.values()
        if isinstance(message, RoundMessage) and message.round == started.round
    ]
    step = max(message.step for message in same)
    locked = started.fact()
    for message in same:
        if isinstance(message, SeatCorrected):
            locked = replace(locked, seats=message.seats)
    if any(_round_of(messages.get(kind)) == started.round for kind in _ENDS):
        return RestoredRound(round=replace(idle, number=started.round, started=locked), step=step)
    round_ = replace(
        idle,
        number=started.round,
        phase="playing",
        started=locked,
        players=started.players or started.seats,
        hands=_hands(same),
        folded=next(
            (frozenset(message.seats) for message in same if isinstance(message, SeatFolded)), frozenset()
        ),
        dealt=any(isinstance(message, HandMessage | ClaimMessage | SeatFolded) for message in same),
    )
    claims: Mapping[int, str] = {}
    attempts: dict[int, int] = {}
    for message in same:
        if isinstance(message, ClaimMessage):
            claims = message.claims
            awards_by_seat = {**claims, message.seat: message.award}
            attempts = {seat: _attempt(award) for seat, award in awards_by_seat.items()}
    round_ = replace(round_, phase="claimed" if round_.claims else "playing")
    if any(isinstance(message, KeyTurned) and message.to == "jackpot" for message in same):
        round_ = replace(round_, phase="key_at_jackpot")
    by = max(
        (message for message in same if isinstance(message, _BY_DEALER)), key=lambda message: message.step
    ).sign_on
    return RestoredRound(round=round_, step=step, claims=claims, attempts=attempts, sign_on=by)


def without_end(newest: Mapping[str, bytes]) -> dict[str, bytes]:
    """Remove END GAME and MISDEAL, which the books have refused."""
    return {kind: data for kind, data in newest.items() if kind not in _ENDS}


def _attempt(award: str) -> int:
    """The ordinal of a claim: `table:round:seat`, then `table:round:seat:2`."""
    parts = award.rsplit(":", 3)
    return int(parts[3]) if len(parts) == 4 else 1


def _hands(same: Sequence[RoundMessage]) -> Mapping[int, str]:
    """The hands of the latest message."""
    naming = [message for message in same if isinstance(message, HandMessage | ClaimMessage)]
    return max(naming, key=lambda message: message.step).hands if naming else {}


def _round_of(message: AnyUplink | None) -> int:
    return message.round if isinstance(message, RoundMessage) else 0
