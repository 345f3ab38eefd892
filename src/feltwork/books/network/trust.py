"""The amount that the bank of a link must hold: all player funds or, at a hub, its sites' settlements."""

from feltwork.books.connection import Connection
from feltwork.books.journal.link_state import kinds_after, player_funds_after
from feltwork.books.network.hub_store import hub_links
from feltwork.money import Micros


def bank_funds_after(connection: Connection, link: str, entry: int) -> dict[str, Micros]:
    """The amounts the bank must hold after an entry, by kind of account; at a hub, the trust's bank."""
    if link in hub_links(connection):
        return {kind: -held for kind, held in kinds_after(connection, link, entry, ["trust"]).items()}
    return player_funds_after(connection, link, entry)
