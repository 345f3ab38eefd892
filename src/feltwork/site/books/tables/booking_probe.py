"""A probe of the books: a line of the audit log that stays, and a round that is booked and rolled back."""

import secrets
import time

from psycopg import Rollback

from feltwork.problem import ProblemsError
from feltwork.site.books.connection import Connection
from feltwork.site.books.journal.idempotency import AuditLine, write_audit
from feltwork.site.books.journal.link_state import read_meters
from feltwork.site.books.queries import statement
from feltwork.site.books.tables.rounds import book_rounds, booked_round
from feltwork.site.progressive.refusal import refuse
from feltwork.site.progressive.round_facts import RoundStarted

#: The table of the round that is rolled back; no floor has it.
_TABLE = "doctor"


def write_probe(connection: Connection) -> None:
    """Write a line of the audit log and read it back; raise if it is missing."""
    name = secrets.token_hex(8)
    write_audit(connection, AuditLine(who="feltwork doctor", place=name, what="probe"))
    if connection.execute(statement("find_probe"), (name,)).fetchone() is None:
        raise refuse(
            "audit log",
            "the line that was written cannot be read back",
            "restore the books from a backup",
            "GL-12",
        )


def book_probe(connection: Connection, link: str) -> None:
    """Book a round of a link and roll it back: writes and reads journal, chain, meters and rounds."""
    with connection.transaction() as transaction:
        connection.execute(statement("wait_for_probe"))
        before = read_meters(connection, link)
        started = RoundStarted(
            link=link,
            at=time.time_ns() // 1_000,
            table=_TABLE,
            round=1,
            wager=before.state.link.wager,
            seats=(1,),
        )
        result = book_rounds(connection, link, [started])
        if result.refused:
            raise ProblemsError([result.refused[0].problem])
        stored_round, _ = booked_round(connection, link, _TABLE, 1)
        if stored_round != started or read_meters(connection, link).tail.number != before.tail.number + 1:
            what = "a round that was booked is not in the books"
            raise refuse(f"link {link}", what, "run feltwork audit", "GL-12")
        raise Rollback(transaction)
