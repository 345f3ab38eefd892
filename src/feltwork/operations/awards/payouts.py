"""Payouts: the record of a win, its checklist and its tax record, before it is paid."""

from dataclasses import asdict, dataclass, replace

from feltwork.books.awards import awards as award_books
from feltwork.books.awards import payouts
from feltwork.books.awards.payouts import Payee
from feltwork.books.journal.link_state import read_meters
from feltwork.compliance.tax import Flag, Identity
from feltwork.compliance.two_person import Command
from feltwork.operations.authorize import authorize, authorize_any, deeds_of
from feltwork.operations.context import Operation
from feltwork.operations.fields import with_example
from feltwork.progressive.button_pays import hand_of_cards


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteRecord:
    """The payee of an award, and the winning cards."""

    link: str
    award: str
    payee: str
    #: The site's own patron number, which distinguishes patrons with the same name [AM-01].
    patron: str
    cards: str
    identity: Identity


@dataclass(frozen=True, slots=True, kw_only=True)
class CompleteStep:
    """A step of the checklist to complete, with a note."""

    link: str
    award: str
    step: str
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StepDone:
    """The completion of a step: by whom, and when."""

    by: str
    at: str
    note: str


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
    written_by: str | None = None
    #: Cash reports due if this were paid in cash; None for people who may not pay.
    cash: tuple[Flag, ...] | None = None


def payout(op: Operation, link: str, award: str) -> PayoutView:
    """Show the checklist of a payout, the forms in which it may be paid, and its record [WA-24].

    For people who may pay it, also show whether the patron's cash for the day must be reported [AM-01].
    """
    authorize_any(op, "watch", about=f"{link}/{award}")
    return _view(op, link, award)


def write_record(op: Operation, command: WriteRecord) -> PayoutView:
    """Write the payout record, once; a reportable win requires two documents [WA-24, TX-04].

    Cards in the record must make the hand, and are stored with the award. Above the executive level they are
    required, unless they were entered before [LT-02].
    """
    award = payouts.sheet(op.connection, command.link, command.award).award
    deeds = deeds_of(op.connection, command.link, award)
    authorize(op, Command(name="pay", about=command.award), deeds=deeds)
    payee = Payee(name=command.payee, patron=command.patron, cards=command.cards, identity=command.identity)

    def act() -> PayoutView:
        if award.status == "confirmed" and not award.cards and _is_hand(op, command):
            award_books.enter_cards(
                op.connection, command.link, award=award.id, cards=command.cards, by=op.actor.id
            )
        payouts.write_record(
            op.connection, command.link, command.award, payee, payer=op.policy.payer, by=op.actor.id
        )
        return _view(op, command.link, command.award)

    return op.perform(asdict(command), PayoutView, act)


def complete_step(op: Operation, command: CompleteStep) -> PayoutView:
    """Record who completed a step of the checklist and when, once."""
    authorize_any(op, "pay", about=f"{command.link}/{command.award}")

    def act() -> PayoutView:
        payouts.complete_step(
            op.connection,
            command.link,
            command.award,
            step=command.step,
            note=command.note,
            by=op.actor.id,
        )
        return _view(op, command.link, command.award)

    return op.perform(asdict(command), PayoutView, act)


def _is_hand(op: Operation, command: WriteRecord) -> bool:
    """Whether the record names all cards of a hand; otherwise it says who saw them."""
    try:
        hand_of_cards(read_meters(op.connection, command.link).state.link, command.cards)
    except ValueError:
        return False
    return True


def _view(op: Operation, link: str, award: str) -> PayoutView:
    sheet = payouts.sheet(op.connection, link, award)
    cash = payouts.cash_asked(op.connection, link, sheet, payer=op.policy.payer)
    record = sheet.record
    view = PayoutView(
        link=link,
        award=award,
        status=sheet.award.status,
        amount=sheet.award.amount,
        forms=sheet.forms,
        steps=tuple(
            PayoutStep(**{**step, "done": StepDone(**step["done"]) if step["done"] else None})
            for step in sheet.steps
        ),
        cash=cash if op.actor.may("pay") else None,
    )
    if record is None:
        return view
    return replace(
        view,
        payee=record["payee"],
        patron=record["patron"],
        cards=record["cards"],
        flags=tuple(Flag(**flag) for flag in record["flags"]),
        withheld=record["withheld"],
        written_by=record["written_by"],
    )
