"""Payouts: the record of a win, its checklist and its tax record, before it is paid."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, date, datetime
from typing import Annotated, Any, Literal

from psycopg.rows import dict_row
from psycopg.types.json import Jsonb
from pydantic import Field, model_validator
from pydantic.dataclasses import dataclass as validated

from feltwork import money
from feltwork.money import Micros
from feltwork.problem import Sentence, listed
from feltwork.site.books.authorize import authorize, authorize_any, deeds_of
from feltwork.site.books.awards.cash import with_this_one
from feltwork.site.books.awards.exclusions import look_up
from feltwork.site.books.awards.lookup import awards_named, lock_award
from feltwork.site.books.connection import Connection
from feltwork.site.books.context import Operation
from feltwork.site.books.fields import COMMAND, Amount, Name, Statement, example, with_example
from feltwork.site.books.floors.floor_files import floor_in_force
from feltwork.site.books.floors.site import already_done
from feltwork.site.books.journal.link_state import LinkSnapshot
from feltwork.site.books.journal.transaction import Committed, book_facts
from feltwork.site.books.queries import statement
from feltwork.site.books.tables.rounds import layout_of
from feltwork.site.compliance.cash import CashPayment
from feltwork.site.compliance.check import rulings_of
from feltwork.site.compliance.floor import Floor
from feltwork.site.compliance.jurisdiction import Rulings
from feltwork.site.compliance.payout import MATCH, forms, payout_steps
from feltwork.site.compliance.tax import Entitled, Flag, Identity, Payer, Win, flags, revenue_flags
from feltwork.site.compliance.two_person import Command
from feltwork.site.progressive import award as rules
from feltwork.site.progressive.badges import hit_with, verify_cards_entered
from feltwork.site.progressive.button_pays import cards_of_record, hand_of_cards
from feltwork.site.progressive.link import Link
from feltwork.site.progressive.refusal import refuse
from feltwork.site.progressive.state import Award

#: Checklist steps that are completed by writing the record or by paying.
_BY_ITSELF = ("record", "check")
#: One line of a tax form, which may be empty.
Line = Annotated[str, Field(max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")]


@validated(config=COMMAND, frozen=True, kw_only=True)
class ShownDocuments(Identity):
    """The documents the patron showed; their content is not stored."""

    documents: Annotated[int, Field(ge=0, le=9, strict=True)] = Field(examples=[2])
    photo: bool = Field(examples=[True])
    taxpayer_number: bool = Field(examples=[True])
    excepted: bool = Field(
        default=False, description="A tribal member's card, or a documented exception [TX-04]."
    )
    foreign: bool = Field(default=False, description="A nonresident: Form 1042-S instead of Form W-2G.")


@validated(config=COMMAND, frozen=True, kw_only=True)
class Share(Entitled):
    """One of several people who are entitled to a win: a line of Form 5754."""

    name: Statement = Field(examples=["Quinn Quill"])
    address: Line = Field(default="", examples=["1 Main St, Olympia WA 98501"])
    taxpayer: Line = Field(default="", examples=["900-00-1234"])
    amount: Amount = Field(examples=[5_000_000_000])


_RECORD = example(
    payee="Pat Patron",
    patron="P-1107",
    cards="As Ah Ad Ac",
    identity={"documents": 2, "photo": True, "taxpayer_number": True},
    address="1 Main St, Olympia WA 98501",
    taxpayer="900-00-1234",
)


@validated(config=COMMAND | _RECORD, frozen=True, kw_only=True)
class WriteRecord:
    """The payee and the winning cards."""

    payee: Statement
    patron: Name | None = Field(
        default=None, description="The operator's patron number, to tell namesakes apart [AM-01]."
    )
    cards: Statement
    identity: ShownDocuments
    address: Line = Field(default="", description="Required where the win needs a tax form.")
    taxpayer: Line = Field(
        default="", repr=False, description="The taxpayer number; without it, tax is withheld."
    )
    entitled: tuple[Share, ...] = Field(default=(), max_length=12, description="For Form 5754 [TX-05].")


@validated(config=COMMAND, frozen=True, kw_only=True)
class CompleteStep:
    """A note on a checklist step; for self-exclusion, a birth date to look up on the imported list."""

    note: Annotated[str, Field(max_length=500)] = Field(default="", examples=["48 cards, camera 12"])
    found: bool = Field(default=False, description="Whether the state's system shows the payee.")
    born: date | Literal[""] | None = Field(
        default=None, description="The payee's birth date; it is not stored.", examples=[None]
    )
    digits: str = Field(
        default="", pattern="^([0-9A-Za-z]{4})?$", description="The last four digits of the ID; not stored."
    )

    @model_validator(mode="after")
    def _verify_says(self) -> "CompleteStep":
        if not self.note.strip() and not self.born:
            raise ValueError("write a note")
        return self


@dataclass(frozen=True, slots=True, kw_only=True)
class StepDone:
    """The completion of a step: by whom, and when."""

    by: str
    at: str
    note: str
    #: Whether a look at the self-exclusion list found somebody who may be the payee.
    found: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PayoutStep:
    """A step of the checklist; ``by`` is when it is due, microseconds since 1970, or 0."""

    name: str
    requirement: str
    says: str
    by: int
    done: StepDone | None


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class PayoutView:
    """A payout and its checklist."""

    link: str
    award: str
    status: str
    amount: int
    forms: tuple[str, ...]
    steps: tuple[PayoutStep, ...]
    #: What follows is None until the record is written.
    payee: str | None = None
    patron: str | None = None
    cards: str | None = None
    flags: tuple[Flag, ...] | None = None
    withheld: int | None = None
    #: The last digits of the taxpayer number, and the shares of several people by name.
    taxpayer: str | None = None
    shares: dict[str, int] | None = None
    #: Who did what was asked for a moment ago; empty if this request did it.
    already: str = ""
    written_by: str | None = None
    #: Cash reports due if this were paid in cash; None for people who may not pay.
    cash: tuple[Flag, ...] | None = None


def payout(op: Operation, link: str, award: str) -> PayoutView:
    """Show the checklist of a payout, the forms in which it may be paid, and its record [WA-24].

    For people who may pay it, also show whether the patron's cash for the day must be reported [AM-01].
    """
    authorize_any(op, "watch", about=f"{link}/{award}")
    return _view(op, link, award)


def _view(op: Operation, link: str, award: str) -> PayoutView:
    view = sheet(op.connection, link, award)
    if not op.actor.may("pay"):
        return view
    if view.payee is None or view.status != "confirmed" or "cash" not in view.forms:
        return replace(view, cash=())
    payment = CashPayment(
        link=link,
        award=award,
        payee=view.payee,
        patron=view.patron or "",
        amount=view.amount - (view.withheld or 0),
        paid_at=datetime.now(tz=UTC),
        paid_by="",
    )
    return replace(view, cash=with_this_one(op.connection, payment, payer=op.policy.payer))


def write(op: Operation, link: str, award: str, body: WriteRecord) -> PayoutView:
    """Write the payout record, or correct it before the payment [WA-24, TX-04].

    Cards in the record must make the hand, and are stored with the award. Above the executive level they are
    required, unless they were entered before [LT-02].
    """
    before = _award(op.connection, link, award)
    authorize(op, Command(name="pay", about=award), deeds=deeds_of(op.connection, link, before))

    def act() -> PayoutView:
        locked = lock_award(op.connection, link, before)
        claim = locked.state.awards[award]
        if claim.status == "confirmed" and not claim.cards and _is_hand(locked.state.link, body.cards):
            locked = book_cards(op.connection, locked, award, body.cards, by=op.actor.id).after
        earlier = write_record(op.connection, locked, award, body, payer=op.policy.payer, by=op.actor.id)
        view = _view(op, link, award)
        if earlier is None:
            return view
        return replace(
            view, already=already_done(op.connection, earlier["written_by"], earlier["written_at"])
        )

    return op.perform(asdict(replace(body, taxpayer="", entitled=())), PayoutView, act)


def complete_step(op: Operation, link: str, award: str, step: str, body: CompleteStep) -> PayoutView:
    """Record who completed a step of the checklist and when, once.

    Who found a match with the self-exclusion list does not answer it [WA-35].
    """
    authorize_any(op, "pay", about=f"{link}/{award}")
    where = f"{link}, award {award}"

    def act() -> PayoutView:
        note, found = body.note, body.found
        if step == "exclusion":
            note, found = _looked_up(op, link, award, body)
        view, record = sheet(op.connection, link, award), record_of(op.connection, link, award)
        if record is None:
            raise _no_record(where)
        names = [one.name for one in view.steps if one.name not in _BY_ITSELF]
        if step not in names:
            what = Sentence("the checklist has no step %(step)s", step=Sentence(step))
            remedy = Sentence("choose from: %(choices)s", choices=listed(names)) if names else "pay it"
            raise refuse(where, what, remedy, "WA-24")
        found_by = [one.done.by for one in view.steps if one.name == "exclusion" and one.done]
        if step == "match" and op.actor.id in found_by:
            what = Sentence("%(person)s found the match", person=op.actor.id)
            raise refuse(where, what, "ask a second person to answer it", "WA-35")
        # A corrected record has another payee, who is asked about again.
        number = record["number"] if step in ("exclusion", "match") else 0
        row = (link, award, step, note, op.actor.id, found, number)
        is_new = op.connection.execute(statement("complete_payout_step"), row).rowcount
        view = _view(op, link, award)
        if is_new:
            return view
        done = next(one.done for one in view.steps if one.name == step)
        assert done is not None, "somebody else completed it"
        if already := already_done(op.connection, done.by, datetime.fromisoformat(done.at)):
            return replace(view, already=already)
        what = Sentence("%(step)s is done", step=Sentence(step))
        raise refuse(where, what, "check the record", "WA-24")

    return op.perform({"note": body.note, "found": body.found}, PayoutView, act)


def sheet(connection: Connection, link: str, award: str) -> PayoutView:
    """The payout of a confirmed award: its checklist with times, its forms, its record [WA-24]."""
    known = _award(connection, link, award)
    rulings = _rulings(floor_in_force(connection))
    steps: Sequence[Mapping[str, Any]] = _steps(connection, link, known, rulings)
    done: dict[str, Mapping[str, Any]] = {}
    written: dict[str, Any] = {}
    record = record_of(connection, link, award)
    if record:
        # Recorded text that the rules still use is shown in the reader's language.
        says = {str(step["says"]): step["says"] for step in steps}
        steps = [{**step, "says": says.get(step["says"], step["says"])} for step in record["steps"]]
        by, at = record["written_by"], record["written_at"].isoformat()
        done = {**record["done"], "record": {"by": by, "at": at, "note": ""}}
        if done.get("exclusion", {}).get("found"):
            steps = [*steps, asdict(MATCH)]
        written = {name: record[name] for name in ("payee", "patron", "cards", "withheld", "written_by")} | {
            "flags": tuple(Flag(**flag) for flag in record["flags"]),
            "taxpayer": f"…{record['taxpayer'][-4:]}" if record["taxpayer"] else "",
            "shares": {person["name"]: person["amount"] for person in record["entitled"]},
        }
    return PayoutView(
        link=link,
        award=award,
        status=known.status,
        amount=known.amount,
        forms=forms(known.amount, rulings=rulings),
        steps=tuple(
            PayoutStep(**step, done=StepDone(**done[step["name"]]) if done.get(step["name"]) else None)
            for step in steps
        ),
        **written,
    )


def record_of(connection: Connection, link: str, award: str) -> dict[str, Any] | None:
    """The payout record of an award; None until it is written."""
    with connection.cursor(row_factory=dict_row) as cursor:
        return cursor.execute(statement("payout"), (link, award)).fetchone()


def write_record(
    connection: Connection,
    locked: LinkSnapshot,
    award: str,
    body: WriteRecord,
    *,
    payer: Payer,
    by: str,
    named: bool = True,
) -> dict[str, Any] | None:
    """Write the payout record with its tax record, or correct it before the payment [WA-24, TX-04].

    A reportable win waits for documents and for what its form needs. The cards of a hit above the executive
    level must be entered first; the record has no others [LT-02]. Return the record that says the same
    already. The dealer pays the patron of a seat, who is not ``named``.
    """
    state, claim = locked.state, locked.state.awards[award]
    where = f"{state.link.id}, award {award}"
    if claim.status != "confirmed":
        what = Sentence("the award is %(status)s", status=Sentence(claim.status))
        raise refuse(where, what, "confirm the award first", "WA-24")
    rules.verify_moved(state, claim)
    verify_cards_entered(state.link, hit_with(state, claim))
    cards = cards_of_record(claim, state.link, body.cards)
    rulings = _rulings(floor_in_force(connection))
    flagged = tax_flags(connection, state.link.id, claim, body.identity, body.entitled, payer=payer)
    held = [flag for flag in flagged if flag.name == "hold_payout"]
    if held:
        raise refuse(where, "the payee of a reportable win is not identified", held[0].why, "TX-04")
    _verify_form(where, claim, body, flagged)
    row = {
        "link": state.link.id,
        "award": award,
        "amount": claim.amount,
        "cards": cards,
        "payee": body.payee,
        "patron": body.patron or "",
        "identity": asdict(body.identity),
        "address": body.address,
        "taxpayer": body.taxpayer,
        "entitled": [asdict(person) for person in body.entitled],
    }
    before = record_of(connection, state.link.id, award)
    if before and all(before[name] == row[name] for name in before if name in row):
        return before
    row |= {name: Jsonb(row[name]) for name in ("identity", "entitled")}
    row |= {
        "steps": Jsonb(_steps(connection, state.link.id, claim, rulings, named=named)),
        "flags": Jsonb([asdict(flag) for flag in flagged]),
        "withheld": withheld(flagged),
        "by": by,
    }
    connection.execute(statement("write_payout"), row)
    return None


def book_cards(connection: Connection, locked: LinkSnapshot, award: str, cards: str, *, by: str) -> Committed:
    """Book the winning cards of an award, checked against the other hands of its round [LT-02]."""
    claim = locked.state.awards[award]
    layout = layout_of(connection, locked.state.link, claim.table, claim.round)
    facts = rules.enter_cards(
        locked.state, award=award, cards=cards, at=locked.at(None), by=by, layout=layout
    )
    return book_facts(connection, locked, facts)


def verify_payable(connection: Connection, link: str, award: str, *, form: str) -> None:
    """Raise unless the record is written, its checklist complete, and the form allowed [WA-24]."""
    payout = sheet(connection, link, award)
    where = f"{link}, award {award}"
    if payout.status != "confirmed":
        return  # the award's own rules give a clearer refusal
    if form not in payout.forms:
        what = Sentence("this award may not be paid in %(form)s", form=Sentence(form))
        raise refuse(where, what, Sentence("pay by %(choices)s", choices=listed(payout.forms)), "WA-24")
    if payout.payee is None:
        raise _no_record(where)
    missing = [step for step in payout.steps if step.done is None and step.name not in _BY_ITSELF]
    if missing:
        what = Sentence("%(step)s is not done", step=Sentence(missing[0].name))
        raise refuse(where, what, missing[0].says, missing[0].requirement)


def tax_flags(
    connection: Connection,
    link: str,
    award: Award,
    identity: Identity,
    entitled: Sequence[Entitled] = (),
    *,
    payer: Payer,
) -> tuple[Flag, ...]:
    """Tax requirements; a jackpot no longer on the floor counts as won with no wager.

    Each of several people is tested with their own part of the wager [TX-05].
    """
    floor = floor_in_force(connection)
    rulings = _rulings(floor)
    about = next((candidate for candidate in floor.links if candidate.id == link), None)
    wager = about.wager if about else 0
    progressive = about if about and not about.is_house else None
    shared = progressive is not None and len({table.location for table in floor.tables_of(progressive)}) > 1
    revenue = revenue_flags(award.amount, rulings=rulings, linked=shared)
    if not entitled:
        win = Win(amount=award.amount, wager=wager)
        return (*flags([win], rulings=rulings, payer=payer, identity=identity), *revenue)
    found: list[Flag] = []
    for person in entitled:
        win = Win(amount=person.amount, wager=wager * person.amount // award.amount)
        shown = replace(identity, taxpayer_number=bool(person.taxpayer))
        for flag in flags([win], rulings=rulings, payer=payer, identity=shown):
            why = Sentence("%(why)s (%(name)s)", why=flag.why, name=person.name)
            found.append(replace(flag, why=why))
    return (*found, *revenue)


def withheld(flagged: Iterable[Flag]) -> Micros:
    """The tax withheld under these requirements."""
    return sum(flag.amount for flag in flagged if flag.name.endswith("withholding"))


def _looked_up(op: Operation, link: str, award: str, body: CompleteStep) -> tuple[str, bool]:
    """Look the payee up on the imported list, or take what the state's system says."""
    if not body.born:
        answer = "found" if body.found else "not found"
        return f"{answer} in the state's system. {body.note}".strip(), body.found
    record = record_of(op.connection, link, award)
    payee = record["payee"] if record else ""
    says, found = look_up(op.connection, payee, body.born, body.digits, key=op.policy.pin_key)
    return f"{says}. {body.note}".strip(), found


