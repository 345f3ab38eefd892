"""Round messages: carrying out a message about a round, and its logged form."""

import msgspec

from feltwork.site.books.connection import Connection
from feltwork.site.books.tables import message_log
from feltwork.site.books.tables.admission import now
from feltwork.site.books.tables.message_log import LoggedMessage
from feltwork.site.books.tables.table_rounds import Table
from feltwork.site.progressive.button_pays import verify_cards
from feltwork.site.progressive.facts import DAY
from feltwork.site.wire.uplink import (
    Claim,
    ClaimCleared,
    HandCleared,
    HandPressed,
    KeyTurned,
    RoundMessage,
    RoundVoided,
    SeatCorrected,
    SeatFolded,
)


def logged_form(message: RoundMessage, *, by: str, supervisor: str = "") -> LoggedMessage:
    """Return the logged form of a message, with the people instead of their sign-ons."""
    plain = {"by": by, **msgspec.to_builtins(message, str_keys=True)}
    del plain["sign_on"]
    if isinstance(message, SeatCorrected):
        plain["supervisor"] = supervisor if message.wagered else ""
    return LoggedMessage(
        link=message.link,
        table=message.table,
        round=message.round,
        step=message.step,
        at=min(message.at, now() + 365 * DAY),
        kind=type(message).__name__,
        said=plain,
    )


def carry_out(connection: Connection, table: Table, message: RoundMessage, logged: LoggedMessage) -> None:
    """Carry out a message at its table; raise the reason if it cannot be done."""
    table.message, person = logged, logged.said["by"]
    match message:
        case Claim(seat=seat, hand=hand, cards=cards) | HandPressed(seat=seat, hand=hand, cards=cards):
            if cards:
                verify_cards(table.seen(message.round).round.link, hand=hand, cards=cards)
            winners = message.winners if isinstance(message, HandPressed) else ()
            # The pit may already have decided a claim that the hand button made.
            if not (isinstance(message, Claim) and _is_made_by_hand(connection, message, logged)):
                table.name_hand(message.round, seat=seat, hand=hand, by=person, cards=cards, winners=winners)
        case ClaimCleared(seat=seat) | HandCleared(seat=seat):
            table.name_hand(message.round, seat=seat, hand="", by=person)
        case SeatCorrected(seat=seat, wagered=wagered):
            supervisor = logged.said["supervisor"]
            table.correct(seat=seat, wagered=wagered, by=person, approved_by=supervisor, number=message.round)
        case SeatFolded(seat=seat, folded=folded):
            table.fold(seat=seat, folded=folded, by=person, number=message.round)
        case KeyTurned(to=to):
            table.turn_key(to=to, by=person, number=message.round)
        case RoundVoided(reason=reason):
            table.misdeal(reason=reason, by=person, number=message.round)
    table.log()


def _is_made_by_hand(connection: Connection, claim: Claim, logged: LoggedMessage) -> bool:
    """Whether the preceding hand button made the claim: a table reports both, and the books need one."""
    before = message_log.last_hand(connection, logged, seat=claim.seat)
    return before == ("HandPressed", claim.hand)
