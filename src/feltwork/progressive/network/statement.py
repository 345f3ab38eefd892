"""Statements: who owes whom between a site and the trust, written by either from its own books."""

from dataclasses import dataclass

from feltwork.ledger import accounts
from feltwork.ledger.chain import Tail
from feltwork.money import Micros
from feltwork.progressive.network.hub_books import HubBooks
from feltwork.progressive.network.site_books import SiteBooks


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkStatement:
    """One site and one period; both sides come to the same lines except for amounts in transit."""

    site: str
    opening: Micros
    passed: Micros
    awards: Micros
    settled: Micros
    #: The ends of the writer's own chain before and after the period.
    first: Tail
    last: Tail

    @property
    def closing(self) -> Micros:
        """Amount the site owes at the end; below zero, the trust owes it."""
        return self.opening + self.passed - self.awards - self.settled


def statement_of_site(before: SiteBooks, now: SiteBooks) -> NetworkStatement:
    """Return the site's statement, from its books before and after a period of one membership."""
    opening, closing = _site_lines(before), _site_lines(now)
    return _statement(now.site, opening, closing, before.tail, now.tail)


def statement_of_hub(before: HubBooks, now: HubBooks, site: str) -> NetworkStatement:
    """Return the hub's statement of a site."""
    opening, closing = _hub_lines(before, site), _hub_lines(now, site)
    return _statement(site, opening, closing, before.tail, now.tail)


def in_transit(own: NetworkStatement, hubs: NetworkStatement) -> dict[str, Micros]:
    """Return the lines that differ, by name, with the amount by which the site is ahead."""
    names = ("opening", "passed", "awards", "settled")
    ahead = {name: getattr(own, name) - getattr(hubs, name) for name in names}
    return {name: amount for name, amount in ahead.items() if amount}


def _site_lines(books: SiteBooks) -> tuple[Micros, Micros, Micros]:
    paid = sum(counter.paid for counter in books.state.counters.values()) - books.taken_back
    settled = books.state.balances.get(accounts.trust(books.state.link.id), 0)
    return books.sum(books.hub).passed, paid, settled


def _hub_lines(books: HubBooks, site: str) -> tuple[Micros, Micros, Micros]:
    member = books.members[site]
    return member.sum.passed, member.awards, member.settled


def _statement(
    site: str,
    opening: tuple[Micros, Micros, Micros],
    closing: tuple[Micros, Micros, Micros],
    first: Tail,
    last: Tail,
) -> NetworkStatement:
    passed, awards, settled = (now - before for before, now in zip(opening, closing, strict=True))
    owed = opening[0] - opening[1] - opening[2]
    return NetworkStatement(
        site=site,
        opening=owed,
        passed=passed,
        awards=awards,
        settled=settled,
        first=first,
        last=last,
    )
