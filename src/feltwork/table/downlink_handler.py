"""Applies downlink messages to the round of a table."""

from collections.abc import Mapping
from dataclasses import replace

from feltwork import money
from feltwork.problem import Problem, ProblemsError
from feltwork.progressive import round as rules
from feltwork.progressive.round import TableRound
from feltwork.wire.downlink import (
    AnyDownlink,
    AwardConfirmed,
    AwardMessage,
    AwardPaid,
    AwardVoided,
    ClaimBooked,
    MeterSnapshot,
    Refused,
    Welcome,
)


def verify_let_in(round_: TableRound, welcome: Welcome | None, snapshot: MeterSnapshot | None) -> None:
    """Raise unless the books have accepted the table with its version."""
    where = f"table {round_.table}"
    if welcome is None:
        raise ProblemsError([Problem(where, "the books have not let it in", "wait for them", "GEN-07")])
    if not welcome.accepted:
        raise ProblemsError([Problem(where, welcome.why, welcome.remedy, welcome.requirement)])
    if (snapshot or welcome).version != round_.link.fingerprint:
        what = f"it plays another version of link {round_.link.id} than the books"
        raise ProblemsError([Problem(where, what, "start it again with the floor file in force", "WA-31")])


def after_told(
    round_: TableRound, claims: Mapping[int, str], told: AwardMessage
) -> tuple[TableRound, dict[int, str]]:
    """Apply a downlink message to the round and its open claims."""
    left = {seat: award for seat, award in claims.items() if award != told.award}
    if told.round != round_.number or round_.phase == "idle":
        return round_, dict(claims)
    if isinstance(told, AwardConfirmed | AwardPaid) and told.seat not in round_.confirmed:
        return _confirmed(round_, told), left
    if isinstance(told, AwardVoided) and len(left) < len(claims):
        return rules.take_out(round_, seats=[told.seat]), left
    return round_, dict(claims)


def _confirmed(round_: TableRound, told: AwardMessage) -> TableRound:
    """Apply a confirmation, even if the dealer has just cleared the hand."""
    if told.seat not in round_.hands and told.hand:
        round_ = replace(round_, hands={**round_.hands, told.seat: told.hand})
    if rules.can(round_, "confirm"):
        return rules.confirm(round_, seats=[told.seat])
    return replace(round_, confirmed=round_.confirmed | {told.seat})


def for_people(told: AnyDownlink) -> str:  # noqa: PLR0911 - one line for each message
    """Describe a message in one line for people."""
    match told:
        case Welcome(accepted=True):
            return f"let in by the books, which know {told.last_round} rounds"
        case Welcome():
            return f"not let in: {told.why}; {told.remedy} [{told.requirement}]"
        case ClaimBooked():
            amount = f" of {money.text(told.amount)}" if told.amount else ""
            return f"seat {told.seat}: the claim{amount} waits for a supervisor"
        case AwardConfirmed():
            return f"seat {told.seat}: {money.text(told.amount)} confirmed"
        case AwardVoided():
            return f"seat {told.seat}: the claim is void, {told.reason}"
        case AwardPaid():
            return f"seat {told.seat}: {money.text(told.amount)} paid, {told.form}"
        case Refused():
            return f"round {told.round} refused: {told.what}; {told.remedy} [{told.requirement}]"
    return ""
