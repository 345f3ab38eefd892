"""Applies downlink messages to the round of a table."""

from collections.abc import Mapping
from dataclasses import replace

from feltwork import money
from feltwork.problem import Problem, ProblemsError
from feltwork.site.progressive import round as rules
from feltwork.site.progressive.round import TableRound
from feltwork.site.wire.downlink import (
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
        raise ProblemsError(
            [
                Problem(
                    where,
                    "the books have not accepted this table yet",
                    "wait for the books to reply; if they do not, check the connection",
                    "GEN-07",
                )
            ]
        )
    if not welcome.accepted:
        raise ProblemsError([Problem(where, welcome.why, welcome.remedy, welcome.requirement)])
    if (snapshot or welcome).version != round_.link.fingerprint:
        what = f"its version of link {round_.link.id} differs from the version in the books"
        raise ProblemsError(
            [Problem(where, what, "restart the controller with the floor file now in effect", "WA-31")]
        )


def after_told(
    round_: TableRound, claims: Mapping[int, str], message: AwardMessage, *, latest: bool = True
) -> tuple[TableRound, dict[int, str]]:
    """Apply a downlink message, by default about the latest claim of its seat, to a round and its claims."""
    left = {seat: award for seat, award in claims.items() if award != message.award}
    if message.round != round_.number or round_.phase == "idle":
        return round_, dict(claims)
    if isinstance(message, AwardConfirmed | AwardPaid) and message.seat not in round_.confirmed:
        return _confirmed(round_, message), left
    is_reversed = latest and message.seat in round_.confirmed
    if isinstance(message, AwardVoided) and (len(left) < len(claims) or is_reversed):
        return rules.take_out(round_, seats=[message.seat]), left
    return round_, dict(claims)


def _confirmed(round_: TableRound, message: AwardMessage) -> TableRound:
    """Apply a confirmation, even if the dealer has just cleared the hand."""
    if message.seat not in round_.hands and message.hand:
        round_ = replace(round_, hands={**round_.hands, message.seat: message.hand})
    if rules.can(round_, "confirm"):
        return rules.confirm(round_, seats=[message.seat])
    return replace(round_, confirmed=round_.confirmed | {message.seat})


def for_people(message: AnyDownlink) -> str:  # noqa: PLR0911 - one line for each message
    """Describe a message in one line for people."""
    match message:
        case Welcome(accepted=True):
            return f"accepted by the books; last round {message.last_round}"
        case Welcome():
            return f"not accepted by the books: {message.why}; {message.remedy} [{message.requirement}]"
        case ClaimBooked():
            amount = f" of {money.text(message.amount)}" if message.amount else ""
            return f"seat {message.seat}: the claim{amount} waits for a supervisor"
        case AwardConfirmed():
            return f"seat {message.seat}: {money.text(message.amount)} confirmed"
        case AwardVoided():
            return f"seat {message.seat}: the claim is void, {message.reason}"
        case AwardPaid():
            return f"seat {message.seat}: {money.text(message.amount)} paid, {message.form}"
        case Refused():
            return f"round {message.round} refused: {message.what}; {message.remedy} [{message.requirement}]"
    return ""
