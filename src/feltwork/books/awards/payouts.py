"""Payout records: the payee, the documents shown, the completed steps, and the tax requirements."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from feltwork.books.awards.cash import with_this_one
from feltwork.books.connection import Connection
from feltwork.books.journal.link_state import award_from, read_meters, with_awards
from feltwork.books.links.floors import floor_in_force
from feltwork.books.queries import statement
from feltwork.compliance.cash import CashPayment
from feltwork.compliance.check import rulings_of
from feltwork.compliance.jurisdiction import Rulings
from feltwork.compliance.payout import forms, payout_steps
from feltwork.compliance.tax import Flag, Identity, Payer, Win, flags, revenue_flags
from feltwork.money import Micros
from feltwork.problem import Sentence, listed
from feltwork.progressive.badges import verify_cards_entered
from feltwork.progressive.refusal import refuse
from feltwork.progressive.state import Award

#: Checklist steps that are completed by writing the record or by paying.
_BY_ITSELF = ("record", "check")


@dataclass(frozen=True, slots=True, kw_only=True)
class Payee:
    """The payee, the documents they showed, and the winning cards."""

    name: str
    cards: str
    identity: Identity
    #: The house's own patron number; empty if none was given.
    patron: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PayoutSheet:
    """A payout: checklist steps, completed steps, and allowed forms of payment."""

    award: Award
    forms: tuple[str, ...]
    steps: tuple[Mapping[str, Any], ...]
    #: None until the record is written.
    record: Mapping[str, Any] | None


def sheet(connection: Connection, link: str, award: str) -> PayoutSheet:
    """The payout of a confirmed award: its checklist with times, its forms, its record [WA-24]."""
    booked_award = _award(connection, link, award)
    rulings = _rulings(connection)
    with connection.cursor(row_factory=dict_row) as cursor:
        record = cursor.execute(statement("payout"), (link, award)).fetchone()
    steps = _steps(connection, link, booked_award, rulings)
    if record:
        # Recorded text that the rules still use is shown in the reader's language.
        known = {str(step["says"]): step["says"] for step in steps}
        steps = [{**step, "says": known.get(step["says"], step["says"])} for step in record["steps"]]
    completions: Mapping[str, Any] = record["done"] if record else {}
    if record:
        written = {"by": record["written_by"], "at": record["written_at"].isoformat(), "note": ""}
        completions = {**completions, "record": written}
    with_times = tuple({**step, "done": completions.get(step["name"])} for step in steps)
    return PayoutSheet(
        award=booked_award, forms=forms(booked_award.amount, rulings=rulings), steps=with_times, record=record
    )


def write_record(
    connection: Connection, link: str, award: str, payee: Payee, *, payer: Payer, by: str
) -> None:
    """Write the payout record with its tax record; a reportable win waits for documents [WA-24, TX-04].

    The cards of a hit above the executive level must be entered first [LT-02].
    """
    booked_award = _award(connection, link, award)
    if booked_award.status != "confirmed":
        raise refuse(
            _where(link, award),
            Sentence("the award is %(status)s", status=Sentence(booked_award.status)),
            "confirm the award first",
            "WA-24",
        )
    if not booked_award.locked:
        what, remedy = "the amount has not left the meter", "turn the key back to RUN first"
        raise refuse(_where(link, award), what, remedy, "LT-03")
    place = (booked_award.table, booked_award.round)
    verify_cards_entered(with_awards(connection, read_meters(connection, link), place=place).state, award)
    rulings = _rulings(connection)
    flagged = _flags(connection, link, booked_award, identity=payee.identity, rulings=rulings, payer=payer)
    held = [flag for flag in flagged if flag.name == "hold_payout"]
    if held:
        raise refuse(
            _where(link, award), "the payee of a reportable win is not identified", held[0].why, "TX-04"
        )
    row = {
        "link": link,
        "award": award,
        "amount": booked_award.amount,
        "cards": payee.cards,
        "payee": payee.name,
        "patron": payee.patron,
        "identity": Jsonb(asdict(payee.identity)),
        "steps": Jsonb(_steps(connection, link, booked_award, rulings)),
        "flags": Jsonb([asdict(flag) for flag in flagged]),
        "withheld": withheld(flagged),
        "by": by,
    }
    if not connection.execute(statement("write_payout"), row).rowcount:
        raise refuse(
            _where(link, award), "the payout record already exists", "open the existing record", "WA-24"
        )


def tax_flags(
    connection: Connection, link: str, award: str, identity: Identity, *, payer: Payer
) -> tuple[Flag, ...]:
    """The tax requirements of an award if its payee shows these documents."""
    booked_award = _award(connection, link, award)
    return _flags(
        connection, link, booked_award, identity=identity, rulings=_rulings(connection), payer=payer
    )


def withheld(flagged: Iterable[Flag]) -> Micros:
    """The tax withheld under these requirements."""
    return sum(flag.amount for flag in flagged if flag.name.endswith("withholding"))


def cash_asked(connection: Connection, link: str, of: PayoutSheet, *, payer: Payer) -> tuple[Flag, ...]:
    """Cash reports due if this award were also paid in cash today [AM-01]."""
    if of.record is None or of.award.status != "confirmed" or "cash" not in of.forms:
        return ()
    payment = CashPayment(
        link=link,
        award=of.award.id,
        payee=of.record["payee"],
        patron=of.record["patron"],
        amount=of.award.amount - of.record["withheld"],
        paid_at=datetime.now(tz=UTC),
        paid_by="",
    )
    return with_this_one(connection, payment, payer=payer)


def complete_step(connection: Connection, link: str, award: str, *, step: str, note: str, by: str) -> None:
    """Record a completed checklist step, once."""
    payout = sheet(connection, link, award)
    if payout.record is None:
        raise refuse(
            _where(link, award),
            "this award has no payout record",
            "complete the payout record first",
            "WA-24",
        )
    names = [row["name"] for row in payout.steps if row["name"] not in _BY_ITSELF]
    if step not in names:
        remedy = Sentence("choose from: %(choices)s", choices=listed(names)) if names else "pay it"
        raise refuse(
            _where(link, award),
            Sentence("the checklist has no step %(step)s", step=Sentence(step)),
            remedy,
            "WA-24",
        )
    if not connection.execute(statement("complete_payout_step"), (link, award, step, note, by)).rowcount:
        raise refuse(
            _where(link, award),
            Sentence("%(step)s is done", step=Sentence(step)),
            "check the record",
            "WA-24",
        )


def verify_payable(connection: Connection, link: str, award: str, *, form: str) -> None:
    """Raise unless the record is written, its checklist complete, and the form allowed [WA-24]."""
    payout = sheet(connection, link, award)
    if payout.award.status != "confirmed":
        return  # the award's own rules give a clearer refusal
    if form not in payout.forms:
        what = Sentence("this award may not be paid in %(form)s", form=Sentence(form))
        raise refuse(
            _where(link, award), what, Sentence("pay by %(choices)s", choices=listed(payout.forms)), "WA-24"
        )
    if payout.record is None:
        raise refuse(
            _where(link, award),
            "this award has no payout record",
            "complete the payout record first",
            "WA-24",
        )
    missing = [step for step in payout.steps if step["done"] is None and step["name"] not in _BY_ITSELF]
    if missing:
        raise refuse(
            _where(link, award),
            Sentence("%(step)s is not done", step=Sentence(missing[0]["name"])),
            missing[0]["says"],
            "WA-24",
        )


def _steps(connection: Connection, link: str, award: Award, rulings: Rulings) -> list[dict[str, Any]]:
    row = connection.execute(statement("fact_of_unique_event"), (link, "settlement", award.id)).fetchone()
    at = json.loads(row[0])["at"] if row else award.claimed_at
    return [asdict(step) for step in payout_steps(award.amount, rulings=rulings, confirmed_at=at)]


def _flags(
    connection: Connection, link: str, award: Award, *, identity: Identity, rulings: Rulings, payer: Payer
) -> tuple[Flag, ...]:
    """Tax requirements; a jackpot no longer on the floor counts as won with no wager."""
    floor = floor_in_force(connection)
    about = next((candidate for candidate in floor.links if candidate.id == link), None)
    win = Win(amount=award.amount, wager=about.wager if about else 0)
    progressive = about if about and not about.is_house else None
    shared = progressive is not None and len({table.location for table in floor.tables_of(progressive)}) > 1
    return (
        *flags([win], rulings=rulings, payer=payer, identity=identity),
        *revenue_flags(award.amount, rulings=rulings, linked=shared),
    )


def _award(connection: Connection, link: str, award: str) -> Award:
    with connection.cursor(row_factory=dict_row) as cursor:
        row = cursor.execute(statement("award"), (link, award)).fetchone()
    if row is None:
        raise refuse(_where(link, award), "it does not exist", "check the list of awards", "WA-24")
    return award_from(row)


def _rulings(connection: Connection) -> Rulings:
    return rulings_of(floor_in_force(connection), on=datetime.now(tz=UTC).date())


def _where(link: str, award: str) -> str:
    return f"{link}, award {award}"
