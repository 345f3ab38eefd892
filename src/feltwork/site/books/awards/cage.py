"""The cage: awards to pay, and the details that a cashier needs to pay one."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime

from feltwork import money
from feltwork.problem import Problem, ProblemsError
from feltwork.site.books.authorize import authorize_any
from feltwork.site.books.awards import exclusions
from feltwork.site.books.awards import payouts_rows as payout_books
from feltwork.site.books.awards.lookup import CageAward, cage_awards
from feltwork.site.books.awards.payouts import PayoutView, payout
from feltwork.site.books.context import Operation
from feltwork.site.books.errors import unknown
from feltwork.site.books.fields import with_example
from feltwork.site.books.floors.site import floor_in_force, period, staff_names
from feltwork.site.books.journal.link_state import read_link
from feltwork.site.books.links.links import hand_names
from feltwork.site.compliance.tax import Flag, Identity
from feltwork.site.progressive import award as award_rules

#: A form in which every award may be paid, to test the other conditions.
_ANY_AWARD = "check"
_IDENTIFIED = Identity(documents=2, photo=True, taxpayer_number=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class CageList:
    """Awards to pay, longest wait first, and those paid or confiscated today."""

    to_pay: tuple[CageAward, ...]
    paid: tuple[CageAward, ...]
    #: When the self-exclusion list was imported; None without one.
    excluded_at: datetime | None
    #: Names by id.
    people: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class CagePayout:
    """An award at the cage: its record, the amounts, and whether this cashier may pay it now."""

    award: CageAward
    payout: PayoutView
    people: Mapping[str, str]
    #: The tax requirements for an identified payee; those of the record once it is written.
    flags: tuple[Flag, ...]
    #: The tax of the record, or of an identified payee; then with a taxpayer number, and without one.
    withheld: int
    withheld_with_number: int
    withheld_without_number: int
    #: Number of decks at the table; with several, a card may appear more than once.
    decks: int
    #: When the self-exclusion list was imported; None without one.
    excluded_at: datetime | None
    #: Why this person may not pay it; None if they may.
    refusal: Problem | None
    #: What the record or its checklist lacks; None if it can be paid.
    missing: Problem | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintSlip:
    """The award whose slip is printed."""

    link: str
    award: str


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class SlipView:
    """A printed slip."""

    link: str
    award: str
    status: str


def awards_at_cage(op: Operation, search: str = "") -> CageList:
    """List awards to pay and awards paid today, or those that a search finds.

    The search matches part of a slip number, table, payee or patron number, or the beginning of an amount.
    """
    authorize_any(op, "pay", about="cage")
    awards = _at_cage(op)
    awards = [award for award in awards if _matches(award, search)]
    return CageList(
        to_pay=tuple(award for award in awards if award.status == "confirmed"),
        paid=tuple(award for award in awards if award.status != "confirmed"),
        excluded_at=exclusions.imported_at(op.connection),
        people=staff_names(op.connection),
    )


def payout_at_cage(op: Operation, link: str, award: str) -> CagePayout:
    """Show what the cashier needs to write an award's record, complete its checklist, and pay it."""
    authorize_any(op, "pay", about=f"{link}/{award}")
    awards = _at_cage(op, link=link, award=award)
    if not awards:
        raise unknown(f"{link}, award {award}")
    view = payout(op, link, award)
    with_number, without = (
        payout_books.tax_flags(op.connection, link, award, identity, payer=op.policy.payer)
        for identity in (_IDENTIFIED, replace(_IDENTIFIED, taxpayer_number=False))
    )
    floor = floor_in_force(op.connection)
    table = floor.table_by_id.get(awards[0].table) if floor else None
    return CagePayout(
        award=awards[0],
        payout=view,
        people=staff_names(op.connection),
        flags=view.flags if view.flags is not None else with_number,
        withheld=view.withheld if view.withheld is not None else payout_books.withheld(with_number),
        withheld_with_number=payout_books.withheld(with_number),
        withheld_without_number=payout_books.withheld(without),
        decks=table.decks if table else 1,
        excluded_at=exclusions.imported_at(op.connection),
        refusal=_refusal_to_pay(op, link, award),
        missing=_missing(op, link, award),
    )


def print_slip(op: Operation, command: PrintSlip, *, printer: Callable[[CagePayout], None]) -> SlipView:
    """Print the slip of an award; each print is in the audit log."""
    slip = payout_at_cage(op, command.link, command.award)

    def act() -> SlipView:
        printer(slip)
        return SlipView(link=command.link, award=command.award, status=slip.award.status)

    return op.perform(asdict(command), SlipView, act)


def _at_cage(op: Operation, *, link: str = "", award: str = "") -> list[CageAward]:
    awards = cage_awards(op.connection, period(op.connection, "TODAY"), link=link, award=award)
    names = {of: hand_names(op.connection, of) for of in {award.link for award in awards}}
    return [replace(award, hand_name=names[award.link].get(award.hand, award.hand)) for award in awards]


def _refusal_to_pay(op: Operation, link: str, award: str) -> Problem | None:
    """Return why the award rules bar this person from paying: they confirmed it, or it is not settled."""
    state = read_link(op.connection, link).state
    try:
        award_rules.pay(state, award=award, form=_ANY_AWARD, at=0, by=op.actor.id)
    except ProblemsError as error:
        return error.problems[0]
    return None


def _missing(op: Operation, link: str, award: str) -> Problem | None:
    if not op.policy.record_required:
        return None
    try:
        payout_books.verify_payable(op.connection, link, award, form=_ANY_AWARD)
    except ProblemsError as error:
        return error.problems[0]
    return None


def _matches(award: CageAward, search: str) -> bool:
    """Whether a search finds an award; a scanned code is the address of its win page."""
    term = search.rpartition("/awards/")[2].partition("/")[0].strip().casefold()
    if any(term in text.casefold() for text in (award.id, award.table, award.payee, award.patron)):
        return True
    digits = term.removeprefix("$").replace(",", "")
    return bool(digits) and money.text(award.amount).startswith(digits)
