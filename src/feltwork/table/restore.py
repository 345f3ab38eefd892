"""Restores the round of a table from stored messages after a crash."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from feltwork.progressive.link import Link
from feltwork.progressive.round import TableRound
from feltwork.wire.uplink import (
    AnyUplink,
    ClaimMessage,
    HandMessage,
    KeyTurned,
    RoundMessage,
    Rounds,
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
    said = {kind: decode_uplink(data) for kind, data in newest.items()}
    started = said.get("round")
    idle = TableRound(table=table, link=link)
    if isinstance(started, Rounds):
        return RestoredRound(round=replace(idle, number=started.last))
    if not isinstance(started, RoundStarted):
        return RestoredRound(round=idle)
    same = [one for one in said.values() if isinstance(one, RoundMessage) and one.round == started.round]
    step = max(one.step for one in same)
    locked = started.fact()
    for one in same:
        if isinstance(one, SeatCorrected):
            locked = replace(locked, seats=one.seats)
    if any(_round_of(said.get(kind)) == started.round for kind in _ENDS):
        return RestoredRound(round=replace(idle, number=started.round, started=locked), step=step)
    round_ = replace(
        idle,
        number=started.round,
        phase="playing",
        started=locked,
        players=started.players or started.seats,
        hands=_hands(same),
        folded=next((frozenset(one.seats) for one in same if isinstance(one, SeatFolded)), frozenset()),
        dealt=any(isinstance(one, HandMessage | ClaimMessage | SeatFolded) for one in same),
    )
    claims: Mapping[int, str] = {}
    attempts: dict[int, int] = {}
    for one in same:
        if isinstance(one, ClaimMessage):
            claims = one.claims
            named = {**claims, one.seat: one.award}
            attempts = {seat: _attempt(award) for seat, award in named.items()}
    round_ = replace(round_, phase="claimed" if round_.claims else "playing")
    if any(isinstance(one, KeyTurned) and one.to == "jackpot" for one in same):
        round_ = replace(round_, phase="key_at_jackpot")
    by = max((one for one in same if isinstance(one, _BY_DEALER)), key=lambda one: one.step).sign_on
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
    naming = [one for one in same if isinstance(one, HandMessage | ClaimMessage)]
    return max(naming, key=lambda one: one.step).hands if naming else {}


def _round_of(said: AnyUplink | None) -> int:
    return said.round if isinstance(said, RoundMessage) else 0