def _is_hand(link: Link, cards: str) -> bool:
    """Whether the record names all cards of a hand; otherwise it says who saw them."""
    try:
        hand_of_cards(link, cards)
    except ValueError:
        return False
    return True


def _verify_form(where: str, award: Award, body: WriteRecord, flagged: Iterable[Flag]) -> None:
    """Raise if a tax form that this payout needs would have an empty line."""
    form = next((flag for flag in flagged if flag.name == "tax_form"), None)
    several = Sentence("Form 5754 of several people")
    if body.entitled and sum(person.amount for person in body.entitled) != award.amount:
        due = money.dollars(award.amount)
        what = Sentence("%(form)s: the shares do not add up to %(amount)s", form=several, amount=due)
        raise refuse(where, what, "correct the shares", "TX-05")
    if form is None:
        return
    name = str(form.why).partition(":")[0]
    for person in body.entitled:
        if not person.name.strip() or not person.address.strip():
            what = Sentence("%(form)s has a share without name or address", form=several)
            raise refuse(where, what, "enter name and address of each person", "TX-05")
    if not body.address.strip():
        what = Sentence("%(form)s has no address", form=name)
        raise refuse(where, what, "enter the address of the payee", form.requirement)
    if body.identity.taxpayer_number and not body.taxpayer.strip():
        what = Sentence("%(form)s has no taxpayer number", form=name)
        remedy = "enter the number, or choose that it was not given: then tax is withheld"
        raise refuse(where, what, remedy, "TX-04")


def _steps(
    connection: Connection, link: str, award: Award, rulings: Rulings, *, named: bool = True
) -> list[dict[str, Any]]:
    row = connection.execute(statement("fact_of_unique_event"), (link, "settlement", award.id)).fetchone()
    at = json.loads(row[0])["at"] if row else award.claimed_at
    steps = payout_steps(award.amount, rulings=rulings, confirmed_at=at, named=named)
    return [asdict(step) for step in steps]


def _award(connection: Connection, link: str, award: str) -> Award:
    found = awards_named(connection, link, [award]).get(award)
    if found is None:
        raise refuse(f"{link}, award {award}", "it does not exist", "check the list of awards", "WA-24")
    return found


def _no_record(where: str) -> Exception:
    what = "this award has no payout record"
    return refuse(where, what, "complete the payout record first", "WA-24")


def _rulings(floor: Floor) -> Rulings:
    return rulings_of(floor, on=datetime.now(tz=UTC).date())
