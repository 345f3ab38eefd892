"""Links in the books: registered with their versions, opened, and read without a lock."""

from psycopg.types.json import Jsonb

from feltwork.site.books.connection import Connection
from feltwork.site.books.journal.link_state import kept_part
from feltwork.site.books.links.versions import text_of
from feltwork.site.books.queries import statement
from feltwork.site.progressive.link import Link, LinkKind, verify_link
from feltwork.site.progressive.state import new_state


def register_link(connection: Connection, link: Link, *, by: str) -> None:
    """Register a version of a link; the first one begins its chain."""
    verify_link(link)
    with connection.transaction():
        count = connection.execute(statement("register_link"), (link.id, link.kind)).rowcount
        register_version(connection, link, by=by)
        if count:
            state = Jsonb(kept_part(new_state(link)))
            about = {"link": link.id, "version": link.fingerprint, "state": state}
            connection.execute(statement("begin_chain"), about)


def register_version(connection: Connection, link: Link, *, by: str) -> None:
    """Register a version for later use."""
    connection.execute(statement("register_version"), (link.id, link.fingerprint, text_of(link), by))


def chain_ends(connection: Connection) -> dict[str, int]:
    """The links whose chain has begun, each with its last entry."""
    return dict(connection.execute(statement("chain_ends")).fetchall())


def link_kinds(connection: Connection) -> dict[str, LinkKind]:
    """Every link with its kind."""
    return dict(connection.execute(statement("links")).fetchall())
