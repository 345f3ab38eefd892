"""Parked messages: table messages that could not be booked, the reasons, and booking them after all.

A parked message is booked through the normal path, so a message that is already booked is not booked twice.
"""

import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Literal

import msgspec
from psycopg.types.json import Jsonb

from feltwork.problem import Problem, ProblemsError, Sentence
from feltwork.site.books.authorize import authorize
from feltwork.site.books.connection import Connection
from feltwork.site.books.context import Operation
from feltwork.site.books.errors import unknown
from feltwork.site.books.fields import with_example
from feltwork.site.books.queries import statement
from feltwork.site.books.tables.deliveries import MOST_DELIVERIES, PATIENCE, Delivery, LinkDeliveries, Outcome
from feltwork.site.books.tables.rounds import book_rounds
from feltwork.site.books.watch.alarms import clear_alarm, raise_alarm
from feltwork.site.compliance.two_person import Command
from feltwork.site.progressive.fact_serializer import from_plain
from feltwork.site.progressive.facts import Instant
from feltwork.site.progressive.refusal import refuse
from feltwork.site.progressive.round_facts import RoundStarted
from feltwork.site.wire.subjects import decode_from, name_of
from feltwork.site.wire.uplink import AnyUplink, RoundMessage

_UNREADABLE = Sentence("the message cannot be read, so it can never be booked")
_REMEDY = Sentence("correct the device, and dismiss the message")
_KINDS = {
    "RoundStarted": "start of a round",
    "RoundEnded": "end of a round",
    "RoundVoided": "misdeal",
    "HandPressed": "hand",
    "HandCleared": "cleared hand",
    "Claim": "claim",
    "ClaimCleared": "cleared claim",
    "KeyTurned": "turn of the key",
    "SeatCorrected": "corrected seat",
    "SeatFolded": "folded seat",
}


#: Limit on messages of one kind and table that wait for people, so a flood from one device fills no list.
MOST_WAITING = 100


@dataclass(frozen=True, slots=True)
class Parked:
    """A parked message, or one parked round of a message."""

    number: int
    subject: str
    #: The raw message; None for a round.
    data: bytes | None
    #: The fact of a refused round; None for a message.
    round: Mapping[str, Any] | None
    problem: Mapping[str, str]
    parked_at: datetime


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class ParkedMessage:
    """A message that could not be booked, with the reason and the remedy."""

    number: int
    link: str
    table: str
    #: Kind of message in plain words; empty if it is unreadable.
    kind: str
    #: Its round; 0 if it is unreadable.
    round: int
    seats: list[int]
    parked_at: datetime
    what: str
    remedy: str
    requirement: str
    may_be_booked: bool


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class ParkedMessagesView:
    """Messages that wait for two people, oldest first."""

    messages: list[ParkedMessage]


@dataclass(frozen=True, slots=True, kw_only=True)
class ParkedAnsweredView:
    """The answer of two people to a parked message."""

    parked: int
    outcome: str
    link: str
    table: str
    round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Again:
    """A parked message as a new delivery that does not wait."""

    subject: str
    message: AnyUplink
    stored_at: Instant
    problem: Problem | None = None
    trace: str = ""
    deliveries: int = MOST_DELIVERIES
    is_repeated: bool = False
    origin: str = ""


def parked_messages(op: Operation) -> ParkedMessagesView:
    """List messages that could not be booked, oldest first."""
    authorize(op, Command(name="watch", about="parked messages"))
    return ParkedMessagesView(messages=[_view(parked_message) for parked_message in waiting(op.connection)])


def keep_parked(connection: Connection, outcome: Outcome) -> None:
    """Store the messages of a batch that could not be booked, before NATS deletes them."""
    rows: Iterable[tuple[str, str, bytes, Problem]] = (
        (delivery.origin, delivery.subject, delivery.data, problem) for delivery, problem in outcome.parked
    )
    keep_messages(connection, rows)


def raise_for_batch(connection: Connection, outcome: Outcome, *, by: str) -> None:
    """Raise the alarms of a batch: parked messages, differences, and messages that wait too long."""
    # A flood from one device is written once.
    different = {
        (delivery.subject, problem.what): (delivery, problem) for delivery, problem in outcome.parked
    }
    for delivery, problem in different.values():
        raise_alarm(connection, "parked message", delivery.subject, _details(delivery, problem), by=by)
    for kind, place, problem in outcome.alarms:
        details = {"where": problem.where, "what": problem.what, "remedy": problem.remedy}
        raise_alarm(connection, kind, place, details, by=by)
    for delivery in outcome.waiting:
        if delivery.deliveries == PATIENCE:
            problem = Problem(delivery.subject, "its round has not arrived", "check the table")
            raise_alarm(connection, "waiting message", delivery.subject, _details(delivery, problem), by=by)


def _details(delivery: Delivery, problem: Problem) -> dict[str, str | int]:
    details: dict[str, str | int] = {
        "what": problem.what,
        "remedy": problem.remedy,
        "requirement": problem.requirement,
    }
    if isinstance(delivery.message, RoundMessage):
        details |= {"round": delivery.message.round, "step": delivery.message.step}
    return details


