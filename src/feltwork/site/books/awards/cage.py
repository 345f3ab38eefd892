"""The cage: awards to pay, and the details that a cashier needs to pay one."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from psycopg.rows import class_row

from feltwork import money
from feltwork.money import Micros
from feltwork.problem import Problem, ProblemsError
from feltwork.site.books.authorize import authorize_any
from feltwork.site.books.awards import exclusions, payouts
from feltwork.site.books.awards.lookup import awards_named
from feltwork.site.books.context import Operation
from feltwork.site.books.errors import unknown
from feltwork.site.books.fields import with_example
from feltwork.site.books.floors.site import floor_in_force, period, staff_names
from feltwork.site.books.journal.link_state import read_meters
from feltwork.site.books.links.links import hand_names
from feltwork.site.books.queries import statement
from feltwork.site.compliance.tax import Flag, Identity
from feltwork.site.progressive import award as rules

#: A form in which every award may be paid, to test the other conditions.
_ANY_AWARD = "check"
_IDENTIFIED = Identity(documents=2, photo=True, taxpayer_number=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class CageAward:
    """A confirmed award as the cage lists it; fields are empty or None until it is paid or has a record."""

    link: str
    id: str
    table: str
    round: int
    seat: int
    hand: str
    level: str
    cards: str
    amount: Micros
    status: str
    claimed_by: str
    cards_by: str
    supervisor: str
    executive: str
    witness: str
    #: The entry of its payment, or of its confirmation before that.
    entry: int
    confirmed_at: datetime
    paid_at: datetime | None
    form: str
    paid_by: str
    payee: str
    patron: str
    #: The approved name of the hand; it is filled in here.
    hand_name: str = ""


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
    payout: payouts.PayoutView
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
    view = payouts.payout(op, link, award)
    claim = awards_named(op.connection, link, [award])[award]
    with_number, without = (
        payouts.tax_flags(op.connection, link, claim, identity, payer=op.policy.payer)
        for identity in (_IDENTIFIED, replace(_IDENTIFIED, taxpayer_number=False))
    )
    state = replace(read_meters(op.connection, link).state, awards={award: claim})
    floor = floor_in_force(op.connection)
    table = floor.table_by_id.get(awards[0].table) if floor else None
    return CagePayout(
        award=awards[0],
        payout=view,
        people=staff_names(op.connection),
        flags=view.flags if view.flags is not None else with_number,
        withheld=view.withheld if view.withheld is not None else payouts.withheld(with_number),
        withheld_with_number=payouts.withheld(with_number),
        withheld_without_number=payouts.withheld(without),
        decks=table.decks if table else 1,
        excluded_at=exclusions.imported_at(op.connection),
        refusal=_problem(lambda: rules.pay(state, award=award, form=_ANY_AWARD, at=0, by=op.actor.id)),
        missing=_problem(lambda: payouts.verify_payable(op.connection, link, award, form=_ANY_AWARD))
        if op.policy.record_required
        else None,
    )


def print_slip(op: Operation, link: str, award: str, *, printer: Callable[[CagePayout], None]) -> SlipView:
    """Print the slip of an award; each print is in the audit log."""
    slip = payout_at_cage(op, link, award)

    def act() -> SlipView:
        printer(slip)
        return SlipView(link=link, award=award, status=slip.award.status)

    return op.perform({}, SlipView, act)


def _at_cage(op: Operation, *, link: str = "", award: str = "") -> list[CageAward]:
    """Awards to pay, longest wait first, then those paid today; or one award."""
    today = period(op.connection, "TODAY")
    about = {"since": today.since, "until": today.until, "link": link, "award": award}
    with op.connection.cursor(row_factory=class_row(CageAward)) as cursor:
        awards = cursor.execute(statement("cage_awards"), about).fetchall()
    names = {of: hand_names(op.connection, of) for of in {award.link for award in awards}}
    return [replace(award, hand_name=names[award.link].get(award.hand, award.hand)) for award in awards]


def _problem(of: Callable[[], object]) -> Problem | None:
    """Return what refuses this; None if nothing does."""
    try:
        of()
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
