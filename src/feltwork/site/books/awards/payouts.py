"""Payouts: the record of a win, its checklist and its tax record, before it is paid."""

from dataclasses import asdict, dataclass, replace
from datetime import UTC, date, datetime

from feltwork.problem import Sentence
from feltwork.site.books.authorize import authorize, authorize_any, deeds_of
from feltwork.site.books.awards import awards_rows as award_books
from feltwork.site.books.awards import exclusions
from feltwork.site.books.awards import payouts_rows as payouts
from feltwork.site.books.awards.payouts_rows import Payee
from feltwork.site.books.context import Operation
from feltwork.site.books.fields import with_example
from feltwork.site.books.floors.site import already_done, local_time
from feltwork.site.books.journal.link_state import read_meters
from feltwork.site.compliance.tax import Entitled, Flag, Identity
from feltwork.site.compliance.two_person import Command
from feltwork.site.progressive.button_pays import hand_of_cards
from feltwork.site.progressive.refusal import refuse


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
    address: str = ""
    #: The taxpayer number; empty if it was not given.
    taxpayer: str = ""
    #: Several people who are entitled to the win [TX-05].
    entitled: tuple[Entitled, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CompleteStep:
    """A step of the checklist to complete, with a note; for self-exclusion, also what was looked up."""

    link: str
    award: str
    step: str
    note: str
    #: Whether the state's system shows the payee.
    found: bool = False
    #: With a birth date, the payee is looked up on the imported list; neither is stored.
    born: date | None = None
    digits: str = ""


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


def write_record(op: Operation, command: WriteRecord) -> PayoutView:
    """Write the payout record, or correct it before the payment [WA-24, TX-04].

    Cards in the record must make the hand, and are stored with the award. Above the executive level they are
    required, unless they were entered before [LT-02].
    """
    award = payouts.sheet(op.connection, command.link, command.award).award
    deeds = deeds_of(op.connection, command.link, award)
    authorize(op, Command(name="pay", about=command.award), deeds=deeds)
    payee = Payee(
        name=command.payee,
        **{
            name: getattr(command, name)
            for name in ("patron", "cards", "identity", "address", "taxpayer", "entitled")
        },
    )

    def act() -> PayoutView:
        if award.status == "confirmed" and not award.cards and _is_hand(op, command):
            award_books.enter_cards(
                op.connection, command.link, award=award.id, cards=command.cards, by=op.actor.id
            )
        is_new = payouts.write_record(
            op.connection, command.link, command.award, payee, payer=op.policy.payer, by=op.actor.id
        )
        view = _view(op, command.link, command.award)
        if is_new:
            return view
        record = payouts.record_of(op.connection, command.link, command.award)
        assert record is not None
        return replace(view, already=already_done(op.connection, record["written_by"], record["written_at"]))

    return op.perform(asdict(replace(command, taxpayer="", entitled=())), PayoutView, act)


def complete_step(op: Operation, command: CompleteStep) -> PayoutView:
    """Record who completed a step of the checklist and when, once."""
    authorize_any(op, "pay", about=f"{command.link}/{command.award}")

    def act() -> PayoutView:
        note, found = command.note, command.found
        if command.step == "exclusion":
            note, found = _looked_up(op, command)
        is_new = payouts.complete_step(
            op.connection,
            command.link,
            command.award,
            step=command.step,
            note=note,
            by=op.actor.id,
            found=found,
        )
        view = _view(op, command.link, command.award)
        return view if is_new else _already(op, command, view)

    return op.perform(asdict(replace(command, born=None, digits="")), PayoutView, act)


def _already(op: Operation, command: CompleteStep, view: PayoutView) -> PayoutView:
    """Tell who completed a step a moment ago; raise if it was longer ago."""
    done = next(step.done for step in view.steps if step.name == command.step)
    assert done is not None
    if already := already_done(op.connection, done.by, datetime.fromisoformat(done.at)):
        return replace(view, already=already)
    what = Sentence("%(step)s is done", step=Sentence(command.step))
    raise refuse(f"{command.link}, award {command.award}", what, "check the record", "WA-24")


def _looked_up(op: Operation, command: CompleteStep) -> tuple[str, bool]:
    """Look the payee up on the imported list, or take what the state's system says."""
    if command.born is None:
        answer = "found" if command.found else "not found"
        return f"{answer} in the state's system. {command.note}".strip(), command.found
    record = payouts.sheet(op.connection, command.link, command.award).record
    key = op.policy.pin_key
    found = exclusions.look_up(
        op.connection, record["payee"] if record else "", command.born, command.digits, key=key
    )
    return (
        f"{found.says} on the list of {local_time(op.connection, found.imported_at)}. {command.note}".strip(),
        found.is_match,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportExclusions:
    """A self-exclusion list as CSV: name, birth date, and the last four digits of an ID where known."""

    people: str


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class ExclusionsView:
    """The self-exclusion list in use: when it was imported, and how many people are on it."""

    people: int
    imported_at: datetime


def import_exclusions(op: Operation, command: ImportExclusions) -> ExclusionsView:
    """Put a self-exclusion list in use; only keyed marks of its people are kept [WA-36]."""
    authorize(op, Command(name="import_exclusions", about="exclusions"))

    def act() -> ExclusionsView:
        people = exclusions.import_list(op.connection, command.people, key=op.policy.pin_key, by=op.actor.id)
        return ExclusionsView(
            people=people, imported_at=exclusions.imported_at(op.connection) or datetime.now(UTC)
        )

    return op.perform({}, ExclusionsView, act)


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
        taxpayer=f"…{record['taxpayer'][-4:]}" if record["taxpayer"] else "",
        shares={person["name"]: person["amount"] for person in record["entitled"]},
        written_by=record["written_by"],
    )
