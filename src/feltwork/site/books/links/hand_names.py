"""The approved names of hands, for screens, papers and reports."""

from feltwork.site.books.connection import Connection
from feltwork.site.books.journal.link_state import read_meters
from feltwork.titles.hand_names import hand_name


def hand_names(connection: Connection, *links: str) -> dict[str, str]:
    """Row of a paytable -> its approved name, for the paytables of some links."""
    paytables = [read_meters(connection, link).state.link.paytable for link in links]
    return {row.hand: hand_name(paytable, row.hand) for paytable in paytables for row in paytable.rows}
