"""Payout records: the payee, the documents shown, the completed steps, and the tax requirements."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import Any

from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from feltwork import money
from feltwork.money import Micros
from feltwork.problem import Sentence, listed
from feltwork.site.books.awards.awards_rows import lock_round_of
from feltwork.site.books.awards.cash import with_this_one
from feltwork.site.books.connection import Connection
from feltwork.site.books.floors.floor_files import floor_in_force
from feltwork.site.books.journal.link_state import award_from
from feltwork.site.books.queries import statement
from feltwork.site.compliance.cash import CashPayment
from feltwork.site.compliance.check import rulings_of
from feltwork.site.compliance.jurisdiction import Rulings
from feltwork.site.compliance.payout import MATCH, forms, payout_steps
from feltwork.site.compliance.tax import Entitled, Flag, Identity, Payer, Win, flags, revenue_flags
from feltwork.site.progressive.award import verify_moved
from feltwork.site.progressive.badges import hit_with, verify_cards_entered
from feltwork.site.progressive.button_pays import cards_of_record
from feltwork.site.progressive.refusal import refuse
from feltwork.site.progressive.state import Award

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
    #: Whether a person is named; the dealer pays the patron of a seat.
    named: bool = True
    address: str = ""
    #: The taxpayer number; empty if it was not given.
    taxpayer: str = ""
    entitled: tuple[Entitled, ...] = ()


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
    record = record_of(connection, link, award)
    steps = _steps(connection, link, booked_award, rulings)
    if record:
        # Recorded text that the rules still use is shown in the reader's language.
        known = {str(step["says"]): step["says"] for step in steps}
        steps = [{**step, "says": known.get(step["says"], step["says"])} for step in record["steps"]]
    completions: Mapping[str, Any] = record["done"] if record else {}
    if record:
        written = {"by": record["written_by"], "at": record["written_at"].isoformat(), "note": ""}
        completions = {**completions, "record": written}
        if completions.get("exclusion", {}).get("found"):
            steps.append(asdict(MATCH))
    with_times = tuple({**step, "done": completions.get(step["name"])} for step in steps)
    return PayoutSheet(
        award=booked_award, forms=forms(booked_award.amount, rulings=rulings), steps=with_times, record=record
    )


def record_of(connection: Connection, link: str, award: str) -> dict[str, Any] | None:
    """The payout record of an award; None until it is written."""
    with connection.cursor(row_factory=dict_row) as cursor:
        return cursor.execute(statement("payout"), (link, award)).fetchone()


def write_record(
    connection: Connection, link: str, award: str, payee: Payee, *, payer: Payer, by: str
) -> bool:
    """Write the payout record with its tax record, or correct it before the payment [WA-24, TX-04].

    A reportable win waits for documents and for what its form needs. The cards of a hit above the executive
    level must be entered first; the record has no others [LT-02]. Return False if it says the same already.
    """
    state = lock_round_of(connection, link, award)
    booked_award = _award(connection, link, award)
    if booked_award.status != "confirmed":
        raise refuse(
            _where(link, award),
            Sentence("the award is %(status)s", status=Sentence(booked_award.status)),
            "confirm the award first",
            "WA-24",
        )
    verify_moved(state, booked_award)
    verify_cards_entered(state.link, hit_with(state, state.awards[award]))
    cards = cards_of_record(booked_award, state.link, payee.cards)
    rulings = _rulings(connection)
    flagged = _flags(connection, link, booked_award, payee=payee, rulings=rulings, payer=payer)
    held = [flag for flag in flagged if flag.name == "hold_payout"]
    if held:
        raise refuse(
            _where(link, award), "the payee of a reportable win is not identified", held[0].why, "TX-04"
        )
    _verify_form(_where(link, award), booked_award, payee, flagged)
    row = {
        "link": link,
        "award": award,
        "amount": booked_award.amount,
        "cards": cards,
        "payee": payee.name,
        "patron": payee.patron,
        "identity": asdict(payee.identity),
        "address": payee.address,
        "taxpayer": payee.taxpayer,
        "entitled": [asdict(person) for person in payee.entitled],
    }
    before = record_of(connection, link, award)
    if before and all(before[name] == row[name] for name in before if name in row):
        return False
    row |= {name: Jsonb(row[name]) for name in ("identity", "entitled")}
    row |= {
        "steps": Jsonb(_steps(connection, link, booked_award, rulings, named=payee.named)),
        "flags": Jsonb([asdict(flag) for flag in flagged]),
        "withheld": withheld(flagged),
        "by": by,
    }
    connection.execute(statement("write_payout"), row)
    return True


def _verify_form(where: str, award: Award, payee: Payee, flagged: Iterable[Flag]) -> None:
    """Raise if a tax form that this payout needs would have an empty line."""
    form = next((flag for flag in flagged if flag.name == "tax_form"), None)
    several = Sentence("Form 5754 of several people")
    if payee.entitled and sum(person.amount for person in payee.entitled) != award.amount:
        what = Sentence(
            "%(form)s: the shares do not add up to %(amount)s",
            form=several,
            amount=money.dollars(award.amount),
        )
        raise refuse(where, what, "correct the shares", "TX-05")
    if form is None:
        return
    name = str(form.why).partition(":")[0]
    for person in payee.entitled:
        if not person.name.strip() or not person.address.strip():
            what = Sentence("%(form)s has a share without name or address", form=several)
            raise refuse(where, what, "enter name and address of each person", "TX-05")
    if not payee.address.strip():
        what = Sentence("%(form)s has no address", form=name)
        raise refuse(where, what, "enter the address of the payee", form.requirement)
    if payee.identity.taxpayer_number and not payee.taxpayer.strip():
        what = Sentence("%(form)s has no taxpayer number", form=name)
        remedy = "enter the number, or choose that it was not given: then tax is withheld"
        raise refuse(where, what, remedy, "TX-04")


def tax_flags(
    connection: Connection, link: str, award: str, identity: Identity, *, payer: Payer
) -> tuple[Flag, ...]:
    """The tax requirements of an award if its payee shows these documents."""
    payee = Payee(name="", cards="", identity=identity)
    booked_award = _award(connection, link, award)
    return _flags(connection, link, booked_award, payee=payee, rulings=_rulings(connection), payer=payer)


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


def complete_step(
    connection: Connection, link: str, award: str, *, step: str, note: str, by: str, found: bool = False
) -> bool:
    """Record a completed checklist step; False if it was done before.

    Who found a match with the self-exclusion list does not answer it [WA-35].
    """
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
    found_by = [row["done"]["by"] for row in payout.steps if row["name"] == "exclusion" and row["done"]]
    if step == "match" and by in found_by:
        what = Sentence("%(person)s found the match", person=by)
        raise refuse(_where(link, award), what, "ask a second person to answer it", "WA-35")
    # A corrected record has another payee, who is asked about again.
    number = payout.record["number"] if step in ("exclusion", "match") else 0
    row = (link, award, step, note, by, found, number)
    return bool(connection.execute(statement("complete_payout_step"), row).rowcount)


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
            missing[0]["requirement"],
        )


def _steps(
    connection: Connection, link: str, award: Award, rulings: Rulings, *, named: bool = True
) -> list[dict[str, Any]]:
    row = connection.execute(statement("fact_of_unique_event"), (link, "settlement", award.id)).fetchone()
    at = json.loads(row[0])["at"] if row else award.claimed_at
    steps = payout_steps(award.amount, rulings=rulings, confirmed_at=at, named=named)
    return [asdict(step) for step in steps]


def _flags(
    connection: Connection, link: str, award: Award, *, payee: Payee, rulings: Rulings, payer: Payer
) -> tuple[Flag, ...]:
    """Tax requirements; a jackpot no longer on the floor counts as won with no wager.

    Each of several people is tested with their own part of the wager [TX-05].
    """
    floor = floor_in_force(connection)
    about = next((candidate for candidate in floor.links if candidate.id == link), None)
    wager = about.wager if about else 0
    progressive = about if about and not about.is_house else None
    shared = progressive is not None and len({table.location for table in floor.tables_of(progressive)}) > 1
    revenue = revenue_flags(award.amount, rulings=rulings, linked=shared)
    if not payee.entitled:
        win = Win(amount=award.amount, wager=wager)
        return (*flags([win], rulings=rulings, payer=payer, identity=payee.identity), *revenue)
    found: list[Flag] = []
    for person in payee.entitled:
        win = Win(amount=person.amount, wager=wager * person.amount // award.amount)
        identity = replace(payee.identity, taxpayer_number=bool(person.taxpayer))
        for flag in flags([win], rulings=rulings, payer=payer, identity=identity):
            why = Sentence("%(why)s (%(name)s)", why=flag.why, name=person.name)
            found.append(replace(flag, why=why))
    return (*found, *revenue)


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
