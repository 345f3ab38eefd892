"""Statements by gambling week: opening debt of a site, sums passed on, awards, settlements, closing debt."""

from dataclasses import asdict, dataclass, replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Literal

from feltwork import spreadsheet
from feltwork.books.journal.link_state import entry_at, read_meters
from feltwork.books.links.floors import floor_in_force
from feltwork.books.network.hub_history import PastHub, hub_after, joined_at
from feltwork.compliance.two_person import Command
from feltwork.money import DOLLAR
from feltwork.operations.authorize import authorize
from feltwork.operations.context import Operation
from feltwork.operations.errors import unknown
from feltwork.operations.fields import with_example
from feltwork.operations.floors.site import site_name
from feltwork.operations.network.hub_views import verify_hub
from feltwork.progressive.network.hub_books import HubBooks
from feltwork.progressive.network.statement import statement_of_hub


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainEnds:
    """The first and the last entry of a period in one chain, with their hashes."""

    first_entry: int
    first_hash: str
    last_entry: int
    last_hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InTransit:
    """An award that the hub has locked and the site has not yet booked as paid."""

    award: str
    amount: int
    status: Literal["locked", "confirmed"]


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class SiteStatementView:
    """The statement of a site for a gambling week, from the hub's books."""

    hub: str
    link: str
    site: str
    #: The first and the last gambling day.
    first_day: date
    last_day: date
    opening: int
    passed: int
    awards: int
    settled: int
    closing: int
    hub_chain: ChainEnds
    site_chain: ChainEnds
    in_transit: list[InTransit]


def site_statement(op: Operation, link: str, site: str, day: date | None = None) -> SiteStatementView:
    """Write the statement of the gambling week that includes this day, or of the current week."""
    authorize(op, Command(name="read_books", about=link))
    verify_hub(op.connection, link)
    floor = floor_in_force(op.connection)
    day = day or _today(op, link)
    first = day - timedelta(days=day.weekday())
    last = first + timedelta(days=6)
    ends = (floor.day.bounds(first)[0], floor.day.bounds(last)[1])
    past, now = (hub_after(op.connection, link, entry_at(op.connection, link, end)) for end in ends)
    if site not in now.began:
        raise unknown(f"site {site} of {link} in that week")
    before = _same_membership(past, now, site)
    statement = statement_of_hub(before, now.books, site)
    older, newer = before.members[site].sum, now.books.members[site].sum
    return SiteStatementView(
        hub=site_name(op.connection),
        link=link,
        site=site,
        first_day=first,
        last_day=last,
        opening=statement.opening,
        passed=statement.passed,
        awards=statement.awards,
        settled=statement.settled,
        closing=statement.closing,
        hub_chain=ChainEnds(
            first_entry=statement.first.number,
            first_hash=statement.first.hash,
            last_entry=statement.last.number,
            last_hash=statement.last.hash,
        ),
        site_chain=ChainEnds(
            first_entry=older.entry, first_hash=older.hash, last_entry=newer.entry, last_hash=newer.hash
        ),
        in_transit=_in_transit(now, site),
    )


def statement_weeks(op: Operation, link: str, site: str, number: int = 8) -> list[date]:
    """Return the first days of the last gambling weeks since a site joined, current week first."""
    authorize(op, Command(name="read_books", about=link))
    verify_hub(op.connection, link)
    day, joined = _today(op, link), joined_at(op.connection, link, site)
    began = floor_in_force(op.connection).day.of(joined) if joined else day
    first = day - timedelta(days=day.weekday())
    weeks = [first - timedelta(weeks=back) for back in range(number)]
    return [week for week in weeks if week + timedelta(days=6) >= began]


def statement_file(view: SiteStatementView) -> str:
    """Return the statement as CSV, with amounts in dollars."""
    lines: list[tuple[str, object]] = [
        ("hub", view.hub),
        ("link", view.link),
        ("site", view.site),
        ("first day", view.first_day),
        ("last day", view.last_day),
    ]
    amounts = ("opening", "passed", "awards", "settled", "closing")
    lines += [(f"{name} ($)", Decimal(getattr(view, name)) / DOLLAR) for name in amounts]
    for whose, ends in (("hub", view.hub_chain), ("site", view.site_chain)):
        lines += [(f"{whose} {name}".replace("_", " "), value) for name, value in asdict(ends).items()]
    lines += [(f"in transit: {award.award} ($)", Decimal(award.amount) / DOLLAR) for award in view.in_transit]
    return spreadsheet.as_csv(("item", "value"), lines)


def _today(op: Operation, link: str) -> date:
    now = datetime.fromtimestamp(read_meters(op.connection, link).now / 1_000_000, tz=UTC)
    return floor_in_force(op.connection).day.of(now)


def _same_membership(past: PastHub, now: PastHub, site: str) -> HubBooks:
    """Return the books before the period; a site that joined or rejoined during it began with nothing."""
    entry, first = now.began[site]
    if site in past.began and past.began[site][0] == entry:
        return past.books
    return replace(past.books, members={**past.books.members, site: first})


def _in_transit(now: PastHub, site: str) -> list[InTransit]:
    return [
        InTransit(award=award, amount=grant.amount, status="confirmed" if grant.confirmed else "locked")
        for award, grant in now.open.items()
        if grant.site == site
    ]
