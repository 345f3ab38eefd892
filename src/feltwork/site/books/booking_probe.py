"""The probe of `feltwork doctor`: a trial booking that is rolled back, without any money."""

from psycopg import Error
from psycopg.errors import InsufficientPrivilege

from feltwork.problem import Problem, ProblemsError
from feltwork.site.books.connection import connect
from feltwork.site.books.journal.link_state import read_meters
from feltwork.site.books.links.versions import chain_ends
from feltwork.site.books.tables.booking_probe import book_probe, write_probe

_PATIENCE_SECONDS = 5


class ReadOnlyLoginError(ProblemsError):
    """The login is read-only, so nothing can be probed."""


def probe_books(dsn: str) -> str:
    """Write to the audit log, then book and roll back a round; return the link, empty if none is open.

    Raises the reason if a round cannot be booked.
    """
    try:
        with connect(dsn, timeout=_PATIENCE_SECONDS) as connection:
            try:
                write_probe(connection)
            except InsufficientPrivilege as error:
                what, remedy = "this login may only read", "run it with the login of the service"
                raise ReadOnlyLoginError([Problem("--dsn", what, remedy)]) from error
            for link in chain_ends(connection):
                if read_meters(connection, link).state.takes_wagers:
                    book_probe(connection, link)
                    return link
    except Error as error:
        what = str(error).splitlines()[0] if str(error) else type(error).__name__
        remedy = "read the log of PostgreSQL: a full disk, a standby and missing rights refuse writes"
        raise ProblemsError([Problem("books", what, remedy)]) from error
    return ""