def verify_waiting(connection: Connection, number: int) -> None:
    """Raise unless a message parked under this number waits for an answer."""
    _found(connection, number)


def book_again(op: Operation, number: int, proposal: str) -> ParkedAnsweredView:
    """Book a parked message under the normal rules; raise the reason if it still cannot be booked."""
    parked_message = _found(op.connection, number)
    if parked_message.round is not None:
        _book_round(op.connection, parked_message)
    else:
        _book_message(op, parked_message)
    return _answered(op, parked_message, "booked", proposal)


def dismiss(op: Operation, number: int, proposal: str) -> ParkedAnsweredView:
    """Settle a parked message without booking it."""
    return _answered(op, _found(op.connection, number), "dismissed", proposal)


def _book_round(connection: Connection, parked_message: Parked) -> None:
    started = from_plain(dict(parked_message.round or {}))
    assert isinstance(started, RoundStarted)
    refused = book_rounds(connection, started.link, [started]).refused
    if refused:
        raise ProblemsError([refused[0].problem])


def _book_message(op: Operation, parked_message: Parked) -> None:
    message = _read(parked_message)
    if message is None:
        raise refuse(f"parked message {parked_message.number}", _UNREADABLE, _REMEDY, "GL-12")
    delivery = _Again(subject=parked_message.subject, message=message, stored_at=time.time_ns() // 1_000)
    outcome = LinkDeliveries(message.link).apply(op.connection, [delivery])
    for _, problem in outcome.parked:
        raise ProblemsError([problem])
    for notice in outcome.notices:  # refused, or already booked with different content
        where = f"{notice.link}, table {notice.table}, round {notice.round}"
        raise refuse(where, notice.what, notice.remedy, notice.requirement)
    raise_for_batch(op.connection, outcome, by=op.actor.id)


def _answered(op: Operation, parked_message: Parked, outcome: Any, proposal: str) -> ParkedAnsweredView:
    if not answer(op.connection, parked_message.number, outcome, proposal=proposal):
        raise unknown(f"parked message {parked_message.number}")
    if all(other.subject != parked_message.subject for other in waiting(op.connection)):
        why = f"Two people have answered the last message of this kind: {outcome}."
        clear_alarm(op.connection, "parked message", parked_message.subject, by=op.actor.id, why=why)
    view = _view(parked_message)
    return ParkedAnsweredView(
        parked=parked_message.number, outcome=outcome, link=view.link, table=view.table, round=view.round
    )


def _found(connection: Connection, number: int) -> Parked:
    rows = waiting(connection, number)
    if not rows:
        raise unknown(f"parked message {number}")
    return rows[0]


def _read(parked_message: Parked) -> AnyUplink | None:
    try:
        return decode_from(parked_message.subject, parked_message.data or b"")
    except (msgspec.DecodeError, ProblemsError):
        return None


def _view(parked_message: Parked) -> ParkedMessage:
    words = (*parked_message.subject.split("."), "", "", "")
    kind, number, seats = "", 0, []
    message = _read(parked_message)
    if parked_message.round is not None:
        kind, number, seats = (
            _KINDS["RoundStarted"],
            parked_message.round["round"],
            list(parked_message.round["seats"]),
        )
    elif message is not None:
        name = type(message).__name__
        kind = _KINDS.get(name, name)
        number = getattr(message, "round", 0)
        seats = list(getattr(message, "seats", ()) or filter(None, (getattr(message, "seat", 0),)))
    return ParkedMessage(
        number=parked_message.number,
        link=name_of(words[1]),
        table=name_of(words[2]),
        kind=kind,
        round=number,
        seats=seats,
        parked_at=parked_message.parked_at,
        what=parked_message.problem["what"] if kind else _UNREADABLE,
        remedy=parked_message.problem["remedy"] if kind else _REMEDY,
        requirement=parked_message.problem["requirement"],
        may_be_booked=bool(kind),
    )


def keep_messages(connection: Connection, messages: Iterable[tuple[str, str, bytes, Problem]]) -> None:
    """Store messages by origin, subject, bytes and the reason; each once."""
    rows = [
        {
            "origin": origin,
            "subject": subject,
            "data": data,
            "problem": Jsonb(asdict(problem)),
            "most": MOST_WAITING,
        }
        for origin, subject, data, problem in messages
    ]
    if rows:
        with connection.transaction(), connection.cursor() as cursor:
            cursor.executemany(statement("keep_parked_message"), rows)


def waiting(connection: Connection, number: int = 0) -> list[Parked]:
    """The parked messages and rounds without an answer, the oldest first; all or one."""
    return [Parked(*row) for row in connection.execute(statement("parked_waiting"), {"id": number})]


def answer(
    connection: Connection, number: int, outcome: Literal["booked", "dismissed"], *, proposal: str
) -> bool:
    """Record the answer of two people; return whether it is the first."""
    return connection.execute(statement("answer_parked"), (number, outcome, proposal)).rowcount == 1
