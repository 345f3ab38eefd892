"""Awards found by patron, table, amount and day, and a random sample that anyone can repeat from its seed."""

from collections.abc import Sequence
from dataclasses import dataclass

from feltwork.site.books.authorize import authorize_any
from feltwork.site.books.awards.provenance import awards_found
from feltwork.site.books.connection import Connection
from feltwork.site.books.context import Operation
from feltwork.site.books.floors.floor_files import period_of
from feltwork.site.books.floors.site import site_name
from feltwork.site.books.links.links import hand_names
from feltwork.site.books.reports import Row


@dataclass(frozen=True, slots=True, kw_only=True)
class AwardSearch:
    """A search for confirmed awards; with a seed, a sample of them."""

    day: str = "ALL"
    patron: str = ""
    table: str = ""
    amount: int | None = None
    #: Seed of a sample, which is in order of the SHA-256 of ``seed/link/award``.
    seed: str = ""
    limit: int = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundAwards:
    """The awards of a search or a sample."""

    site: str
    day: str
    awards: Sequence[Row]


def find_awards(op: Operation, search: AwardSearch) -> FoundAwards:
    """Find awards, or draw a sample, for those who may read the books."""
    authorize_any(op, "read_books", about="awards")
    return draw_awards(op.connection, search)


def draw_awards(connection: Connection, search: AwardSearch) -> FoundAwards:
    """Find awards, or draw a sample; the same seed draws the same awards from the same books."""
    covers = period_of(connection, search.day)
    rows = awards_found(
        connection,
        since=covers.since,
        until=covers.until,
        patron=search.patron,
        table=search.table,
        amount=search.amount,
        seed=search.seed,
        limit=search.limit,
    )
    names = {link: hand_names(connection, link) for link in {row["link"] for row in rows}}
    awards = [{**row, "hand": names[row["link"]].get(row["hand"], row["hand"])} for row in rows]
    return FoundAwards(site=site_name(connection), day=covers.name, awards=awards)
