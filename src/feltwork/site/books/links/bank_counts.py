"""The bank count, compared with the books as of a cutoff [WA-18]."""

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from feltwork.money import CENT, Micros
from feltwork.site.books.authorize import authorize
from feltwork.site.books.context import Operation
from feltwork.site.books.floors.site import floor_in_force, site_name, verify_link
from feltwork.site.books.journal.link_state import entry_at, player_funds_after, read_meters
from feltwork.site.books.links import lifecycle
from feltwork.site.books.links.links import BookedView, booked_view
from feltwork.site.compliance.two_person import Command
from feltwork.site.progressive.life_cycle import BankCount

#: Effect of recording a count: none, stop wagers, or resume a link that a shortfall stopped.
Effect: TypeAlias = Literal["", "even", "over", "within_tolerance", "stops", "stays_stopped", "resumes"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CountFunds:
    """Compare the bank balance with what was held for players after an entry, or now."""

    link: str
    bank_balance: int
    entry: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CountView:
    """The required bank balance as of a cutoff, and the effect of recording a balance."""

    site: str
    link: str
    title: str
    #: Time of the cutoff, and the last entry that counts.
    cutoff: int
    entry: int
    #: Meter, reserve, pending and payable.
    funds: dict[str, int]
    required: int
    tolerance: int
    #: The entry and the amount of the last count; 0 before the first.
    counted_entry: int
    counted: int
    bank_balance: int | None
    difference: int | None
    effect: Effect


def prepare_count(
    op: Operation,
    link: str,
    *,
    cutoff: datetime | None = None,
    entry: int | None = None,
    balance: Micros | None = None,
) -> CountView:
    """Show the books as of a cutoff, and the effect of recording a bank balance; nothing is written.

    ``entry`` is the last entry that counted when the cutoff was first shown; later entries do not count.
    """
    authorize(op, Command(name="count_funds", about=link))
    verify_link(op.connection, link)
    now = read_meters(op.connection, link)
    if entry is None:
        entry = now.tail.number if cutoff is None else entry_at(op.connection, link, cutoff)
    entry = min(entry, now.tail.number)
    state = now.state
    funds = player_funds_after(op.connection, link, entry)
    count = BankCount(
        bank_balance=balance or 0,
        entry=entry,
        required=sum(funds.values()),
        tolerance=_tolerance(op),
    )
    return CountView(
        site=site_name(op.connection),
        link=link,
        title=state.link.title.title,
        cutoff=now.now if cutoff is None else int(cutoff.timestamp() * 1_000_000),
        entry=entry,
        funds=funds,
        required=count.required,
        tolerance=count.tolerance,
        counted_entry=state.counted_entry,
        counted=state.funds_at_count,
        bank_balance=balance,
        difference=None if balance is None else balance - count.required,
        effect="" if balance is None else _effect(count, stopped="shortfall" in state.stops),
    )


def count_funds(op: Operation, command: CountFunds) -> BookedView:
    """Compare the bank balance with the funds held for players; a shortfall stops the link [WA-18]."""
    authorize(op, Command(name="count_funds", about=command.link))
    verify_link(op.connection, command.link)
    tolerance = _tolerance(op)

    def act() -> BookedView:
        booked = lifecycle.count_funds(
            op.connection,
            command.link,
            bank_balance=command.bank_balance,
            by=op.actor.id,
            entry=command.entry,
            tolerance=tolerance,
        )
        return booked_view(booked)

    return op.perform(asdict(command), BookedView, act)


def _tolerance(op: Operation) -> Micros:
    floor = floor_in_force(op.connection)
    return floor.count_tolerance if floor else CENT


def _effect(count: BankCount, *, stopped: bool) -> Effect:
    if count.short:
        return "stays_stopped" if stopped else "stops"
    if stopped:
        return "resumes"
    missing = count.required - count.bank_balance
    if missing > 0:
        return "within_tolerance"
    return "over" if missing < 0 else "even"
