"""Views of a network for the people of a site: contact with the hub, debt and settlements."""

import time
from dataclasses import dataclass

from feltwork.books.connection import Connection
from feltwork.books.journal.link_state import read_meters
from feltwork.books.network.hub_store import aggregator_links
from feltwork.books.network.site_store import contact_of
from feltwork.operations.authorize import authorize_any
from feltwork.operations.context import Operation
from feltwork.progressive.network.postings import TO_HUB
from feltwork.progressive.network.site import SiteTiming


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteNetworkView:
    """A network link at one of its sites, or at an aggregator."""

    site: str
    agreement: str
    #: The site's debt to the network, negative if the network owes the site, and its limit.
    owes: int
    limit: int
    #: The hub's entry that the signs show, and its arrival, microseconds since 1970; 0 before the first.
    hub_entry: int
    hub_hash: str
    heard_at: int
    #: Whether contact with the hub is recent enough to take wagers.
    is_in_contact: bool
    settlements: int
    #: A settlement that the hub has not booked yet.
    settling: int | None
    is_leaving: bool


def site_network(op: Operation, link: str) -> SiteNetworkView | None:
    """Show the network of a link at this site; None if the link has no hub, or this is the hub."""
    authorize_any(op, "read_books", about=f"link {link}")
    contact = contact_of(op.connection, link)
    if contact is None:
        return None
    until = contact.pop("allows_until")
    if link in aggregator_links(op.connection):  # its own tables take no wagers, in contact or not
        until = contact["heard_at"] + SiteTiming().silence
    state = read_meters(op.connection, link).state
    return SiteNetworkView(
        **contact,
        owes=owed_to_hub(op.connection, link),
        is_in_contact=until > time.time_ns() // 1_000,
        is_leaving="leave" in state.stops,
    )


def owed_to_hub(connection: Connection, link: str) -> int:
    """Return the site's debt to the network, less grants."""
    return read_meters(connection, link).state.balances.get(f"clearing/{link}/{TO_HUB}", 0)
